// Package belief aligns two graphs by belief propagation on the matrix of their pairs: S[i, a] is
// the logarithm of the odds that node i of graph 1 is node a of graph 2.
//
// A step asks of every pair how well the neighbours of i fit those of a. Messages are products of
// pairs' matrices with the adjacency matrices A and B, which are sparse, so that a step costs n1·n2
// times the mean degree. Everything is dense in pairs, for up to MostPairs of them.
//
// Step is the step of a model of random graphs, worked out by hand; package propagation learns
// another one. Both are of Lelarge's kind (chained graph neural networks, arXiv:2402.09261) only in
// purpose: what they repeat is the belief propagation of correlated random graphs, after
// Piccioli, Semerjian, Sicuro, Zdeborová, doi:10.1088/1742-5468/ac70d2.
package belief

import (
	"github.com/rgm-go/rgm/qap/align"
)

// MostPairs bounds n1·n2: a state of 1,500 nodes each takes 400 MB.
const MostPairs = 1500 * 1500

// Pair is two graphs, as products with their adjacency matrices need them; one goroutine at a time
// may use it. Directions and weights
// of edges do not count.
type Pair struct {
	N1, N2  int
	a, b    rows
	Degree1 []float32
	Degree2 []float32
	spare   []float32 // of Right
}

// NewPair returns the pair of two graphs.
func NewPair(a, b *align.Graph) *Pair {
	p := &Pair{N1: a.Nodes(), N2: b.Nodes(), a: newRows(a), b: newRows(b)}
	p.Degree1, p.Degree2 = p.a.degrees(), p.b.degrees()
	return p
}

// Size returns the number of pairs.
func (p *Pair) Size() int { return p.N1 * p.N2 }

// MeanDegree returns that of both graphs together.
func (p *Pair) MeanDegree() float64 {
	return float64(len(p.a.to)+len(p.b.to)) / float64(max(1, p.N1+p.N2))
}

// rows are the neighbours of every node.
type rows struct{ start, to []int32 }

func newRows(g *align.Graph) rows {
	r := rows{start: make([]int32, g.Nodes()+1)}
	for i := range g.Nodes() {
		r.to = append(r.to, g.Neighbours(i)...)
		r.start[i+1] = int32(len(r.to))
	}
	return r
}

func (r *rows) nodes() int { return len(r.start) - 1 }

func (r *rows) of(i int32) []int32 { return r.to[r.start[i]:r.start[i+1]] }

func (r *rows) degrees() []float32 {
	d := make([]float32, r.nodes())
	for i := range d {
		d[i] = float32(r.start[i+1] - r.start[i])
	}
	return d
}

// Left sets y to factor·A·x.
func (p *Pair) Left(y, x []float32, factor float32) {
	left(y[:p.Size()], x[:p.Size()], &p.a, p.N2, factor)
}

// Right sets y to factor·x·B.
func (p *Pair) Right(y, x []float32, factor float32) {
	if p.spare == nil {
		p.spare = make([]float32, 2*16*p.N2)
	}
	right(y[:p.Size()], x[:p.Size()], p.N1, &p.b, factor, p.spare)
}

// Adjacency returns the adjacency matrices, of zeros and ones.
func (p *Pair) Adjacency() (a, b []float32) { return p.a.matrix(), p.b.matrix() }

func (r *rows) matrix() []float32 {
	m := make([]float32, r.nodes()*r.nodes())
	for i := range r.nodes() {
		for _, j := range r.of(int32(i)) {
			m[i*r.nodes()+int(j)] = 1
		}
	}
	return m
}
