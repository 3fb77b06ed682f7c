package bound

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// never is a search that goes on.
func never() bool { return false }

// random returns a sparse instance: a share of all pairs of vertices has an affinity, of
// either sign or none below 0.
func random(t *testing.T, rng *rand.Rand, n1, n2 int, density float64, signed bool) *qap.Instance {
	t.Helper()
	draw := func() float64 {
		if signed {
			return rng.Float64() - .4
		}
		return rng.Float64()
	}
	var entries []qap.Entry
	for p := range n1 * n2 {
		if rng.Float64() < .7 {
			entries = append(entries, qap.Entry{P: p, Q: p, Value: draw()})
		}
		for q := range p {
			if rng.Float64() < density {
				entries = append(entries, qap.Entry{P: p, Q: q, Value: draw()})
			}
		}
	}
	return must.Get(qap.NewSparse(n1, n2, entries, qap.Maximize))(t)
}

// bestOfSizes returns the greatest scores of all matchings, by their size.
func bestOfSizes(in *qap.Instance) []float64 {
	n1, n2 := in.Size()
	best := make([]float64, min(n1, n2)+1)
	for k := range best {
		best[k] = math.Inf(-1)
	}
	m := qap.NewMatching(n1)
	taken := make([]bool, n2)
	var visit func(i, size int)
	visit = func(i, size int) {
		if i == n1 {
			best[size] = max(best[size], in.Score(m))
			return
		}
		visit(i+1, size)
		for a := range n2 {
			if !taken[a] {
				m[i], taken[a] = a, true
				visit(i+1, size+1)
				m[i], taken[a] = qap.Unmatched, false
			}
		}
	}
	visit(0, 0)
	return best
}

// TestNeverBelowTheOptimum compares with enumeration: any size, every count, complete.
func TestNeverBelowTheOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for round := range 60 {
		n1, n2 := 1+rng.IntN(5), 1+rng.IntN(5)
		in := random(t, rng, n1, n2, []float64{.1, .4, 1}[round%3], round%2 == 0)
		best := bestOfSizes(in)
		for count := range best {
			optimum := best[count]
			goal := qap.Goal{Inliers: count}
			if count == 0 {
				for _, score := range best {
					optimum = max(optimum, score)
				}
			}
			checkBound(t, in, goal, optimum, fmt.Sprintf("round %d, %d×%d, %d inliers", round, n1, n2, count))
		}
		complete := *in
		complete.Complete = true
		checkBound(t, &complete, qap.Goal{}, best[len(best)-1], fmt.Sprintf("round %d, %d×%d, complete", round, n1, n2))
	}
}

// checkBound improves a bound for a while, knowing of no solution, of one that is not
// the best, and of the best. It fails where a bound rises, or rules the optimum out.
func checkBound(t *testing.T, in *qap.Instance, goal qap.Goal, optimum float64, name string) {
	t.Helper()
	for _, known := range []float64{math.Inf(-1), optimum - 1e-6 - .1*math.Abs(optimum), optimum} {
		d := must.Get(New(in, goal, never))(t)
		last := d.Bound()
		for k := range 80 {
			if !d.Improve(known, never) {
				t.Fatal("stopped")
			}
			b := d.Bound()
			if known < optimum && b < optimum-1e-9 || b > last || math.IsNaN(b) {
				t.Fatalf("%s, %v known: after %d, bound %v after %v, optimum %v", name, known, k+1, b, last, optimum)
			}
			last = b
		}
	}
}

// TestNodesAlone: where affinities are of nodes alone, the assignment is all there is.
func TestNodesAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 30 {
		n1, n2 := 1+rng.IntN(5), 1+rng.IntN(5)
		in := random(t, rng, n1, n2, 0, true)
		best := bestOfSizes(in)
		optimum := slices.Max(best)
		for count, want := range best {
			if count == 0 {
				want = optimum
			}
			d := must.Get(New(in, qap.Goal{Inliers: count}, never))(t)
			d.Improve(math.Inf(-1), never)
			if math.Abs(d.Bound()-want) > 1e-9 || !d.Closed(want) || d.Closed(want-1e-3) {
				t.Errorf("%d×%d, %d inliers: bound %v, want %v", n1, n2, count, d.Bound(), want)
			}
		}
	}
}

// TestProvesSmallProblems: the bound reaches the optimum of most small problems with few
// affinities (29 of 40 when this was written).
func TestProvesSmallProblems(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	proved := 0
	const rounds = 40
	for range rounds {
		in := random(t, rng, 4, 5, .15, false)
		best := slices.Max(bestOfSizes(in))
		d := must.Get(New(in, qap.Goal{}, never))(t)
		for range 300 {
			if d.Improve(best, never); d.Closed(best) {
				proved++
				break
			}
		}
	}
	t.Logf("%d of %d proved", proved, rounds)
	if proved < rounds/2 {
		t.Errorf("%d of %d proved", proved, rounds)
	}
}

// TestForms: the same affinities dense and sparse give the same bound.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	sparse := random(t, rng, 5, 6, .3, true)
	k := make([]float64, 30*30)
	for p := range 30 {
		sparse.Affinity.Row(k[30*p:30*p+30], p)
	}
	dense := must.Get(qap.NewDense(5, 6, k, qap.Maximize))(t)
	var bounds []float64
	for _, in := range []*qap.Instance{sparse, dense} {
		d := must.Get(New(in, qap.Goal{}, never))(t)
		for range 20 {
			d.Improve(0, never)
		}
		bounds = append(bounds, d.Bound())
	}
	if bounds[0] != bounds[1] {
		t.Errorf("sparse %v, dense %v", bounds[0], bounds[1])
	}
}

