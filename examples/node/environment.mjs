// The decision process of docs/MODEL_FORMAT.md: instances, what a choice releases, V and
// its exact changes. Everything is computed from its definition, in the plainest way:
// ΔV is V after the choice less V before. A solver would keep sums up to date instead.

export const UNMATCHED = -1;

// readInstance returns affinities to be maximised: edges[p·N+q] between vertices that share
// no node, 0 elsewhere, and nodes[p], for the instance of a vector file.
export function readInstance({ n1, n2, sense, complete, a, b, linear, k }) {
  const size = n1 * n2;
  const sign = sense === "min" ? -1 : 1;
  const at = k
    ? (p, q) => (k[p * size + q] + k[q * size + p]) / 2
    : (p, q) => {
        const [i, c, j, d] = [Math.floor(p / n2), p % n2, Math.floor(q / n2), q % n2];
        const pair = (a[i * n1 + j] * b[c * n2 + d] + a[j * n1 + i] * b[d * n2 + c]) / 2;
        return p === q ? pair + (linear ? linear[p] : 0) : pair;
      };
  const instance = { n1, n2, complete, koopmansBeckmann: !k, edges: new Float64Array(size * size), nodes: new Float64Array(size) };
  for (let p = 0; p < size; p++) {
    instance.nodes[p] = sign * at(p, p);
    for (let q = 0; q < size; q++) {
      const conflict = Math.floor(p / n2) === Math.floor(q / n2) || p % n2 === q % n2;
      instance.edges[p * size + q] = conflict ? 0 : sign * at(p, q);
    }
  }
  return instance;
}

export const matches = (match) => match.filter((a) => a !== UNMATCHED).length;

// factor is f(m) of a regularizer.
export function factor(regularizer, m, n1, n2) {
  if (m === 0) return 1;
  const [name, p] = regularizer.split(":");
  switch (name) {
    case "none": return 1;
    case "f1": return 1 - m / (3 * Math.max(n1, n2));
    case "f2": return (1 + m) / (1 + 3 * m);
    case "f3": return 1 / (m * m);
    case "mean": return m ** -(p === undefined ? 1 : Number(p));
  }
  throw new Error(`regularizer ${regularizer} is unknown`);
}

// Environment is an episode: its state and what the features remember of it.
export class Environment {
  constructor(instance, { release = false, autofill = false, inliers = 0, regularizer = "none", fixed = null } = {}) {
    const smaller = Math.min(instance.n1, instance.n2);
    Object.assign(this, { instance, release, autofill, regularizer, fixed });
    this.most = inliers > 0 ? inliers : smaller;
    this.least = instance.complete ? smaller : inliers > 0 ? inliers : fixed ? matches(fixed) : 0;
  }

  reset(start) {
    const { n1, n2 } = this.instance;
    const isFixed = (i, a) => this.fixed && (this.fixed[i] !== UNMATCHED || this.fixed.includes(a));
    this.match = this.fixed ? [...this.fixed] : new Array(n1).fill(UNMATCHED);
    start.forEach((a, i) => {
      if (a !== UNMATCHED && !isFixed(i, a) && matches(this.match) < this.most) this.match[i] = a;
    });
    this.step = 0;
    this.released = new Array(n1 * n2).fill(0); // 0: never
    this.visits = new Array(n1 * n2).fill(0);
    this.rowChanged = new Array(n1).fill(0);
    this.columnChanged = new Array(n2).fill(0);
    this.best = null;
    this.bestValue = -Infinity;
    this.bestStep = 0;
    this.keepBest();
  }

  // after returns the matching that choosing a vertex leads to, and what changes on the way.
  after(vertex) {
    const { n1, n2 } = this.instance;
    const [i, a] = [Math.floor(vertex / n2), vertex % n2];
    const match = [...this.match];
    const released = [];
    const added = [];
    if (match[i] === a) {
      if (this.release) {
        match[i] = UNMATCHED;
        released.push(vertex);
      }
      return { match, released, added };
    }
    const holder = match.indexOf(a);
    if (match[i] !== UNMATCHED) released.push(i * n2 + match[i]);
    if (holder >= 0) {
      released.push(holder * n2 + a);
      match[holder] = UNMATCHED;
    }
    match[i] = a;
    added.push(vertex);
    const forced = this.forced(match);
    if (this.autofill && this.instance.complete && forced >= 0) {
      match[Math.floor(forced / n2)] = forced % n2;
      added.push(forced);
    }
    return { match, released, added };
  }

