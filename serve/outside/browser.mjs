// The solver in a real browser: the page as files alone, and the page of rgm serve --browser.
//
//   node browser.mjs CHROMIUM SITE URL DATA    the folder and the service, and the folder of the repository's data
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'

const [executablePath, site, url, data] = process.argv.slice(2)
const types = { '.html': 'text/html', '.js': 'text/javascript', '.gz': 'application/gzip', '.dat': 'text/plain' }
const server = createServer((request, answer) => {
  const name = request.url === '/' ? 'index.html' : request.url.slice(1)
  answer.setHeader('Content-Type', types[extname(name)])
  answer.end(readFileSync(join(site, name)))
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const files = `http://127.0.0.1:${server.address().port}/`
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
const wrong = []

// open returns a page that takes note of errors, and of requests that send something.
async function open (address) {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  page.setDefaultTimeout(60000)
  page.on('pageerror', e => wrong.push(String(e)))
  page.on('console', m => { if (m.type() === 'error') wrong.push(m.text()) })
  page.on('request', r => { if (!r.url().startsWith(address) || r.method() !== 'GET' || r.postData()) wrong.push(`${r.method()} ${r.url()}`) })
  await page.goto(address)
  return page
}
const text = (page, id) => page.locator('#' + id).textContent()
const finished = page => page.waitForFunction(() => /^(Finished|Ended)/.test(document.getElementById('state').textContent) && !document.getElementById('go').disabled)

// example solves the one that is chosen, a small QAPLIB instance.
async function example (page) {
  await page.press('#time', 'Enter')
  await finished(page)
  assert.equal(await text(page, 'objective'), '578', await text(page, 'error'))
  assert.equal(await page.locator('#matching .match').count(), 12)
}

const page = await open(files)
await page.waitForFunction(() => document.querySelectorAll('#method option').length > 5)
const methods = await page.locator('#method option').allTextContents()
assert.equal(new Set(methods).size, methods.length, `a method comes twice: ${methods}`)
assert.ok(methods.includes('align') && methods.includes('bp'))
assert.ok(!await page.locator('#here-box').isVisible(), 'there is no service to choose')
await page.fill('#time', '1')
await example(page)

// Two tables of points in, a picture out: every tree finds its own.
await page.fill('#time', '50')
await page.setInputFiles('#file', ['left', 'right'].map(n => join(data, n + '.csv')))
await page.waitForFunction(() => document.querySelectorAll('#given circle').length === 29)
await page.press('#time', 'Enter')
await finished(page)
assert.ok(await page.locator('#matching line.match').count() >= 12, await text(page, 'error'))
assert.ok(await page.locator('#matching text.name').count() >= 20, 'names')
assert.match(await text(page, 'state'), /converged/, 'the limit was used up')
const pairs = await page.locator('#pairs tr').allTextContents()
assert.equal(pairs.length, 15)
// Beside each pair: its confidence, and what the nodes have of their own.
assert.ok(pairs.some(pair => /^hazelHazel(not )?sure, [0-9.]+ %x: 83.6 \| 123.3, y: /.test(pair)), pairs.join(', '))

// Graphs without points are placed here, too, the second of which comes later.
await page.setInputFiles('#file', { name: 'a.edges', mimeType: 'text/plain', buffer: Buffer.from('a b\nb c\nc d\nd a\na e\n') })
await page.waitForFunction(() => /second/.test(document.getElementById('about').textContent))
await page.setInputFiles('#file', { name: 'b.edges', mimeType: 'text/plain', buffer: Buffer.from('A B\nB C\nC D\nD A\nA E\n') })
await page.waitForFunction(() => document.querySelectorAll('#given circle').length === 10)
await page.press('#time', 'Enter')
await finished(page)
assert.equal(await page.locator('#matching line.shared').count(), 10)
assert.equal(await page.locator('#pairs tr').count(), 5)

// A long search is stopped with its best.
await page.selectOption('#example', { label: 'sko64: 64 places' })
await page.fill('#time', '50')
await page.press('#time', 'Enter')
await page.waitForFunction(() => document.getElementById('matched').textContent === '64')
await page.click('#stop')
await finished(page)
assert.match(await text(page, 'state'), /cancelled/)

// What is wrong is said, and the next search runs.
await page.setInputFiles('#file', { name: 'broken.dat', mimeType: 'text/plain', buffer: Buffer.from('4\n0 1 2') })
await page.press('#time', 'Enter')
await page.waitForSelector('#error:not([hidden])')
assert.match(await text(page, 'error'), /want 16 numbers/)
await page.selectOption('#example', { label: 'two views of 12 points' })
await page.fill('#time', '1')
await page.press('#time', 'Enter')
await finished(page)
assert.ok(await page.locator('#matching line.match').count() >= 10)
assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, 'too wide')

// The solver by itself: nug12 to its optimum, in a worker of the page.
const seconds = await page.evaluate(async () => {
  const { Solver } = await import('./index.js')
  const solver = new Solver()
  await solver.load()
  const data = await (await fetch('nug12.dat')).text()
  const r = await solver.solve({ file: { name: 'nug12.dat', data } }, { target: 578 })
  solver.close()
  return r.objective === 578 && r.seconds
})
assert.ok(seconds, 'not the optimum')
console.log(`nug12 to its optimum in ${seconds} s`)

// The page of the service computes itself where it is asked to.
const served = await open(url)
await served.check('#here')
await served.fill('#time', '1')
await example(served)
assert.deepEqual(wrong, [])
await browser.close()
server.close()
console.log('the browser computes, and sends nothing')
