package rollout

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Greedy takes the largest exact change of value and stops at a local optimum:
// the unlearned control without memory.
type Greedy struct{}

// NewActor prepares for episodes of one instance (see Policy).
func (Greedy) NewActor(envs []*qap.Environment, _ []*rand.Rand, _ int) (Actor, error) {
	return greedyActor{envs}, nil
}

type greedyActor struct{ envs []*qap.Environment }

func (a greedyActor) Reset()       {}
func (a greedyActor) Observe(int)  {}
func (a greedyActor) Close() error { return nil }

func (a greedyActor) Act(actions []int) error {
	for k, env := range a.envs {
		v, change, ok := env.BestAction()
		if !ok || change <= improvement(env) && env.AtSolution() {
			v = Stop
		}
		actions[k] = v
	}
	return nil
}

// improvement is the change of value that is more than rounding.
func improvement(env *qap.Environment) float64 { return 1e-12 * math.Abs(env.Value()) }

// GreedyTabu takes the largest exact change of value among vertices that were not
// lately released: a hard tabu list without learning. A step of a complete
// assignment, which swaps two matches, is tabu if both are. What makes a new best
// solution is never tabu.
type GreedyTabu struct{}

// The tenure of a released vertex is uniform between these shares of n steps.
const tenureFrom, tenureTo = 0.3, 0.9

// NewActor prepares for episodes of one instance (see Policy).
func (GreedyTabu) NewActor(envs []*qap.Environment, random []*rand.Rand, _ int) (Actor, error) {
	a := &tabuActor{envs: envs, random: random}
	for _, env := range envs {
		n1, n2 := env.Size()
		a.lists = append(a.lists, tabuList{until: make([]int, n1*n2), listed: make([]bool, n1*n2)})
	}
	return a, nil
}

type tabuActor struct {
	envs   []*qap.Environment
	random []*rand.Rand
	lists  []tabuList
}

// tabuList is what is tabu in an episode.
type tabuList struct {
	until   []int  // per vertex: the step from which it is free
	barred  []int  // tabu vertices, which the environment bars
	listed  []bool // per vertex: whether barred holds it
	foreign bool   // whether somebody else may have written to until
}

func (a *tabuActor) Reset() {
	for k := range a.lists {
		clear(a.lists[k].until)
	}
}

func (a *tabuActor) Close() error { return nil }

// Until returns, for every vertex of episode k, the step from which it is free: all
// that the actor remembers. What is written there before the next action counts.
func (a *tabuActor) Until(k int) []int {
	a.lists[k].foreign = true
	return a.lists[k].until
}

func (a *tabuActor) Observe(k int) {
	env, list := a.envs[k], &a.lists[k]
	n1, n2 := env.Size()
	n := float64(max(n1, n2))
	for _, v := range env.Released() {
		tenure := n * (tenureFrom + (tenureTo-tenureFrom)*a.random[k].Float64())
		list.until[v] = env.Steps() + 1 + int(tenure)
		list.bar(env, v)
	}
}

func (a *tabuActor) Act(actions []int) error {
	for k, env := range a.envs {
		if list := &a.lists[k]; env.Options().Autofill {
			actions[k] = list.chooseSwap(env)
		} else {
			actions[k] = list.choose(env)
		}
	}
	return nil
}

// bar bars a vertex, once.
func (t *tabuList) bar(env *qap.Environment, v int) {
	if !t.listed[v] {
		t.listed[v] = true
		t.barred = append(t.barred, v)
		env.Bar(v, true)
	}
}

// unbar makes vertices free whose time is over.
func (t *tabuList) unbar(env *qap.Environment) {
	step := env.Steps()
	if t.foreign {
		t.foreign = false
		for v, until := range t.until {
			if until > step {
				t.bar(env, v)
			}
		}
	}
	still := t.barred[:0]
	for _, v := range t.barred {
		if t.until[v] > step {
			still = append(still, v)
		} else {
			t.listed[v] = false
			env.Bar(v, false)
		}
	}
	t.barred = still
}

// choose returns the best action that is free or makes a new best solution, the first
// of equal ones; else the best of all.
func (t *tabuList) choose(env *qap.Environment) int {
	t.unbar(env)
	best, change, ok := env.BestAction()
	if !ok {
		best = Stop
	}
	changes, needed := env.ValueChanges(), env.Needed()
	for _, v := range t.barred {
		c := changes[v]
		if (c > needed || !ok) && (best == Stop || c > change || c == change && v < best) && env.Allowed(v) {
			best, change = v, c
		}
	}
	return best
}

// chooseSwap is choose where a step may be a swap.
func (t *tabuList) chooseSwap(env *qap.Environment) int {
	_, n2 := env.Size()
	step, until := env.Steps(), t.until
	best, any := Stop, Stop // among free vertices; among all
	changes, needed := env.ValueChanges(), env.Needed()
	for v, change := range changes {
		if best != Stop && change <= changes[best] || !env.Allowed(v) {
			continue
		}
		if any == Stop || change > changes[any] {
			any = v
		}
		tabu := until[v] > step
		if b, k := env.Match(v/n2), env.Inverse(v%n2); tabu && b != qap.Unmatched && k != qap.Unmatched {
			tabu = until[k*n2+b] > step
		}
		if !tabu || change > needed {
			best = v
		}
	}
	if best == Stop {
		return any
	}
	return best
}

// GreedyAges takes the largest of the regret of the change of value, less how
// lately the vertices that the step matches were released: a soft tabu list
// without learning, and what a new gain network starts from.
type GreedyAges struct{}

// NewActor prepares for episodes of one instance (see Policy).
func (GreedyAges) NewActor(envs []*qap.Environment, random []*rand.Rand, horizon int) (Actor, error) {
	return Learned{Q: agesQ{}}.NewActor(envs, random, horizon)
}

func (GreedyAges) newActorIn(w *workspace, envs []*qap.Environment, horizon int) (Actor, error) {
	return Learned{Q: agesQ{}}.newActorIn(w, envs, horizon)
}

// agesQ is GreedyAges as a Q-function over the Gain features.
type agesQ struct{}

func (agesQ) Features() string { return features.Gain }

func (agesQ) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	return &agesBatch{inputs: features.Make(features.Gain, size, n1, n2), q: make([]float32, size*n1*n2), size: n1 * n2}, nil
}

type agesBatch struct {
	inputs [][]float32
	q      []float32
	size   int // vertices
}

func (b *agesBatch) Inputs() [][]float32 { return b.inputs }
func (b *agesBatch) Close() error        { return nil }

func (b *agesBatch) Evaluate() ([]float32, error) {
	for k := range len(b.q) / max(b.size, 1) {
		plane := func(channel int) []float32 { return features.Plane(b.inputs, k, channel, b.size) }
		regret, beatsBest := plane(features.Regret), plane(features.BeatsBest)
		released, partner := plane(features.ReleasedAge), plane(features.PartnerAge)
		q := b.q[k*b.size : (k+1)*b.size]
		for v := range q {
			q[v] = regret[v] - released[v] - partner[v] + beatsBest[v]
		}
	}
	return b.q, nil
}
