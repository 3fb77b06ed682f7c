// The contract of rgm serve, over plain HTTP: every route and every error of docs/SERVE.md, and
// all answers against the schemas of /openapi.json.
//
//   node contract.mjs URL PID    a service with --workers 1 --queue 2 --max-body 64KiB --max-nodes 40 --max-time 60s --drain 5s --token secret
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const [url, pid] = process.argv.slice(2)
const token = { Authorization: 'Bearer secret' }
const openapi = await (await fetch(url + '/openapi.json')).json()
assert.match(openapi.openapi, /^3\.1\./)
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi', ...openapi })
const seen = new Set()

// call sends a request, wants a status, and checks the answer against what OpenAPI says of the operation.
async function call (want, method, route, { path = route, query = '', body, type = 'application/json', headers = token } = {}) {
  const sent = { ...headers, ...(body === undefined ? {} : { 'Content-Type': type }) }
  const text = body === undefined || typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData ? body : JSON.stringify(body)
  if (text instanceof FormData) delete sent['Content-Type']
  const answer = await fetch(url + path + query, { method, headers: sent, body: text })
  const place = `${method} ${path}${query}`
  const got = await answer.text()
  assert.equal(answer.status, want, `${place}: ${answer.status} ${got}`)
  assert.ok(answer.headers.get('x-request-id'), `${place}: no X-Request-Id`)
  const media = (answer.headers.get('content-type') ?? '').split(';')[0]
  const value = media.endsWith('json') ? JSON.parse(got) : got
  let schema = 'openapi#/components/schemas/Problem'
  const described = openapi.paths[route]?.[method.toLowerCase()]?.responses[want]
  if (described) {
    seen.add(`${method} ${route} ${want}`)
    assert.ok(described.content[media], `${place}: ${media}, described are ${Object.keys(described.content)}`)
    const pointer = ['paths', route, method.toLowerCase(), 'responses', want, 'content', media, 'schema'].map(s => encodeURIComponent(String(s).replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    schema = `openapi#/${pointer}`
  } else {
    assert.ok(want === 404 || want === 405, `${place}: ${want} is not described`)
  }
  if (want >= 400 && want !== 503) assert.equal(media, 'application/problem+json', place)
  if (media.endsWith('json')) {
    const validate = ajv.getSchema(schema)
    assert.ok(validate(value), `${place}: ${ajv.errorsText(validate.errors)}\n${got}`)
  }
  return { value, answer }
}

const nug12 = { kind: 'qaplib', name: 'nug12' }
const short = { max_steps: 100 }
const job = '/v1/jobs/{id}'
const at = (id, more = '') => ({ path: `/v1/jobs/${id}${more}` })
const submit = async (body, headers = token) => (await call(202, 'POST', '/v1/jobs', { body, headers })).value
const ended = async id => {
  for (;;) {
    const { value } = await call(200, 'GET', job, at(id))
    if (!['queued', 'running'].includes(value.status)) return value
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

// events reads a stream to its end.
async function events (id, headers = {}) {
  const answer = await fetch(`${url}/v1/jobs/${id}/events`, { headers: { ...token, ...headers } })
  if (answer.status === 204) return []
  assert.equal(answer.headers.get('content-type'), 'text/event-stream')
  return (await answer.text()).split('\n\n').filter(e => e.includes('event: ')).map(e => Object.fromEntries(e.split('\n').map(l => [l.slice(0, l.indexOf(': ')), l.slice(l.indexOf(': ') + 2)])))
}

// Health, models, metrics, pages.
for (let k = 0; (await fetch(url + '/v2/health/ready')).status !== 200; k++) {
  assert.ok(k < 600, 'never ready')
  await new Promise(resolve => setTimeout(resolve, 50))
}
assert.equal((await call(200, 'GET', '/v2/health/live')).value.live, true)
assert.equal((await call(200, 'GET', '/v2/health/ready')).value.ready, true)
assert.equal((await call(200, 'GET', '/v2')).value.name, 'rgm')
const { models } = (await call(200, 'GET', '/v2/models')).value
assert.ok(models.includes('qap') && models.includes('matching'))
for (const name of models) {
  assert.equal((await call(200, 'GET', '/v2/models/{name}', { path: `/v2/models/${name}` })).value.inputs[0].datatype, 'FP32')
  await call(200, 'GET', '/v2/models/{name}/ready', { path: `/v2/models/${name}/ready` })
}
for (const trick of ['nobody', '..%2f..%2fetc%2fpasswd', '%2e%2e%2fqap', 'qap.onnx', 'qap%00']) await call(404, 'GET', '/v2/models/{name}', { path: `/v2/models/${trick}` })
assert.match((await call(200, 'GET', '/metrics')).value, /^rgm_queue_length 0$/m)
for (const page of ['/', '/docs']) assert.match((await call(200, 'GET', page, { headers: {} })).value, /<title>rgm/)
await call(200, 'GET', '/openapi.json', { headers: {} })

// Instances of every kind, and files.
const solve = (body, more) => call(200, 'POST', '/v1/solve', { body, ...more }).then(a => a.value)
const k = [[1, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]]
assert.equal((await solve({ instance: nug12, options: { method: 'tabu', max_steps: 5000 } })).objective, 578)
assert.equal((await solve({ instance: { kind: 'affinity', n1: 2, n2: 2, k }, options: { max_steps: 10 } })).objective, 4)
assert.equal((await solve({ instance: { kind: 'sparse', n1: 2, n2: 2, rows: [0, 0, 3, 3], cols: [0, 3, 0, 3], values: [1, 1, 1, 1] }, options: { time_limit: 0.5 } })).objective, 4)
assert.equal((await solve({ instance: { kind: 'qap', a: [[0, 1], [1, 0]], b: [[0, 3], [3, 0]], linear: [[0, 1], [1, 0]] }, options: short })).objective, 6)
const points = [[0, 0], [1, 0], [0, 2], [3, 3]]
assert.deepEqual((await solve({ instance: { kind: 'graphs', graph1: { points }, graph2: { points: [...points].reverse() } }, options: { complete: true, max_steps: 20 } })).matching, [3, 2, 1, 0])
const { graph1: drawn } = (await call(200, 'POST', '/v1/graphs', { body: { instance: { kind: 'graphs', graph1: { points }, graph2: { points } } } })).value
assert.deepEqual([drawn.points.length, drawn.placed], [4, true])
const dat = '2\n0 1\n1 0\n\n0 3\n3 0\n'
assert.equal((await solve(new TextEncoder().encode(dat), { type: 'application/octet-stream', query: '?format=dat&name=small&max_steps=10&seed=3' })).instance, 'small')
const form = new FormData()
form.append('options', JSON.stringify(short))
form.append('instance', new Blob([dat]), 'folder/two.dat')
assert.equal((await solve(form)).instance, 'two')

// Distances, with their edits: their costs sum to the distance.
const square = { nodes: 4, edges: [[0, 1], [1, 2], [2, 3], [3, 0]] }
const pair = { kind: 'graphs', graph1: square, graph2: { nodes: 3, edges: [[0, 1], [1, 2]] } }
const apart = (await call(200, 'POST', '/v1/distance', { body: { instance: pair, distance: { path: true } } })).value
assert.deepEqual([apart.distance, apart.status, apart.path.reduce((sum, e) => sum + e.cost, 0)], [3, 'optimal', 3])
await call(422, 'POST', '/v1/distance', { body: { instance: nug12 } })
const measured = await ended((await submit({ instance: pair, distance: { costs: '[nodes]\ndelete = 2' } })).id)
assert.deepEqual([measured.status, measured.distance.distance, measured.distance.costs, measured.result], ['done', 4, 'own', undefined])
await call(200, 'DELETE', job, at(measured.id))

// Errors of a body.
const bad = (status, pointer, body, more) => call(status, 'POST', '/v1/solve', { body, ...more }).then(({ value }) => assert.equal(value.pointer, pointer, JSON.stringify(value)))
await bad(400, undefined, '{')
await bad(400, undefined, '{"instance":{"kind":"affinity","k":[[NaN]]}}')
await bad(400, undefined, '['.repeat(30000))
await bad(413, undefined, ' '.repeat(65 * 1024))
await bad(413, '/instance', { instance: { kind: 'qaplib', name: 'sko42' } })
await bad(415, undefined, '{}', { type: 'text/plain' })
await bad(422, '/instance/k/1', { instance: { kind: 'affinity', k: [[1, 2], [3]] } })
await bad(422, '/options/surprise', { instance: nug12, options: { surprise: 1 } })
await bad(422, '/surprise', { instance: nug12, surprise: 1 })
await bad(422, '/options/time_limit', { instance: nug12, options: { time_limit: '1h' } })
await bad(422, '/options/method', { instance: nug12, options: { method: 'magic' } })
await bad(422, '/options/model', { instance: nug12, options: { model: '../../etc/passwd' } })
await bad(422, '/instance/name', { instance: { kind: 'qaplib', name: '/etc/passwd' } })
await bad(422, '/options/method', { instance: { kind: 'affinity', k }, options: { method: 'tabu', max_steps: 9 } }).catch(() => bad(422, undefined, { instance: { kind: 'affinity', k }, options: { method: 'tabu', max_steps: 9 } }))

await call(422, 'POST', '/v1/graphs', { body: { instance: nug12 } })

// Tokens, methods, paths.
for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: 'Basic secret' }]) {
  for (const [path, method] of [['/v1/jobs', 'GET'], ['/metrics', 'GET'], ['/v2/models', 'GET']]) await call(401, method, path, { headers })
  await call(401, 'POST', '/v1/solve', { body: {}, headers })
}
const { answer: refused } = await call(405, 'PUT', '/v1/solve', { body: {} })
assert.equal(refused.headers.get('allow'), 'POST')
await call(404, 'GET', '/nowhere')
for (const [method, more] of [['GET', ''], ['DELETE', ''], ['GET', '/status'], ['GET', '/events']]) await call(404, method, job + more, at('nobody', more))

// Evaluation.
const optimum = [11, 6, 8, 2, 3, 7, 10, 0, 4, 5, 9, 1]
assert.equal((await call(200, 'POST', '/v1/evaluate', { body: { instance: nug12, matching: optimum } })).value.objective, 578)
assert.equal((await call(200, 'POST', '/v1/evaluate', { body: { instance: nug12, matching: optimum.with(0, 1) } })).value.valid, false)
await call(422, 'POST', '/v1/evaluate', { body: { instance: nug12 } })

// Jobs: the whole life of one, keys, pages, events, the full queue.
const first = await submit({ instance: nug12, options: short })
assert.equal((await ended(first.id)).result.n1, 12)
assert.equal((await call(200, 'GET', job + '/status', at(first.id, '/status'))).value.result, undefined)
const named = { ...token, 'Idempotency-Key': 'a key' }
const once = await submit({ instance: nug12, options: short }, named)
assert.equal((await submit({ instance: nug12, options: short }, named)).id, once.id)
await call(409, 'POST', '/v1/jobs', { body: { instance: nug12, options: { max_steps: 99 } }, headers: named })
assert.equal((await call(200, 'GET', '/v1/jobs')).value.jobs.length, 2)
await call(422, 'GET', '/v1/jobs', { query: '?cursor=x' })
assert.equal((await call(200, 'DELETE', job, at(first.id))).value.status, 'done')
await call(404, 'GET', job, at(first.id))
const validates = (name, value) => { const v = ajv.getSchema('openapi#/components/schemas/' + name); assert.ok(v(value), ajv.errorsText(v.errors)) }
const watched = await submit({ instance: { kind: 'qaplib', name: 'tai30a' }, options: { time_limit: '1300ms' } })
const all = await events(watched.id)
assert.deepEqual([...new Set(all.map(e => e.event))].sort(), ['done', 'incumbent', 'progress'])
assert.equal(all.at(-1).event, 'done')
for (const e of all) validates({ incumbent: 'Incumbent', progress: 'Progress', done: 'Result' }[e.event], JSON.parse(e.data))
const ids = all.map(e => Number(e.id))
assert.ok(ids.every((id, k) => k === 0 || id > ids[k - 1]), 'ids do not grow')
assert.equal((await events(watched.id, { 'Last-Event-ID': String(ids.at(-2)) })).length, 1)
assert.equal((await events(watched.id, { 'Last-Event-ID': String(ids.at(-1)) })).length, 0)
const long = { instance: nug12, options: { time_limit: '60s', method: 'tabu' } }
const running = await submit(long)
while ((await call(200, 'GET', job, at(running.id))).value.best === undefined) await new Promise(resolve => setTimeout(resolve, 20))
const waiting = [await submit(long), await submit(long)]
const { answer: full } = await call(429, 'POST', '/v1/jobs', { body: long })
assert.ok(Number(full.headers.get('retry-after')) >= 1)
await call(429, 'POST', '/v1/solve', { body: long })
const cancelled = (await call(200, 'DELETE', job, at(running.id))).value
assert.equal(cancelled.status, 'cancelled')
assert.equal(cancelled.result.status, 'cancelled')
assert.equal((await call(200, 'DELETE', job, at(waiting[1].id))).value.status, 'cancelled')

// A client that hangs up cancels its search: the next one does not wait 60 s for it.
await call(200, 'DELETE', job, at(waiting[0].id))
const hangUp = new AbortController()
setTimeout(() => hangUp.abort(), 300)
await assert.rejects(fetch(url + '/v1/solve', { method: 'POST', body: JSON.stringify(long), headers: { ...token, 'Content-Type': 'application/json' }, signal: hangUp.signal }))
const begin = Date.now()
await solve({ instance: nug12, options: short })
assert.ok(Date.now() - begin < 30000, 'the search of a client that hung up went on')

// Draining: the running search ends with its best, what waits and what comes is refused.
while (!/^rgm_jobs_running 0$/m.test((await call(200, 'GET', '/metrics')).value)) await new Promise(resolve => setTimeout(resolve, 20))
const last = fetch(url + '/v1/solve', { method: 'POST', body: JSON.stringify(long), headers: { ...token, 'Content-Type': 'application/json' } })
while (!/^rgm_jobs_running 1$/m.test((await call(200, 'GET', '/metrics')).value)) await new Promise(resolve => setTimeout(resolve, 20))
const queued = fetch(url + '/v1/solve', { method: 'POST', body: JSON.stringify(long), headers: { ...token, 'Content-Type': 'application/json' } })
while (!/^rgm_queue_length 1$/m.test((await call(200, 'GET', '/metrics')).value)) await new Promise(resolve => setTimeout(resolve, 20))
process.kill(Number(pid), 'SIGTERM')
while ((await fetch(url + '/v2/health/ready')).status === 200) await new Promise(resolve => setTimeout(resolve, 5))
await call(503, 'GET', '/v2/health/ready')
await call(503, 'POST', '/v1/jobs', { body: long })
await call(503, 'POST', '/v1/evaluate', { body: long })
await call(503, 'POST', '/v1/graphs', { body: long })
await call(503, 'POST', '/v1/distance', { body: long })
assert.equal((await queued).status, 503)
assert.equal((await (await last).json()).status, 'cancelled')

const described = Object.entries(openapi.paths).flatMap(([path, item]) => Object.keys(item).map(m => `${m.toUpperCase()} ${path}`))
const untried = described.filter(o => ![...seen].some(s => s.startsWith(o + ' ')) && !o.endsWith('/events'))
assert.deepEqual(untried, [])
console.log(`${seen.size} kinds of answers checked, ${described.length} operations`)
