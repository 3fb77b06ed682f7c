// What a problem and options are to the module: a line of JSON, then the instance or the bytes of its files.

// plain returns a value as JSON has it: typed arrays are arrays, and numbers are numbers.
function plain (value, path) {
  const where = () => '/' + path.map(p => String(p).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const wrong = (Type, text) => Object.assign(new Type(`${where()}: ${text}`), { pointer: where() })
  const each = (v, k) => {
    path.push(k)
    const made = plain(v, path)
    path.pop()
    return made
  }
  switch (typeof value) {
    case 'string': case 'boolean': return value
    case 'number':
      if (!Number.isFinite(value)) throw wrong(RangeError, `${value}: want a finite number`)
      return value
    case 'object': break
    default: throw wrong(TypeError, `want a value that JSON has, have ${typeof value}`)
  }
  if (path.length > 12) throw wrong(RangeError, 'nested too deeply')
  if (value === null) return null
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) return Array.from(value, each)
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) throw wrong(TypeError, `want a plain object, have ${value.constructor?.name}`)
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined).map(([k, v]) => [k, each(v, k)]))
}

const isObject = v => typeof v === 'object' && v !== null && !Array.isArray(v)
const split = name => [name.replace(/\.[^.]*$/, ''), name.includes('.') ? name.split('.').pop().toLowerCase() : '']

// bytesOf returns the content of a file.
function bytesOf (file, where) {
  if (!isObject(file) || typeof file.name !== 'string') throw new TypeError(`${where}: want { name, data }`)
  const { data } = file
  if (typeof data === 'string') return new TextEncoder().encode(data)
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw new TypeError(`${where}/data: want a string, an ArrayBuffer or a typed array`)
}

// request returns what stands before the content, and the content.
function request (problem, options, distance) {
  if (!isObject(problem)) throw new TypeError('the problem: want an object')
  if (!isObject(options)) throw new TypeError('/options: want an object')
  const head = { options: plain(options, ['options']) }
  if (distance) head.distance = plain(distance, ['distance'])
  if (problem.kind !== undefined) return [{ format: 'json', ...head }, [new TextEncoder().encode(JSON.stringify(plain(problem, ['instance'])))]]
  const { file, files, ...more } = problem
  Object.assign(head, plain(more, []))
  if (file) {
    const [name, format] = split(String(file.name))
    return [{ name, format, ...head }, [bytesOf(file, '/file')]]
  }
  if (!Array.isArray(files) || files.length !== 2) throw new TypeError('the problem: want a field kind, file, or files of two graphs')
  const contents = files.map((f, k) => bytesOf(f, `/files/${k}`))
  return [{ name: files.map(f => split(f.name)[0]).join('-'), files: files.map((f, k) => ({ name: f.name, length: contents[k].length })), ...head }, contents]
}

/** Returns the bytes that the module reads. */
export function encode (problem, options, distance) {
  const [head, contents] = request(problem, options, distance)
  const parts = [new TextEncoder().encode(JSON.stringify(head) + '\n'), ...contents]
  const payload = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0))
  let at = 0
  for (const p of parts) {
    payload.set(p, at)
    at += p.length
  }
  return payload
}
