// Runs rgm's models in onnxruntime-node and compares with docs/vectors, from what
// docs/MODEL_FORMAT.md says alone:
//
//     npm install --ignore-scripts
//     node run.mjs                        # the shipped models, features computed here
//     node run.mjs --self-contained DIR   # models that compute them (rgm export --self-contained)
//
// DIR holds NAME-lawler.onnx and, for the architecture gain, NAME-koopmans-beckmann.onnx.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { Environment, readInstance } from "./environment.mjs";
import { gainInputs, ngmInputs, paperInputs, samples, scaleOf } from "./features.mjs";
import { Measures, reweigh, sizeQuestions, tableShares } from "./affinity.mjs";
import { compareAlign } from "./align.mjs";
import { affinityFeeds, gainFeeds, paperFeeds, sampleFeeds } from "./self_contained.mjs";

process.env.ORT_DISABLE_TELEMETRY ??= "1";
const ort = createRequire(import.meta.url)("onnxruntime-node");
const root = fileURLToPath(new URL("../../", import.meta.url));

// TOLERANCE bounds |Δ| relative to a number or, where it is small, to the mean size of the
// numbers beside it.
const TOLERANCE = 1e-4;

// worst is the largest relative difference of two lists.
function worst(got, want, what) {
  got = [...got];
  if (got.length !== want.length) throw new Error(`${what}: ${got.length} numbers, want ${want.length}`);
  const typical = want.reduce((sum, v) => sum + Math.abs(v), 0) / Math.max(want.length, 1);
  const relative = want.map((v, k) => Math.abs(got[k] - v) / (Math.max(Math.abs(v), typical) || 1));
  const largest = relative.reduce((x, y) => (y > x || Number.isNaN(y) ? y : x), 0);
  if (!(largest <= TOLERANCE)) {
    const k = relative.indexOf(largest);
    throw new Error(`${what}: number ${k} is ${got[k]}, want ${want[k]}`);
  }
  return largest;
}

const open = (path) => ort.InferenceSession.create(path, { intraOpNumThreads: 1, logSeverityLevel: 3 });

async function evaluate(session, feeds) {
  const tensors = {};
  for (const [name, { dims, data }] of Object.entries(feeds)) tensors[name] = new ort.Tensor("float32", Float32Array.from(data), dims);
  const outputs = await session.run(tensors);
  return Object.fromEntries(Object.entries(outputs).map(([name, tensor]) => [name, [...tensor.data]]));
}

// episode plays the actions of a case and calls visit at each recorded state.
async function episode(record, environment, visit) {
  environment.reset(record.start);
  const states = new Map(record.states.map((state) => [state.step, state]));
  for (let step = 0; step <= record.actions.length; step++) {
    if (states.has(step)) await visit(states.get(step));
    if (step < record.actions.length) environment.choose(record.actions[step]);
  }
}

// scaled are the architectures whose inputs are divided by s.
const scaled = ["gain", "paper-matched"];

const inputsOf = {
  gain: (environment, { scale, horizon }) => gainInputs(environment, scale, horizon),
  ngm: ({ instance }) => ngmInputs(instance),
  lcs: ({ instance }) => ngmInputs(instance),
  paper: (environment, { set }) => paperInputs(environment, set),
  "paper-weighted": (environment, { set }) => paperInputs(environment, set),
  "paper-matched": (environment, { set, scale }) => paperInputs(environment, set, scale),
};

// byFeatures computes the features here and Q by a model of the given architecture.
async function byFeatures(session, architecture, record, set) {
  if (architecture === "affinity") return byQuestions(session, record);
  const instance = readInstance(record);
  const environment = new Environment(instance, record);
  const scale = scaled.includes(architecture) ? scaleOf(instance) : 1;
  if (record.scale) worst([scale], [record.scale], "scale");
  let error = 0;
  await episode(record, environment, async (state) => {
    const where = `${record.name}, step ${state.step}`;
    worst(environment.match, state.matching, `${where}: matching`);
    worst(environment.changes(), state.changes, `${where}: changes of value`);
    const inputs = inputsOf[architecture](environment, { scale, horizon: record.horizon, set });
    Object.values(inputs).forEach(({ data }, k) => worst(data, state.inputs[k], `${where}: input ${k}`));
    error = Math.max(error, worst((await evaluate(session, inputs)).q, state.q, `${where}: q`));
  });
  return error;
}