// TestUnsupported: what has no such bound says so; empty problems have one.
func TestUnsupported(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	in := random(t, rng, 3, 3, .5, false)
	product := must.Get(qap.NewKoopmansBeckmann(2, 2, make([]float64, 4), make([]float64, 4), nil, qap.Minimize))(t)
	for _, c := range []struct {
		in   *qap.Instance
		goal qap.Goal
	}{{in, qap.Goal{Regularizer: qap.RegularizeF1}}, {in, qap.Goal{Fixed: qap.Matching{0, -1, -1}}}, {product, qap.Goal{}}} {
		if _, err := New(c.in, c.goal, never); !errors.Is(err, qap.ErrUnsupported) {
			t.Errorf("%v: error %v", c.goal, err)
		}
	}
	for _, size := range [][2]int{{0, 0}, {0, 3}, {2, 0}, {1, 1}} {
		empty := must.Get(qap.NewSparse(size[0], size[1], nil, qap.Maximize))(t)
		d := must.Get(New(empty, qap.Goal{}, never))(t)
		if d.Improve(math.Inf(-1), never); math.Abs(d.Bound()) > 1e-9 {
			t.Errorf("%v nodes: bound %v", size, d.Bound())
		}
	}
}

// TestStops: a bound that is stopped on the way stays valid, and goes on.
func TestStops(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	in := random(t, rng, 5, 5, .4, true)
	optimum := slices.Max(bestOfSizes(in))
	d := must.Get(New(in, qap.Goal{}, never))(t)
	asked := 0
	for range 200 {
		d.Improve(optimum-.1, func() bool { asked++; return asked%5 == 4 })
		if d.Bound() < optimum-1e-9 {
			t.Fatalf("bound %v, optimum %v", d.Bound(), optimum)
		}
	}
	if math.IsInf(d.Bound(), 1) {
		t.Error("no bound")
	}
}

// BenchmarkImprove measures an iteration on random sparse problems of 50 nodes.
func BenchmarkImprove(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n = 50
	ring := func() (edges [][2]int) {
		for i := range n {
			for _, far := range []int{1, 7, 19} {
				edges = append(edges, [2]int{i, (i + far) % n})
			}
		}
		return edges
	}
	in := must.Get(qap.NewEdgePairs(n, n, ring(), ring(), nil, func(int, int, bool) float64 { return rng.Float64() }, qap.Maximize))(b)
	d := must.Get(New(in, qap.Goal{}, never))(b)
	b.ReportAllocs()
	for b.Loop() {
		d.Improve(0, never)
	}
}

// TestChoices: what choose finds is worth as much as what a look at every choice finds.
func TestChoices(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for round := range 60 {
		n1, n2 := 2+rng.IntN(5), 2+rng.IntN(8)
		in := random(t, rng, n1, n2, []float64{.1, .5, .95}[round%3], true)
		in.Complete = round%4 == 0
		d := must.Get(New(in, qap.Goal{}, never))(t)
		for range 1 + rng.IntN(40) {
			d.Improve(0, never)
		}
		for side := range d.view {
			v := &d.view[side]
			for k := range v.tables {
				c, worth := v.choose(&v.tables[k])
				_, want := v.chooseSlowly(&v.tables[k])
				if math.Abs(worth-want) > 1e-9 {
					t.Fatalf("round %d: %v, want %v", round, worth, want)
				}
				cost := v.tables[k].message[0][c.label[0]] + v.tables[k].message[1][c.label[1]]
				if c.affinity >= 0 {
					cost -= v.value[c.affinity]
				}
				if math.Abs(worth+cost) > 1e-9 || c.affinity < 0 && v.have(&v.tables[k], int(c.label[0]), int(c.label[1])) {
					t.Fatalf("round %d: choice %v is worth %v, not %v", round, c, -cost, worth)
				}
			}
		}
	}
}

// TestSharesAddUp: after many steps the two views still share every affinity, and nodes
// hold what messages brought.
func TestSharesAddUp(t *testing.T) {
	in := random(t, rand.New(rand.NewPCG(9, 8)), 6, 7, .3, true)
	d := must.Get(New(in, qap.Goal{}, never))(t)
	for range 16*20 + 9 { // ends between sweeps
		d.Improve(1, never)
	}
	for e, w := range d.weight {
		if sum := d.view[0].value[e] + d.view[1].value[d.inSecond[e]]; math.Abs(sum-w) > 1e-10 {
			t.Fatalf("affinity %d is shared as %v, want %v", e, sum, w)
		}
	}
	node, single := slices.Clone(d.node), slices.Clone(d.single[0])
	d.sum()
	for p := range node {
		if !d.excluded[p] && math.Abs(node[p]-d.node[p]) > 1e-10 {
			t.Fatalf("vertex %d has %v, want %v", p, node[p], d.node[p])
		}
	}
	for i := range single {
		if math.Abs(single[i]-d.single[0][i]) > 1e-10 {
			t.Fatalf("node %d has %v, want %v", i, single[i], d.single[0][i])
		}
	}
}

// TestNewStops: what is told to stop while it sorts affinities asks no more, and returns nothing.
func TestNewStops(t *testing.T) {
	in := random(t, rand.New(rand.NewPCG(9, 9)), 20, 20, .3, true)
	for last := 1; ; last++ {
		asked := 0
		d := must.Get(New(in, qap.Goal{}, func() bool { asked++; return asked >= last }))(t)
		if d != nil {
			if asked < 4 {
				t.Errorf("asked %d times", asked)
			}
			return
		}
		if asked != last {
			t.Errorf("asked %d times, stopped after %d", asked, last)
		}
	}
}
