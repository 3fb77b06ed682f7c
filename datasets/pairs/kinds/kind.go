// Package kinds generates pairs of graphs of every sort: those that the learned affinity is trained
// on, and those that it is measured on.
package kinds

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// A Kind of pairs: attributed graphs with noise and outliers, and how affinities are
// made of them. Points are uniform in the unit cube, distances and angles are their
// edges' attributes; without points attributes are uniform in 0..1.
type Kind struct {
	Name      string
	Inliers   int
	Outliers1 int // of graph 1
	Outliers2 int // of graph 2

	Dimensions int     // of points, 2 or 3 (no points)
	Joins      Joins   // which nodes have an edge (JoinShare)
	Density    float64 // of JoinShare: share of pairs of nodes with an edge, 0..1
	Flipped    float64 // of JoinShare: share of the edges of graph 1 between inliers that graph 2 lacks; as many others take their place
	Noise      float64 // standard deviation, of a coordinate or of an attribute

	Kernel    Kernel
	Width     float64 // of the kernel, in units of the attribute; above 0
	Direction float64 // the same in rad for angles of edges in the plane (they do not count)
	Signs     Signs
	Nodes     float64 // node affinities, as a share of what a match has by its edges (none)
}

// Joins says which nodes of a Kind's graphs have an edge.
type Joins int

const (
	JoinShare     Joins = iota // random pairs of nodes, Kind.Density of all
	JoinDelaunay               // the triangulation of points in the plane
	JoinNearest                // every node with its five nearest
	JoinScaleFree              // by preferential attachment, three edges a node (Barabási, Albert 1999, doi:10.1126/science.286.5439.509)
)

// Kernel is a falling function of x ≥ 0, the difference of two edges over the width.
type Kernel int

const (
	KernelGauss   Kernel = iota // exp(−x²)
	KernelLaplace               // exp(−x)
	KernelLinear                // max(0, 1−x)
	KernelBinary                // 1 where x < 1, else 0
	KernelCauchy                // 1/(1+x²)
	KernelSteps                 // exp(−x²) rounded to quarters
)

// at returns the value of the kernel.
func (k Kernel) at(x float64) float64 {
	switch k {
	case KernelLaplace:
		return math.Exp(-x)
	case KernelLinear:
		return max(0, 1-x)
	case KernelBinary:
		if x < 1 {
			return 1
		}
		return 0
	case KernelCauchy:
		return 1 / (1 + x*x)
	case KernelSteps:
		return math.Round(4*math.Exp(-x*x)) / 4
	}
	return math.Exp(-x * x)
}

// Signs says what is taken off edge affinities.
type Signs int

const (
	SignsNone    Signs = iota // nothing
	SignsHalf                 // ½
	SignsCentred              // their mean
)

// maxNodes bounds graphs, whose affinity matrix has the fourth power of it.
const maxNodes = 128

// Check returns an error that says what cannot be.
func (k *Kind) Check() error {
	n := k.Inliers + max(k.Outliers1, k.Outliers2)
	switch {
	case k.Inliers < 1 || min(k.Outliers1, k.Outliers2) < 0 || n > maxNodes:
		return fmt.Errorf("kinds: %s: %d inliers, %d and %d outliers: want an inlier, and at most %d nodes", k.Name, k.Inliers, k.Outliers1, k.Outliers2, maxNodes)
	case k.Dimensions != 0 && k.Dimensions != 2 && k.Dimensions != 3:
		return fmt.Errorf("kinds: %s: points of %d dimensions: want 2, 3, or 0 for none", k.Name, k.Dimensions)
	case (k.Joins == JoinDelaunay || k.Direction > 0) && k.Dimensions != 2, k.Joins == JoinNearest && k.Dimensions == 0:
		return fmt.Errorf("kinds: %s: edges or directions of points, but there are none, or not in the plane", k.Name)
	case !(k.Density >= 0 && k.Density <= 1) || !(k.Flipped >= 0 && k.Flipped <= 1):
		return fmt.Errorf("kinds: %s: density %v, flipped %v: want 0..1", k.Name, k.Density, k.Flipped)
	case !(k.Width > 0) || !(k.Noise >= 0) || !(k.Direction >= 0) || !(k.Nodes >= 0):
		return fmt.Errorf("kinds: %s: width %v, noise %v, direction %v, nodes %v: want a width above 0, no negative number", k.Name, k.Width, k.Noise, k.Direction, k.Nodes)
	}
	return nil
}

