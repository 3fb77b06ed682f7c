package main

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"

	"github.com/rgm-go/rgm/internal/onnx"
)

// quality runs the guards of quality in place of the tests of a model's package.
const quality = "-run ^TestQuality$ ./internal/quality"

// The tests that should notice a fault of parts of large packages.
const (
	boundTests   = "-run ^Test(NeverBelowTheOptimum|NodesAlone|ProvesSmallProblems|Forms)$ ./qap/bound"
	growthTests  = "-run ^Test(GrowthPlacesTheMostUrgent|ReleaseKeepsConnected)$ ./qap/population"
	trpoTests    = "-run ^Test(ConjugateGradientsSolve|FisherProductIsTheCurvatureOfTheDivergence|StepKeepsTheLimit|NoStepWithoutAGradient|PolicyStaysWhereNoStepIsFound)$ ./research/learners/trpo"
	acerTests    = "-run ^Test(RetraceIsTheReturnOnPolicy|RetraceIsRightInTheMean|TracesAreCut|ImportanceWeightsAreTruncated|CorrectionMakesUpForTruncation|GradientsStayNearTheAverage|ReplayLossMatchesFiniteDifferences|EpisodesAreKept|OldestEpisodesGo)$ ./research/learners/acer"
	rewriteTests = "-run ^Test(QuestionsSayWhatRulesDo|ItIsNeverWorseThanTheStart|DrawFollowsSoftmax)$ ./qap/rewrite"
	pickerTests  = "-run ^Test(RewritingsHaveTheirDerivatives|GoodRulesBecomeLikelier|SumsAreDiscounted)$ ./train/drawn"
)

