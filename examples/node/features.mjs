// The networks' inputs as docs/MODEL_FORMAT.md, and of the set paper lab/notes/MODEL_FORMAT.md, define them.
import { Environment, UNMATCHED, factor, matches } from "./environment.mjs";

const WORD = (1n << 64n) - 1n;

// Random is the generator behind the 12 matchings of s: PCG-DXSM, 128 bits of state.
class Random {
  constructor(high, low) {
    this.state = (high << 64n) | low;
  }
  next() {
    const multiplier = (2549297995355413924n << 64n) | 4865540595714422341n;
    const increment = (6364136223846793005n << 64n) | 1442695040888963407n;
    this.state = (this.state * multiplier + increment) & ((1n << 128n) - 1n);
    let [high, low] = [this.state >> 64n, this.state & WORD];
    high ^= high >> 32n;
    high = (high * 0xda942042e4dd58b5n) & WORD;
    high ^= high >> 48n;
    return (high * (low | 1n)) & WORD;
  }
  below(n) {
    n = BigInt(n);
    if ((n & (n - 1n)) === 0n) return Number(this.next() & (n - 1n));
    let product;
    do product = this.next() * n;
    while ((product & WORD) < (1n << 64n) % n);
    return Number(product >> 64n);
  }
  permutation(n) {
    const p = Array.from({ length: n }, (_, k) => k);
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [p[i], p[j]] = [p[j], p[i]];
    }
    return p;
  }
}

// samples are the 12 fixed random matchings of min(n1, n2) nodes.
export function samples(n1, n2) {
  const random = new Random(0x5ca1en, 0n);
  return Array.from({ length: 12 }, () => {
    if (n1 <= n2) return random.permutation(n2).slice(0, n1);
    const match = new Array(n1).fill(UNMATCHED);
    random.permutation(n1).slice(0, n2).forEach((i, a) => (match[i] = a));
    return match;
  });
}

// scaleOf is s: the mean |ΔV| over the unmatched vertices of the samples.
export function scaleOf(instance) {
  const environment = new Environment(instance, { autofill: true });
  const sizes = [];
  for (const match of samples(instance.n1, instance.n2)) {
    environment.reset(match);
    environment.changes().forEach((change, v) => environment.allowed(v) && sizes.push(Math.abs(change)));
  }
  const sum = sizes.reduce((x, y) => x + y, 0);
  return sum === 0 ? 1 : sum / sizes.length;
}

const mean = (list) => list.reduce((x, y) => x + y, 0) / Math.max(list.length, 1);

// plane marks the vertices of a matching.
export const plane = (match, n2) => match.flatMap((b) => Array.from({ length: n2 }, (_, a) => (a === b ? 1 : 0)));

// gainInputs are the tensors vertices, rows, columns and state.
export function gainInputs(environment, scale, horizon) {
  const { instance: { n1, n2 }, match, step } = environment;
  const n = Math.max(n1, n2);
  const all = Array.from({ length: n1 * n2 }, (_, v) => v);
  const s = scale * factor(environment.regularizer, environment.most, n1, n2);
  const row = (v) => Math.floor(v / n2);
  const holder = (v) => match.indexOf(v % n2);
  const age = (since) => (since > 0 && step - since < Math.min(8 * n, 65535) ? Math.exp(-(step - since) / (n / 2)) : 0);

  const changes = environment.changes();
  const actions = all.filter((v) => environment.allowed(v));
  const largest = Math.max(...actions.map((v) => changes[v]));
  const typical = mean(actions.map((v) => Math.abs(changes[v]))) + 1e-12 * s;
  const value = environment.value();
  const found = environment.best !== null;
  const needed = found ? environment.bestValue + 1e-12 * Math.abs(environment.bestValue) - value : Infinity;
  const gains = [...environment.gains()];
  const average = mean(gains);
  const deviation = Math.sqrt(mean(gains.map((g) => (g - average) ** 2))) + 1e-9 * s;
  const gained = gains.map((g) => (g - average) / deviation);
  const released = environment.released.map(age);

  const vertices = [
    plane(match, n2),
    changes.map((c) => Math.asinh((4 * c) / s)),
    all.map((v) => (environment.allowed(v) ? Math.asinh((4 * (changes[v] - largest)) / typical) : 0)),
    gained,
    released,
    found ? plane(environment.best, n2) : all.map(() => 0),
    all.map((v) => (environment.allowed(v) && changes[v] > needed ? 1 : 0)),
    all.map((v) => (match[row(v)] === UNMATCHED || holder(v) < 0 ? 0 : released[holder(v) * n2 + match[row(v)]])),
    environment.visits.map((visits) => Math.asinh((Math.min(visits, 255) * n) / (1 + step))),
  ];
  const rows = [
    match.map((b) => (b === UNMATCHED ? 1 : 0)),
    match.map((b, i) => (b === UNMATCHED ? 0 : gained[i * n2 + b])),
    environment.rowChanged.map(age),
  ];
  const columns = [
    all.slice(0, n2).map((a) => (match.includes(a) ? 0 : 1)),
    all.slice(0, n2).map((a) => (match.includes(a) ? gained[match.indexOf(a) * n2 + a] : 0)),
    environment.columnChanged.map(age),
  ];
  const free = environment.most - matches(match);
  const state = [
    found ? Math.asinh((value - environment.bestValue) / s) : 0,
    free / n,
    free === 0 ? 1 : 0,
    found ? 1 - Math.exp(-(step - environment.bestStep) / n) : 0,
    Math.max(horizon - step, 0) / horizon,
  ];
  return {
    vertices: { dims: [1, 9, n1, n2], data: vertices.flat() },
    rows: { dims: [1, 3, n1], data: rows.flat() },
    columns: { dims: [1, 3, n2], data: columns.flat() },
    state: { dims: [1, 5], data: state },
  };
}