  // forced is the only vertex left where one node of each graph is free, else −1.
  forced(match) {
    const { n1, n2 } = this.instance;
    if (n1 !== n2 || matches(match) !== n1 - 1) return -1;
    const a = match.map((_, k) => k).find((k) => !match.includes(k));
    return match.indexOf(UNMATCHED) * n2 + a;
  }

  choose(vertex) {
    const { n2 } = this.instance;
    const { match, released, added } = this.after(vertex);
    this.match = match;
    this.step++;
    for (const v of [...released, ...added]) {
      this.rowChanged[Math.floor(v / n2)] = this.step;
      this.columnChanged[v % n2] = this.step;
    }
    for (const v of released) this.released[v] = this.step;
    for (const v of added) this.visits[v]++;
    this.keepBest();
  }

  keepBest() {
    const match = [...this.match];
    const forced = this.forced(match);
    if (matches(match) < this.least && forced >= 0) match[Math.floor(forced / this.instance.n2)] = forced % this.instance.n2;
    if (matches(match) < this.least || matches(match) > this.most) return;
    const value = this.regularised(match);
    if (this.best === null || value > this.bestValue + 1e-12 * Math.abs(this.bestValue)) {
      Object.assign(this, { best: match, bestValue: value, bestStep: this.step });
    }
  }

  allowed(vertex) {
    const { n2 } = this.instance;
    const [i, a] = [Math.floor(vertex / n2), vertex % n2];
    if (this.fixed && (this.fixed[i] !== UNMATCHED || this.fixed.includes(a))) return false;
    if (this.match[i] === a) return this.release;
    if (this.match[i] === UNMATCHED && !this.match.includes(a)) return matches(this.match) < this.most;
    return true;
  }

  // gains are K[p,p] + 2·ΣK[p,q] over the matched vertices q.
  gains(match = this.match) {
    const { n1, n2, edges, nodes } = this.instance;
    return nodes.map((own, p) => match.reduce((sum, b, j) => (b === UNMATCHED ? sum : sum + 2 * edges[p * n1 * n2 + j * n2 + b]), own));
  }

  score(match = this.match) {
    const { n2, nodes } = this.instance;
    const gains = this.gains(match);
    return match.reduce((sum, a, i) => (a === UNMATCHED ? sum : sum + (gains[i * n2 + a] + nodes[i * n2 + a]) / 2), 0);
  }

  regularised(match = this.match) {
    const { n1, n2 } = this.instance;
    return this.score(match) * factor(this.regularizer, matches(match), n1, n2);
  }

  value(match = this.match) {
    const { n1, n2, edges, complete, koopmansBeckmann } = this.instance;
    if (!koopmansBeckmann || !complete) return this.regularised(match);
    const h = Math.max(n1, n2) - matches(match);
    const gains = this.gains(match);
    const free = [...gains.keys()].filter((p) => match[Math.floor(p / n2)] === UNMATCHED && !match.includes(p % n2));
    let value = this.score(match);
    for (const p of free) {
      value += gains[p] / h;
      for (const q of free) value += h > 1 ? edges[p * n1 * n2 + q] / (h * (h - 1)) : 0;
    }
    return value;
  }

  // changes are ΔV of every vertex, 0 for matched ones that cannot be released.
  changes() {
    const { n1, n2 } = this.instance;
    const plain = matches(this.match) <= 1 && this.regularizer !== "none";
    const value = (match) => (plain ? this.score(match) : this.value(match));
    const before = value(this.match);
    return Array.from({ length: n1 * n2 }, (_, v) => value(this.after(v).match) - before);
  }
}
