package export

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/research/paper"
	"github.com/rgm-go/rgm/research/soft"
)

// vectorCase is an instance with rules, from which an episode is drawn.
type vectorCase struct {
	vectorInstance
	rules  qap.EnvironmentOptions
	states []int // at which steps
}

// qapCases are of Koopmans–Beckmann form.
func qapCases(t *testing.T) []vectorCase {
	rng := rand.New(rand.NewPCG(21, 22))
	whole := func(count int) []float64 {
		list := make([]float64, count)
		for k := range list {
			list[k] = float64(rng.IntN(12))
		}
		return list
	}
	fill := qap.EnvironmentOptions{Autofill: true}
	nug, err := datasets.QAPLIB("nug12")
	if err != nil {
		t.Fatal(err)
	}
	a, b, _ := nug.Affinity.(*qap.KoopmansBeckmann).Given()
	return []vectorCase{
		{vectorInstance{Name: "square, asymmetric, with diagonals and a linear term", N1: 5, N2: 5, Sense: "min", Complete: true, A: whole(25), B: whole(25), Linear: whole(25)}, fill, []int{0, 3, 9, 14}},
		{vectorInstance{Name: "more nodes in graph 2", N1: 4, N2: 6, Sense: "max", Complete: true, A: whole(16), B: whole(36)}, qap.EnvironmentOptions{}, []int{0, 2, 7, 12}},
		{vectorInstance{Name: "seeds", N1: 6, N2: 6, Sense: "min", Complete: true, A: whole(36), B: whole(36)}, qap.EnvironmentOptions{Autofill: true, Goal: qap.Goal{Fixed: qap.Matching{-1, 3, -1, -1, -1, -1}}}, []int{0, 8}},
		{vectorInstance{Name: "nug12 of QAPLIB", N1: 12, N2: 12, Sense: "min", Complete: true, A: a, B: b}, fill, []int{40}},
	}
}

// matchingCases are affinity matrices.
func matchingCases(t *testing.T) []vectorCase {
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
	of := func(name string, n1, n2 int) vectorInstance {
		return vectorInstance{Name: name, N1: n1, N2: n2, Sense: "max", K: k(n1, n2)}
	}
	complete := of("complete", 5, 5)
	complete.Complete = true
	minimised := of("to be minimised", 3, 5)
	minimised.Sense = "min"
	return []vectorCase{
		{of("any size", 5, 5), free, []int{0, 4, 12}},
		{complete, free, []int{0, 4, 5, 12}},
		{of("3 inliers", 4, 6), with(qap.Goal{Inliers: 3}), []int{0, 2, 9}},
		{of("regularised", 6, 5), with(qap.Goal{Regularizer: qap.RegularizeF1}), []int{0, 10}},
		{minimised, free, []int{6}},
	}
}

