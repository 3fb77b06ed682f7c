package modeltest

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// VectorCase is an instance with rules, from which an episode is drawn.
type VectorCase struct {
	VectorInstance
	rules  qap.EnvironmentOptions
	states []int // at which steps
}

// AssignmentVectors are of Koopmans–Beckmann form.
func AssignmentVectors(t *testing.T) []VectorCase {
	rng := rand.New(rand.NewPCG(21, 22))
	whole := func(count int) []float64 {
		list := make([]float64, count)
		for k := range list {
			list[k] = float64(rng.IntN(12))
		}
		return list
	}
	fill := qap.EnvironmentOptions{Autofill: true}
	nug, err := qaplib.Open("nug12")
	if err != nil {
		t.Fatal(err)
	}
	a, b, _ := nug.Affinity.(*qap.KoopmansBeckmann).Given()
	return []VectorCase{
		{VectorInstance{Name: "square, asymmetric, with diagonals and a linear term", N1: 5, N2: 5, Sense: "min", Complete: true, A: whole(25), B: whole(25), Linear: whole(25)}, fill, []int{0, 3, 9, 14}},
		{VectorInstance{Name: "more nodes in graph 2", N1: 4, N2: 6, Sense: "max", Complete: true, A: whole(16), B: whole(36)}, qap.EnvironmentOptions{}, []int{0, 2, 7, 12}},
		{VectorInstance{Name: "seeds", N1: 6, N2: 6, Sense: "min", Complete: true, A: whole(36), B: whole(36)}, qap.EnvironmentOptions{Autofill: true, Goal: qap.Goal{Fixed: qap.Matching{-1, 3, -1, -1, -1, -1}}}, []int{0, 8}},
		{VectorInstance{Name: "nug12 of QAPLIB", N1: 12, N2: 12, Sense: "min", Complete: true, A: a, B: b}, fill, []int{40}},
	}
}

// MatchingVectors are affinity matrices.
func MatchingVectors(t *testing.T) []VectorCase {
	rng := rand.New(rand.NewPCG(23, 24))
	k := func(n1, n2 int) []float64 {
		list := make([]float64, n1*n2*n1*n2)
		for p := range list {
			if rng.IntN(3) > 0 {
				list[p] = float64(rng.IntN(256)-64) / 128 // both signs; float32 holds it
			}
		}
		return list
	}
	free := qap.EnvironmentOptions{Autofill: true, Release: true}
	with := func(goal qap.Goal) qap.EnvironmentOptions {
		rules := free
		rules.Goal = goal
		return rules
	}
	of := func(name string, n1, n2 int) VectorInstance {
		return VectorInstance{Name: name, N1: n1, N2: n2, Sense: "max", K: k(n1, n2)}
	}
	complete := of("complete", 5, 5)
	complete.Complete = true
	minimised := of("to be minimised", 3, 5)
	minimised.Sense = "min"
	return []VectorCase{
		{of("any size", 5, 5), free, []int{0, 4, 12}},
		{complete, free, []int{0, 4, 5, 12}},
		{of("3 inliers", 4, 6), with(qap.Goal{Inliers: 3}), []int{0, 2, 9}},
		{of("regularised", 6, 5), with(qap.Goal{Regularizer: qap.RegularizeF1}), []int{0, 10}},
		{minimised, free, []int{6}},
	}
}

// Instance is that of a case.
func (v *VectorInstance) Instance(t *testing.T) *qap.Instance {
	t.Helper()
	sense, err := qap.ParseSense(v.Sense)
	if err != nil {
		t.Fatal(err)
	}
	var in *qap.Instance
	if v.K != nil {
		in, err = qap.NewDense(v.N1, v.N2, append([]float64(nil), v.K...), sense)
	} else {
		in, err = qap.NewKoopmansBeckmann(v.N1, v.N2, v.A, v.B, v.Linear, sense)
	}
	if err != nil {
		t.Fatal(err)
	}
	in.Complete = v.Complete
	return in
}

// EpisodeVectors say how the features of episodes are made where a set of features does not say so itself.
type EpisodeVectors struct {
	Scaled bool                                                         // the features are in units of features.Scale
	Fill   func(batch [][]float32, k int, instance *qap.Instance) error // for features of the instance alone
}

// Of plays episodes of cases and records states.
func (o EpisodeVectors) Of(t *testing.T, n models.Network, cases []VectorCase) []any {
	t.Helper()
	rng := rand.New(rand.NewPCG(25, 26))
	var list []any
	for _, c := range cases {
		in := c.Instance(t)
		set := n.Features()
		if o.Fill != nil { // the episode has any other's
			set = features.Gain
		}
		inputs, err := features.New(set, in)
		if err != nil {
			t.Fatal(err)
		}
		last := c.states[len(c.states)-1]
		start := qap.RandomMatching(c.N1, c.N2, rng)
		start[0], start[1] = qap.Unmatched, qap.Unmatched
		env := qap.NewEnvironment(in, c.rules)
		env.Reset(start)
		extractor := inputs.NewExtractor(env, last+5)
		fill := extractor.Fill
		if o.Fill != nil {
			fill = func(batch [][]float32, k int) {
				if err := o.Fill(batch, k, in); err != nil {
					t.Fatal(err)
				}
			}
		}
		rules := env.Options()
		v := vectorEpisode{
			VectorInstance: c.VectorInstance, Release: rules.Release, Autofill: rules.Autofill, Inliers: rules.Goal.Inliers,
			Regularizer: rules.Goal.Regularizer.String(), Fixed: rules.Goal.Fixed, Horizon: last + 5, Start: start, Actions: []int{},
		}
		if o.Scaled {
			v.Scale = features.Scale(in)
		}
		for step := 0; ; step++ {
			if len(c.states) > 0 && step == c.states[0] {
				c.states = c.states[1:]
				v.States = append(v.States, stateOf(n, env, fill))
			}
			if step == last {
				break
			}
			action := drawAction(env, rng)
			v.Actions = append(v.Actions, action)
			env.Step(action)
			extractor.Observe()
		}
		list = append(list, v)
	}
	return list
}

// drawAction returns, by chance, an allowed vertex of the largest change of value or any.
func drawAction(env *qap.Environment, rng *rand.Rand) int {
	var actions []int
	changes := env.ValueChanges()
	best := -1
	for v, change := range changes {
		if !env.Allowed(v) {
			continue
		}
		actions = append(actions, v)
		if best < 0 || change > changes[best] {
			best = v
		}
	}
	if rng.IntN(4) > 0 {
		return best
	}
	return actions[rng.IntN(len(actions))]
}

func stateOf(n models.Network, env *qap.Environment, fill func([][]float32, int)) vectorState {
	n1, n2 := env.Size()
	pass := n.NewPass(1, n1, n2)
	fill(pass.Inputs(), 0)
	s := vectorState{
		Step: env.Steps(), Matching: env.Matching(), Value: env.Value(),
		Changes: append([]float64(nil), env.ValueChanges()...), Inputs: pass.Inputs(), Q: pass.Forward(),
	}
	if env.HasBest() {
		best := env.BestValue()
		s.BestValue = &best
	}
	return s
}