// byQuestions is byFeatures for networks that re-weigh affinities.
async function byQuestions(session, record) {
  const measures = new Measures(readInstance(record), record.alike);
  const ask = async (questions) =>
    (await evaluate(session, { features: { dims: [1, 1, questions.length, 35], data: questions.flat() } })).q;
  const table = await ask(tableShares.map((share) => measures.askAffinity(share)));
  const reweighed = reweigh(measures, table);
  worst(reweighed, record.reweighed, `${record.name}: re-weighed affinities`);
  const bySize = sizeQuestions(measures, reweighed, record.profile);
  const questions = record.questions.map(({ share, size }) => (size ? bySize[size - 3] : measures.askAffinity(share)));
  questions.forEach((input, k) => worst(input, record.questions[k].input, `${record.name}: question ${k}`));
  return worst(await ask(questions), record.questions.map(({ q }) => q), `${record.name}: q`);
}

// bySelf lets the model compute the features.
async function bySelf(session, architecture, record, set) {
  const instance = readInstance(record);
  if (/^paper-(weighted|matched)-/.test(set) && record.regularizer !== "none") return 0; // these models see K only
  if (architecture === "affinity") {
    const { q, reweighed } = await evaluate(session, affinityFeeds(instance, record));
    worst(reweighed, record.reweighed, `${record.name}: re-weighed affinities`);
    return worst(q, record.questions.filter(({ size }) => size).map(({ q }) => q), `${record.name}: q`);
  }
  const environment = new Environment(instance, record);
  let scale = 1;
  if (architecture === "gain") scale = await sampledScale(session, instance, record);
  let error = 0;
  await episode(record, environment, async (state) => {
    const feeds = architecture === "gain" ? gainFeeds(environment, record, scale) : paperFeeds(environment, architecture);
    const { q, changes } = await evaluate(session, feeds);
    if (changes) worst(changes, state.changes, `${record.name}, step ${state.step}: changes of value`);
    error = Math.max(error, worst(q, state.q, `${record.name}, step ${state.step}: q`));
  });
  return error;
}

// sampledScale is s, from the model's own changes of value.
async function sampledScale(session, instance, record) {
  const matchings = samples(instance.n1, instance.n2);
  const feeds = sampleFeeds(instance, record, matchings);
  const { changes } = await evaluate(session, feeds);
  const sizes = changes.filter((_, v) => feeds.matching.data[v] === 0).map(Math.abs);
  const scale = sizes.reduce((x, y) => x + y, 0) / sizes.length;
  worst([scale], [record.scale], `${record.name}: scale from the model`);
  return scale;
}

async function compare(name, folder) {
  const file = JSON.parse(readFileSync(join(root, "docs/vectors", `${name}.json`)));
  const sessions = new Map();
  const session = async (path) => {
    if (!sessions.has(path)) sessions.set(path, await open(path));
    return sessions.get(path);
  };
  let error = 0;
  for (const record of file.cases) {
    const form = record.k ? "lawler" : "koopmans-beckmann";
    const path = folder ? join(folder, `${name}-${form}.onnx`) : join(root, file.model);
    const by = folder ? bySelf : byFeatures;
    error = Math.max(error, await by(await session(path), file.architecture, record, file.features ?? file.architecture));
  }
  console.log(`${name.padEnd(14)} ${file.cases.length} cases, largest relative difference of q ${error.toExponential(1)}`);
}

const [option, folder] = process.argv.slice(2);
if (option !== undefined && (option !== "--self-contained" || !folder)) {
  console.error("usage: node run.mjs [--self-contained DIR]");
  process.exit(2);
}
let failed = 0;
for (const name of ["qap", "matching", "affinity", "paper", "paper-weighted", "paper-matched", ...(folder ? [] : ["ngm", "lcs"])]) {
  try {
    await compare(name, folder);
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    failed++;
  }
}
if (!folder) {
  try {
    const file = JSON.parse(readFileSync(join(root, "docs/vectors/align.json")));
    const session = await open(join(root, file.model));
    await compareAlign(file, (feeds) => evaluate(session, feeds), worst);
  } catch (error) {
    console.error(`align: ${error.message}`);
    failed++;
  }
}
process.exit(failed > 0 ? 1 : 0);
