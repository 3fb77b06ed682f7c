// The site of the documentation in a real browser, at two widths, in light and dark, by the keyboard alone.
//
//   node site.mjs CHROMIUM URL
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'

const [executablePath, url] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
const wrong = []
const light = c => c.match(/\d+/g).slice(0, 3).reduce((sum, v) => sum + Number(v), 0) / 3

for (const width of [360, 1440]) for (const colorScheme of ['light', 'dark']) {
  const context = await browser.newContext({ viewport: { width, height: 740 }, colorScheme })
  const page = await context.newPage()
  page.on('pageerror', e => wrong.push(String(e)))
  page.on('console', m => { if (m.type() === 'error') wrong.push(m.text()) })
  page.on('request', r => { if (!r.url().startsWith(url) && !r.url().startsWith('data:')) wrong.push('a request to ' + r.url()) })
  const title = () => page.locator('main h1').first().textContent()
  const focused = () => page.evaluate(() => document.activeElement.textContent || document.activeElement.id)
  await page.goto(url)

  // Each page of the navigation fits, can be read, and shows its pictures.
  const pages = await page.locator('nav a').evaluateAll(links => links.map(a => a.href))
  assert.ok(pages.length > 25)
  for (const address of pages.filter(a => /\.html$/.test(a))) {
    await page.goto(address)
    const { wide, ink, paper, broken } = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body)
      return { wide: document.documentElement.scrollWidth, ink: color, paper: backgroundColor, broken: [...document.images].filter(i => !i.naturalWidth).length }
    })
    assert.ok(wide <= width, `${address} is ${wide} px wide at ${width}`)
    assert.ok(colorScheme === 'dark' ? light(ink) - light(paper) > 120 : light(paper) - light(ink) > 120, `${colorScheme}: ${ink} on ${paper}`)
    assert.equal(broken, 0, `${address}: pictures that do not show`)
    assert.equal(await page.locator('nav [aria-current]').count(), 1)
  }

  // The first key reaches the text; the pages are a list that narrow screens unfold.
  await page.goto(url)
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'To the text')
  assert.equal(await page.locator('nav li').first().isVisible(), width > 1000)
  if (width < 1000) {
    await page.focus('#pages summary')
    await page.keyboard.press('Enter')
    assert.ok(await page.locator('nav li').first().isVisible())
  }

  // A search by key, through its results by arrows, to the section of another page.
  await page.keyboard.press('/')
  await page.keyboard.type('edit distance costs')
  await page.waitForSelector('#found a')
  assert.ok(await page.locator('#found mark').count() > 3)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  assert.match(await focused(), /^Edit distances/)
  const { left, right } = await page.locator('#found').evaluate(e => e.getBoundingClientRect())
  assert.ok(left >= 0 && right <= width, `results from ${left} to ${right}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(/docs\/DISTANCE\.html/)
  assert.equal(await title(), 'Edit distances')
  await page.keyboard.press('/')
  await page.keyboard.type('nothingofthiskind')
  await page.waitForFunction(() => /No section/.test(document.getElementById('found').textContent))
  await page.keyboard.press('Escape')
  assert.ok(!await page.locator('#found').isVisible())
  await context.close()
}
assert.deepEqual(wrong, [])
await browser.close()
console.log('the site works')
