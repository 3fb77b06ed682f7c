// The page of rgm serve in a real browser, without a mouse.
//
//   node page.mjs CHROMIUM URL TOKEN-URL    the second service asks for the token secret
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const [executablePath, url, tokenURL] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'rgm-page-'))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
const wrong = []

// open returns the page, which takes note of errors and of requests to elsewhere.
async function open (address, options) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, acceptDownloads: true, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60000)
  page.on('pageerror', e => wrong.push(String(e)))
  page.on('console', m => { if (m.type() === 'error' && !/40[0-9]|422/.test(m.text())) wrong.push(m.text()) })
  page.on('request', r => { if (!r.url().startsWith(address) && !r.url().startsWith('blob:')) wrong.push('a request to ' + r.url()) })
  await page.goto(address)
  return page
}
const text = (page, id) => page.locator('#' + id).textContent()
const finished = page => page.waitForFunction(() => /^(Finished|Ended)/.test(document.getElementById('state').textContent) && !document.getElementById('go').disabled, null, { timeout: 60000 })

const write = (name, text) => { const path = join(folder, name); writeFileSync(path, text); return path }

// tabTo goes to a field with the tabulator key alone.
async function tabTo (page, id) {
  for (let k = 0; k < 30; k++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement.id) === id) return
  }
  assert.fail(`the tabulator key does not reach ${id}`)
}

// npy returns a file with a square matrix.
function npy (n, values) {
  const head = `{'descr': '<f8', 'fortran_order': False, 'shape': (${n}, ${n}), }`.padEnd(117) + '\n'
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00v\x00', 'latin1'), Buffer.from(head), Buffer.from(new Float64Array(values).buffer)])
}

