package train

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// actor plays episodes in one environment after another.
type actor struct {
	config   *Config
	problems []*problem // of the trainer; the actor plays those from first on
	first    int
	count    int
	pcg      *rand.PCG
	rng      *rand.Rand

	problem   int // index in problems
	env       *qap.Environment
	extractor features.Extractor
	horizon   int     // T_max of this episode
	bestValue float64 // largest solution value since the start, for the log-gap reward
	bestF1    float64 // of the best solution since the start, for the f1 reward
	total     float64 // undiscounted rewards of the episode
	state     []byte  // the current state, packed
	pending   []experience
	gained    float64      // reward of the last step
	made      []transition // by the last step
	ended     *episode     // by the last step

	demonstrates bool
	demonstrator demonstrator // of this episode's problem, if it demonstrates

	order []int // scratch of explore
}

// experience is a step whose n-step return is not complete yet.
type experience struct {
	State  []byte
	Action int32
	Reward float64
}

// episode is what is reported of a finished episode.
type episode struct {
	problem   int
	bestValue float64
	total     float64
}

func newActor(c *Config, problems []*problem, first, count int, index uint64, demonstrates bool) *actor {
	pcg := rand.NewPCG(c.Seed, streamActors+index)
	a := &actor{config: c, problems: problems, first: first, count: count, pcg: pcg, rng: rand.New(pcg), demonstrates: demonstrates}
	a.begin()
	return a
}

// begin starts an episode: a problem, a horizon and a matching to start from.
func (a *actor) begin() {
	a.enter(a.first + a.rng.IntN(a.count))
	n1, n2 := a.env.Size()
	length := a.config.StepsPerNode * float64(max(n1, n2))
	length *= 1 + a.config.StepsSpread*(2*a.rng.Float64()-1)
	a.setHorizon(max(int(length), 1))
	a.env.Reset(a.start())
	a.extractor.Reset()
	a.bestValue, a.total = a.leastValue(), 0
	if value, ok := a.solutionValue(); ok {
		a.bestValue = value
	}
	a.bestF1 = a.f1()
	a.pending = a.pending[:0]
	a.state = a.pack()
}

// enter takes an environment of a problem.
func (a *actor) enter(problem int) {
	p := a.problems[problem]
	a.problem = problem
	a.env = qap.NewEnvironment(p.instance, p.rules)
	a.extractor = p.inputs.NewExtractor(a.env, 1)
	if a.demonstrates {
		a.demonstrator = newDemonstrator(a.env, a.rng)
	}
}

func (a *actor) setHorizon(steps int) {
	a.horizon = steps
	a.extractor.SetHorizon(steps)
}

// start draws the matching that an episode begins at.
func (a *actor) start() qap.Matching {
	p := a.problems[a.problem]
	n1, n2 := p.instance.Size()
	u := a.rng.Float64()
	greedy := a.config.StartGreedy
	local := greedy + a.config.StartLocal
	random := local + a.config.StartRandom
	switch {
	case u < greedy:
		return p.greedy
	case u < local:
		// The goal was checked when the problem was made: there is no error left.
		found, _ := p.descent(context.Background(), a.rng.Uint64())
		return found.Matching
	case u < random:
		return qap.RandomMatching(n1, n2, a.rng)
	}
	return nil
}

func (a *actor) pack() []byte {
	return packState(a.problem, a.env, a.extractor.Memory(), a.horizon)
}

// choose returns an action: the demonstrator's, if it has one; with probability
// epsilon an exploration; otherwise the vertex with the largest Q (Algorithm 1,
// "Choosing next action").
func (a *actor) choose(q []float32, epsilon float64) int {
	if a.demonstrator != nil {
		return demonstrated(a.demonstrator)
	}
	if a.rng.Float64() >= epsilon {
		return rollout.BestAction(a.env, q)
	}
	return a.explore()
}

// explore draws an action: a share among the largest changes of value, the rest
// uniformly.
func (a *actor) explore() int {
	a.order = a.order[:0]
	for v := range a.env.Gains() {
		if a.env.Allowed(v) {
			a.order = append(a.order, v)
		}
	}
	among := len(a.order)
	if a.rng.Float64() < a.config.ExploreBest {
		changes := a.env.ValueChanges()
		slices.SortStableFunc(a.order, func(x, y int) int { return cmp.Compare(changes[y], changes[x]) })
		n1, n2 := a.env.Size()
		among = min(2+a.rng.IntN(2*max(n1, n2)), among)
	}
	if among == 0 {
		return rollout.Stop
	}
	return a.order[a.rng.IntN(among)]
}

// step takes an action, stores the reward and completes transitions; at the end
// of an episode the next one begins.
func (a *actor) step(action int) {
	a.made, a.ended = a.made[:0], nil
	before := a.worth()
	a.env.Step(action)
	a.extractor.Observe()
	if a.demonstrator != nil {
		a.demonstrator.Observe(0)
	}
	reward := a.reward(before)
	a.total += reward
	a.gained = reward
	a.pending = append(a.pending, experience{a.state, int32(action), reward})
	a.state = a.pack()
	done := a.finished()
	if len(a.pending) == a.config.NStep && !done {
		a.emit(a.config.Gamma)
	}
	if done {
		for len(a.pending) > 0 {
			a.emit(0)
		}
		a.ended = &episode{a.problem, a.env.BestValue(), a.total}
		a.begin()
	}
}

