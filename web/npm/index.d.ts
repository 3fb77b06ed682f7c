/** Rows of numbers. */
export type Matrix = ArrayLike<ArrayLike<number>>

/** One of two graphs to match: what is compared comes from what both have. */
export interface Graph {
  /** How many; else as many as it has points, features or names, or as its edges join. */
  nodes?: number
  names?: string[]
  /** A place for each node, of two coordinates or more. */
  points?: Matrix
  /** A vector for each node. */
  features?: Matrix
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
export interface Options {
  /** One of Solver.methods(): 'auto'. */
  method?: string
  model?: 'qap' | 'matching'
  rollouts?: number
  /** '500ms', or a number of seconds: the search uses them. */
  time_limit?: string | number
  /** The same: a search without time_limit ends by itself, and at the latest then. */
  deadline?: string | number
  max_steps?: number
  /** An objective that is good enough. */
  target?: number
  seed?: number
  /** Match so many nodes. */
  inliers?: number
  /** none, f1, f2, f3, mean, mean:p or null. */
  regularize?: string
  /** Match all nodes of the smaller graph. */
  complete?: boolean
  /** Matches that stay: 'i:a'. */
  fix?: string[]
  /** What matchings are sought by: learned affinities leave outliers alone. */
  affinity?: 'given' | 'learned'
  /** A matching to start from; -1 is unmatched. */
  initial?: ArrayLike<number>
}

/** A better matching than those before. */
export interface Incumbent {
  objective: number
  /** Seconds since the search began. */
  elapsed: number
  steps: number
  found_by: string
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
  found_by: string
  evaluations: number
  rollouts: number
  steps: number
  seconds: number
  status: Status
  seed: number
  profile?: { matched: number, objective: number, matching: number[] }[]
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
  /** Of two graphs that are aligned by their structure: why, and how sure it is. */
  why?: string
  shared_edges?: number
  shared_edges_bound?: number
  edge_correctness?: number
  s3?: number
  sure_matches?: number
  witnesses?: number[]
  margins?: number[]
  sure?: boolean[]
  groups?: number[][]
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
  /** Where the nodes of two graphs are drawn: at their own points, or where their edges put them. */
  graphs (problem: Instance | GraphFiles): Promise<{ graph1: Drawn, graph2: Drawn }>
  /** Ends the worker, and what it searches with an error. */
  close (): void
}

/** Solves a problem with a solver that all calls share. */
export function solve (problem: Instance | InstanceFile | GraphFiles, options?: Options, settings?: Settings): Promise<Result>