for (const width of [360, 1440]) for (const colorScheme of ['light', 'dark']) {
  const page = await open(url, { colorScheme, viewport: { width, height: 740 } })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(wide <= width, `${wide} px wide at ${width}`)
  const [ink, paper] = await page.evaluate(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor] })
  const light = c => c.match(/\d+/g).slice(0, 3).reduce((sum, v) => sum + Number(v), 0) / 3
  assert.ok(colorScheme === 'dark' ? light(ink) - light(paper) > 120 : light(paper) - light(ink) > 120, `${colorScheme}: ${ink} on ${paper}`)

  // Two graphs, one after the other: the page waits for the second, the search ends by itself, and the pairs stand beside the drawing, by name.
  await page.setInputFiles('#file', write('left.edges', 'a b\nb c\nc d\nd e\ne f\nf c\n'))
  await page.waitForFunction(() => document.getElementById('about').textContent.startsWith('left.edges is a graph. Now choose the second'))
  assert.ok(await page.locator('#go').isDisabled(), 'it can be solved with one graph')
  await page.setInputFiles('#file', write('right.edges', 'A B\nB C\nC D\nD E\nE F\nF C\nF G\n'))
  await page.waitForFunction(() => document.querySelectorAll('#given circle').length === 13)
  await page.click('#go')
  await finished(page)
  assert.match(await text(page, 'state'), /^Finished: (optimal|max steps|converged)$/, 'the limit was used up')
  const rows = await page.locator('#pairs tr').allTextContents()
  assert.equal(rows.length, 7)
  assert.ok(rows.includes('Gno partner'), rows.join(', '))
  for (const row of rows.slice(0, 6)) assert.match(row, /^[a-f][A-G](not )?sure, [0-9.]+ %$/)
  assert.equal(await page.locator('#matching line.shared').count(), 12, 'the edges that both have, in both')
  assert.equal(await page.locator('#matching line.only').count(), 1, 'the edge that one has')
  assert.ok(await page.locator('#matching text.name').count() >= 10, 'names')
  assert.match(await text(page, 'legend'), /edge in both: 6.*edge in one only: 0 in A, 1 in B.*without a partner: 0 in A, 1 in B.*placed by its edges/)
  const boxes = await page.evaluate(() => ['matching', 'pairs-box'].map(id => { const { left, right, top, bottom } = document.getElementById(id).getBoundingClientRect(); return { left, right, top, bottom } }))
  assert.ok(width > 1000 ? boxes[0].right <= boxes[1].left && boxes[0].top < boxes[1].bottom : boxes[0].bottom <= boxes[1].top, 'the table is beside the drawing where there is room')
  const [csv] = await Promise.all([page.waitForEvent('download'), page.click('#csv')])
  assert.equal(csv.suggestedFilename(), 'left-right.csv')
  const lines = readFileSync(await csv.path(), 'utf8').trim().split('\n')
  assert.equal(lines[0], 'i,a,confidence,witnesses,margin,sure,group')
  assert.equal(lines.length, 7)
  await page.selectOption('#which', 'alone')
  assert.deepEqual(await page.locator('#pairs tr').allTextContents(), ['Gno partner'])
  await page.selectOption('#which', '')
  await page.hover('#pairs tr')
  assert.equal(await page.locator('#matching .lit').count(), 2, 'the pair of the row')

  await page.focus('#pairs-box .scroll')
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key)
  assert.match(await page.locator('#pairs tr.at').textContent(), /^b/, 'the second row')
  assert.equal(await page.locator('#matching .lit').count(), 2, 'the pair of the row, by keyboard')

  // Sorted by the second column, filtered by name, and both graphs with their partners in one file.
  await page.locator('.sort').nth(1).press('Enter')
  await page.locator('.sort').nth(1).press('Enter')
  assert.match((await page.locator('#pairs tr').allTextContents())[0], /^G/, 'the last of B first')
  await page.fill('#filter', 'c')
  assert.match((await page.locator('#pairs tr').allTextContents()).join(), /^c[A-G](not )?sure, [0-9.]+ %$/)
  await page.fill('#filter', '')
  const [graphml] = await Promise.all([page.waitForEvent('download'), page.click('#graphml')])
  const both = readFileSync(await graphml.path(), 'utf8')
  assert.equal(both.match(/<node /g).length, 13)
  assert.equal(both.match(/key="partner"/g).length, 12)
  assert.equal(both.match(/<data key="shared">true/g).length, 12)

  // A pair that is known, by its names or by clicks, stays in the next result; a name that is none is one clear error.
  await page.fill('#known-a', 'a')
  await page.press('#known-a', 'Enter')
  assert.equal(await text(page, 'known-error'), 'Choose a node of B.')
  await page.fill('#known-b', 'Q')
  await page.click('#add')
  assert.equal(await text(page, 'known-error'), 'No node of B is called “Q”.')
  await page.fill('#known-b', 'G')
  await page.press('#known-b', 'Enter')
  for (const node of ['0 1', '1 5']) await page.locator(`#matching [data-node="${node}"]`).dispatchEvent('click')
  assert.deepEqual(await page.locator('#fixed button').allTextContents(), ['a → G ✕', 'b → F ✕'])
  await page.locator('#fixed button').nth(1).press('Enter')
  await page.click('#again')
  await finished(page)
  assert.ok((await page.locator('#pairs tr').allTextContents()).some(row => row.startsWith('aG')), 'the known pair stays')
  assert.deepEqual(await page.locator('#fixed button').allTextContents(), ['a → G ✕'])
  await page.locator('#fixed button').click()

  // How far they are from each other: the edits beside the drawing, what is inserted in its own colour and line.
  await page.selectOption('#want', 'distance')
  await page.click('#go')
  await finished(page)
  assert.deepEqual([await text(page, 'objective'), await text(page, 'bound'), await text(page, 'pairs-title')], ['2', '2', 'Edits'])
  assert.deepEqual(await page.locator('#pairs tr').allTextContents(), ['Ginsert node, 1', 'F – Ginsert edge, 1'])
  assert.equal(await page.locator('#matching .inserted').count(), 2)
  assert.match(await text(page, 'legend'), /node kept: 6.*edge kept: 6.*node inserted: 1.*edge inserted: 1/)
  await page.selectOption('#want', '')
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, 'too wide with a result')

  // Pasted text, one graph after the other; both drawn alike, or each by its own edges with lines to the partners.
  const paste = text => page.evaluate(text => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    document.getElementById('paste').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
  await paste('source,target\na,b\nb,c\nc,d\n')
  await page.waitForFunction(() => document.getElementById('about').textContent.startsWith('pasted A.csv is a graph'))
  await page.fill('#paste', 'D C\nC B\nB A\n')
  await page.press('#paste', 'Tab')
  await page.waitForFunction(() => document.querySelectorAll('#given circle').length === 8)
  await page.click('#go')
  await finished(page)
  assert.equal(await page.locator('#matching line.match').count(), 0)
  await page.selectOption('#view', 'apart')
  assert.equal(await page.locator('#matching line.match').count(), 4)
  assert.equal(await page.locator('#matching line.shared').count(), 6)
  await page.selectOption('#view', '')
  assert.deepEqual(await page.evaluate(() => ['<graphml>', 'graph [', '{"nodes":[]}', 'x,y\n1,2', '1 2\n2 3', '2\n0 1 1 0\n0 1\n1 0', 'x\ty\n1\t2'].map(formatOf)), ['graphml', 'gml', 'json', 'csv', 'edges', 'dat', 'tsv'])

  // What the files say of the nodes stands beside each other, what differs in bold; a table of points has its columns.
  await page.setInputFiles('#file', [write('trees.csv', 'name,x,y,kind\nash,0,0,tree\nelm,4,0,tree\nyew,0,3,shrub\noak,5,5,tree\n'), write('later.csv', 'name,x,y,kind\nA,0,0,tree\nE,4,0,tree\nY,0,3,tree\nO,5,5,tree\n')])
  await page.waitForFunction(() => document.querySelectorAll('#given circle').length === 8)
  await page.click('#go')
  await finished(page)
  assert.ok(await page.locator('#fourth').isVisible())
  const described = await page.locator('#pairs tr').evaluateAll(rows => rows.map(r => [r.cells[0].textContent, r.cells[1].textContent, r.cells[3].textContent, r.querySelector('b')?.textContent]))
  assert.deepEqual(described.find(r => r[0] === 'yew').slice(1), ['Y', 'kind: shrub | tree, x: 0, y: 3', 'kind: shrub | tree'])
  await page.fill('#filter', 'shrub')
  assert.equal(await page.locator('#pairs tr').count(), 1, 'the filter reads attributes')
  await page.fill('#filter', '')
  await page.locator('.sort').nth(3).press('Enter')
  assert.match(await page.locator('#pairs tr').first().textContent(), /^yew/, 'sorted by what the files say')

  // An error takes the result away.
  await page.setInputFiles('#file', write('broken.dat', '4\n0 1 2'))
  await page.click('#go')
  await page.waitForSelector('#error:not([hidden])')
  assert.ok(!await page.locator('#answer').isVisible(), 'the old result stays under an error')
  await page.context().close()
}