// worth is what the rewards score and potential are differences of. The score is
// regularised where the goal is.
func (a *actor) worth() float64 {
	switch a.config.Reward {
	case RewardScore:
		return a.problems[a.problem].value(a.env.Score(), a.env.Matched())
	case RewardPotential:
		return a.env.Value()
	}
	return 0
}

// reward returns the reward of the step just taken, before which the state had a
// worth.
func (a *actor) reward(before float64) float64 {
	p := a.problems[a.problem]
	if a.config.Reward == RewardScore || a.config.Reward == RewardPotential {
		return (a.worth()-before)/p.scale - a.config.StepPenalty
	}
	reward := -a.config.StepPenalty
	if a.config.Reward == RewardF1 {
		before := a.bestF1
		a.bestF1 = a.f1()
		return reward + a.bestF1 - before
	}
	if value, ok := a.solutionValue(); ok && value > a.bestValue {
		reward += a.config.logGap(p.gap(a.bestValue)) - a.config.logGap(p.gap(value))
		a.bestValue = value
	}
	return reward
}

// f1 is the F1 of the best solution of the episode, 0 where the reward is another.
func (a *actor) f1() float64 {
	p := a.problems[a.problem]
	if p.truth == nil || !a.env.HasBest() {
		return 0
	}
	best, _ := a.env.Best()
	return best.F1(p.truth)
}

// solutionValue is the value of the state, if that says how good it is: of solutions, and
// everywhere for the potential of Koopmans–Beckmann assignment.
func (a *actor) solutionValue() (value float64, ok bool) {
	in := a.env.Instance()
	_, product := in.Affinity.(*qap.KoopmansBeckmann)
	return a.env.Value(), a.env.AtSolution() || product && in.Complete
}

// leastValue is what a state counts as that has no such value: less than plain descent
// reaches, and no more than the empty matching.
func (a *actor) leastValue() float64 {
	p := a.problems[a.problem]
	return min(p.reference-2*p.spread, 0)
}

// gapOffset is Config.GapOffset where a configuration says none.
const gapOffset = 0.25

// logGap is what the reward log-gap is the fall of.
func (c *Config) logGap(gap float64) float64 { return math.Log(gap + cmp.Or(c.GapOffset, gapOffset)) }

// finished tells whether the episode is over (Algorithm 1, "Transition"). T_es counts
// from the first solution on: before it there is no best that could stay the same.
func (a *actor) finished() bool {
	return a.env.Steps() >= a.horizon || a.env.Finished() ||
		a.config.Patience > 0 && a.env.HasBest() && a.env.Steps()-a.env.BestStep() >= a.config.Patience
}

// emit completes the oldest pending experience: its discounted rewards, and the
// current state to bootstrap from unless bootstrap is 0.
func (a *actor) emit(bootstrap float64) {
	first, sum, discount := a.pending[0], 0.0, 1.0
	for _, e := range a.pending {
		sum += discount * e.Reward
		discount *= a.config.Gamma
	}
	if bootstrap == 0 {
		discount = 0
	}
	a.made = append(a.made, transition{
		State: first.State, Next: a.state, Action: first.Action,
		Reward: float32(sum), Discount: float32(discount),
	})
	a.pending = slices.Delete(a.pending, 0, 1)
}

// group is the actors that play instances of one size.
type group struct {
	actors  []*actor
	batches []*actorBatch
}

// actorBatchSize is the largest number of states that one worker acts in together.
const actorBatchSize = 8

// actorBatch is some actors of a group, moved by one worker.
type actorBatch struct {
	actors []*actor
	first  int // number of the first one in the group
	passes *memoryPool[models.Pass]
}

func newGroup(actors []*actor, passes *memoryPool[models.Pass]) *group {
	g := &group{actors: actors}
	for members := range slices.Chunk(actors, actorBatchSize) {
		g.batches = append(g.batches, &actorBatch{members, len(g.batches) * actorBatchSize, passes})
	}
	return g
}

// each evaluates the states of all environments and hands Q to every actor.
func (g *group) each(do func(k int, a *actor, q []float32)) {
	parallel.For(len(g.batches), func(k int) { g.batches[k].each(do) })
}

// act takes one step in every environment of a batch (Algorithm 1, "Estimate
// Q-value" to "Interacting with the environment").
func (b *actorBatch) act(epsilon float64) {
	b.each(func(_ int, a *actor, q []float32) { a.step(a.choose(q, epsilon)) })
}

// each evaluates the states of a batch and hands Q to every actor, with its number in
// the group. Neighbours whose instances have one shape are evaluated together.
func (b *actorBatch) each(do func(k int, a *actor, q []float32)) {
	for first := 0; first < len(b.actors); {
		n1, n2 := b.actors[first].env.Size()
		end := first + 1
		for end < len(b.actors) {
			if m1, m2 := b.actors[end].env.Size(); m1 != n1 || m2 != n2 {
				break
			}
			end++
		}
		s := shape{end - first, n1, n2}
		pass := b.passes.get(s)
		evaluate(b.actors[first:end], pass, n1*n2, func(k int, a *actor, q []float32) { do(b.first+first+k, a, q) })
		b.passes.put(s, pass)
		first = end
	}
}

// evaluate evaluates the states of actors and hands Q to each.
func evaluate(actors []*actor, pass models.Pass, vertices int, do func(k int, a *actor, q []float32)) {
	inputs := pass.Inputs()
	for k, a := range actors {
		a.extractor.Fill(inputs, k)
	}
	q := pass.Forward()
	for k, a := range actors {
		do(k, a, q[k*vertices:(k+1)*vertices])
	}
}