// regularizedTerms says how K_reg follows from K for a choice that makes m matches to m + grown,
// null where K stays as it is.
function regularizedTerms(environment, form, grown) {
  const { instance: { n1, n2 }, regularizer, match } = environment;
  const m = matches(match);
  const f = (size) => factor(regularizer, size, n1, n2);
  if (regularizer === "none" || m <= 1 || environment.instance.complete) return null;
  const score = environment.score();
  if (form === "exact") {
    const after = f(Math.min(m + grown, n1, n2));
    return { factor: after, all: grown === 0 ? 0 : (score * (after - f(m))) / ((m + grown) ** 2 - m ** 2), diagonal: 0 };
  }
  const sizes = Array.from({ length: 5 }, (_, k) => m - 2 + k).filter((size) => size >= 1 && size <= Math.min(n1, n2));
  if (sizes.length < 3) return null;
  const [a, b] = fitQuadratic(sizes, sizes.map((size) => 1 - f(size)));
  return { factor: form === "corrected" ? f(m) : 1, all: -a * score, diagonal: -b * score };
}

// fitQuadratic returns a and b of the a·n² + b·n + c nearest to y, by the normal equations
// about the middle of consecutive sizes, where odd moments vanish.
function fitQuadratic(sizes, y) {
  const middle = mean(sizes);
  const t = sizes.map((size) => size - middle);
  const sum = (of) => t.reduce((total, v, k) => total + of(v, y[k]), 0);
  const [s2, s4] = [sum((v) => v ** 2), sum((v) => v ** 4)];
  const a = (t.length * sum((v, w) => v * v * w) - s2 * sum((_, w) => w)) / (t.length * s4 - s2 * s2);
  return [a, sum((v, w) => v * w) / s2 - 2 * a * middle];
}

// grownBy is by how many matches the choice of a vertex lets the matching grow.
const grownBy = (environment, p) => matches(environment.after(p).match) - matches(environment.match);

// paperInputs are the tensor features and, of the weighted and matched sets, edges.
export function paperInputs(environment, set, scale) {
  const { instance: { n1, n2, edges, nodes }, match } = environment;
  const size = n1 * n2;
  const form = ["literal", "corrected", "exact"].find((name) => set.endsWith(name));
  const largest = Math.max(...edges.map(Math.abs), ...nodes.map(Math.abs)) || 1;
  const matchedOnly = set.startsWith("paper-matched");
  const unit = matchedOnly ? scale / Math.min(n1, n2) : largest;
  const neighbours = Math.max((n1 - 1) * (n2 - 1), 1);
  const all = Array.from({ length: size }, (_, p) => p);
  const matched = plane(match, n2);
  const data = [];
  const weights = [];
  for (const p of all) {
    const plain = { factor: 1, all: 0, diagonal: 0 };
    const terms = (form && regularizedTerms(environment, form, grownBy(environment, p))) || plain;
    const apart = (q) => Math.floor(q / n2) !== Math.floor(p / n2) && q % n2 !== p % n2;
    const row = all.map((q) => (apart(q) ? (terms.factor * edges[p * size + q] + terms.all) / unit : 0));
    const node = (q) => (terms.factor * nodes[q] + terms.all + terms.diagonal) / unit;
    data.push(
      matched[p],
      row.reduce((sum, w) => sum + Math.max(w, 0), 0) / neighbours,
      row.reduce((sum, w) => sum + Math.max(-w, 0), 0) / neighbours,
      matchedOnly ? node(p) / Math.min(n1, n2) : all.filter(apart).reduce((sum, q) => sum + node(q), 0) / neighbours,
    );
    weights.push(row);
  }
  const inputs = { features: { dims: [1, n1, n2, 4], data } };
  if (matchedOnly || set.startsWith("paper-weighted")) inputs.edges = { dims: [1, n1, n2, n1, n2], data: weights.flat() };
  return inputs;
}

// ngmInputs are the tensors features and edges of an instance.
export function ngmInputs({ n1, n2, edges, nodes }) {
  const size = n1 * n2;
  const total = edges.reduce((sum, w) => sum + Math.abs(w), 0);
  const scale = total > 0 ? size / total : 1;
  const degree = (p) => edges.slice(p * size, (p + 1) * size).reduce((sum, w) => sum + w, 0);
  const data = Array.from({ length: size }, (_, p) => [scale * nodes[p], scale * degree(p)]).flat();
  return {
    features: { dims: [1, n1, n2, 2], data },
    edges: { dims: [1, n1, n2, n1, n2], data: [...edges].map((w) => scale * w) },
  };
}
