// The inputs of self-contained models (docs/MODEL_FORMAT.md): what a program hands over
// that leaves the features to the model.
import { factor } from "./environment.mjs";
import { plane, scaleOf } from "./features.mjs";

const scalar = (value) => ({ dims: [1], data: [value] });

// affinityOf is K, to be maximised.
function affinityOf({ n1, n2, edges, nodes }) {
  const size = n1 * n2;
  const data = [...edges];
  nodes.forEach((v, p) => (data[p * size + p] = v));
  return { dims: [size, size], data };
}

// instanceOf are the inputs that describe an instance, and, of an affinity matrix, the goal.
function instanceOf(instance, record, { most, release, autofill, regularizer }) {
  const { n1, n2 } = instance;
  if (!record.k) {
    const sign = record.sense === "min" ? -1 : 1;
    const linear = record.linear ?? new Array(n1 * n2).fill(0);
    return {
      a: { dims: [n1, n1], data: record.a.map((v) => sign * v) },
      b: { dims: [n2, n2], data: record.b },
      linear: { dims: [n1, n2], data: linear.map((v) => sign * v) },
    };
  }
  const factors = Array.from({ length: Math.min(n1, n2) + 1 }, (_, m) => factor(regularizer, m, n1, n2));
  return {
    affinity: affinityOf(instance),
    rules: { dims: [3], data: [most, Number(release), Number(autofill)] },
    factors: { dims: [factors.length], data: factors },
  };
}

export function gainFeeds(environment, record, scale) {
  const { instance, instance: { n1, n2 } } = environment;
  const all = Array.from({ length: n1 * n2 }, (_, v) => v);
  const vertices = (data) => ({ dims: [1, n1, n2], data });
  const found = environment.best !== null;
  return {
    matching: vertices(plane(environment.match, n2)),
    allowed: vertices(all.map((v) => Number(environment.allowed(v)))),
    best: vertices(found ? plane(environment.best, n2) : all.map(() => 0)),
    released: vertices(environment.released),
    visits: vertices(environment.visits),
    row_changed: { dims: [1, n1], data: environment.rowChanged },
    column_changed: { dims: [1, n2], data: environment.columnChanged },
    episode: { dims: [1, 4], data: [environment.step, record.horizon, Number(found), environment.bestStep] },
    scale: scalar(scale),
    ...instanceOf(instance, record, environment),
  };
}

// sampleFeeds ask for ΔV in matchings, all else being nothing.
export function sampleFeeds(instance, record, matchings) {
  const { n1, n2 } = instance;
  const batch = matchings.length;
  const nothing = (...dims) => ({ dims: [batch, ...dims], data: new Array(batch * dims.reduce((x, y) => x * y, 1)).fill(0) });
  return {
    matching: { dims: [batch, n1, n2], data: matchings.flatMap((match) => plane(match, n2)) },
    allowed: nothing(n1, n2), best: nothing(n1, n2), released: nothing(n1, n2), visits: nothing(n1, n2),
    row_changed: nothing(n1), column_changed: nothing(n2), episode: nothing(4), scale: scalar(1),
    ...instanceOf(instance, record, { most: Math.min(n1, n2), release: false, autofill: instance.complete, regularizer: "none" }),
  };
}

export function paperFeeds({ instance, match }, architecture) {
  const feeds = { affinity: affinityOf(instance), matching: { dims: [1, instance.n1, instance.n2], data: plane(match, instance.n2) } };
  if (architecture === "paper-matched") feeds.scale = scalar(scaleOf(instance));
  return feeds;
}

export function affinityFeeds(instance, record) {
  const { n1, n2 } = instance;
  const list = (matchings) => ({ dims: [matchings.length, n1, n2], data: matchings.flatMap((match) => plane(match, n2)) });
  return { affinity: affinityOf(instance), alike: list(record.alike), profile: list(record.profile) };
}
