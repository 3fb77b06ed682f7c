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
  /** a search by its name; auto combines several, rgm is the learned policy, align aligns two graphs by their edges;
   * any other name is one search, which goes on until its limit (auto; with profile: profile) */
  method?: string
  /** the network of a method that has one, by its name; the command line also takes a file (matching for affinity
   * matrices, else qap; of align: align) */
  model?: string
  /** wall clock of a call, with reading and preparing two graphs (none: the search ends by itself) */
  time_limit?: string | number
  /** without time_limit, a search ends by itself, and at the latest after this time (none) */
  deadline?: string | number
  /** steps of a search: actions, swaps, trials (from the size; of a distance none) */
  max_steps?: number
  /** in place of max_steps: steps for each node of the larger graph (none) */
  steps_per_node?: number
  /** steps without a better matching that end a search, the paper's T_es (from the size; none with max_steps or
   * steps_per_node) */
  patience?: number
  /** of instances: an objective at which the search ends (none) */
  target?: number
  /** every random choice comes from it (0) */
  seed?: number
  /** processors that search one instance, or share the pairs of a collection; a search limited by steps has the same
   * result on any number (all for a single instance, else 1) */
  threads?: number
  /** match this many nodes; a method that matches all releases the weakest (any number that pays) */
  inliers?: number
  /** multiply the score of m matches by a function f(m), against outliers: none, f1, f2, f3 (the paper's), mean
   * (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges) (none) */
  regularize?: string
  /** match all nodes of the smaller graph */
  complete?: boolean
  /** of two graphs: leave out matches a node of which more likely has no partner than that they are right; right ones
   * may go too */
  leave_out?: boolean
  /** known matches, which stay: i:a is node i of graph 1 with node a of graph 2, from 0, or by names where rgm match
   * has files */
  fix?: string[]
  /** also return the best objective of every number of matches, by the method profile */
  profile?: boolean
  /** also return this many of the best matchings, but one of those that differ by a symmetry; of small instances they
   * are proved the best, else the best that searches met (none) */
  best?: number
  /** affinities to search by: given; learned, which a network re-weighs against outliers, unless some are negative;
   * or a model for it; the objective is that of the given ones (given) */
  affinity?: string
  /** searches by the policy that advance side by side (8) */
  rollouts?: number
  /** states of a beam search by the policy, in place of rollouts where more than 1 (1) */
  beam?: number
  /** actions release no matches: the paper's w/o rev. */
  irrevocable?: boolean
  /** of instances: where rollouts without releases begin: empty, or supported: each at a match that the leading
   * eigenvector of the affinities favours (empty) */
  start?: 'empty' | 'supported'
  /** improve the result of any method: none, rewrite (local rewriting), ipfp, tabu, or a model for it; takes half of
   * the time limit (none) */
  refine?: string
  /** starts of the method faq; the best result counts (1) */
  restarts?: number
  /** of instances: a matching to start from: graph 2's node for each node of graph 1; -1 unmatched */
  initial?: ArrayLike<number>
  /** of two graphs: which nodes are joined: given (by the graphs), complete (all), delaunay, knn:K (the K nearest),
   * or auto: given, else complete, for larger sets delaunay (auto) */
  edges?: string
  /** of two graphs: what edges are compared by: length, direction (with length; if no graph is turned), weight,
   * features, binary (only that there is an edge), or auto: the first of features, weight, length that both graphs
   * have (auto) */
  kernel?: 'auto' | 'length' | 'direction' | 'weight' | 'features' | 'binary'
  /** of two graphs: units of lengths: same (for both), free (the mean or median distance of two nodes), or auto: same
   * if these differ by a tenth at most, else what matches better (auto) */
  scale?: 'auto' | 'same' | 'free'
  /** of two graphs: the attribute of the edges, a number, that is their weight (weight) */
  weight?: string
  /** of two graphs: attributes of nodes, or of edges, by name: those whose values differ are never matched (none) */
  must_agree?: string[]
  /** of two graphs: weight of the nodes' attributes beside the edges: a number, 0 for none, or auto: from the data,
   * by how well they tell nodes apart (auto) */
  node_weight?: number
  /** of two graphs: how similar nodes are, besides what is compared: rows [i, a, score], nodes of both graphs from 0
   * and a number above 0 */
  similarity?: number[][]
}
// So far.

// Options of a distance: made from their table by go generate; do not edit.
export interface DistanceOptions {
  /** wall clock of a call, with reading and preparing two graphs (none: the search ends by itself) */
  time_limit?: string | number
  /** steps of a search: actions, swaps, trials (from the size; of a distance none) */
  max_steps?: number
  /** every random choice comes from it (0) */
  seed?: number
  /** processors that search one instance, or share the pairs of a collection; a search limited by steps has the same
   * result on any number (all for a single instance, else 1) */
  threads?: number
  /** what edits cost: a model by its name, or the text of a TOML file (on the command line the file); uniform is 1
   * each, 0 if labels are equal (uniform) */
  costs?: string
  /** is the distance at most this? the search ends once that is known (none) */
  within?: number
  /** the edits, one by one */
  path?: boolean
  /** at most this many matchings of the same cost, once it is proved (none) */
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
