// node --test, after ../build. RGM names the program with which results are compared (rgm).
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Solver, solve } from '@rgm-go/rgm'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const solver = new Solver()
after(() => solver.close())
const point = n => ({ name: `${n}.csv`, data: readFileSync(join(root, 'docs/tutorials/data', `${n}.csv`)) })
const qaplib = name => ({ file: { name: `${name}.dat`, data: readFileSync(join(root, 'datasets/qaplib', `${name}.dat`), 'utf8') } })
const nug12 = qaplib('nug12')

// same is a result but for what differs between runs.
const same = ({ seconds, best_known: _, gap_percent: __, ...rest }) => rest

// program returns what rgm prints.
const program = (...args) => JSON.parse(execFileSync(process.env.RGM ?? 'rgm', [...args, '--format', 'json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))

test('nug12 to its optimum within a second of the processor', async () => {
  await solver.load()
  const before = process.cpuUsage()
  const found = []
  const r = await solver.solve(nug12, { target: 578 }, { onIncumbent: i => found.push(i.objective) })
  const { user, system } = process.cpuUsage(before)
  assert.equal(r.objective, 578)
  assert.equal(r.status, 'target')
  assert.ok(user + system < 1e6, `${user + system} µs`)
  assert.equal(found.at(-1), 578)
  assert.deepEqual(found, found.toSorted((a, b) => b - a), 'each is better than those before')
})

test('the tutorial of points, as the program matches them', async () => {
  const have = await solver.solve({ files: [point('left'), point('right')] }, { affinity: 'learned' })
  assert.equal(have.matched, 12)
  for (const [i, a] of have.matching.entries()) {
    if (a >= 0) assert.equal(have.names1[i], have.names2[a].toLowerCase())
  }
  const want = program('match', '--provider', 'go', '--affinity', 'learned', join(root, 'docs/tutorials/data/left.csv'), join(root, 'docs/tutorials/data/right.csv'))
  assert.deepEqual(same(have), same(want))
})

test('every method, seed for seed and step for step, as the program', async () => {
  for (const method of ['auto', 'rgm', 'tabu', 'population', 'anneal', 'greedy-tabu', 'faq', 'ipfp']) {
    const provider = ['auto', 'rgm'].includes(method) ? ['--provider', 'go'] : []
    for (const [name, seed] of [['nug12', 1], ['chr15a', 2]]) {
      const have = await solver.solve(qaplib(name), { method, seed, max_steps: 400 })
      const want = program('solve', ...provider, '--method', method, '--seed', String(seed), '--max-steps', '400', name)
      assert.deepEqual(same(have), same(want), `${method} on ${name}`)
    }
  }
})

test('the distance of two graphs, with its edits and bound', async () => {
  const graph1 = { edges: [[0, 1], [1, 2], [2, 3]] }
  const graph2 = { edges: [[0, 1], [1, 2], [2, 3], [3, 0]] }
  const heard = []
  const r = await solver.distance({ kind: 'graphs', graph1, graph2 }, { costs: '[edges]\ninsert = 2.5', path: true }, { onIncumbent: i => heard.push(i) })
  assert.deepEqual([r.distance, r.lower_bound, r.status, r.costs], [2.5, 2.5, 'optimal', 'own'])
  assert.equal(r.path.reduce((sum, e) => sum + e.cost, 0), 2.5)
  for (const i of heard) assert.ok(i.lower_bound <= r.distance && i.objective >= r.distance)
  await assert.rejects(solver.distance({ kind: 'graphs', graph1, graph2 }, { costs: 'chem3' }), /chem3/)
  await assert.rejects(solver.distance(nug12, {}), /two graphs/)
})

test('two graphs without attributes are aligned', async () => {
  const edges = [[0, 1], [1, 2], [2, 0], [2, 3]]
  const r = await solver.solve({ kind: 'graphs', graph1: { edges }, graph2: { edges: new Array(4).fill().map((_, k) => Uint8Array.from(edges[k], v => 3 - v)) } })
  assert.equal(r.shared_edges, 4)
  assert.equal(r.status, 'optimal')
  assert.deepEqual(r.matching.slice(2), [1, 0])
})

test('methods come once, those of two graphs among them', async () => {
  const methods = await solver.methods()
  assert.equal(new Set(methods).size, methods.length)
  for (const name of ['auto', 'tabu', 'align', 'bp', 'grampa']) assert.ok(methods.includes(name), name)
})

test('two graphs have places to be drawn at', async () => {
  const both = await solver.graphs({ files: [{ name: 'a.edges', data: 'x y\ny z\n' }, { name: 'b.csv', data: 'name,x,y\np,1,2\nq,3,4\n' }] })
  assert.deepEqual([both.graph1.names, both.graph1.edges, both.graph1.points.length, both.graph1.placed], [['x', 'y', 'z'], [[0, 1], [1, 2]], 3, false])
  assert.deepEqual([both.graph2.points, both.graph2.placed], [[[1, 2], [3, 4]], true])
  await assert.rejects(solver.graphs(nug12), /two graphs/)
})

test('with a deadline a search ends by itself, or then', async () => {
  assert.equal((await solver.solve(nug12, { deadline: '600s' })).objective, 578)
  const late = await solver.solve(qaplib('sko42'), { method: 'tabu', max_steps: 1e9, deadline: 0.3 })
  assert.deepEqual([late.status, late.matched], ['deadline', 42])
})

test('typed arrays are matrices', async () => {
  const rows = [[0, 3, 1], [3, 0, 2], [1, 2, 0]].map(r => Float64Array.from(r))
  const r = await solver.solve({ kind: 'qap', a: rows, b: [[0, 5, 4], [5, 0, 6], [4, 6, 0]] }, { method: 'exact' })
  assert.equal(r.objective, 2 * (3 * 4 + 1 * 6 + 2 * 5))
  assert.equal(r.status, 'optimal')
})

test('a search is cancelled with the best so far, and the next one runs', async () => {
  const stop = new AbortController()
  const r = await solver.solve(qaplib('sko42'), { method: 'tabu', time_limit: 600 }, { signal: stop.signal, onIncumbent: () => stop.abort() })
  assert.equal(r.status, 'cancelled')
  assert.equal(r.matched, 42)
  const begun = await solver.solve(nug12, { method: 'tabu', time_limit: 600 }, { signal: AbortSignal.abort() })
  assert.equal(begun.status, 'cancelled')
  assert.equal((await solver.solve(nug12, { max_steps: 10 })).matched, 12)
})

test('a time limit ends a search by learned affinities', async () => {
  const r = await solver.solve({ files: [point('left'), point('right')] }, { affinity: 'learned', time_limit: '10ms', method: 'regrow' })
  assert.equal(r.status, 'time_limit')
})

test('a function of the caller that throws ends its search alone', async () => {
  await assert.rejects(solver.solve(qaplib('sko42'), { method: 'tabu', time_limit: 600 }, { onIncumbent () { throw new SyntaxError('mine') } }), SyntaxError)
  assert.equal((await solver.solve(nug12, { max_steps: 10 })).matched, 12)
})

test('what is wrong is said with its place', async () => {
  const square = [[0, 1], [1, 0]]
  const cycle = {}
  cycle.kind = cycle
  for (const [problem, options, type, pattern, pointer] of [
    [{ kind: 'qap', a: [[0, NaN], [1, 0]], b: square }, {}, RangeError, /finite/, '/instance/a/0/1'],
    [{ kind: 'qap', a: [[0, '1'], [1, 0]], b: square }, {}, TypeError, /want a number/, '/instance/a/0/1'],
    [{ kind: 'qap', a: [[0, undefined], [1, 0]], b: square }, {}, TypeError, /undefined/, '/instance/a/0/1'],
    [{ kind: 'qap', a: [[0, null], [1, 0]], b: square }, {}, TypeError, /want a number/, '/instance/a/0/1'],
    [{ kind: 'qap', a: [[0, 1], [1]], b: square }, {}, RangeError, /1 numbers, those before have 2/, '/instance/a/1'],
    [{ kind: 'qap', a: square, b: null }, {}, RangeError, /missing/, '/instance/b'],
    [{ kind: 'graphs', graph1: { points: [[0, 0]] } }, {}, RangeError, /missing/, '/instance/graph2'],
    [{ kind: 'sparse', n1: 1e9, n2: 1e9, rows: [], cols: [], values: [] }, {}, RangeError, /limit/, '/instance'],
    [{ kind: 'sparse', n1: 1e300, n2: 1, rows: [], cols: [], values: [] }, {}, TypeError, /whole number/, '/instance/n1'],
    [{ kind: 'sparse', n1: 19000, n2: 19000, rows: [], cols: [], values: [] }, {}, RangeError, /361000000 pairs/, '/instance'],
    [{ kind: 'qaplib', name: 'nug12' }, {}, RangeError, /nug12/, '/instance/name'], // none is built in
    [{ kind: cycle }, {}, RangeError, /nested/],
    [new Date(), {}, TypeError, /./],
    [{ kind: new Date() }, {}, TypeError, /plain object, have Date/, '/instance/kind'],
    [{}, {}, TypeError, /kind, file, or files/],
    [null, {}, TypeError, /object/],
    ['nug12', {}, TypeError, /object/],
    [nug12, 3, TypeError, /options/],
    [nug12, { methd: 'tabu' }, TypeError, /there is no field "methd"/, '/options/methd'],
    [nug12, { method: 'tabo' }, RangeError, /tabu/, '/options/method'],
    [nug12, { seed: -1 }, TypeError, /whole number/, '/options/seed'],
    [nug12, { seed: 1n }, TypeError, /bigint/, '/options/seed'],
    [nug12, { max_steps: -1 }, RangeError, /0 or more/, '/options/max_steps'],
    [nug12, { time_limit: 'soon' }, RangeError, /500ms/, '/options/time_limit'],
    [nug12, { fix: ['0:12'] }, RangeError, /no such pair/, '/options/fix/0'],
    [{ file: { name: 'a.dat', data: '3 1 2' } }, {}, RangeError, /9 numbers/],
    [{ file: { name: 'a.png', data: '' } }, {}, RangeError, /png/, '/format'],
    [{ file: { name: 'a.dat', data: 3 } }, {}, TypeError, /string/],
    [{ files: [point('left')] }, {}, TypeError, /two graphs/],
    [{ files: [point('left'), { name: 'a.csv', data: 'name,x\n1' }] }, {}, RangeError, /a\.csv/],
  ]) {
    const what = JSON.stringify(problem === cycle || problem?.kind === cycle ? 'a cycle' : problem)?.slice(0, 80) + JSON.stringify(options, (_, v) => typeof v === 'bigint' ? String(v) : v)
    await assert.rejects(solver.solve(problem, options), e => {
      assert.equal(e.constructor, type, `${what}: ${e.name} ${e.message}`)
      assert.match(e.message, pattern, what)
      if (pointer) assert.equal(e.pointer, pointer, what)
      return true
    }, what)
  }
  await assert.rejects(solver.solve(nug12, {}, { signal: 1 }), TypeError)
  await assert.rejects(solver.solve(nug12, {}, { onIncumbent: 1 }), TypeError)
})

test('a closed solver ends what runs', async () => {
  const other = new Solver()
  const running = other.solve(nug12, { method: 'tabu', time_limit: 600 }, { onIncumbent: () => other.close() })
  await assert.rejects(running, /closed/)
  await assert.rejects(other.solve(nug12), /closed/)
})

test('a program that does not close its solver ends', () => {
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', `import { solve } from '@rgm-go/rgm'; console.log((await solve(${JSON.stringify(nug12)}, { max_steps: 10 })).matched)`],
    { cwd: dirname(fileURLToPath(import.meta.url)), encoding: 'utf8', timeout: 120000 })
  assert.equal(out, '12\n')
  assert.equal(typeof solve, 'function')
})
