package align

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// random returns a random graph.
func random(t *testing.T, n, m int, weights, directed bool, rng *rand.Rand) *Graph {
	t.Helper()
	var w []float64
	ends := make([][2]int, m)
	for k := range ends {
		ends[k] = [2]int{rng.IntN(n), rng.IntN(n)}
		if weights {
			w = append(w, 1+rng.Float64())
		}
	}
	g, err := NewGraph(n, m, func(k int) (i, j int) { return ends[k][0], ends[k][1] }, w, directed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestSwapsKeepTheirSums: after many swaps, at any temperature, the score and the supports are
// those that are recomputed, and the best is one of them.
func TestSwapsKeepTheirSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for variant := range 8 {
		weights, directed := variant&1 > 0, variant&2 > 0
		p := &Problem{A: random(t, 60, 150, weights, directed, rng), B: random(t, 50+variant&4*5, 140, weights, directed, rng)}
		p.Known = []Pair{{3, 4}}
		p.Similar = []Similar{{Pair{1, 2}, 1}, {Pair{5, 6}, 0.5}}
		e := newEngine(p)
		s := e.newSwaps(e.byDegree(), 1)
		for _, temperature := range []float64{2, 0.5, 0.1} {
			s.run(20_000, temperature)
			m := append(matching(nil), s.m...)
			for i, j := range m {
				if int(j) == e.b.Nodes() {
					m[i] = none
				}
			}
			if got := e.value(m); math.Abs(got-s.score) > 1e-3 {
				t.Errorf("variant %d: the score is %v, recomputed %v", variant, s.score, got)
			}
			for i, j := range s.m {
				if want, _ := s.gain(int32(i), j, none); math.Abs(want-s.support[i]) > 1e-3 {
					t.Fatalf("variant %d: the support of node %d is %v, recomputed %v", variant, i, s.support[i], want)
				}
				if int(j) < e.b.Nodes() && s.inverse[j] != int32(i) {
					t.Fatalf("variant %d: node %d has the partner %d, whose is %d", variant, i, j, s.inverse[j])
				}
			}
			best := append(matching(nil), s.Best()...)
			for i, j := range best {
				if int(j) == e.b.Nodes() {
					best[i] = none
				}
			}
			if got := e.value(best); math.Abs(got-s.bestScore) > 1e-3 {
				t.Errorf("variant %d: the best is %v, recomputed %v", variant, s.bestScore, got)
			}
		}
	}
}

// TestSwapsAllocateNothing.
func TestSwapsAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	e := newEngine(&Problem{A: random(t, 200, 600, false, false, rng), B: random(t, 200, 600, false, false, rng)})
	s := e.newSwaps(e.byDegree(), 1)
	if got := testing.AllocsPerRun(20, func() { s.run(1000, 0.3) }); got != 0 {
		t.Errorf("1000 swaps allocate %v times", got)
	}
}

// TestGraphs: rows are sorted and symmetric whatever the order of edges, repetitions and
// loops count nothing, and both directions are one entry.
func TestGraphs(t *testing.T) {
	ends := [][2]int{{3, 1}, {1, 3}, {2, 2}, {0, 3}, {3, 1}}
	edge := func(k int) (i, j int) { return ends[k][0], ends[k][1] }
	g, err := NewGraph(4, len(ends), edge, nil, false)
	if err != nil || g.Edges() != 2 || !slices.Equal(g.Neighbours(3), []int32{0, 1}) || g.Degree(2) != 0 {
		t.Errorf("%d edges, neighbours %v, error %v", g.Edges(), g.Neighbours(3), err)
	}
	d, err := NewGraph(4, len(ends), edge, []float64{2, 3, 4, 5, 6}, true)
	if err != nil || d.Edges() != 3 || !slices.Equal(d.Neighbours(3), []int32{0, 1}) {
		t.Fatalf("%d edges, neighbours %v, error %v", d.Edges(), d.Neighbours(3), err)
	}
	if out, in := d.weights(d.find(3, 1)); out != 2 || in != 3 {
		t.Errorf("the edges between 3 and 1 weigh %v and %v", out, in)
	}
	if out, in := d.weights(d.find(3, 0)); out != 0 || in != 5 {
		t.Errorf("the edges between 3 and 0 weigh %v and %v", out, in)
	}
}

// TestThinned: about the share is gone, in both rows, and no node is left without edges.
func TestThinned(t *testing.T) {
	g := random(t, 500, 2500, true, true, rand.New(rand.NewPCG(3, 3)))
	thin := g.thinned(0.2, 1)
	if share := float64(len(thin.to)) / float64(len(g.to)); math.Abs(share-0.8) > 0.03 {
		t.Errorf("%v of the edges are left", share)
	}
	for i := range 500 {
		if g.Degree(i) > 0 && thin.Degree(i) == 0 {
			t.Errorf("node %d has no edges left", i)
		}
		for e := thin.start[i]; e < thin.start[i+1]; e++ {
			back := thin.find(int(thin.to[e]), i)
			if back < 0 || thin.out[e] != thin.in[back] {
				t.Fatalf("the entry of %d in the row of %d has no other half", thin.to[e], i)
			}
		}
	}
}

// TestEigen: the decomposition gives the matrix back, and its vectors are orthonormal.
func TestEigen(t *testing.T) {
	const q = 14
	rng := rand.New(rand.NewPCG(4, 4))
	x := make([]float64, q*q)
	for a := range q {
		for b := range a + 1 {
			x[a*q+b] = rng.NormFloat64()
			x[b*q+a] = x[a*q+b]
		}
	}
	values, v := eigen(x, q)
	scaled := slices.Clone(v)
	for a := range q {
		for b := range q {
			scaled[a*q+b] *= values[b]
		}
	}
	back, unit := multiply(scaled, transposed(v, q), q), multiply(transposed(v, q), v, q)
	for a := range q {
		for b := range q {
			one := 0.0
			if a == b {
				one = 1
			}
			if math.Abs(back[a*q+b]-x[a*q+b]) > 1e-10 || math.Abs(unit[a*q+b]-one) > 1e-10 {
				t.Fatalf("entry %d, %d: %v for %v, product %v", a, b, back[a*q+b], x[a*q+b], unit[a*q+b])
			}
		}
	}
}

