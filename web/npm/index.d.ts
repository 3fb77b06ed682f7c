/** Rows of numbers. */
export type Matrix = ArrayLike<ArrayLike<number>>

/** Rows of numbers of which some may be unknown. */
export type Vectors = ArrayLike<ArrayLike<number | null>>

/** One of two graphs to match: what is compared comes from what both have. */
export interface Graph {
  /** How many; else as many as it has points, features or names, or as its edges join. */
  nodes?: number
  names?: string[]
  /** A place for each node, of two coordinates or more; null is unknown. */
  points?: Vectors
  /** A vector for each node; null is unknown. */
  features?: Vectors
  /** Pairs [i, j] of nodes, from 0. */
  edges?: Matrix
  /** A number for each edge. */
  weights?: ArrayLike<number>
  /** A vector for each edge. */
  edge_features?: Matrix
  directed?: boolean
}

export type Kernel = 'auto' | 'length' | 'direction' | 'weight' | 'features' | 'binary'
export type Scale = 'auto' | 'same' | 'free'

/** A problem as the HTTP service reads it. */
export type Instance =
  /** Maximise the sum of k[p][q] over matched pairs p and q, (n1·n2)×(n1·n2); i·n2+a is node i with node a. */
  | { kind: 'affinity', name?: string, k: Matrix, n1?: number, n2?: number, sense?: 'max' | 'min' }
  | { kind: 'sparse', name?: string, n1: number, n2: number, rows: ArrayLike<number>, cols: ArrayLike<number>, values: ArrayLike<number>, sense?: 'max' | 'min' }
  /** Minimise Σ a[i][j]·b[m(i)][m(j)] + Σ linear[i][m(i)]. */
  | { kind: 'qap', name?: string, a: Matrix, b: Matrix, linear?: Matrix }
  | { kind: 'graphs', name?: string, graph1: Graph, graph2: Graph, kernel?: Kernel, scale?: Scale }

/** A file: the ending of its name says how it is read. */
export interface NamedFile {
  name: string
  data: string | ArrayBuffer | ArrayBufferView
}

/** One instance in a file: .dat of QAPLIB, .npy, .npz, .mtx, .dd. */
export interface InstanceFile {
  file: NamedFile
  n1?: number
  n2?: number
  order?: 'row' | 'col'
  sense?: 'max' | 'min'
}

/** Two graphs, or tables of points: CSV, edge lists, GraphML, GEXF, GML, LEDA, Pajek, graph6, JSON, .npz. */
export interface GraphFiles {
  files: [NamedFile, NamedFile]
  kernel?: Kernel
  scale?: Scale
  /** The attribute of edges that is their weight. */
  weight?: string
}