// An example, with the keyboard alone: watched, finished, downloaded.
const page = await open(url)
await tabTo(page, 'time')
await page.keyboard.press('Control+A')
await page.keyboard.type('1.5')
await page.check('#on')
await page.press('#time', 'Enter')
await finished(page)
assert.match(await text(page, 'state'), /time limit/)
assert.equal(await text(page, 'objective'), '578')
assert.match(await text(page, 'known'), /578 \(gap 0 %\)/)
assert.equal(await page.locator('#matching .match').count(), 12)
assert.ok(await page.locator('#curve circle').count() >= 2)
assert.match(await page.locator('#matching').getAttribute('aria-label'), /0 to \d+/)
await tabTo(page, 'download')
const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
assert.equal(download.suggestedFilename(), 'nug12.json')
assert.equal(JSON.parse(readFileSync(await download.path(), 'utf8')).objective, 578)
assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, 'too wide with a result')

// Stop: a long search ends at once with its best.
await page.selectOption('#example', { label: 'sko64: 64 places' })
await page.fill('#time', '40')
await page.press('#time', 'Enter')
await page.waitForFunction(() => document.getElementById('state').textContent === 'Searching')
await page.focus('#stop')
await page.keyboard.press('Enter')
await finished(page)
assert.match(await text(page, 'state'), /cancelled/)
assert.equal(await text(page, 'matched'), '64')

// Points are drawn, and lines between the matched ones.
await page.selectOption('#example', { label: 'two views of 12 points' })
assert.equal(await page.locator('#given circle').count(), 24)
await page.fill('#time', '1')
await page.press('#time', 'Enter')
await finished(page)
assert.ok(await page.locator('#matching line.match').count() >= 10)

