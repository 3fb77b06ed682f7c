package solvertest

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// Pair returns the problem of matching two graphs of n points each, four fifths of
// which are the same but for noise: by the lengths and directions of the edges to the
// nearest points or, where complete, by the lengths of all.
func Pair(t testing.TB, n int, complete bool) *qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	points1, points2 := make([]complex128, n), make([]complex128, n)
	for i := range points1 {
		p := complex(rng.Float64(), rng.Float64())
		points1[i] = p
		points2[n-1-i] = p + complex(.02*rng.NormFloat64(), .02*rng.NormFloat64())
		if i >= n*4/5 {
			points2[n-1-i] = complex(rng.Float64(), rng.Float64())
		}
	}
	edges1, edges2 := edgesOf(points1, complete), edgesOf(points2, complete)
	in, err := qap.NewEdgePairs(n, n, edges1, edges2, nil, func(e, f int, crosswise bool) float64 {
		u, v := points1[edges1[e][1]]-points1[edges1[e][0]], points2[edges2[f][1]]-points2[edges2[f][0]]
		if crosswise {
			v = -v
		}
		if complete {
			return math.Exp(-math.Pow(cmplx.Abs(u)-cmplx.Abs(v), 2) / .03)
		}
		return math.Exp(-cmplx.Abs(u-v) * float64(n) / 20)
	}, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	if !complete {
		return in
	}
	k := make([]float64, n*n*n*n)
	for p := range n * n {
		in.Affinity.Row(k[p*n*n:(p+1)*n*n], p)
	}
	if in, err = qap.NewDense(n, n, k, qap.Maximize); err != nil {
		t.Fatal(err)
	}
	return in
}

// edgesOf joins each point to the nearest three, or to all.
func edgesOf(points []complex128, complete bool) [][2]int {
	var edges [][2]int
	near := func(i, j int) bool {
		closer := 0
		for k := range points {
			if k != i && cmplx.Abs(points[k]-points[i]) < cmplx.Abs(points[j]-points[i]) {
				closer++
			}
		}
		return closer < 3
	}
	for i := range points {
		for j := range i {
			if complete || near(i, j) || near(j, i) {
				edges = append(edges, [2]int{j, i})
			}
		}
	}
	return edges
}
