import { encode } from './encode.js'

const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads')

// startWorker returns a worker whose messages go to take; what ends it goes there as { ended }.
function startWorker (take) {
  let worker
  if (threads) {
    worker = new threads.Worker(new URL('./worker.js', import.meta.url), { execArgv: [] }) // --input-type and others are not its own
    worker.on('message', take)
    worker.on('error', e => take({ ended: e.message }))
  } else {
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    worker.onmessage = e => take(e.data)
    worker.onerror = e => { e.preventDefault(); take({ ended: e.message || 'the worker cannot be loaded' }) }
  }
  worker.postMessage({ module: String(new URL('./rgm.wasm.gz', import.meta.url)) })
  return worker
}

const errors = { TypeError, RangeError, Error }

// errorOf returns what the module says is wrong, as an error of the language.
function errorOf ({ type, pointer, detail }) {
  const error = new errors[type](pointer ? `${pointer}: ${detail}` : detail)
  if (pointer) error.pointer = pointer
  return error
}

function check (signal, onIncumbent) {
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError('signal: want an AbortSignal')
  if (onIncumbent !== undefined && typeof onIncumbent !== 'function') throw new TypeError('onIncumbent: want a function')
}

export class Solver {
  #worker = null
  #ready = null // a promise of what the module says of itself
  #search = null // the one that runs: { resolve, reject, onIncumbent }
  #queue = Promise.resolve()
  #closed = false

  /** Loads the module; solve does that too. */
  async load () {
    if (this.#closed) throw new Error('the solver is closed')
    this.#ready ??= new Promise((resolve, reject) => {
      this.#worker = startWorker(message => {
        if (message.ready) resolve(message.ready)
        if (message.ended !== undefined) reject(this.#end(message.ended))
        this.#take(message)
      })
    })
    this.#worker.ref?.()
    try {
      return await this.#ready
    } finally {
      if (!this.#search) this.#worker?.unref?.() // Node may end
    }
  }

  /** The names of the methods. */
  async methods () { return (await this.load()).methods }

  /** Where the nodes of two graphs are drawn: { graph1, graph2 }, each with points, edges, names and placed. */
  async graphs (problem) { return this.#next({ draw: encode(problem, {}) }) }

  /** Solves a problem; searches of one solver follow each other. */
  async solve (problem, options = {}, { signal, onIncumbent } = {}) {
    check(signal, onIncumbent)
    return this.#next({ solve: encode(problem, options) }, signal, onIncumbent)
  }

  /** Measures the edit distance of two graphs. */
  async distance (problem, options = {}, { signal, onIncumbent } = {}) {
    check(signal, onIncumbent)
    if (typeof options !== 'object' || options === null) throw new TypeError('/distance: want an object')
    return this.#next({ solve: encode(problem, {}, options) }, signal, onIncumbent)
  }

  // #next asks once all that was asked before is done.
  #next (message, signal, onIncumbent) {
    const turn = this.#queue.then(() => this.#run(message, signal, onIncumbent))
    this.#queue = turn.catch(() => {})
    return turn
  }

  async #run (message, signal, onIncumbent) {
    await this.load()
    const cancel = () => this.#worker?.postMessage({ cancel: true })
    try {
      return await new Promise((resolve, reject) => {
        this.#search = { resolve, reject, onIncumbent }
        this.#worker.ref?.()
        this.#worker.postMessage(message, Object.values(message).map(bytes => bytes.buffer))
        if (signal?.aborted) cancel()
        signal?.addEventListener('abort', cancel)
      })
    } finally {
      this.#search = null
      this.#worker?.unref?.()
      signal?.removeEventListener('abort', cancel)
    }
  }

  #take ({ incumbent, done, failed }) {
    const search = this.#search
    if (!search) return
    try {
      if (incumbent && !search.thrown) search.onIncumbent?.(incumbent)
    } catch (error) { // of the caller's function: it is told once the search has ended
      search.thrown = { error }
      this.#worker?.postMessage({ cancel: true })
    }
    if (done || failed) {
      if (search.thrown) search.reject(search.thrown.error)
      else if (done) search.resolve(done)
      else search.reject(errorOf(failed))
    }
  }

  // #end forgets a worker that has ended; the next search starts another.
  #end (why) {
    const error = new Error(`rgm: the search ended: ${why}`)
    this.#search?.reject(error)
    this.#worker?.terminate()
    this.#worker = this.#ready = null
    return error
  }

  /** Ends the worker, and what it searches with an error. */
  close () {
    this.#closed = true
    if (this.#worker) this.#end('the solver is closed')
  }
}

let shared = null

/** Measures the edit distance of two graphs with the same solver. */
export function distance (problem, options, settings) {
  shared ??= new Solver()
  return shared.distance(problem, options, settings)
}

/** Solves a problem with a solver that all calls share. */
export function solve (problem, options, settings) {
  shared ??= new Solver()
  return shared.solve(problem, options, settings)
}
