// What a search costs in WebAssembly: the processor time of the same steps here and in the program.
//
//   node speed.mjs RGM    the program
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Solver } from './npm/index.js'

const rgm = process.argv[2]
const dat = name => ({ file: { name: `${name}.dat`, data: readFileSync(new URL(`../datasets/qaplib/${name}.dat`, import.meta.url)) } })
const tables = ['left', 'right'].map(n => new URL(`../docs/tutorials/data/${n}.csv`, import.meta.url).pathname)
const points = { files: tables.map(path => ({ name: path.split('/').pop(), data: readFileSync(path) })) }
const solver = new Solver()
await solver.load()

// native returns the user time of the program, without that of its start.
function native (...args) {
  const time = (...a) => Number(execFileSync('bash', ['-c', 'TIMEFORMAT=%U; { time "$@" >/dev/null 2>/dev/null; } 2>&1', 'sh', rgm, ...a], { encoding: 'utf8' }))
  return time(...args) - time('version')
}
async function here (problem, options) {
  await solver.solve(problem, { ...options, max_steps: 1 })
  const before = process.cpuUsage()
  const { steps } = await solver.solve(problem, options)
  const { user } = process.cpuUsage(before)
  return [user / 1e6, steps]
}
console.log('| search | steps | program s | WebAssembly s | times |\n|---|---:|---:|---:|---:|')
for (const [name, method, steps] of [['nug30', 'tabu', 300000], ['tai100a', 'tabu', 60000], ['nug30', 'population', 300000], ['nug30', 'rgm', 800]]) {
  const provider = method === 'rgm' ? ['--provider', 'go'] : []
  const [wasm, taken] = await here(dat(name), { method, max_steps: steps })
  const program = native('solve', ...provider, '--method', method, '--max-steps', String(steps), name)
  console.log(`| ${name}, ${method} | ${taken} | ${program.toFixed(2)} | ${wasm.toFixed(2)} | ${(wasm / program).toFixed(1)} |`)
}
const [wasm, taken] = await here(points, { affinity: 'learned' })
const program = native('match', '--provider', 'go', '--affinity', 'learned', ...tables)
console.log(`| two maps, learned affinities | ${taken} | ${program.toFixed(2)} | ${wasm.toFixed(2)} | ${(wasm / program).toFixed(1)} |`)
solver.close()