/** How to search, as by rgm solve; the search ends by itself where there is no limit. */
// The options: made from the table by go generate; do not edit.
export interface Options {
  /** the search, by its name; auto combines several, rgm follows the trained policy, align matches two graphs by
   * their edges; every other name is that one search (auto, or profile if that is set) */
  method?: string
  /** the network, by its name, of a method that uses one; the command line also takes a file (matching for affinity
   * matrices, qap for flows and distances, align for align) */
  model?: string
  /** longest time of a call, reading and preparing two graphs included (none: the search ends by itself) */
  time_limit?: string | number
  /** for a search without time_limit: it ends by itself, but no later than this (none) */
  deadline?: string | number
  /** most steps of a search, or of each rollout; a step is an action, a swap or a trial (from the size, or none for a
   * distance) */
  max_steps?: number
  /** in place of max_steps: steps for each node of the larger graph (none) */
  steps_per_node?: number
  /** end a search after this many steps without a better matching (from the size, or none with max_steps or
   * steps_per_node) */
  patience?: number
  /** of instances: end a search at this objective, or a better one (none) */
  target?: number
  /** seed of all random choices (0) */
  seed?: number
  /** processors for one search, or for all pairs of a collection; a search limited by steps has the same result on
   * any number (all for a single instance, else 1) */
  threads?: number
  /** match this many nodes; a method that matches all of them then releases the weakest matches (as many as raise the
   * objective) */
  inliers?: number
  /** multiply the score of m matches by f(m), so that outliers can stay unmatched: none, f1, f2, f3 (of the paper),
   * mean (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges) (none) */
  regularize?: string
  /** match all nodes of the smaller graph */
  complete?: boolean
  /** of two graphs: after the search, remove each match that is less likely to be right than to have a node without a
   * partner; right matches can be removed too */
  leave_out?: boolean
  /** known matches, which the result keeps: i:a for node i of graph 1 and node a of graph 2, counted from 0, or in
   * rgm match their names */
  fix?: string[]
  /** also return the best matching found of every size */
  profile?: boolean
  /** also return this many of the best matchings, one of those that differ only by a symmetry; for small instances it
   * is proved that none are better (none) */
  best?: number
  /** affinities to search by: given, learned (a network re-weighs them), or a model that re-weighs them; learned ones
   * let outliers stay unmatched; if some are negative, all stay as given; the objective always counts the given ones
   * (given) */
  affinity?: string
  /** searches by the policy that advance side by side (8) */
  rollouts?: number
  /** width of a beam search by the policy; above 1 it takes the place of rollouts (1) */
  beam?: number
  /** the policy never releases a match: w/o rev. in the paper */
  irrevocable?: boolean
  /** of instances: where rollouts without releases begin: empty, or supported, each then at a match that the leading
   * eigenvector of the affinities favours (empty) */
  start?: 'empty' | 'supported'
  /** improve the result of any method: none, rewrite (local rewriting), ipfp, tabu, or a model for it; takes half of
   * the time limit (none) */
  refine?: string
  /** starts of the method faq; the best result counts (1) */
  restarts?: number
  /** of instances: a matching to start from: for each node of graph 1 its node of graph 2, or -1 */
  initial?: ArrayLike<number>
  /** of two graphs: which nodes are joined: given (by the graphs), complete (all), delaunay, knn:K (the K nearest),
   * or auto: given if there are edges, else complete, for many points delaunay (in space knn:8) (auto) */
  edges?: string
  /** of two graphs: what edges are compared by: length, direction (and length, if neither graph is turned), weight,
   * features, binary (only that there is an edge), or auto: the first of features, weight, length that both graphs
   * have (auto) */
  kernel?: 'auto' | 'length' | 'direction' | 'weight' | 'features' | 'binary'
  /** of two graphs: unit of lengths: same (for both graphs), free (the mean or median distance of two nodes in each),
   * or auto: same if the mean distances differ by at most a tenth, else what matches better (auto) */
  scale?: 'auto' | 'same' | 'free'
  /** of two graphs: edge attribute, a number, that is the weight (weight) */
  weight?: string
  /** of two graphs: names of attributes that must be equal: nodes that differ are never matched, edges that differ
   * never shared (none) */
  must_agree?: string[]
  /** of two graphs: how much the attributes of nodes count beside the edges: a number, or auto: from the data, by how
   * well they tell nodes apart (auto) */
  node_weight?: number
  /** of two graphs: how similar nodes are, beside what is compared: rows [i, a, score], node i of graph 1, node a of
   * graph 2, both from 0, and a number above 0 */
  similarity?: number[][]
}
// So far.

// Options of a distance: made from their table by go generate; do not edit.
export interface DistanceOptions {
  /** longest time of a call, reading and preparing two graphs included (none: the search ends by itself) */
  time_limit?: string | number
  /** most steps of a search, or of each rollout; a step is an action, a swap or a trial (from the size, or none for a
   * distance) */
  max_steps?: number
  /** seed of all random choices (0) */
  seed?: number
  /** processors for one search, or for all pairs of a collection; a search limited by steps has the same result on
   * any number (all for a single instance, else 1) */
  threads?: number
  /** what edits cost: the name of a model, or the text of a TOML file (on the command line the file); uniform is 1
   * for each edit, 0 if labels are equal (uniform) */
  costs?: string
  /** only find out whether the distance is at most this (none) */
  within?: number
  /** also return the edits, one by one */
  path?: boolean
  /** also return up to this many matchings whose cost is the distance, once that is proved (none) */
  matchings?: number
}
// So far, of a distance.

/** A better matching than those before. */
export interface Incumbent {
  objective: number
  /** Seconds since the search began. */
  elapsed: number
  steps: number
  found_by: string
  /** Of a distance: no edits cost less. */
  lower_bound?: number
  matching: number[]
}

export type Status = 'converged' | 'optimal' | 'target' | 'max_steps' | 'patience' | 'time_limit' | 'deadline' | 'cancelled' | (string & {})

