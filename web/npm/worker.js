// The worker in which the module runs. It takes { module } once, then { solve: bytes } or { draw: bytes }, and { cancel: true }, one
// at a time, and answers with one of ready, incumbent, done, failed and ended.
import './wasm_exec.js'

const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads')
const outside = threads?.parentPort ?? globalThis
const turns = globalThis.setImmediate ? null : new MessageChannel()

// What the module calls, and what it puts beside that: solve and cancel.
globalThis.rgm = {
  ready: about => outside.postMessage({ ready: JSON.parse(about) }),
  incumbent: text => outside.postMessage({ incumbent: JSON.parse(text) }),
  done: text => outside.postMessage({ done: JSON.parse(text) }),
  failed: text => outside.postMessage({ failed: JSON.parse(text) }),
  turn (resume) { // once this worker has read what came meanwhile
    if (!turns) return setImmediate(resume)
    turns.port1.onmessage = resume
    turns.port2.postMessage(0)
  }
}

async function read (url) {
  if (threads) return process.getBuiltinModule('node:fs/promises').readFile(url)
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`)
  return new Uint8Array(await answer.arrayBuffer())
}

// compile takes the module as it is, or compressed, whatever a server has made of it.
async function compile (bytes) {
  let stream = new Blob([bytes]).stream()
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) stream = stream.pipeThrough(new DecompressionStream('gzip'))
  return WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }))
}

async function run (url) {
  const go = new globalThis.Go()
  const instance = await WebAssembly.instantiate(await compile(await read(url)), go.importObject)
  let said = '' // the last lines, where it ends: out of memory
  globalThis.fs.writeSync = (_, bytes) => { said = (said + new TextDecoder().decode(bytes)).slice(0, 2000); return bytes.length }
  await go.run(instance)
  throw new Error(said.split('\n')[0] || 'the module ended')
}

outside.onmessage = ({ data }) => {
  if (data.module) run(new URL(data.module)).catch(e => outside.postMessage({ ended: e.message }))
  if (data.solve) globalThis.rgm.solve(data.solve)
  if (data.draw) globalThis.rgm.draw(data.draw)
  if (data.cancel) globalThis.rgm.cancel()
}
