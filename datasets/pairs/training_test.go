package pairs

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestTrainingPairsAreOfAllKinds: shapes, dense and sparse, with and without node affinities
// and negative entries occur; the truth is a matching of the instance; the same stream
// gives the same pair.
func TestTrainingPairsAreOfAllKinds(t *testing.T) {
	const drawn = 80
	kinds := map[string]int{}
	for k := range uint64(drawn) {
		n := 6 + int(k)%15
		p := must.Get(Training{}.Pair(n, rand.New(rand.NewPCG(5, k))))(t)
		again, truth, err := Training{}.Problem(n, rand.New(rand.NewPCG(5, k)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p.Instance, again) || !reflect.DeepEqual(p.Truth, truth) {
			t.Fatalf("pair %d differs when drawn again", k)
		}
		if err := p.Instance.CheckMatching(p.Truth); err != nil {
			t.Fatal(err)
		}
		n1, n2 := p.Instance.Size()
		if max(n1, n2) != n || p.Truth.Size() < min(n, leastInliers) {
			t.Errorf("pair %d has %d and %d nodes, %d inliers; want the larger to have %d", k, n1, n2, p.Truth.Size(), n)
		}
		if n1 != n2 {
			kinds["unequal"]++
		}
		if _, sparse := p.Instance.Affinity.(qap.Rows); sparse {
			kinds["sparse"]++
		}
		nodes, negative := false, false
		row := make([]float64, n1*n2)
		for v := range row {
			p.Instance.Affinity.Row(row, v)
			nodes = nodes || row[v] != 0
			for _, value := range row {
				negative = negative || value < 0
			}
		}
		if nodes {
			kinds["nodes"]++
		}
		if negative {
			kinds["negative"]++
		}
	}
	for _, kind := range []string{"unequal", "sparse", "nodes", "negative"} {
		if kinds[kind] < drawn/20 || kinds[kind] > drawn*19/20 {
			t.Errorf("%d of %d pairs are of the kind %s", kinds[kind], drawn, kind)
		}
	}
}

// TestSparsePairs: all are of Delaunay graphs, have no signs, and up to a quarter of outliers.
func TestSparsePairs(t *testing.T) {
	const n = 40
	most := 0
	for k := range uint64(20) {
		p := must.Get(Training{Sparse: true}.Pair(n, rand.New(rand.NewPCG(6, k))))(t)
		if _, sparse := p.Instance.Affinity.(*qap.EdgePairs); !sparse {
			t.Fatalf("pair %d has affinities %T", k, p.Instance.Affinity)
		}
		n1, n2 := p.Instance.Size()
		if max(n1, n2) != n || p.Truth.Size() < n-n/4 {
			t.Errorf("pair %d has %d and %d nodes, %d inliers", k, n1, n2, p.Truth.Size())
		}
		most = max(most, n-p.Truth.Size())
	}
	if most <= MostOutliers {
		t.Errorf("at most %d outliers", most)
	}
}

// TestLargerSynthetic: graphs of a thousand nodes where edges are Delaunay, and no more
// than K has room for where they are complete.
func TestLargerSynthetic(t *testing.T) {
	s := Synthetic{Inliers: 240, Outliers: 60, Noise: .05, Count: 1, Affinity: affinities.Geometric{Edges: graphs.Delaunay, Length: .2, Relative: true}}
	all, err := s.Set().All()
	if err != nil || len(all) != 1 || len(all[0].Points1) != 300 {
		t.Fatalf("%d pairs, error %v", len(all), err)
	}
	s.Affinity.Edges = graphs.Complete
	if _, err := s.Set().All(); err == nil {
		t.Error("no error of 300 nodes with all edges")
	}
}