/** What `rgm solve --format json` and `rgm match --format json` print. */
export interface Result {
  instance: string
  n1: number
  n2: number
  sense: 'max' | 'min'
  objective: number
  bound?: number
  bound_gap_percent?: number
  best_known?: number
  gap_percent?: number
  matched: number
  /** The node of graph 2 for each node of graph 1, from 0; -1 is unmatched. */
  matching: number[]
  method: string
  model?: string
  provider?: string
  refine?: string
  affinity?: string
  affinity_used?: string
  affinity_reason?: string
  over_chance?: number
  recalled?: { kept: number, instance?: string, objective?: number, renumbered?: boolean }
  found_by: string
  evaluations: number
  rollouts: number
  steps: number
  seconds: number
  status: Status
  seed: number
  profile?: { matched: number, objective: number, matching: number[] }[]
  matchings?: { matched: number, objective: number, matching: number[] }[]
  matchings_are?: 'proved' | 'found'
  /** Of each node of graph 1 how likely its match is right, from 0 to 1; of a match that was left out that it has no partner. */
  confidence?: number[]
  /** Whether a match is right with .99 or more, and how many are. */
  sure?: boolean[]
  sure_matches?: number
  /** How many matches were taken away, since a node of each more likely has no partner. */
  left_out?: number
  /** Nodes of graph 1 whose partners, once known, settle most. */
  ask?: number[]
  /** Of two graphs: what was compared. */
  edges?: string
  edges1?: number
  edges2?: number
  kernel?: string
  scale?: string
  about?: string
  names1?: string[]
  names2?: string[]
  unused?: string[]
  /** Of two graphs that are aligned by their structure: why, and what speaks for it. */
  why?: string
  shared_edges?: number
  shared_edges_bound?: number
  edge_correctness?: number
  s3?: number
  witnesses?: number[]
  margins?: number[]
  groups?: number[][]
  automorphisms?: string
  /** Of points that one transform takes to others: y = scale·turn·x + shift. */
  transform?: { scale: number, angle?: number, turn: number[][], shift: number[], mirrored: boolean, noise: number, partners: number }
}

export interface Settings {
  /** Its abort ends the search with the best matching so far, and the status 'cancelled'. */
  signal?: AbortSignal
  onIncumbent?: (incumbent: Incumbent) => void
}

/** A graph to be drawn. */
export interface Drawn {
  points: [number, number][]
  edges: [number, number][]
  names?: string[]
  /** Whether it has points of its own. */
  placed: boolean
  /** Of the nodes: a value each, '' where one has none. */
  attributes?: Attribute[]
}

export interface Attribute {
  name: string
  values: string[]
}

/** One of the edits that turn graph 1 into graph 2. */
export interface Edit {
  /** A substitution that costs nothing keeps a node or an edge. */
  edit: 'substitute' | 'delete' | 'insert'
  what: 'node' | 'edge'
  /** The name of a node, or two of an edge. */
  a?: string[]
  b?: string[]
  cost: number
}

/** How far two graphs are from each other, or what is known of it. */
export interface Distance {
  instance: string
  n1: number
  n2: number
  costs: string
  /** What the edits cost that were found, and what no edits cost less than. */
  distance: number
  lower_bound: number
  similarity: number
  within?: boolean
  matching: number[]
  matchings?: number[][]
  path?: Edit[]
  steps: number
  seconds: number
  status: Status
  seed: number
}

/** A worker with the solver in it. Several of them search side by side. */
export class Solver {
  /** Loads the module, which solve does too. */
  load (): Promise<{ methods: string[] }>
  methods (): Promise<string[]>
  /**
   * Solves a problem; searches of one solver follow each other. A TypeError or RangeError says which
   * field is wrong (pointer, a JSON pointer) and what would be right.
   */
  solve (problem: Instance | InstanceFile | GraphFiles, options?: Options, settings?: Settings): Promise<Result>
  /** Measures the edit distance of two graphs. */
  distance (problem: Instance | GraphFiles, options?: DistanceOptions, settings?: Settings): Promise<Distance>
  /** Where the nodes of two graphs are drawn: at their own points, or where their edges put them. */
  graphs (problem: Instance | GraphFiles): Promise<{ graph1: Drawn, graph2: Drawn }>
  /** Ends the worker, and what it searches with an error. */
  close (): void
}

/** Solves a problem with a solver that all calls share. */
export function solve (problem: Instance | InstanceFile | GraphFiles, options?: Options, settings?: Settings): Promise<Result>

/** Measures the edit distance of two graphs with the same solver. */
export function distance (problem: Instance | GraphFiles, options?: DistanceOptions, settings?: Settings): Promise<Distance>