// Pair returns a random pair, its nodes in a random order. The same state of rng gives
// the same pair.
func (k *Kind) Pair(rng *rand.Rand) (pairs.Pair, error) {
	if err := k.Check(); err != nil {
		return pairs.Pair{}, err
	}
	n1, n2 := k.Inliers+k.Outliers1, k.Inliers+k.Outliers2
	g1, g2 := k.graphs(n1, n2, rng)
	p := pairs.Pair{Name: k.Name, Class: k.Name, Truth: pairs.FirstMatch(n1, k.Inliers), Points1: g1.plane(), Points2: g2.plane()}
	var nodes []float64
	if k.Nodes > 0 {
		nodes = k.nodes(n1, n2, rng)
		for v := range nodes {
			nodes[v] *= k.Nodes * float64(len(g1.edges)) / float64(n1)
		}
	}
	var err error
	if p.Instance, err = k.instance(g1, g2, nodes); err != nil {
		return pairs.Pair{}, err
	}
	p.Instance.Name = k.Name
	return p.Relabelled(rng)
}

// Set returns so many pairs of a seed; the first ones do not depend on their number.
func (k Kind) Set(count int, seed uint64) pairs.Set {
	return pairs.Set{Name: k.Name, About: "generated pairs of a kind (lab/notes/MATCHING_RESULTS.md)", Pairs: func(yield func(pairs.Pair, error) bool) {
		for c := range count {
			p, err := k.Pair(rand.New(rand.NewPCG(seed, kindStream+uint64(c))))
			if !yield(p, err) || err != nil {
				return
			}
		}
	}}
}

// kindStream is the first random stream of Set under its seed.
const kindStream = 0x6b696e64 << 16

// nodes returns how alike the features of two nodes are, which are uniform in the unit
// square; those of inliers differ by a noise of 0.3.
func (k *Kind) nodes(n1, n2 int, rng *rand.Rand) []float64 {
	const noise, width = 0.3, 0.3
	features1, features2 := pairs.UniformPoints(n1, rng), pairs.UniformPoints(n2, rng)
	for i := range k.Inliers {
		features2[i] = graphs.Point{X: features1[i].X + noise*rng.NormFloat64(), Y: features1[i].Y + noise*rng.NormFloat64()}
	}
	alike := make([]float64, 0, n1*n2)
	for _, f := range features1 {
		for _, g := range features2 {
			x := math.Hypot(f.X-g.X, f.Y-g.Y) / width
			alike = append(alike, math.Exp(-x*x))
		}
	}
	return alike
}

// instance returns the problem of two graphs. It is held by pairs of edges where these
// are few.
func (k *Kind) instance(g1, g2 *attributed, nodes []float64) (*qap.Instance, error) {
	value := func(e, f int, crosswise bool) float64 {
		x := (g1.attribute[e] - g2.attribute[f]) / k.Width
		if k.Direction == 0 {
			return k.Kernel.at(math.Abs(x))
		}
		turn := g1.angle[e] - g2.angle[f]
		if crosswise {
			turn += math.Pi
		}
		return k.Kernel.at(math.Hypot(x, math.Remainder(turn, 2*math.Pi)/k.Direction))
	}
	off := 0.0
	switch k.Signs {
	case SignsHalf:
		off = 0.5
	case SignsCentred:
		for e := range g1.edges {
			for f := range g2.edges {
				off += (value(e, f, false) + value(e, f, true)) / float64(2*len(g1.edges)*len(g2.edges))
			}
		}
	}
	less := func(e, f int, crosswise bool) float64 { return value(e, f, crosswise) - off }
	const few = 0.25 // of all pairs of arcs
	n := g1.n * g2.n
	if float64(4*len(g1.edges)*len(g2.edges)) < few*float64(n*n) {
		return qap.NewEdgePairs(g1.n, g2.n, g1.edges, g2.edges, nodes, less, qap.Maximize)
	}
	all := make([]float64, n*n)
	set := func(p, q int, v float64) { all[p*n+q], all[q*n+p] = v, v }
	for e, x := range g1.edges {
		for f, y := range g2.edges {
			set(x[0]*g2.n+y[0], x[1]*g2.n+y[1], less(e, f, false))
			set(x[0]*g2.n+y[1], x[1]*g2.n+y[0], less(e, f, true))
		}
	}
	for p, v := range nodes {
		all[p*n+p] = v
	}
	return qap.NewDense(g1.n, g2.n, all, qap.Maximize)
}
