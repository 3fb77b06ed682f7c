package pairs

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/statistics"
)

// Mixture draws pairs of points of many kinds to train on: uniform and clustered
// points; noise that scales coordinates, moves points, or maps the plane linearly;
// up to some outliers, as many or fewer in the other graph; affinities of
// lengths, raw or relative, with directions or without, of random widths. None is of
// a real set.
type Mixture struct {
	Edges    graphs.EdgeRule
	Outliers int // of a graph, at most; 0 is MostOutliers
}

// MostOutliers is how many outliers a graph of a Mixture has at most, if that does not say.
const MostOutliers = 6

// leastInliers is how many inliers a graph of a Mixture has at least, where it has
// so many nodes.
const leastInliers = 4

// Pair returns a random pair whose larger graph has n ≥ 2 nodes, in a random
// order. The same rng state gives the same pair.
func (m Mixture) Pair(n int, rng *rand.Rand) (Pair, error) {
	if n < 2 || n > maxNodes {
		return Pair{}, fmt.Errorf("pairs: a graph of %d nodes: want 2..%d", n, maxNodes)
	}
	more := rng.IntN(min(cmp.Or(m.Outliers, MostOutliers), max(n-leastInliers, 0)) + 1)
	fewer, inliers := more, n-more
	if rng.Float64() > 0.6 { // else as many
		fewer = rng.IntN(more + 1)
	}
	affinity := m.affinity(rng)
	points1 := truePoints(inliers, rng)
	points2 := distorted(points1, rng)
	if affinity.Relative {
		points2 = resized(points2, math.Exp(statistics.Between(-0.5, 0.5, rng)))
	}
	points1, points2 = withOutliers(points1, more, rng), withOutliers(points2, fewer, rng)
	if affinity.Direction == 0 { // lengths do not see it
		points2 = turned(points2, statistics.Between(0, 2*math.Pi, rng))
	}
	if rng.IntN(2) == 0 {
		points1, points2 = points2, points1
	}
	p := Pair{
		Name: fmt.Sprintf("mixture-%d", n), Class: fmt.Sprintf("k=%d", more),
		Truth: FirstMatch(len(points1), inliers), Points1: points1, Points2: points2,
	}
	p, err := p.WithAffinity(affinity)
	if err != nil {
		return Pair{}, err
	}
	return p.Relabelled(rng)
}

// affinity draws how alike edges are.
func (m Mixture) affinity(rng *rand.Rand) affinities.Geometric {
	switch rng.IntN(3) {
	case 0:
		return affinities.Geometric{Edges: m.Edges, Length: statistics.LogBetween(0.004, 0.1, rng)}
	case 1:
		return affinities.Geometric{
			Edges: m.Edges, Length: statistics.LogBetween(0.06, 0.6, rng), Direction: statistics.LogBetween(0.06, 0.6, rng), Relative: true,
		}
	}
	return affinities.Geometric{Edges: m.Edges, Length: statistics.LogBetween(0.02, 0.6, rng), Relative: true}
}

// truePoints draws points uniform in the unit square or around three centres.
func truePoints(n int, rng *rand.Rand) []graphs.Point {
	points := UniformPoints(n, rng)
	if rng.Float64() > 0.3 {
		return points
	}
	const spread = 0.15
	centres := UniformPoints(3, rng)
	for i := range points {
		c := centres[rng.IntN(len(centres))]
		points[i] = graphs.Point{X: c.X + spread*rng.NormFloat64(), Y: c.Y + spread*rng.NormFloat64()}
	}
	return points
}

// distorted returns points with noise of one of three kinds.
func distorted(points []graphs.Point, rng *rand.Rand) []graphs.Point {
	kind := rng.IntN(3)
	if kind == 0 {
		return scaled(points, statistics.Between(0, 0.3, rng), rng)
	}
	bend, noise := 0.0, statistics.LogBetween(0.005, 0.12, rng)
	if kind == 1 {
		bend = statistics.Between(0, 0.3, rng)
	}
	entry := func() float64 { return bend * rng.NormFloat64() }
	xx, xy, yx, yy := 1+entry(), entry(), entry(), 1+entry()
	moved := make([]graphs.Point, len(points))
	for i, p := range points {
		moved[i] = graphs.Point{
			X: xx*p.X + xy*p.Y + noise*rng.NormFloat64(),
			Y: yx*p.X + yy*p.Y + noise*rng.NormFloat64(),
		}
	}
	return moved
}

// withOutliers adds n points, uniform in the bounding box of the others, a tenth
// larger.
func withOutliers(points []graphs.Point, n int, rng *rand.Rand) []graphs.Point {
	low, high := graphs.Bounds(points)
	const margin = 0.05
	width, height := high.X-low.X, high.Y-low.Y
	all := append([]graphs.Point(nil), points...)
	for range n {
		all = append(all, graphs.Point{
			X: low.X + width*statistics.Between(-margin, 1+margin, rng), Y: low.Y + height*statistics.Between(-margin, 1+margin, rng),
		})
	}
	return all
}

func resized(points []graphs.Point, factor float64) []graphs.Point {
	now := make([]graphs.Point, len(points))
	for i, p := range points {
		now[i] = graphs.Point{X: factor * p.X, Y: factor * p.Y}
	}
	return now
}

// turned returns points turned around the origin by an angle in rad.
func turned(points []graphs.Point, by float64) []graphs.Point {
	sin, cos := math.Sincos(by)
	now := make([]graphs.Point, len(points))
	for i, p := range points {
		now[i] = graphs.Point{X: cos*p.X - sin*p.Y, Y: sin*p.X + cos*p.Y}
	}
	return now
}
