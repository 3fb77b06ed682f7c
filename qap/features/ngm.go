package features

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// NGM is the set of networks that give a soft matching of an instance in one evaluation
// (models.NGM). It depends on the instance alone. K is divided by its mean degree, the
// mean over the vertices p of Σ|K[p,q]| over the neighbours q.
const NGM = "ngm"

// The channels of the NGM set's first tensor; the second is K between vertices that share
// no node, 0 elsewhere.
const (
	NodeAffinity = iota // K[p,p]
	Degree              // ΣK[p,q] over the neighbours q
	NGMChannels         // how many there are
)

// ngmExtractor holds the inputs of an instance.
type ngmExtractor struct{ nodes, edges []float32 }

func (e *ngmExtractor) Reset()            {}
func (e *ngmExtractor) Observe()          {}
func (e *ngmExtractor) Inherit(Extractor) {}
func (e *ngmExtractor) SetHorizon(int)    {}
func (e *ngmExtractor) Memory() *Memory   { return nil }

func (e *ngmExtractor) Fill(batch [][]float32, k int) {
	copy(batch[0][k*len(e.nodes):], e.nodes)
	copy(batch[1][k*len(e.edges):], e.edges)
}

// FillNGM writes the inputs of an instance as those of the k-th of a batch. It refuses
// instances of more than MostPaperVertices vertices.
func FillNGM(batch [][]float32, k int, in *qap.Instance) error {
	e, err := newNGM(in)
	if err == nil {
		e.Fill(batch, k)
	}
	return err
}

func newNGM(in *qap.Instance) (*ngmExtractor, error) {
	n1, n2 := in.Size()
	n := n1 * n2
	if n > MostPaperVertices {
		return nil, fmt.Errorf("features: %s: graphs of %d and %d nodes have %d vertices, more than the %d whose matrix is kept: take another method",
			NGM, n1, n2, n, MostPaperVertices)
	}
	e := &ngmExtractor{make([]float32, n*NGMChannels), make([]float32, n*n)}
	nodes, row, degrees := make([]float64, n), make([]float64, n), make([]float64, n)
	in.Affinity.Diagonal(nodes)
	total := 0.0
	for p := range n {
		clear(row)
		in.Affinity.AddRow(row, p, 1)
		for _, k := range row {
			degrees[p] += k
			total += math.Abs(k)
		}
	}
	scale := 1.0
	if total > 0 {
		scale = float64(n) / total
	}
	for p := range n {
		e.nodes[p*NGMChannels+NodeAffinity] = float32(scale * nodes[p])
		e.nodes[p*NGMChannels+Degree] = float32(scale * degrees[p])
		clear(row)
		in.Affinity.AddRow(row, p, scale)
		for q, k := range row {
			e.edges[p*n+q] = float32(k)
		}
	}
	return e, nil
}
