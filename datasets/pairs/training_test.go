package pairs

import (
	"math/rand/v2"
	"reflect"
	"testing"

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
		p, err := Training{}.Pair(n, rand.New(rand.NewPCG(5, k)))
		if err != nil {
			t.Fatal(err)
		}
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
