package align

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// TestSpectralScores: Ritz pairs give the scores of all eigenpairs.
func TestSpectralScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	const n1, n2 = 90, 100
	p := &Problem{A: random(t, n1, 220, false, false, rng), B: random(t, n2, 260, false, false, rng)}
	watch := qap.Limits{}.Watch(t.Context(), nil)
	e := newEngine(p)
	e.watch = &watch
	got, whole := e.spectral()
	full := func(g *Graph) (values, vectors, ones []float64) {
		n := g.Nodes()
		values, vectors = eigen(g.matrix(n), n)
		largest := 0.0
		for _, v := range values {
			largest = max(largest, math.Abs(v))
		}
		ones = make([]float64, n)
		for r := range n {
			values[r] /= largest
			for i := range n {
				ones[r] += vectors[i*n+r]
			}
		}
		return values, vectors, ones
	}
	l, u, u1 := full(p.A)
	m, v, v1 := full(p.B)
	most := 0.0
	want := make([]float64, n1*n2)
	for i := range n1 {
		for j := range n2 {
			for r := range n1 {
				for s := range n2 {
					d := l[r] - m[s]
					want[i*n2+j] += u[i*n1+r] * u1[r] * v1[s] * v[j*n2+s] / (d*d + bandwidth*bandwidth)
				}
			}
			most = max(most, math.Abs(want[i*n2+j]))
		}
	}
	for k := range want {
		if math.Abs(got[k]-want[k]) > 1e-6*most || !whole {
			t.Fatalf("the score of %d and %d is %v, of all eigenpairs %v", k/n2, k%n2, got[k], want[k])
		}
	}
}

// TestGrampa: a graph is matched to itself in another order, and known pairs are kept; what it
// knows nothing of is refused.
func TestGrampa(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	g := random(t, 200, 900, false, false, rng)
	order := rng.Perm(200)
	var ends [][2]int
	for i := range 200 {
		for _, k := range g.Neighbours(i) {
			ends = append(ends, [2]int{order[i], order[k]})
		}
	}
	h, err := NewGraph(200, len(ends), func(k int) (i, j int) { return ends[k][0], ends[k][1] }, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Grampa(t.Context(), &Problem{A: g, B: h}, Options{})
	if err != nil || r.Shared != g.Edges() || r.Status != qap.Optimal || r.FoundBy != ByGrampa {
		t.Errorf("%d of %d edges, %s, found by %s, error %v", r.Shared, g.Edges(), r.Status, r.FoundBy, err)
	}
	known := &Problem{A: g, B: h, Known: []Pair{{3, order[4]}}}
	if r, err := Grampa(t.Context(), known, Options{}); err != nil || r.Matching[3] != order[4] {
		t.Errorf("the known partner of 3 is %d, want %d, error %v", r.Matching[3], order[4], err)
	}
	known.Similar = []Similar{{Pair{1, 1}, 1}}
	if _, err := Grampa(t.Context(), known, Options{}); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("with similarities: error %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := Grampa(over, &Problem{A: g, B: h}, Options{}); err != nil || r.Status != qap.Cancelled || len(r.Matching) != 200 {
		t.Errorf("cancelled: %s, error %v", r.Status, err)
	}
}
