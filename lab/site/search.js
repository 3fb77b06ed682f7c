'use strict'
// The search of the site: it reads search.json at the first key, and finds the sections that have all words.
const root = new URL('.', document.currentScript.src)
const q = document.getElementById('q'), list = document.getElementById('found'), pages = document.getElementById('pages')
let sections
q.parentElement.hidden = false
pages.open = matchMedia('(min-width: 60rem)').matches

const lower = t => t.toLowerCase()
// score says how well a section answers the words: 0 if one of them is missing. Notes come after the pages for users.
function score (s, words) {
  let sum = 0
  for (const w of words) {
    const times = lower(s.Text).split(w).length - 1, found = (lower(s.Heading).includes(w) ? 10 : 0) + (lower(s.Title).includes(w) ? 5 : 0) + Math.min(times, 4)
    if (!found) return 0
    sum += found
  }
  return /^(lab|CHANGELOG)/.test(s.Page) ? sum / 4 : sum
}
// excerpt returns the text around the first of the words, which are marked.
function excerpt (text, words) {
  const low = lower(text), at = Math.max(0, Math.min(...words.map(w => low.indexOf(w)).filter(k => k >= 0)) - 60), part = text.slice(Number.isFinite(at) ? at : 0).slice(0, 180)
  const small = document.createElement('small')
  for (let k = 0; k < part.length;) {
    const next = words.map(w => [lower(part).indexOf(w, k), w.length]).filter(([p]) => p >= 0).sort((a, b) => a[0] - b[0])[0]
    if (!next) { small.append(part.slice(k)); break }
    const mark = document.createElement('mark')
    mark.textContent = part.slice(next[0], next[0] + next[1])
    small.append(part.slice(k, next[0]), mark)
    k = next[0] + next[1]
  }
  return small
}
async function search () {
  const words = lower(q.value).split(/\s+/).filter(Boolean)
  if (words.length) sections ??= fetch(new URL('search.json', root)).then(a => a.json())
  const all = words.length ? await sections : []
  if (words.join(' ') !== lower(q.value).split(/\s+/).filter(Boolean).join(' ')) return // typed on meanwhile
  const best = all.map(s => [score(s, words), s]).filter(([v]) => v).sort((a, b) => b[0] - a[0]).slice(0, 12)
  list.hidden = !words.length
  list.replaceChildren(...best.map(([, s]) => {
    const li = document.createElement('li'), a = document.createElement('a'), b = document.createElement('b')
    a.href = new URL(s.Page + (s.Anchor && '#' + s.Anchor), root)
    b.textContent = s.Heading && s.Heading !== s.Title ? `${s.Title}: ${s.Heading}` : s.Title
    a.append(b, excerpt(s.Text, words))
    li.append(a)
    return li
  }))
  if (words.length && !best.length) list.append(Object.assign(document.createElement('p'), { textContent: 'No section has all of these words.' }))
}
const links = () => [...list.querySelectorAll('a')]
const close = () => { list.hidden = true }
q.addEventListener('input', search)
q.addEventListener('focus', search)
addEventListener('keydown', e => {
  const at = links().indexOf(document.activeElement), inside = document.activeElement === q || at >= 0
  if (e.key === '/' && !inside) { e.preventDefault(); q.focus() }
  if (!inside || list.hidden) return
  if (e.key === 'Escape') { q.focus(); close() }
  if (e.key === 'Enter' && at < 0) links()[0]?.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key]
  if (step) { e.preventDefault(); (at + step < 0 ? q : links()[at + step])?.focus() }
})
addEventListener('click', e => { if (!q.parentElement.contains(e.target) || e.target.closest('#found a')) close() })
