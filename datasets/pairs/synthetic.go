package pairs

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// Synthetic is the paper's protocol of synthetic points: the inliers of graph 1 are
// uniform in the unit square; each of their coordinates is scaled by a factor that
// is uniform in 1−δ..1+δ, which makes graph 2; then both graphs get outliers,
// uniform in the unit square.
//
// Source: the paper (see Quality), appendix, "Experiments on Synthetic Dataset",
// which follows Wang, Yan, Yang, "Neural graph matching network", arXiv:1911.11308.
type Synthetic struct {
	Inliers  int
	Outliers int     // of each graph
	Noise    float64 // δ, 0..1
	Count    int     // pairs
	// PerTruth is how many pairs share their true points (1 if 0). The paper has 10
	// sets of true points with 300 pairs each.
	PerTruth int
	Affinity affinities.Geometric
	Seed     uint64
}

// Class names the setting: "δ=0.1 k=3".
func (s Synthetic) Class() string { return fmt.Sprintf("δ=%g k=%d", s.Noise, s.Outliers) }

// check returns an error that says which number cannot be.
func (s Synthetic) check() error {
	switch {
	case s.Inliers < 1 || s.Outliers < 0 || s.Inliers+s.Outliers > s.mostNodes():
		return fmt.Errorf("pairs: %d inliers and %d outliers, edges %v: want an inlier, and at most %d nodes", s.Inliers, s.Outliers, s.Affinity.Edges, s.mostNodes())
	case !(s.Noise >= 0 && s.Noise <= 1):
		return fmt.Errorf("pairs: noise %v: want 0..1", s.Noise)
	case s.Count < 0 || s.PerTruth < 0:
		return fmt.Errorf("pairs: %d pairs, %d of each true points: want no negative number", s.Count, s.PerTruth)
	}
	return nil
}

// maxNodes bounds graphs whose affinity matrix has the fourth power of it, and maxSparseNodes
// those whose edges grow with their nodes.
const maxNodes, maxSparseNodes = 128, 2048

func (s Synthetic) mostNodes() int {
	if s.Affinity.Edges == graphs.Delaunay {
		return maxSparseNodes
	}
	return maxNodes
}

// Set returns the pairs. The first ones do not depend on Count.
func (s Synthetic) Set() Set {
	return Set{
		Name: "synthetic",
		About: fmt.Sprintf("%d inliers uniform in the unit square, coordinates scaled by U(1-δ,1+δ), k outliers in both graphs; %v",
			s.Inliers, s.Affinity),
		Pairs: s.pairs(),
	}
}

func (s Synthetic) pairs() iter.Seq2[Pair, error] {
	if err := s.check(); err != nil {
		return failed(err)
	}
	perTruth := max(1, s.PerTruth)
	return func(yield func(Pair, error) bool) {
		rng := rand.New(rand.NewPCG(s.Seed, syntheticStream))
		var truth []graphs.Point
		for k := range s.Count {
			if k%perTruth == 0 {
				truth = UniformPoints(s.Inliers, rng)
			}
			p, err := s.pair(k, truth, rng)
			p.Groups = []string{fmt.Sprintf("%s truth %d", s.Class(), k/perTruth)}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// syntheticStream is the random stream of Synthetic under its seed.
const syntheticStream = 0x73796e74

// pair makes the k-th pair from true points.
func (s Synthetic) pair(k int, truth []graphs.Point, rng *rand.Rand) (Pair, error) {
	p := Pair{
		Name: fmt.Sprintf("synthetic#%d", k), Class: s.Class(), Truth: FirstMatch(s.Inliers+s.Outliers, s.Inliers),
		Points1: append(truth[:len(truth):len(truth)], UniformPoints(s.Outliers, rng)...),
		Points2: append(scaled(truth, s.Noise, rng), UniformPoints(s.Outliers, rng)...),
	}
	return p.WithAffinity(s.Affinity)
}

// WithAffinity returns the pair with the instance of its points.
func (p Pair) WithAffinity(affinity affinities.Geometric) (Pair, error) {
	in, err := affinity.Instance(p.Points1, p.Points2)
	if err != nil {
		return Pair{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	in.Name, p.Instance = p.Name, in
	return p, nil
}

// UniformPoints returns n points uniform in the unit square.
func UniformPoints(n int, rng *rand.Rand) []graphs.Point {
	points := make([]graphs.Point, n)
	for i := range points {
		points[i] = graphs.Point{X: rng.Float64(), Y: rng.Float64()}
	}
	return points
}

// scaled returns points, each coordinate times a factor uniform in 1−noise..1+noise.
func scaled(points []graphs.Point, noise float64, rng *rand.Rand) []graphs.Point {
	factor := func() float64 { return 1 + noise*(2*rng.Float64()-1) }
	noisy := make([]graphs.Point, len(points))
	for i, p := range points {
		noisy[i] = graphs.Point{X: p.X * factor(), Y: p.Y * factor()}
	}
	return noisy
}