// Examples of files: a network under other names, which is found again, and two molecules.
for (const [example, shared] of [['two networks', '70 of at most 70'], ['two molecules', '']]) {
  await page.selectOption('#example', { label: (await page.locator('#example option').allTextContents()).find(l => l.startsWith(example)) })
  await page.waitForFunction(() => document.querySelectorAll('#given circle').length > 6)
  await page.press('#time', 'Enter')
  await finished(page)
  assert.match(await text(page, 'state'), /optimal/)
  assert.ok(shared ? (await text(page, 'shared')).startsWith(shared) : !await page.locator('#shared-box').isVisible(), example)
}
assert.equal(await text(page, 'objective'), '3', 'ethanol to acetamide: an atom and a bond more, a bond changed')
await page.selectOption('#example', { label: 'two views of 12 points' })

// What differs by rounding alone is drawn as a line without a jump, and the methods are those of the service.
assert.deepEqual(await page.evaluate(() => { curve = []; addPoint(0, 1.1); addPoint(1, 1.1 + 1e-13); addPoint(2, 1.2); return curve }), [[0, 1.1], [1, 1.1], [2, 1.2]])
assert.ok(await page.locator('#method option').count() > 5)

// Files: chosen, dropped, and broken.
writeFileSync(join(folder, 'pairs.npy'), npy(4, [1, 0, 0, 3, 0, 2, 2, 0, 0, 2, 2, 0, 3, 0, 0, 1]))
await page.setInputFiles('#file', join(folder, 'pairs.npy'))
await page.fill('#n1', '4')
await page.fill('#n2', '1')
assert.ok(!await page.locator('#given').isVisible(), 'an empty box')
await page.press('#time', 'Enter')
await finished(page)
assert.equal(await text(page, 'matched'), '1')
await page.fill('#n1', '')
await page.fill('#n2', '')
await page.press('#time', 'Enter')
await finished(page)
assert.equal(await text(page, 'objective'), '8')
const dat = '4\n0 1 2 3\n1 0 1 2\n2 1 0 1\n3 2 1 0\n\n0 5 4 3\n5 0 3 2\n4 3 0 1\n3 2 1 0\n'
writeFileSync(join(folder, 'mine.dat'), dat)
await page.setInputFiles('#file', join(folder, 'mine.dat'))
await page.waitForFunction(() => document.querySelectorAll('#given rect').length > 10)
await page.press('#time', 'Enter')
await finished(page)
assert.equal(await page.locator('#matching .match').count(), 4)
assert.equal(await page.locator('#matching text').count(), 3, 'the matrices, in order')
assert.ok(!await page.locator('#matrix').isVisible())
await page.evaluate(text => {
  const data = new DataTransfer()
  data.items.add(new File([text], 'dropped.dat'))
  document.getElementById('drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
}, dat)
await page.waitForFunction(() => document.getElementById('about').textContent.startsWith('dropped.dat'))
await page.press('#time', 'Enter')
await finished(page)
assert.equal(await text(page, 'matched'), '4')
await page.evaluate(() => {
  const data = new DataTransfer()
  data.items.add(new File(['0 1\n1 2\n2 0\n2 3\n'], 'left.edges'))
  data.items.add(new File(['source,target\na,b\na,c\na,d\nb,c\n'], 'right.csv'))
  document.getElementById('drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
})
await page.waitForFunction(() => document.querySelectorAll('#given circle').length === 8, null, { timeout: 60000 })
await page.press('#time', 'Enter')
await finished(page)
assert.match(await text(page, 'shared'), /^4 of at most 4/)
assert.match(await text(page, 'compared'), /aligned by structure: 4 and 4 nodes/)
assert.equal(await page.locator('#matching line.shared').count(), 8, 'the shared edges, in both graphs')
assert.equal(await page.locator('#matching line.match').count(), 0, 'partners are at the same place')
assert.ok(await page.locator('#sure').isVisible())
await page.setInputFiles('#file', join(folder, 'broken.dat'))
await page.press('#time', 'Enter')
await page.waitForSelector('#error:not([hidden])')
assert.match(await text(page, 'error'), /want/)
await page.context().close()

// A token is asked for, and remembered.
const guarded = await open(tokenURL)
await guarded.press('#time', 'Enter')
await guarded.waitForSelector('#token-box:not([hidden])')
assert.match(await text(guarded, 'error'), /token/)
await guarded.fill('#token', 'secret')
await guarded.fill('#time', '0.5')
await guarded.press('#time', 'Enter')
await finished(guarded)
assert.match(await text(guarded, 'state'), /Finished/)
assert.deepEqual(wrong, [])
await browser.close()
console.log('the page works')
