package paper

import (
	"fmt"
	"sync"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// The architectures.
const (
	Name     = "paper"
	Weighted = "paper-weighted"
	Matched  = "paper-matched"
)

// variant tells the networks, and the sets of features that they take, apart.
type variant struct {
	// weighted adds a tensor of the edge weights W, [n1, n2, n1, n2]: 0 between vertices
	// that share a node.
	weighted bool
	// matched, with weighted, has K in units of the reward in place of K over its largest
	// entry, so that what a vertex brings is the mean of W over the matches: K over
	// Scale/min(n1, n2), and the vertex's own weight over Scale in neighbourWeights.
	matched bool
	// regularized has K_reg in place of K where the goal regularises, as the paper's
	// Algorithm 1, in this form.
	regularized bool
	form        qap.RegularizedForm
}

func (v variant) architecture() string {
	switch {
	case v.matched:
		return Matched
	case v.weighted:
		return Weighted
	}
	return Name
}

// set names the features: paper, paper-weighted, paper-literal, paper-weighted-exact, ….
func (v variant) set() string {
	if v.regularized {
		return v.architecture() + "-" + v.form.String()
	}
	return v.architecture()
}

// variants are all that there are, by the names of their features.
var variants = func() map[string]variant {
	all := map[string]variant{}
	for _, v := range []variant{{}, {weighted: true}, {weighted: true, matched: true}} {
		all[v.set()] = v
		v.regularized = true
		for _, v.form = range []qap.RegularizedForm{qap.RegularizedExact, qap.RegularizedSurrogate, qap.RegularizedLiteral} {
			all[v.set()] = v
		}
	}
	return all
}()

// registerSet makes the features of a variant known.
func (v variant) registerSet() {
	tensors := []features.Tensor{{Name: "features", Shape: []features.Dim{features.N1, features.N2, channels}}}
	if v.weighted {
		tensors = append(tensors, features.Tensor{Name: "edges", Shape: []features.Dim{features.N1, features.N2, features.N1, features.N2}})
	}
	features.RegisterPolicy(v.set(), features.Policy{Plain: true, New: func(in *qap.Instance) (features.NewExtractor, error) {
		p, err := newInputs(v, in)
		if err != nil {
			return nil, err
		}
		return func(env *qap.Environment, _ int) features.Extractor { return p.newExtractor(env) }, nil
	}}, tensors...)
}

// mostVertices is how many vertices an instance may have whose matrix has to be
// kept: of the weighted sets, and of the regularised ones where solutions need not be
// complete. A matrix of as many takes 64 MB.
const mostVertices = 4096

// inputs is what a set computes once for an instance.
type inputs struct {
	variant  variant
	instance *qap.Instance
	static   []float32 // the features of the empty matching under K
	unit     float64   // what K is divided by, see staticFeatures
	rows     func() *edgeRows
	edges    func() []float32 // K between vertices that share no node, over unit
}

func newInputs(v variant, in *qap.Instance) (*inputs, error) {
	n1, n2 := in.Size()
	if keeps := v.weighted || v.regularized && !in.Complete; keeps && n1*n2 > mostVertices {
		return nil, fmt.Errorf("paper: %s: graphs of %d and %d nodes have %d vertices, more than the %d whose matrix is kept: take another network",
			v.set(), n1, n2, n1*n2, mostVertices)
	}
	p := &inputs{variant: v, instance: in}
	p.static, p.unit = staticFeatures(in, v.matched)
	p.rows = sync.OnceValue(func() *edgeRows { return newEdgeRows(in, p.unit) })
	p.edges = sync.OnceValue(func() []float32 { return denseEdges(in, p.unit) })
	return p, nil
}

// denseEdges writes K between vertices that share no node out, divided by unit.
func denseEdges(in *qap.Instance, unit float64) []float32 {
	n1, n2 := in.Size()
	n := n1 * n2
	edges, row := make([]float32, n*n), make([]float64, n)
	for p := range n {
		clear(row)
		in.Affinity.AddRow(row, p, 1/unit)
		for q, k := range row {
			edges[p*n+q] = float32(k)
		}
	}
	return edges
}

// newExtractor returns an extractor for an environment over the instance.
func (p *inputs) newExtractor(env *qap.Environment) *extractor {
	e := &extractor{env: env, inputs: p}
	if p.variant.regularized && !env.Options().Goal.Regularizer.None() {
		e.kept = p.rows()
	}
	if p.variant.weighted {
		e.dense = p.edges()
	}
	return e
}
