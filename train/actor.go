package train

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// Actor plays episodes in one environment after another.
type Actor struct {
	config   *Config
	problems []*Problem // of the trainer; the actor plays those from first on
	first    int
	count    int
	pcg      *rand.PCG
	Rng      *rand.Rand

	problem   int // index in problems
	Env       *qap.Environment
	extractor features.Extractor
	horizon   int     // T_max of this episode
	bestValue float64 // largest solution value since the start, for the log-gap reward
	bestF1    float64 // of the best solution since the start, for the f1 reward
	total     float64 // undiscounted rewards of the episode
	State     []byte  // the current state, packed
	pending   []experience
	Gained    float64      // reward of the last step
	Made      []Transition // by the last step
	Ended     *Episode     // by the last step

	demonstrates bool
	demonstrator demonstrator // of this episode's problem, if it demonstrates

	order []int // scratch of explore
}

// Transition is one experience (s, a, r, s'). With n-step returns, Reward is the
// discounted sum of n rewards and Next the state after them. States are packed
// (see CheckState) and shared between transitions, never an affinity matrix.
type Transition struct {
	State, Next []byte
	Action      int32
	Reward      float32
	Discount    float32 // of the value of Next: γⁿ, or 0 where the episode ended
}

// experience is a step whose n-step return is not complete yet.
type experience struct {
	State  []byte
	Action int32
	Reward float64
}

// Episode is what is reported of a finished episode.
type Episode struct {
	Problem   int
	BestValue float64
	Total     float64
}

func newActor(c *Config, problems []*Problem, first, count int, index uint64, demonstrates bool) *Actor {
	pcg := rand.NewPCG(c.Seed, streamActors+index)
	a := &Actor{config: c, problems: problems, first: first, count: count, pcg: pcg, Rng: rand.New(pcg), demonstrates: demonstrates}
	a.begin()
	return a
}

// begin starts an episode: a problem, a horizon and a matching to start from.
func (a *Actor) begin() {
	a.enter(a.first + a.Rng.IntN(a.count))
	n1, n2 := a.Env.Size()
	length := a.config.StepsPerNode * float64(max(n1, n2))
	length *= 1 + a.config.StepsSpread*(2*a.Rng.Float64()-1)
	a.setHorizon(max(int(length), 1))
	a.Env.Reset(a.start())
	a.extractor.Reset()
	a.bestValue, a.total = a.leastValue(), 0
	if value, ok := a.solutionValue(); ok {
		a.bestValue = value
	}
	a.bestF1 = a.f1()
	a.pending = a.pending[:0]
	a.State = a.pack()
}

// enter takes an environment of a problem.
func (a *Actor) enter(problem int) {
	p := a.problems[problem]
	a.problem = problem
	a.Env = qap.NewEnvironment(p.Instance, p.rules)
	a.extractor = p.inputs.NewExtractor(a.Env, 1)
	if a.demonstrates {
		a.demonstrator = newDemonstrator(a.Env, a.Rng)
	}
}

func (a *Actor) setHorizon(steps int) {
	a.horizon = steps
	a.extractor.SetHorizon(steps)
}

// start draws the matching that an episode begins at.
func (a *Actor) start() qap.Matching {
	p := a.problems[a.problem]
	n1, n2 := p.Instance.Size()
	u := a.Rng.Float64()
	greedy := a.config.StartGreedy
	local := greedy + a.config.StartLocal
	random := local + a.config.StartRandom
	switch {
	case u < greedy:
		return p.greedy
	case u < local:
		// The goal was checked when the problem was made: there is no error left.
		found, _ := p.descent(context.Background(), a.Rng.Uint64())
		return found.Matching
	case u < random:
		return qap.RandomMatching(n1, n2, a.Rng)
	}
	return nil
}

// Demonstrates reports whether tabu search acts in the place of the network.
func (a *Actor) Demonstrates() bool { return a.demonstrates }

func (a *Actor) pack() []byte {
	return packState(a.problem, a.Env, a.extractor.Memory(), a.horizon)
}

// Choose returns an action: the demonstrator's, if it has one; with probability
// epsilon an exploration; otherwise the vertex with the largest Q (Algorithm 1,
// "Choosing next action").
func (a *Actor) Choose(q []float32, epsilon float64) int {
	if a.demonstrator != nil {
		return demonstrated(a.demonstrator)
	}
	if a.Rng.Float64() >= epsilon {
		return rollout.BestAction(a.Env, q)
	}
	return a.explore()
}

