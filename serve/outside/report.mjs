// The page of rgm report in a real browser: it is readable in light and dark, and asks for nothing.
//
//   node report.mjs CHROMIUM FILE
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [executablePath, file] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
const wrong = []
const light = c => c.match(/\d+/g).slice(0, 3).reduce((sum, v) => sum + Number(v), 0) / 3
for (const colorScheme of ['light', 'dark']) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme })
  const page = await context.newPage()
  page.on('pageerror', e => wrong.push(String(e)))
  page.on('console', m => { if (m.type() === 'error') wrong.push(m.text()) })
  const address = pathToFileURL(file).href
  page.on('request', r => { if (r.url() !== address && !r.url().startsWith('data:')) wrong.push('a request to ' + r.url()) })
  await page.goto(address)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(wide <= 360, `${wide} px wide at 360`)
  const [ink, paper] = await page.evaluate(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor] })
  assert.ok(colorScheme === 'dark' ? light(ink) - light(paper) > 120 : light(paper) - light(ink) > 120, `${colorScheme}: ${ink} on ${paper}`)
  const broken = await page.evaluate(() => [...document.images].filter(i => !i.naturalWidth).length)
  assert.equal(broken, 0, 'pictures that do not show')
  assert.ok(await page.locator('table').count() >= 2)
  assert.ok(await page.locator('img').count() >= 1)
  assert.ok(await page.locator('pre').count() >= 3)
  await context.close()
}
assert.deepEqual(wrong, [])
await browser.close()
console.log('the report shows')