// instance of a case.
func (v *vectorInstance) instance(t *testing.T) *qap.Instance {
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

// episodeVectors plays episodes and records states.
func episodeVectors(t *testing.T, n models.Network, cases []vectorCase) []any {
	t.Helper()
	rng := rand.New(rand.NewPCG(25, 26))
	var list []any
	for _, c := range cases {
		in := c.instance(t)
		set := n.Features()
		if set == soft.Set { // of the instance alone: the episode has any other's
			set = features.Gain
		}
		inputs, err := features.New(set, in)
		if err != nil {
			t.Fatal(err)
		}
		last := c.states[len(c.states)-1]
		start := qap.RandomMatching(c.N1, c.N2, rng)
		start[0], start[1] = qap.Unmatched, qap.Unmatched
		e := newEpisode(inputs, in, c.rules, start, last+5)
		if n.Features() == soft.Set {
			e.extractor = softExtractor{e.extractor, t, in}
		}
		rules := e.env.Options()
		v := vectorEpisode{
			vectorInstance: c.vectorInstance, Release: rules.Release, Autofill: rules.Autofill, Inliers: rules.Goal.Inliers,
			Regularizer: rules.Goal.Regularizer.String(), Fixed: rules.Goal.Fixed, Horizon: last + 5, Start: start, Actions: []int{},
		}
		if n.Architecture() == paper.Matched || n.Features() == features.Gain {
			v.Scale = features.Scale(in)
		}
		for step := 0; ; step++ {
			if len(c.states) > 0 && step == c.states[0] {
				c.states = c.states[1:]
				v.States = append(v.States, stateOf(n, e))
			}
			if step == last {
				break
			}
			action := drawAction(e.env, rng)
			v.Actions = append(v.Actions, action)
			e.step(action)
		}
		list = append(list, v)
	}
	return list
}

// softExtractor fills in the features of networks that give soft matchings.
type softExtractor struct {
	features.Extractor
	t  *testing.T
	in *qap.Instance
}

func (x softExtractor) Fill(batch [][]float32, k int) {
	if err := soft.Fill(batch, k, x.in); err != nil {
		x.t.Fatal(err)
	}
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

func stateOf(n models.Network, e *episode) vectorState {
	n1, n2 := e.env.Size()
	pass := n.NewPass(1, n1, n2)
	e.extractor.Fill(pass.Inputs(), 0)
	s := vectorState{
		Step: e.env.Steps(), Matching: e.env.Matching(), Value: e.env.Value(),
		Changes: append([]float64(nil), e.env.ValueChanges()...), Inputs: pass.Inputs(), Q: pass.Forward(),
	}
	if e.env.HasBest() {
		best := e.env.BestValue()
		s.BestValue = &best
	}
	return s
}

// affinityVectors are instances with and without nodes' affinities.
func affinityVectors(t *testing.T, n models.Network) []any {
	t.Helper()
	rng := rand.New(rand.NewPCG(27, 28))
	var list []any
	for _, shape := range [][2]int{{5, 5}, {4, 6}} {
		in := vectorInstance{Name: fmt.Sprintf("%d and %d nodes", shape[0], shape[1]), N1: shape[0], N2: shape[1], Sense: "max"}
		size := in.N1 * in.N2
		in.K = make([]float64, size*size)
		for p := range size {
			for q := range p {
				if rng.IntN(3) > 0 {
					in.K[p*size+q] = math.Round(1024*math.Exp(-3*rng.Float64())) / 1024
					in.K[q*size+p] = in.K[p*size+q]
				}
			}
			if in.N1 != in.N2 {
				in.K[p*size+p] = float64(rng.IntN(64)) / 64
			}
		}
		list = append(list, vectorsOfAffinity(t, n, in))
	}
	return list
}

func vectorsOfAffinity(t *testing.T, n models.Network, in vectorInstance) vectorAffinity {
	t.Helper()
	r, err := newReweighing(in.instance(t), n)
	if err != nil {
		t.Fatal(err)
	}
	v := vectorAffinity{vectorInstance: in, Alike: r.alike, Reweighed: affinityTensor(r.learned).Data}
	for _, best := range r.sizes.Profile {
		v.Profile = append(v.Profile, best.Matching)
	}
	pass := n.NewPass(1, 1, 1)
	ask := func(q vectorQuestion, write func(dst []float32)) {
		write(pass.Inputs()[0])
		q.Input = append([]float32(nil), pass.Inputs()[0]...)
		q.Q = pass.Forward()[0]
		v.Questions = append(v.Questions, q)
	}
	for _, share := range []float64{1, 0.8, 0.5, 0.125, 0.015625, 0.0009765625} {
		ask(vectorQuestion{Share: share}, func(dst []float32) { r.measures.AskAffinity(dst, share) })
	}
	for size := reweigh.LeastSize; size <= r.sizes.Most(); size++ {
		ask(vectorQuestion{Size: size}, func(dst []float32) { r.sizes.AskSize(dst, size) })
	}
	return v
}