// explore draws an action: a share among the largest changes of value, the rest
// uniformly.
func (a *Actor) explore() int {
	a.order = a.order[:0]
	for v := range a.Env.Gains() {
		if a.Env.Allowed(v) {
			a.order = append(a.order, v)
		}
	}
	among := len(a.order)
	if a.Rng.Float64() < a.config.ExploreBest {
		changes := a.Env.ValueChanges()
		slices.SortStableFunc(a.order, func(x, y int) int { return cmp.Compare(changes[y], changes[x]) })
		n1, n2 := a.Env.Size()
		among = min(2+a.Rng.IntN(2*max(n1, n2)), among)
	}
	if among == 0 {
		return rollout.Stop
	}
	return a.order[a.Rng.IntN(among)]
}

// Step takes an action, stores the reward and completes transitions; at the end
// of an episode the next one begins.
func (a *Actor) Step(action int) {
	a.Made, a.Ended = a.Made[:0], nil
	before := a.worth()
	a.Env.Step(action)
	a.extractor.Observe()
	if a.demonstrator != nil {
		a.demonstrator.Observe(0)
	}
	reward := a.reward(before)
	a.total += reward
	a.Gained = reward
	a.pending = append(a.pending, experience{a.State, int32(action), reward})
	a.State = a.pack()
	done := a.finished()
	if len(a.pending) == a.config.NStep && !done {
		a.emit(a.config.Gamma)
	}
	if done {
		for len(a.pending) > 0 {
			a.emit(0)
		}
		a.Ended = &Episode{a.problem, a.Env.BestValue(), a.total}
		a.begin()
	}
}

// worth is what the rewards score and potential are differences of. The score is
// regularised where the goal is.
func (a *Actor) worth() float64 {
	switch a.config.Reward {
	case RewardScore:
		return a.problems[a.problem].value(a.Env.Score(), a.Env.Matched())
	case RewardPotential:
		return a.Env.Value()
	}
	return 0
}

// reward returns the reward of the step just taken, before which the state had a
// worth.
func (a *Actor) reward(before float64) float64 {
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
		reward += a.config.LogGap(p.Gap(a.bestValue)) - a.config.LogGap(p.Gap(value))
		a.bestValue = value
	}
	return reward
}

// f1 is the F1 of the best solution of the episode, 0 where the reward is another.
func (a *Actor) f1() float64 {
	p := a.problems[a.problem]
	if p.truth == nil || !a.Env.HasBest() {
		return 0
	}
	best, _ := a.Env.Best()
	return best.F1(p.truth)
}

// solutionValue is the value of the state, if that says how good it is: of solutions, and
// everywhere for the potential of Koopmans–Beckmann assignment.
func (a *Actor) solutionValue() (value float64, ok bool) {
	in := a.Env.Instance()
	_, product := in.Affinity.(*qap.KoopmansBeckmann)
	return a.Env.Value(), a.Env.AtSolution() || product && in.Complete
}

// leastValue is what a state counts as that has no such value: less than plain descent
// reaches, and no more than the empty matching.
func (a *Actor) leastValue() float64 {
	p := a.problems[a.problem]
	return min(p.reference-2*p.spread, 0)
}

// gapOffset is Config.GapOffset where a configuration says none.
const gapOffset = 0.25

// LogGap is what the reward log-gap is the fall of.
func (c *Config) LogGap(gap float64) float64 { return math.Log(gap + cmp.Or(c.GapOffset, gapOffset)) }

// finished reports whether the episode is over (Algorithm 1, "Transition"). T_es counts
// from the first solution on: before it there is no best that could stay the same.
func (a *Actor) finished() bool {
	return a.Env.Steps() >= a.horizon || a.Env.Finished() ||
		a.config.Patience > 0 && a.Env.HasBest() && a.Env.Steps()-a.Env.BestStep() >= a.config.Patience
}

// emit completes the oldest pending experience: its discounted rewards, and the
// current state to bootstrap from unless bootstrap is 0.
func (a *Actor) emit(bootstrap float64) {
	first, sum, discount := a.pending[0], 0.0, 1.0
	for _, e := range a.pending {
		sum += discount * e.Reward
		discount *= a.config.Gamma
	}
	if bootstrap == 0 {
		discount = 0
	}
	a.Made = append(a.Made, Transition{
		State: first.State, Next: a.State, Action: first.Action,
		Reward: float32(sum), Discount: float32(discount),
	})
	a.pending = slices.Delete(a.pending, 0, 1)
}
