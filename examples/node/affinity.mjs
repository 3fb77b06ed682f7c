// The questions to a network that re-weighs affinities, and the affinities that its
// answers make (docs/MODEL_FORMAT.md, set "affinity").
import { UNMATCHED } from "./environment.mjs";

const LEAST = -12;
const logarithm = (share) => (share <= 0 ? LEAST : Math.max(Math.log(share), LEAST));
const mean = (list) => list.reduce((x, y) => x + y, 0) / Math.max(list.length, 1);
const matched = (match) => match.flatMap((a, i) => (a === UNMATCHED ? [] : [[i, a]]));

// Measures are channels 3 to 18 of an instance; alike are the best matchings found of a
// quarter, a half, three quarters and all of the nodes.
export class Measures {
  constructor(instance, alike) {
    const { n1, n2, edges } = instance;
    this.instance = instance;
    const list = [...edges].filter((v) => v !== 0);
    this.greatest = Math.max(...list);
    const shares = list.map((v) => v / this.greatest);
    const logs = shares.map(logarithm);
    const average = mean(shares);
    const within = alike.map((match) => this.within(match));
    this.statistics = [
      average,
      Math.sqrt(Math.max(mean(shares.map((x) => x * x)) - average ** 2, 0)),
      mean(logs),
      ...[-0.02, -0.1, -0.5, -2, -6].map((tail) => Math.log(1e-4 + logs.filter((l) => l > tail).length / logs.length)),
      Math.log(Math.min(n1, n2) / 10),
      Math.log(Math.max(n1, n2) / Math.min(n1, n2)),
      within[0].share, within[1].log, within[1].share, within[2].log, within[2].share, within[3].log,
    ];
  }

  // within are the means of shares and logarithms over the edges between matches.
  within(match) {
    const { n1, n2, edges } = this.instance;
    const vertices = matched(match).map(([i, a]) => i * n2 + a);
    const list = vertices.flatMap((p) => vertices.map((q) => edges[p * n1 * n2 + q])).filter((v) => v !== 0);
    return { share: mean(list.map((v) => v / this.greatest)), log: mean(list.map((v) => logarithm(v / this.greatest))) };
  }

  // askAffinity asks what an edge affinity is worth, given its share of the greatest.
  askAffinity(share) {
    return [0, share, logarithm(share), ...this.statistics, ...new Array(16).fill(0)];
  }
}

// reweigh returns the affinities after φ, given its 512 answers at equal steps of the
// logarithm, from −12 to 0.
export function reweigh(measures, table) {
  const { instance: { n1, n2, edges, nodes }, greatest } = measures;
  const size = n1 * n2;
  const at = (log) => {
    const place = (1 - log / LEAST) * 511;
    const k = Math.min(Math.floor(place), 510);
    return table[k] + (place - k) * (table[k + 1] - table[k]);
  };
  const unit = Math.abs(table[511] - table[0]) / greatest;
  const average = mean([...nodes]);
  const result = new Float64Array(size * size);
  edges.forEach((v, k) => (result[k] = v === 0 ? 0 : at(logarithm(v / greatest))));
  nodes.forEach((v, p) => (result[p * size + p] = unit * (v - average)));
  return result;
}

export const tableShares = Array.from({ length: 512 }, (_, k) => Math.exp(LEAST * (1 - k / 511)));

// sizeQuestions ask how good the best matching of each size from 3 on is; reweighed are
// the affinities after φ, profile the best matchings under them, by size from 0 on.
export function sizeQuestions(measures, reweighed, profile) {
  const { n1, n2 } = measures.instance;
  const most = profile.length - 1;
  const scores = profile.map((match) => {
    const vertices = matched(match).map(([i, a]) => i * n2 + a);
    return vertices.reduce((sum, p) => vertices.reduce((part, q) => part + reweighed[p * n1 * n2 + q], sum), 0);
  });
  let best = 3;
  for (let m = 4; m <= most; m++) if (scores[m] > scores[best]) best = m;
  const gain = (m) => (m < 2 || m > most ? 0 : (scores[m] - scores[m - 1]) / (2 * (m - 1)));
  const overlap = (m, other) => {
    if (other > most) return 0;
    const same = matched(profile[m]).filter(([i, a]) => profile[other][i] === a).length;
    return same / Math.min(m, other);
  };
  const questions = [];
  for (let m = 3; m <= most; m++) {
    const { share, log } = measures.within(profile[m]);
    const pairs = m * (m - 1);
    questions.push([
      1, 0, 0, ...measures.statistics,
      m / most, Math.log(m / 10), m === most ? 1 : 0, (m - best) / most,
      scores[m] / pairs, (scores[m] - scores[best]) / pairs,
      gain(m - 1), gain(m), gain(m + 1), gain(m + 2),
      share, log,
      overlap(m, m - 1), overlap(m, m + 1), overlap(m, most), overlap(m, best),
    ]);
  }
  return questions;
}
