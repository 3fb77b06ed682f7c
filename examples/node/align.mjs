// Learned belief propagation: the inputs of a step, and the loop of steps
// (lab/notes/MODEL_FORMAT.md, "The model align").
const CHANNELS = 6, CLUES = 8, UNMATCHED = -1;

// neighbours are those of every node, each once; loops do not count.
function neighbours(nodes, edges) {
  const sets = Array.from({ length: nodes }, () => new Set());
  for (const [i, j] of edges) {
    if (i === j) continue;
    sets[i].add(j);
    sets[j].add(i);
  }
  return sets.map((set) => [...set]);
}

function adjacency(rows) {
  const n = rows.length, data = new Array(n * n).fill(0);
  rows.forEach((row, i) => row.forEach((j) => (data[i * n + j] = 1)));
  return { dims: [n, n], data };
}

const logSum = (values) => {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, v) => sum + Math.exp(v - most), 0));
};

// cluesOf are the eight channels of a matching, S being the beliefs that it was made of.
export function cluesOf(rows1, rows2, s, matching) {
  const n1 = rows1.length, n2 = rows2.length, n = n1 * n2;
  const ends = [...rows1, ...rows2].reduce((sum, row) => sum + row.length, 0);
  const unit = 4 / Math.max(1, ends / (n1 + n2));
  const witnesses = matching.map((a, i) =>
    a === UNMATCHED ? 0 : rows1[i].filter((k) => matching[k] !== UNMATCHED && rows2[a].includes(matching[k])).length);
  const share = matching.map((a, i) => (a === UNMATCHED ? 0 : witnesses[i] / Math.max(1, rows1[i].length, rows2[a].length)));
  const order = matching.map((_, i) => i).sort((i, j) => witnesses[i] - witnesses[j] || share[i] - share[j] || i - j);
  const rank1 = new Array(n1).fill(0), rank2 = new Array(n2).fill(0);
  order.forEach((i, k) => {
    rank1[i] = k / n1;
    if (matching[i] !== UNMATCHED) rank2[matching[i]] = rank1[i];
  });
  const all = new Array(CLUES * n).fill(0);
  const add = (channel, i, a, v) => (all[channel * n + i * n2 + a] += v);
  matching.forEach((a, i) => {
    if (a === UNMATCHED) return;
    add(0, i, a, 1);
    add(7, i, a, share[i]);
    for (const k of rows1[i]) for (const b of rows2[a]) {
      add(1, k, b, 0.5 * unit);
      add(2, k, b, unit * share[i]);
      add(3, k, b, unit * rank1[i]);
    }
  });
  const rowSum = rank1.map((_, i) => logSum(s.slice(i * n2, (i + 1) * n2)));
  const columnSum = rank2.map((_, a) => logSum(rank1.map((_, i) => s[i * n2 + a])));
  for (let i = 0; i < n1; i++) for (let a = 0; a < n2; a++) {
    add(4, i, a, Math.min(rank1[i], rank2[a]));
    add(5, i, a, Math.max(rank1[i], rank2[a]));
    add(6, i, a, Math.max(0.1 * (2 * s[i * n2 + a] - rowSum[i] - columnSum[a]), -4));
  }
  return all.map((v) => Math.min(v, 10));
}

// compareAlign runs both stages on the graphs of docs/vectors/align.json; evaluate makes a step,
// worst compares.
export async function compareAlign(file, evaluate, worst) {
  const { n1, n2 } = file, n = n1 * n2;
  const rows1 = neighbours(n1, file.edges1), rows2 = neighbours(n2, file.edges2);
  const run = async (steps, clues, again) => {
    let state = new Array(CHANNELS * n).fill(0);
    for (let step = 0; step < steps; step++) {
      ({ next: state } = await evaluate({
        state: { dims: [CHANNELS, n1, n2], data: state }, a: adjacency(rows1), b: adjacency(rows2),
        clues: { dims: [CLUES, n1, n2], data: clues }, again: { dims: [1], data: [again] },
      }));
    }
    return state.slice(0, n);
  };
  const first = await run(file.steps, new Array(CLUES * n).fill(0), 0);
  let error = worst(first, file.first, "align, first stage");
  const clues = cluesOf(rows1, rows2, first, file.matching);
  worst(clues, file.clues, "align, clues");
  error = Math.max(error, worst(await run(file.again_steps, clues, 1), file.again, "align, second stage"));
  console.log(`${"align".padEnd(14)} 2 stages, largest relative difference of S ${error.toExponential(1)}`);
}