// TestScale: no column sums to more than 1 by much, and the order is kept.
func TestScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	c := newCandidates(50, 6)
	for i := range 50 {
		for _, j := range rng.Perm(40)[:6] {
			c.add(i, int32(j), rng.Float32())
		}
	}
	c.scale(40)
	sums := make([]float32, 40)
	for i := range 50 {
		to, p := c.of(i)
		for k, v := range p {
			sums[to[k]] += v
			if k > 0 && v > p[k-1] {
				t.Fatalf("the candidates of node %d are not sorted: %v", i, p)
			}
		}
	}
	if most := slices.Max(sums); most > 1+1e-5 {
		t.Errorf("a column sums to %v", most)
	}
}

// TestRelease: matches without witnesses are given up, known ones and similar ones are not.
func TestRelease(t *testing.T) {
	g, err := NewGraph(5, 1, func(int) (i, j int) { return 0, 1 }, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(&Problem{A: g, B: g, Known: []Pair{{2, 2}}, Similar: []Similar{{Pair{3, 3}, 1}}})
	m := matching{0, 1, 2, 3, 4}
	e.release(m)
	if !slices.Equal(widen(m), qap.Matching{0, 1, 2, 3, qap.Unmatched}) {
		t.Errorf("left are %v", m)
	}
}

// TestChain: two legs of equal length of which one has a leaf at its end are exchanged by one
// chain where they were taken for each other, and a chain that leads nowhere changes nothing.
func TestChain(t *testing.T) {
	const length = 30
	var ends [][2]int // legs 1 to 30 and 31 to 60 of node 0, the leaf 61
	for leg := range 2 {
		before := 0
		for k := range length {
			ends = append(ends, [2]int{before, 1 + leg*length + k})
			before = 1 + leg*length + k
		}
	}
	ends = append(ends, [2]int{length, 2*length + 1})
	g, err := NewGraph(2*length+2, len(ends), func(k int) (i, j int) { return ends[k][0], ends[k][1] }, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(&Problem{A: g, B: g})
	m := matching{0}
	for k := range 2 * length {
		m = append(m, int32(1+(k+length)%(2*length)))
	}
	m = append(m, 2*length+1)
	s := e.newSwaps(m, 1)
	if s.chainFrom(1, 1, 0.1); s.score != float64(len(ends)) {
		t.Errorf("%v of %d edges are shared", s.score, len(ends))
	}
	before := append(matching(nil), s.m...)
	if made := s.chainFrom(5, 20, 1e-3); made == 0 || !slices.Equal(s.m, before) || s.score != float64(len(ends)) {
		t.Errorf("%d exchanges that were taken back leave %v edges shared", made, s.score)
	}
}

// TestMostOfASwap: no exchange changes the score by more than degrees allow.
func TestMostOfASwap(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		a, b := random(t, 12, 20+rng.IntN(20), false, false, rng), random(t, 14, 20+rng.IntN(30), false, false, rng)
		e := newEngine(&Problem{A: a, B: b})
		s := e.newSwaps(e.byDegree(), 1)
		s.run(200, 1)
		for i := range int32(12) {
			for j := range int32(14) {
				if k := s.inverse[j]; k != none && k != i && s.change(i, j, k) > s.most(i, j, k) {
					t.Fatalf("node %d gets %d: %g, at most %g", i, j, s.change(i, j, k), s.most(i, j, k))
				}
			}
		}
	}
}

// TestDefaultSteps: they are by nodes, or MostSteps, or where neighbours have many neighbours as many fewer.
func TestDefaultSteps(t *testing.T) {
	path, star := func(k int) (i, j int) { return k, k + 1 }, func(k int) (i, j int) { return 0, k + 1 }
	for _, c := range []struct {
		nodes int
		edge  func(k int) (i, j int)
		want  int
	}{
		{100, path, DefaultSteps * 100},
		{20_000, path, MostSteps},
		{20_001, star, MostSteps * usualNeighbours * 2 / 20_001},
	} {
		g, err := NewGraph(c.nodes, c.nodes-1, c.edge, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.defaultSteps(); math.Abs(float64(got-c.want)) > 0.01*float64(c.want) {
			t.Errorf("%d nodes, the first of %d neighbours: %d steps, want about %d", c.nodes, g.Degree(0), got, c.want)
		}
	}
}

// TestAside: what copies of the engine found counts where time is up, but not after what is good enough.
func TestAside(t *testing.T) {
	g := random(t, 12, 20, false, false, rand.New(rand.NewPCG(5, 5)))
	for _, enough := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		e := newEngine(&Problem{A: g, B: g})
		watch := qap.Limits{}.Watch(ctx, nil)
		e.watch, e.threads = &watch, 2
		if enough {
			e.target = 1
		}
		scores := []float64{2, 5, 3}
		whole := e.aside(len(scores), func(e *engine, k int) bool {
			e.keep(newMatching(12), scores[k], ByFeatures)
			cancel()
			return k > 0
		})
		want := 5.0
		if enough {
			want = 2
		}
		if whole || e.bestScore != want || e.threads != 2 {
			t.Errorf("good enough %t: score %v, want %v; whole %t, %d threads", enough, e.bestScore, want, whole, e.threads)
		}
	}
}
