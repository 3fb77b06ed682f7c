package features

import (
	"fmt"
	"strings"
	"sync"

	"github.com/rgm-go/rgm/qap"
)

// PaperKind tells the sets of the paper's networks apart.
type PaperKind struct {
	// Weighted adds a tensor of the edge weights W, [n1, n2, n1, n2]: 0 between vertices
	// that share a node.
	Weighted bool
	// Matched, with Weighted, has K in units of the reward in place of K over its largest
	// entry, so that what a vertex brings is the mean of W over the matches: K over
	// Scale/min(n1, n2), and the vertex's own weight over Scale in NeighbourWeights.
	Matched bool
	// Regularized has K_reg in place of K where the goal regularises, as the paper's
	// Algorithm 1, in this form.
	Regularized bool
	Form        qap.RegularizedForm
}

const (
	weightedSuffix = "-weighted"
	matchedSuffix  = "-matched"
)

// PaperSet names a set: paper, paper-weighted, paper-literal, paper-weighted-exact, ….
func PaperSet(kind PaperKind) string {
	set := Paper
	switch {
	case kind.Matched:
		set += matchedSuffix
	case kind.Weighted:
		set += weightedSuffix
	}
	if kind.Regularized {
		set += "-" + kind.Form.String()
	}
	return set
}

// ParsePaperSet reads what PaperSet writes; ok is false of other sets.
func ParsePaperSet(set string) (kind PaperKind, ok bool) {
	rest, ok := strings.CutPrefix(set, Paper)
	if !ok {
		return PaperKind{}, false
	}
	if rest, kind.Matched = strings.CutPrefix(rest, matchedSuffix); kind.Matched {
		kind.Weighted = true
	} else {
		rest, kind.Weighted = strings.CutPrefix(rest, weightedSuffix)
	}
	if rest == "" {
		return kind, true
	}
	form, err := qap.ParseRegularizedForm(strings.TrimPrefix(rest, "-"))
	kind.Regularized, kind.Form = true, form
	return kind, err == nil && rest[0] == '-'
}

// MostPaperVertices is how many vertices an instance may have whose matrix has to be
// kept: of the weighted sets, and of the regularised ones where solutions need not be
// complete. A matrix of as many takes 64 MB.
const MostPaperVertices = 4096

// paperInputs is what the Paper sets compute once for an instance.
type paperInputs struct {
	kind     PaperKind
	instance *qap.Instance
	static   []float32 // the features of the empty matching under K
	unit     float64   // what K is divided by, see paperStatic
	rows     func() *edgeRows
	edges    func() []float32 // K between vertices that share no node, over unit
}

func newPaperInputs(kind PaperKind, in *qap.Instance) (*paperInputs, error) {
	n1, n2 := in.Size()
	if keeps := kind.Weighted || kind.Regularized && !in.Complete; keeps && n1*n2 > MostPaperVertices {
		return nil, fmt.Errorf("features: %s: graphs of %d and %d nodes have %d vertices, more than the %d whose matrix is kept: take another network",
			PaperSet(kind), n1, n2, n1*n2, MostPaperVertices)
	}
	p := &paperInputs{kind: kind, instance: in}
	p.static, p.unit = paperStatic(in, kind.Matched)
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
func (p *paperInputs) newExtractor(env *qap.Environment) *paperExtractor {
	e := &paperExtractor{env: env, paperInputs: p}
	if p.kind.Regularized && !env.Options().Goal.Regularizer.None() {
		e.kept = p.rows()
	}
	if p.kind.Weighted {
		e.dense = p.edges()
	}
	return e
}
