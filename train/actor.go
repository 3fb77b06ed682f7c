package train

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

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
	bestValue float64 // largest value since the start, for the log-gap reward
	total     float64 // undiscounted rewards of the episode
	state     []byte  // the current state, packed
	pending   []experience
	gained    float64      // reward of the last step
	made      []Transition // by the last step
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
	bestScore float64
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
	a.bestValue, a.total = a.env.Value(), 0
	a.pending = a.pending[:0]
	a.state = a.pack()
}

// enter takes an environment of a problem.
func (a *actor) enter(problem int) {
	p := a.problems[problem]
	a.problem = problem
	a.env = qap.NewEnvironment(p.instance, a.config.rules())
	a.extractor = p.inputs.NewExtractor(a.env, 1)
	if a.demonstrates {
		a.demonstrator = newDemonstrator(a.env, a.rng)
	}
}

func (a *actor) setHorizon(steps int) {
	a.horizon = steps
	if gain, ok := a.extractor.(*features.GainExtractor); ok {
		gain.SetHorizon(steps)
	}
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
		return descend(p.instance, qap.RandomMatching(n1, n2, a.rng))
	case u < random:
		return qap.RandomMatching(n1, n2, a.rng)
	}
	return nil
}

// descend returns the local optimum of swaps that the best changes lead to.
func descend(in *qap.Instance, from qap.Matching) qap.Matching {
	env := qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
	env.Reset(from)
	for {
		v := largest(env.ValueChanges())
		if v < 0 || env.ValueChanges()[v] <= 1e-12*math.Abs(env.Value()) {
			return env.Matching()
		}
		env.Step(v)
	}
}

func largest(values []float64) int {
	best := -1
	for k, v := range values {
		if best < 0 || v > values[best] {
			best = k
		}
	}
	return best
}

func (a *actor) pack() []byte {
	var memory *features.Memory
	if gain, ok := a.extractor.(*features.GainExtractor); ok {
		memory = gain.Memory()
	}
	return packState(a.problem, a.env, memory, a.horizon)
}

// choose returns an action: the demonstrator's, if it has one; with probability epsilon an exploration, otherwise
// the vertex with the largest Q (Algorithm 1, "Choosing next action").
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
		_, score := a.env.Best()
		a.ended = &episode{a.problem, score, a.total}
		a.begin()
	}
}

// worth is what the rewards score and potential are differences of.
func (a *actor) worth() float64 {
	switch a.config.Reward {
	case RewardScore:
		return a.env.Score()
	case RewardPotential:
		return a.env.Value()
	}
	return 0
}

// reward returns the reward of the step just taken, before which the state had a
// worth.
func (a *actor) reward(before float64) float64 {
	p := a.problems[a.problem]
	if a.config.Reward != RewardLogGap {
		return (a.worth()-before)/p.scale - a.config.StepPenalty
	}
	reward := -a.config.StepPenalty
	if value := a.env.Value(); value > a.bestValue {
		reward += logGap(p.gap(a.bestValue)) - logGap(p.gap(value))
		a.bestValue = value
	}
	return reward
}

// logGapOffset keeps the logarithm finite at the reference, in spreads.
const logGapOffset = 0.25

func logGap(gap float64) float64 { return math.Log(gap + logGapOffset) }

// finished tells whether the episode is over (Algorithm 1, "Transition").
func (a *actor) finished() bool {
	return a.env.Steps() >= a.horizon || a.env.Finished() ||
		a.config.Patience > 0 && a.env.Steps()-a.env.BestStep() >= a.config.Patience
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
	a.made = append(a.made, Transition{
		State: first.State, Next: a.state, Action: first.Action,
		Reward: float32(sum), Discount: float32(discount),
	})
	a.pending = slices.Delete(a.pending, 0, 1)
}

// group is the actors that play instances of one size.
type group struct {
	actors []*actor
	crews  []*crew
}

// crewSize is the largest number of states that one worker acts in together.
const crewSize = 8

// crew is some actors of a group, evaluated together.
type crew struct {
	actors []*actor
	first  int // number of the first one in the group
	pass   models.Pass
	size   int // vertices of a state
}

// newGroup makes the crews of actors that play instances with n nodes.
func newGroup(actors []*actor, network models.Network, n int) *group {
	g := &group{actors: actors}
	for members := range slices.Chunk(actors, crewSize) {
		pass := network.NewPass(len(members), n, n)
		g.crews = append(g.crews, &crew{actors: members, first: len(g.crews) * crewSize, pass: pass, size: n * n})
	}
	return g
}

// each evaluates the states of all environments and hands Q to every actor.
func (g *group) each(do func(k int, a *actor, q []float32)) {
	parallel(len(g.crews), func(k int) { g.crews[k].each(do) })
}

// act takes one step in every environment of a crew (Algorithm 1, "Estimate
// Q-value" to "Interacting with the environment").
func (c *crew) act(epsilon float64) {
	c.each(func(_ int, a *actor, q []float32) { a.step(a.choose(q, epsilon)) })
}

// each evaluates the states of a crew and hands Q to every actor, with its number in
// the group.
func (c *crew) each(do func(k int, a *actor, q []float32)) {
	inputs := c.pass.Inputs()
	for k, a := range c.actors {
		a.extractor.Fill(inputs, k)
	}
	q := c.pass.Forward()
	for k, a := range c.actors {
		do(c.first+k, a, q[k*c.size:(k+1)*c.size])
	}
}
