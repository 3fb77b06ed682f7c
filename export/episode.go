package export

import (
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// episode is an environment with what a program that has only the self-contained model
// would remember of it: an implementation of the memory beside features.Memory.
type episode struct {
	env                       *qap.Environment
	extractor                 features.Extractor
	horizon                   int
	released, visits          []float32 // per vertex
	rowChanged, columnChanged []float32
}

// newEpisode starts at a matching.
func newEpisode(inputs *features.Inputs, in *qap.Instance, rules qap.EnvironmentOptions, start qap.Matching, horizon int) *episode {
	n1, n2 := in.Size()
	e := &episode{
		env: qap.NewEnvironment(in, rules), horizon: horizon,
		released: make([]float32, n1*n2), visits: make([]float32, n1*n2),
		rowChanged: make([]float32, n1), columnChanged: make([]float32, n2),
	}
	e.env.Reset(start)
	e.extractor = inputs.NewExtractor(e.env, horizon)
	return e
}

// step chooses a vertex.
func (e *episode) step(v int) {
	_, n2 := e.env.Size()
	e.env.Step(v)
	e.extractor.Observe()
	now := float32(e.env.Steps())
	for _, v := range e.env.Released() {
		e.released[v], e.rowChanged[v/n2], e.columnChanged[v%n2] = now, now, now
	}
	for _, v := range e.env.Added() {
		e.visits[v]++
		e.rowChanged[v/n2], e.columnChanged[v%n2] = now, now
	}
}

// states are the inputs of a self-contained model of the architecture gain for a batch.
type states struct {
	batch, n1, n2             int
	matching, allowed, best   []float32
	released, visits          []float32
	rowChanged, columnChanged []float32
	episode                   []float32
}

// add appends the state of an episode.
func (s *states) add(e *episode) {
	s.n1, s.n2 = e.env.Size()
	s.batch++
	s.matching = append(s.matching, planeOf(e.env.Matching(), s.n2)...)
	best, _ := e.env.Best()
	hasBest := float32(0)
	if e.env.HasBest() {
		hasBest = 1
		s.best = append(s.best, planeOf(best, s.n2)...)
	} else {
		s.best = append(s.best, make([]float32, s.n1*s.n2)...)
	}
	for v := range s.n1 * s.n2 {
		allowed := float32(0)
		if e.env.Allowed(v) {
			allowed = 1
		}
		s.allowed = append(s.allowed, allowed)
	}
	s.released, s.visits = append(s.released, e.released...), append(s.visits, e.visits...)
	s.rowChanged, s.columnChanged = append(s.rowChanged, e.rowChanged...), append(s.columnChanged, e.columnChanged...)
	s.episode = append(s.episode, float32(e.env.Steps()), float32(e.horizon), hasBest, float32(e.env.BestStep()))
}

// planeOf is a matching as n1·n2 numbers 0 and 1.
func planeOf(m qap.Matching, n2 int) []float32 {
	plane := make([]float32, len(m)*n2)
	for i, a := range m {
		if a != qap.Unmatched {
			plane[i*n2+a] = 1
		}
	}
	return plane
}

// tensors names the inputs.
func (s *states) tensors() []infer.Tensor {
	batch, n1, n2 := int64(s.batch), int64(s.n1), int64(s.n2)
	of := func(name string, data []float32, shape ...int64) infer.Tensor {
		return infer.Tensor{Name: name, Shape: append([]int64{batch}, shape...), Data: data}
	}
	return []infer.Tensor{
		of(matchingInput, s.matching, n1, n2), of(allowedInput, s.allowed, n1, n2), of(bestInput, s.best, n1, n2),
		of(releasedInput, s.released, n1, n2), of(visitsInput, s.visits, n1, n2),
		of(rowChangedInput, s.rowChanged, n1), of(columnChangedInput, s.columnChanged, n2),
		of(episodeInput, s.episode, 4),
	}
}

// instanceTensors are the inputs that describe an instance and its goal to a model of
// the architecture gain.
func instanceTensors(in *qap.Instance, rules qap.EnvironmentOptions, scale float64) []infer.Tensor {
	n1, n2 := in.Size()
	list := []infer.Tensor{{Name: scaleInput, Shape: []int64{1}, Data: []float32{float32(scale)}}}
	if kb, ok := in.Affinity.(*qap.KoopmansBeckmann); ok {
		a, b, linear := kb.Given()
		if linear == nil {
			linear = make([]float64, n1*n2)
		}
		sign := in.Objective(1)
		return append(list,
			matrix(aInput, a, sign, n1, n1), matrix(bInput, b, 1, n2, n2), matrix(linearInput, linear, sign, n1, n2))
	}
	most := min(n1, n2)
	if rules.Goal.Inliers > 0 {
		most = rules.Goal.Inliers
	}
	flag := func(set bool) float32 {
		if set {
			return 1
		}
		return 0
	}
	factors := make([]float32, min(n1, n2)+1)
	for m := range factors {
		factors[m] = float32(rules.Goal.Regularizer.Factor(m, n1, n2))
	}
	return append(list, affinityTensor(in),
		infer.Tensor{Name: rulesInput, Shape: []int64{3}, Data: []float32{float32(most), flag(rules.Release), flag(rules.Autofill)}},
		infer.Tensor{Name: factorsInput, Shape: []int64{int64(len(factors))}, Data: factors})
}

// affinityTensor is K.
func affinityTensor(in *qap.Instance) infer.Tensor {
	n1, n2 := in.Size()
	n := n1 * n2
	k := make([]float64, n*n)
	for p := range n {
		in.Affinity.Row(k[p*n:(p+1)*n], p)
	}
	return matrix(affinityInput, k, 1, n, n)
}

func matrix(name string, values []float64, sign float64, rows, cols int) infer.Tensor {
	t := infer.Tensor{Name: name, Shape: []int64{int64(rows), int64(cols)}}
	for _, v := range values {
		t.Data = append(t.Data, float32(sign*v))
	}
	return t
}