// mutants are all there are: signs that are swapped, factors and bounds that are missing,
// locks and syncs that are left out, weights that are lost. Of large packages the tests
// that should notice are named; of others all are run.
var mutants = []mutant{
	{name: "model qap: the largest weight is 0", file: "models/pretrained/qap.onnx", model: "qap", tests: quality},
	{name: "model matching: the largest weight is 0", file: "models/pretrained/matching.onnx", model: "matching", tests: quality},
	{name: "model affinity: the largest weight is 0", file: "models/pretrained/affinity.onnx", model: "affinity", tests: quality},

	{name: "qap: incremental gains count a match once", file: "qap/incremental.go", old: "t.spread(v, i, a, 2)", new: "t.spread(v, i, a, 1)"},
	{name: "qap: incremental pairs count once", file: "qap/incremental.go", old: "\t\t\tx = 2 * values[k]", new: "\t\t\tx = values[k]"},
	{name: "qap: sign of a pair in a column", file: "qap/incremental.go", old: "gains[v]-r-c+pair[v]", new: "gains[v]-r-c-pair[v]"},
	{name: "qap: the last of equal actions", file: "qap/incremental.go", old: "change == best && a > t.best[i]", new: "change == best && a < t.best[i]"},
	{name: "qap: a bar is forgotten", file: "qap/incremental.go", old: "if !t.env.barred[i*t.env.n2+a] && t.env.AllowedMatch(i, a) {", new: "if t.env.AllowedMatch(i, a) {"},
	{name: "qap: sign of a swap", file: "qap/swaps.go", old: "change += kb.sign * kb.as[i*n+k] * kb.bs[a*n+b]", new: "change -= kb.sign * kb.as[i*n+k] * kb.bs[a*n+b]"},
	{name: "qap: gains after a swap", file: "qap/swaps.go", old: "kb.addSwap(e.gains, i, k, a, b, 2)", new: "kb.addSwap(e.gains, i, k, a, b, 1)"},
	{name: "qap: a release adds to the gains", file: "qap/environment.go", old: "e.affinity.AddRow(e.gains, v, -2)", new: "e.affinity.AddRow(e.gains, v, 2)"},
	{name: "qap: a start may exceed the inliers", file: "qap/environment.go", old: " || e.size == e.most {", new: " {"},
	{name: "qap: the forced match is not in the best", file: "qap/environment.go", old: "\tif forced {\n\t\te.best[i] = a\n\t}\n", new: ""},
	{name: "qap: sparse sense is ignored", file: "qap/sparse.go", old: "v := sign * e.Value / 2", new: "v := e.Value / 2"},
	{name: "qap: sparse conflicts count", file: "qap/sparse.go", old: "if !e.conflicts {", new: "if e.conflicts {"},
	{name: "qap: affinities that are no number pass", file: "qap/sparse.go", old: "math.IsNaN(e.Value) || math.IsInf(e.Value, 0)", new: "math.IsInf(e.Value, 0)"},
	{name: "qap: one step too many", file: "qap/solver.go", old: "steps >= l.MaxSteps", new: "steps > l.MaxSteps"},
	{name: "qap: regularizer f2", file: "qap/regularizer.go", old: "float64(1+3*m)", new: "float64(2+3*m)"},
	{name: "qap: bound of the regularizer's exponent", file: "qap/regularizer.go", old: " || math.Abs(p) > 100", new: ""},
	{name: "qap/profile: tabu vertices count as free", file: "qap/profile/move.go", old: "change > c.change && (s.until[v] <= s.steps || change > needed) {", new: "change > c.change {", tests: "-run ^TestBestMove$ ./qap/profile"},
	{name: "qap/profile: affinity of an exchange", file: "qap/profile/move.go", old: "2*(before+after)", new: "2*(before-after)", tests: "-run ^TestBestMove$ ./qap/profile"},
	{name: "qap/profile: seeds move", file: "qap/profile/move.go", old: "if b == qap.Unmatched || s.Seed1[i] {", new: "if b == qap.Unmatched {", tests: "-run ^Test(ProfileIsExactOnSmallInstances|GoalsThatCannotBeMet|InitialIsKept|Limits)$ ./qap/profile"},
	{name: "qap/local: a release adds to the gains", file: "qap/local/local.go", old: "s.in.Affinity.AddRow(s.gains, i*s.n2+a, -2)", new: "s.in.Affinity.AddRow(s.gains, i*s.n2+a, 2)"},
	{name: "qap/assignment: a node is taken twice", file: "qap/assignment/greedy.go", old: "assigned[i] == Unmatched && !taken[a]", new: "assigned[i] == Unmatched"},
	{name: "qap/exact: a bound that is too high", file: "qap/exact/bound.go", old: "if bound+t.slack[p] >= cutoff {", new: "if bound+2*t.slack[p] >= cutoff {", tests: "-run ^Test(FindsTheOptimum|BoundIsValidAtEveryNode|QAPLIB)$ ./qap/exact"},
	{name: "qap/tabu: the walk takes too many swaps", file: "qap/tabu/walk.go", old: "min(int64(steps), w", new: "min(int64(steps)+1, w", tests: "-run ^TestWalkIsTheTrajectory$ ./qap/tabu"},
	{name: "qap/population: a location is used twice", file: "qap/population/crossover.go", old: "\t\t\tchild[i] = c\n\t\t\tx.used[c] = true\n\t\t}\n\t}\n\tshuffle(x.order, rng)\n\tx.take(child, second)", new: "\t\t\tchild[i] = c\n\t\t}\n\t}\n\tshuffle(x.order, rng)\n\tx.take(child, second)", tests: "-run ^TestChildrenAreAssignments$ ./qap/population"},
	{name: "qap/bound: the reward of a count is not taken off", file: "qap/bound/assign.go", old: "bound, size := -d.reward*float64(d.count)", new: "bound, size := 0*float64(d.count)", tests: boundTests},
	{name: "qap/bound: vertices are excluded too soon", file: "qap/bound/bound.go", old: "-d.node[p]-d.reward >= slack {", new: "-d.node[p]-d.reward >= slack/2 {", tests: boundTests},
	{name: "qap/bound: more is lent than can be spared", file: "qap/bound/pass.go", old: "const lent = 0.5", new: "const lent = 1.5", tests: boundTests},
	{name: "qap/bound: tables count for nothing after a step", file: "qap/bound/descend.go", old: "\t\t\tvalue += worth\n", new: "\t\t\tvalue += 0 * worth\n", tests: boundTests},
	{name: "qap/population: growth begins with the least regret", file: "qap/population/growth.go", old: "case at < 0 || o.regret > most:", new: "case at < 0 || o.regret < most:", tests: growthTests},
	{name: "qap/population: growth forgets flows to a facility", file: "qap/population/growth.go", old: "row[d] += float64(p.to*out[d]) + float64(p.from*in[d])", new: "row[d] += float64(p.to*out[d]) + 0*float64(p.from*in[d])", tests: growthTests},
	{name: "qap/population: growth uses a location twice", file: "qap/population/growth.go", old: "func (g *growth) place(i, c int32, child []int32) {\n\tg.free[c] = false\n", new: "func (g *growth) place(i, c int32, child []int32) {\n", tests: growthTests},
	{name: "qap/population: the border of what is kept stays", file: "qap/population/growth.go", old: "\tfor _, i := range g.border {\n\t\tg.inBlock[i] = false\n", new: "\tfor _, i := range g.border {\n\t\tg.inBlock[i] = true\n", tests: growthTests},
	{name: "qap/rewrite: the worst matching is kept", file: "qap/rewrite/state.go", old: "\tif s.Score() > s.bestScore+leastRise*s.scale {\n\t\ts.bestScore,", new: "\tif s.Score() < s.bestScore-leastRise*s.scale {\n\t\ts.bestScore,", tests: rewriteTests},
	{name: "qap/rewrite: regions are drawn alike", file: "qap/rewrite/rewrite.go", old: "if left -= math.Exp(float64(q[k]) - largest); left < 0 {", new: "if left -= sum / float64(len(open)); left < 0 {", tests: rewriteTests},
	{name: "qap/rewrite: rules are told another scale", file: "qap/rewrite/state.go", old: "squashed(m.Change / s.scale)", new: "squashed(m.Change)", tests: rewriteTests},

	{name: "datasets: .npy may claim any length", file: "datasets/npy.go", old: "!ok || count != (size-read)/int64(header.size) || ", new: "!ok || count < 0 || "},
	{name: "datasets: .npy headers of any length", file: "datasets/npy_header.go", old: "if n > longest || read > size {", new: "if read > size {"},
	{name: "datasets: members of an archive inflate together", file: "datasets/npz.go", old: "member.UncompressedSize64 > credible-claimed", new: "member.UncompressedSize64 > credible"},
	{name: "datasets: small numbers of float16", file: "datasets/npy_header.go", old: "v = math.Ldexp(fraction, 1-bias-fractionBits) // subnormal", new: "v = math.Ldexp(fraction, -bias-fractionBits)"},
	{name: "datasets: byte order", file: "datasets/npy_header.go", old: "h.order = binary.BigEndian", new: "h.order = binary.LittleEndian"},
	{name: "datasets: any number of nodes in .dat", file: "datasets/dat.go", old: "err != nil || n < 1 || n > maxNodes", new: "err != nil || n < 1"},
	{name: "datasets: memory of .dat by its claim", file: "datasets/dat.go", old: "min(n*n, int(s.size/2)+1)", new: "n*n"},
	{name: "datasets: words after a .dat", file: "datasets/dat.go", old: "if err := expectEnd(s, w); err != nil {", new: "if err := expectEnd(s, w); false {"},
	{name: "datasets: sign of skew-symmetric .mtx", file: "datasets/mtx.go", old: "r.matrix.add(col, row, r.sign*v)", new: "r.matrix.add(col, row, v)"},
	{name: "datasets: a permutation that repeats a number", file: "datasets/sln.go", old: "\t\tif seen[v] {\n", new: "\t\tif false {\n"},
	{name: "datasets: a permutation of 0 and n", file: "datasets/sln.go", old: "if seen[0] && seen[n] {", new: "if false {"},

	{name: "infer: the lock of the pool is dropped", file: "infer/pool.go", old: "func (p *pool) take(s batchShape) (*ortBatch, error) {\n\tp.mutex.Lock()\n\tdefer p.mutex.Unlock()\n", new: "func (p *pool) take(s batchShape) (*ortBatch, error) {\n", tests: "-race -run Goroutines|Pool|Close ./infer"},
	{name: "infer: a batch is given back twice", file: "infer/pool.go", old: "if !b.lent { // closed already", new: "if false {", tests: "-run ^TestPoolIsBounded$ ./infer"},
	{name: "infer: idle batches without bound", file: "infer/pool.go", old: "for len(p.idle) > mostIdle || p.floats > mostIdleFloats {", new: "for false {", tests: "-run ^TestPoolIsBounded$ ./infer"},
	{name: "auto: steps of the second part count from 0", file: "qap/auto/affinities.go", old: "found.Steps += before", new: "found.Steps += 0 * before", tests: "-run ^TestStepsOfAllPartsCount$ ./qap/auto"},
	{name: "auto: the worse result is kept", file: "qap/auto/affinities.go", old: "first.Matching != nil && p.better(", new: "first.Matching != nil && !p.better(", tests: "-run ^TestStepsOfAllPartsCount$ ./qap/auto"},
	{name: "qap: solutions that are no better are told", file: "qap/goal.go", old: "told && value <= best+rounding*max(value, -value)", new: "told && value < best", tests: "-run ^TestOnBest$ ./infer"},
	{name: "infer: graphs of an old format are run", file: "infer/network.go", old: "if !header.Current() {", new: "if false {", tests: "-run ^TestFormat1GivesItsWeights$ ./export"},
	{name: "infer: a batch of no states", file: "infer/network.go", old: "if size <= 0 || n1 <= 0 || n2 <= 0 {", new: "if false {", tests: "-run ^TestPoolIsBounded$ ./infer"},

	{name: "train: sign of the importance weights", file: "train/dqn/replay.go", old: "probability, -beta)", new: "probability, beta)", tests: "-run ^TestReplaySamplesByPriority$ ./train/dqn"},
	{name: "train: the largest priority is forgotten", file: "train/dqn/replay.go", old: "r.largest = max(r.largest, priority)", new: "r.largest = priority", tests: "-run ^TestNewTransitionsHaveTheLargestPriority$ ./train/dqn"},
	{name: "train: empty leaves are drawn", file: "train/dqn/sumtree.go", old: " && t.sums[node+1] > 0 {", new: " {", tests: "-run ^TestSumBeyondTheTotal$ ./train/dqn"},
	{name: "train: n-step rewards without discount", file: "train/actor.go", old: "\t\tdiscount *= a.config.Gamma\n", new: "", tests: "-run ^TestNStepReturns$ ./train"},
	{name: "train: an ended episode bootstraps", file: "train/actor.go", old: "\tif bootstrap == 0 {\n\t\tdiscount = 0\n\t}\n", new: "", tests: "-run ^TestNStepReturns$ ./train"},
	{name: "train: sign of the reward", file: "train/actor.go", old: "a.config.LogGap(p.Gap(a.bestValue)) - a.config.LogGap(p.Gap(value))", new: "a.config.LogGap(p.Gap(value)) - a.config.LogGap(p.Gap(a.bestValue))", tests: "-run ^TestRewards$ ./train"},
	{name: "train: a round that is cut short has drawn", file: "train/dqn/dqn.go", old: "d.acts, *l.pcg = d.acts-1, sampling", new: "d.acts, _ = d.acts-1, sampling", tests: "-run ^TestTraining$ ./train/dqn"},
	{name: "train: the target follows at once", file: "train/dqn/dqn.go", old: "d.learner.Adam.Updates%d.own.TargetEvery == 0", new: "d.learner.Adam.Updates%d.own.TargetEvery >= 0", tests: "-run ^Test(DoubleQLearning|TargetFollows)$ ./train/dqn"},
	{name: "train: the network judges itself", file: "train/dqn/chunk.go", old: "\tif l.own.Double {\n", new: "\tif !l.own.Double {\n", tests: "-run ^TestDoubleQLearning$ ./train/dqn"},
	{name: "train: sign of the entropy", file: "train/policygradient/update.go", old: "p.AddEntropy(dq, entropy, -aims.Reward*share*l.Own.Entropy)", new: "p.AddEntropy(dq, entropy, aims.Reward*share*l.Own.Entropy)", tests: "-run ^TestPolicyLossMatchesFiniteDifferences$ ./train/policygradient"},
	{name: "train: sign of the advantage", file: "train/policygradient/methods.go", old: "return -s.Advantage * logarithm, -s.Advantage", new: "return -s.Advantage * logarithm, s.Advantage", tests: "-run ^TestPolicyLossMatchesFiniteDifferences$ ./train/policygradient"},
	{name: "train: sign of the evolution's estimate", file: "train/evolution/evolution.go", old: "worth[2*pair+1] - worth[2*pair]", new: "worth[2*pair] - worth[2*pair+1]", tests: "-run ^TestEvolutionEstimate$ ./train/evolution"},
	{name: "train: a loss that is no number is learned from", file: "train/trainable.go", old: "if math.IsNaN(loss+norm) || math.IsInf(loss+norm, 0) {", new: "if false && math.IsNaN(loss+norm) {", tests: "-run ^TestNoStepIsMadeWithoutNumbers$ ./train"},
	{name: "train: trpo steps beyond the limit", file: "research/learners/trpo/trpo.go", old: "divergence <= g.own.KLLimit && found < loss", new: "divergence <= 100*g.own.KLLimit && found < loss", tests: trpoTests},
	{name: "train: trpo goes up the gradient", file: "research/learners/trpo/trpo.go", old: "descent[k] = -descent[k]", new: "descent[k] = +descent[k]", tests: trpoTests},
	{name: "train: Fisher's information without the mean", file: "research/learners/trpo/trpo.go", old: "(change(vertex) - mean)", new: "change(vertex)", tests: trpoTests},
	{name: "train: trpo stays where no step was found", file: "research/learners/trpo/trpo.go", old: "\t\tshare /= 2\n\t}\n\tmodels.Copy(g.Net.Network, old)\n", new: "\t\tshare /= 2\n\t}\n", tests: trpoTests},
	{name: "train: traces of acer are not cut", file: "research/learners/acer/retrace.go", old: "lambda*min(1, s.ratio)", new: "lambda*s.ratio", tests: acerTests},
	{name: "train: truncation of acer is not made up for", file: "research/learners/acer/retrace.go", old: "ratio > o.truncation {", new: "false && ratio > o.truncation {", tests: acerTests},
	{name: "train: acer leaves the average's policy", file: "research/learners/acer/retrace.go", old: "gradient[i] -= (product - limit) / square", new: "gradient[i] += (product - limit) / square", tests: acerTests},
	{name: "train: the memory of acer drops the newest", file: "research/learners/acer/episode_memory.go", old: "slices.Concat(m.Fragments[drop:], fragments)", new: "slices.Concat(m.Fragments[:len(m.Fragments)-drop], fragments)", tests: acerTests},
	{name: "internal/loop: what ended early is not saved", file: "internal/loop/loop.go", old: "if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {", new: "if err == nil {"},
	{name: "internal/loop: the end of the context is not looked at", file: "internal/loop/loop.go", old: "if err = ctx.Err(); err == nil {", new: "if err == nil {"},
	{name: "train/drawn: sign of the rule picker's advantage", file: "train/drawn/rewriting.go", old: "advantage := -miss", new: "advantage := miss", tests: pickerTests},
	{name: "train/drawn: rewards of rewritings without discount", file: "train/drawn/rewriting.go", old: "rewriteDiscount*after", new: "after", tests: pickerTests},

	{name: "atomicfile: the file is not synced", file: "internal/atomicfile/atomicfile.go", old: "err = file.Sync()", new: "err = nil"},
	{name: "atomicfile: the folder is not synced", file: "internal/atomicfile/atomicfile.go", old: "errors.Join(opened.Sync(), opened.Close())", new: "opened.Close()"},
	{name: "filelock: the lock is dropped", file: "internal/filelock/flock.go", old: "syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)", new: "error(nil)"},
	{name: "sealed: the checksum is not compared", file: "internal/sealed/sealed.go", old: "if sha256.Sum256(payload) != [", new: "if false && sha256.Sum256(payload) != ["},
	{name: "onnx: weights are not compared with their digest", file: "internal/onnx/digest.go", old: "have != want {", new: "false {"},
	{name: "onnx: any operator", file: "internal/onnx/check.go", old: "\tWhere Equal Greater Less Not`)", new: "\tWhere Equal Greater Less Not Loop If RandomUniform Custom`)"},
	{name: "models: the rule picker answers for regions", file: "models/rewriter.go", old: "p.q[row] = (1-s)*p.part[row] + s*p.q[row]", new: "p.q[row] = s*p.part[row] + (1-s)*p.q[row]", tests: "-run ^Test(ForwardMatchesTheDefinition|BackwardMatchesFiniteDifferences)$ ./models"},
	{name: "paper: a damaged result counts", file: "cmd/rgm-lab/internal/paper/store.go", old: "if json.Unmarshal(data, r) != nil || r.Unit != u.Name {", new: "if json.Unmarshal(data, r) != nil && false {", tests: "./cmd/rgm-lab/internal/paper"},
	{name: "paper: results are told apart by the name alone", file: "cmd/rgm-lab/internal/paper/store.go", old: "sha256.Sum256([]byte(u.Command()))", new: "sha256.Sum256([]byte(u.Name))", tests: "./cmd/rgm-lab/internal/paper"},
	{name: "paper: what an interrupted command printed is kept", file: "cmd/rgm-lab/internal/paper/run.go", old: "\tif err := ctx.Err(); err != nil {\n\t\treturn err\n\t}\n\tif u.Save", new: "\tif u.Save", tests: "./cmd/rgm-lab/internal/paper"},
	{name: "paper: a failure has no reason on the page", file: "cmd/rgm-lab/internal/paper/run.go", old: "\t\ts.failed[u.Name] = err.Error()\n", new: "", tests: "./cmd/rgm-lab/internal/paper"},
}

// withoutWeight returns a model whose largest weight that tells actions apart is 0, with
// the digest of that.
func withoutWeight(file []byte) ([]byte, error) {
	m, err := onnx.Unmarshal(file)
	if err != nil {
		return nil, err
	}
	var weight []byte
	largest := 0.0
	for _, t := range m.Graph.Initializers {
		// What is added to the value of a state is shared by its actions and decides nothing.
		if t.Type != onnx.Float32 || len(t.Dims) < 2 || strings.HasPrefix(t.Name, "value.") {
			continue
		}
		for k := 0; k+4 <= len(t.Raw); k += 4 {
			if v := math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(t.Raw[k:])))); v > largest {
				weight, largest = t.Raw[k:k+4], v
			}
		}
	}
	if weight == nil {
		return nil, errors.New("the model has no weights")
	}
	clear(weight)
	m.Metadata[onnx.WeightsKey] = onnx.WeightsDigest(m)
	return onnx.Marshal(m), nil
}
