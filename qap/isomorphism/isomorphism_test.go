package isomorphism_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap/isomorphism"
)

// small is a random graph with everything that a graph can have, as a matrix: −1 for no edge.
type small struct {
	n        int
	directed bool
	colours  []uint64
	edge     [][]int
}

func randomSmall(n int, directed bool, rng *rand.Rand) small {
	s := small{n: n, directed: directed, colours: make([]uint64, n), edge: make([][]int, n)}
	kinds, colours, share := 1+rng.IntN(2), 1+rng.IntN(2), rng.Float64()
	for i := range n {
		s.colours[i] = uint64(rng.IntN(colours))
		s.edge[i] = make([]int, n)
		for j := range n {
			s.edge[i][j] = -1
			if rng.Float64() < share && (i != j || rng.IntN(4) == 0) {
				s.edge[i][j] = rng.IntN(kinds)
			}
			if !s.directed && j < i {
				s.edge[i][j] = s.edge[j][i]
			}
		}
	}
	return s
}

// moved returns the graph with its nodes in another order.
func (s small) moved(order []int) small {
	m := small{n: s.n, directed: s.directed, colours: make([]uint64, s.n), edge: make([][]int, s.n)}
	for i := range s.n {
		m.edge[i] = make([]int, s.n)
	}
	for i := range s.n {
		m.colours[order[i]] = s.colours[i]
		for j := range s.n {
			m.edge[order[i]][order[j]] = s.edge[i][j]
		}
	}
	return m
}

func (s small) graph(t testing.TB) *isomorphism.Graph {
	t.Helper()
	var list [][2]int
	var kinds []uint64
	for i := range s.n {
		for j := range s.n {
			if s.edge[i][j] >= 0 && (s.directed || i <= j) {
				list, kinds = append(list, [2]int{i, j}), append(kinds, uint64(s.edge[i][j]))
			}
		}
	}
	g, err := isomorphism.NewGraph(s.n, len(list), func(k int) (i, j int) { return list[k][0], list[k][1] }, s.directed, s.colours, kinds)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// carries reports whether a bijection is an isomorphism.
func (s small) carries(o small, m []int) bool {
	for i := range s.n {
		if s.colours[i] != o.colours[m[i]] {
			return false
		}
		for j := range s.n {
			if s.edge[i][j] != o.edge[m[i]][m[j]] {
				return false
			}
		}
	}
	return true
}

// each calls f with every order of n numbers.
func each(n int, f func(order []int)) {
	order := make([]int, n)
	used := make([]bool, n)
	var place func(k int)
	place = func(k int) {
		if k == n {
			f(order)
			return
		}
		for j := range n {
			if !used[j] {
				order[k], used[j] = j, true
				place(k + 1)
				used[j] = false
			}
		}
	}
	place(0)
}

// TestSmall: on random graphs of up to 7 nodes, with directions, colours and edges from a node to itself, verdict,
// bijection, number of automorphisms and orbits are those of trying every order.
func TestSmall(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for trial := range 400 {
		n := rng.IntN(7)
		a := randomSmall(n, rng.IntN(2) == 0, rng)
		b := a.moved(rng.Perm(n))
		if trial%3 == 0 {
			b = randomSmall(n, a.directed, rng)
		} else if trial%3 == 1 && n > 1 { // nearly the same
			i, j := rng.IntN(n), rng.IntN(n)
			b.edge[i][j] = rng.IntN(2)
			if !b.directed {
				b.edge[j][i] = b.edge[i][j]
			}
		}
		isomorphic, order := false, int64(0)
		orbit := make([]map[int]bool, n)
		each(n, func(m []int) {
			isomorphic = isomorphic || a.carries(b, m)
			if !a.carries(a, m) {
				return
			}
			order++
			for i, j := range m {
				if orbit[i] == nil {
					orbit[i] = map[int]bool{}
				}
				orbit[i][j] = true
			}
		})
		r := isomorphism.Compare(t.Context(), a.graph(t), b.graph(t), isomorphism.Options{})
		if isomorphic != (r.Verdict == isomorphism.Isomorphic) || r.Verdict == isomorphism.Undecided || (r.Reason == "") != isomorphic {
			t.Fatalf("seed %d, trial %d: %v, reason %q; by trying every order: %v\n%+v\n%+v", seed, trial, r.Verdict, r.Reason, isomorphic, a, b)
		}
		if isomorphic && !a.carries(b, r.Matching) {
			t.Fatalf("seed %d, trial %d: %v is no isomorphism", seed, trial, r.Matching)
		}
		group := isomorphism.Automorphisms(t.Context(), a.graph(t), isomorphism.Options{})
		if group.Order == nil || group.Order.Cmp(big.NewInt(order)) != 0 {
			t.Fatalf("seed %d, trial %d: %v automorphisms, by trying every order %d\n%+v", seed, trial, group.Order, order, a)
		}
		for _, set := range group.Alike {
			if len(set) != len(orbit[set[0]]) {
				t.Fatalf("seed %d, trial %d: nodes %v are alike, by trying every order %v", seed, trial, set, orbit[set[0]])
			}
			for _, i := range set {
				if orbit[i] = nil; len(set) < 2 {
					t.Fatalf("a set of one node: %v", set)
				}
			}
		}
		for i, o := range orbit {
			if len(o) > 1 {
				t.Fatalf("seed %d, trial %d: node %d is like %v, which is not told", seed, trial, i, o)
			}
		}
	}
}

// check compares a graph with itself in another order.
func check(t *testing.T, e edges, rng *rand.Rand) isomorphism.Result {
	t.Helper()
	s, order := e.shuffled(rng)
	r := isomorphism.Compare(t.Context(), e.graph(nil), s.graph(order), isomorphism.Options{})
	if r.Verdict != isomorphism.Isomorphic {
		t.Errorf("%s %s", r.Verdict, r.Reason)
		return r
	}
	joined := map[[2]int]bool{}
	for _, x := range s.list {
		joined[[2]int{order[x[0]], order[x[1]]}], joined[[2]int{order[x[1]], order[x[0]]}] = true, true
	}
	for _, x := range e.list {
		if !joined[[2]int{r.Matching[x[0]], r.Matching[x[1]]}] {
			t.Errorf("the edge %v is not kept", x)
			return r
		}
	}
	if sorted := slices.Sorted(slices.Values(r.Matching)); !slices.Equal(sorted, sequence(e.n)) {
		t.Errorf("no bijection")
	}
	return r
}

func sequence(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func factorial(n int64) *big.Int { return new(big.Int).MulRange(1, n) }

func times(x *big.Int, y int64) *big.Int { return new(big.Int).Mul(x, big.NewInt(y)) }

// TestFamilies: graphs whose nodes look alike are proved isomorphic to themselves in another order, and their
// groups have the orders of the literature.
func TestFamilies(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, c := range []struct {
		name  string
		e     edges
		order *big.Int // nil where it depends on chance
	}{
		{"grid", lattice(25, 25, false), big.NewInt(8)},
		{"grid that is longer", lattice(25, 26, false), big.NewInt(4)},
		{"grid of 10,000 nodes", lattice(100, 100, false), big.NewInt(8)},
		{"torus", lattice(20, 20, true), big.NewInt(400 * 8)},
		{"torus that is longer", lattice(40, 41, true), big.NewInt(40 * 41 * 4)},
		{"hexagons", hexagons(36, 18), nil},
		{"hypercube of 9", hypercube(9), times(factorial(9), 1<<9)},
		{"hypercube of 12", hypercube(12), times(factorial(12), 1<<12)},
		{"3-regular", regular(1000, 3, rng), nil},
		{"3-regular of 5,000 nodes", regular(5000, 3, rng), nil},
		{"10-regular of 5,000 nodes", regular(5000, 10, rng), nil},
		{"Paley 61", paley(61), big.NewInt(61 * 30)},
		{"Paley 509", paley(509), big.NewInt(509 * 254)},
		{"Latin square of a group of 8", latin(square(8, 0, rng)), big.NewInt(64 * 168 * 6)},
		{"Latin square that is mixed", latin(square(12, 30, rng)), nil},
		{"triangular", triangular(20), factorial(20)},
		{"complete binary tree", tree(2, 1<<12-1), new(big.Int).Lsh(big.NewInt(1), 1<<11-1)},
		{"star", tree(5000, 5000), factorial(4999)},
		{"path", tree(1, 5000), big.NewInt(2)},
		{"random tree", randomTree(5000, rng), nil},
		{"triangles", copies(complete(3), 300), new(big.Int).Mul(factorial(300), new(big.Int).Exp(big.NewInt(6), big.NewInt(300), nil))},
		{"complete graph", complete(80), factorial(80)},
		{"no edges", edges{n: 500}, factorial(500)},
		{"Cayley graph of a dihedral group", dihedral(500, 7), nil},
		{"Cai, Fürer, Immerman", cfi(complete(4), false), big.NewInt(8 * 24)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := check(t, c.e, rng)
			if c.order != nil && (r.Order == nil || r.Order.Cmp(c.order) != 0) {
				t.Errorf("%v automorphisms, want %v", r.Order, c.order)
			}
		})
	}
}

// TestOfOneDegree: pairs that colour refinement alone cannot tell apart are proved different.
func TestOfOneDegree(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	shrikhande := edges{n: 16}
	for i := range 16 {
		for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}} {
			shrikhande.join(i, (i/4+d[0])%4*4+(i%4+d[1])%4)
		}
	}
	rook := edges{n: 16}
	for i := range 16 {
		for j := range i {
			if i/4 == j/4 || i%4 == j%4 {
				rook.join(j, i)
			}
		}
	}
	base := regular(10, 3, rng)
	klein := latin(square(4, 0, rng))
	cyclic := latin([][]int{{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}})
	for name, pair := range map[string][2]edges{
		"two triangles and a hexagon":      {copies(complete(3), 2), lattice(1, 6, true).simple()},
		"random 3-regular":                 {regular(500, 3, rng), regular(500, 3, rng)},
		"Shrikhande and the rook's graph":  {shrikhande, rook},
		"Latin squares of two groups of 4": {klein, cyclic},
		"Cai, Fürer, Immerman":             {cfi(base, false), cfi(base, true)},
	} {
		s, order := pair[1].shuffled(rng)
		r := isomorphism.Compare(t.Context(), pair[0].graph(nil), s.graph(order), isomorphism.Options{})
		if r.Verdict != isomorphism.Different || r.Matching != nil || r.Reason == "" {
			t.Errorf("%s: %s, reason %q", name, r.Verdict, r.Reason)
		}
	}
}

// TestWork: where refinement tells most nodes apart, the work is that of sorting the edges; and a copy with one
// edge elsewhere is told in less.
func TestWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, side := range []int{30, 100, 300} {
		e := lattice(side, side+1, false)
		entries := float64(2*len(e.list) + e.n)
		if r := check(t, e, rng); float64(r.Work) > 20*entries*math.Log2(float64(e.n)) {
			t.Errorf("%d by %d: %.1f units of work for each entry of the rows", side, side+1, float64(r.Work)/entries)
		}
		s, order := e.shuffled(rng)
		s.list[0] = [2]int{0, e.n/2 + 7}
		r := isomorphism.Compare(t.Context(), e.graph(nil), s.graph(order), isomorphism.Options{})
		if r.Verdict != isomorphism.Different || float64(r.Work) > 10*entries*math.Log2(float64(e.n)) {
			t.Errorf("%d by %d, an edge elsewhere: %s, %.1f units of work for each entry", side, side+1, r.Verdict, float64(r.Work)/entries)
		}
	}
}

// TestBudget: a search whose budget is spent, or whose context is cancelled, is undecided, and says so soon.
func TestBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	base := regular(60, 3, rng)
	a, b := cfi(base, false), cfi(base, true)
	s, order := b.shuffled(rng)
	const most = 1_000_000
	r := isomorphism.Compare(t.Context(), a.graph(nil), s.graph(order), isomorphism.Options{MaxWork: most})
	if r.Verdict != isomorphism.Undecided || r.Work > 2*most || r.Matching != nil {
		t.Errorf("%s after %d units of work; want undecided after %d", r.Verdict, r.Work, most)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := isomorphism.Compare(ctx, a.graph(nil), s.graph(order), isomorphism.Options{}); r.Verdict != isomorphism.Undecided || r.Work > most {
		t.Errorf("cancelled: %s after %d units of work", r.Verdict, r.Work)
	}
	whole := lattice(50, 50, true)
	s, order = whole.shuffled(rng)
	if g := isomorphism.Automorphisms(t.Context(), s.graph(order), isomorphism.Options{MaxWork: 20_000}); g.Order != nil {
		t.Errorf("%v automorphisms within a budget that is too small", g.Order)
	}
}

func TestNewGraph(t *testing.T) {
	edge := func(int) (i, j int) { return 0, 2 }
	for name, make := range map[string]func() (*isomorphism.Graph, error){
		"a node that is not there": func() (*isomorphism.Graph, error) { return isomorphism.NewGraph(2, 1, edge, false, nil, nil) },
		"negative nodes":           func() (*isomorphism.Graph, error) { return isomorphism.NewGraph(-1, 0, edge, false, nil, nil) },
		"colours of other nodes": func() (*isomorphism.Graph, error) {
			return isomorphism.NewGraph(3, 1, edge, false, []uint64{1}, nil)
		},
		"colours of other edges": func() (*isomorphism.Graph, error) {
			return isomorphism.NewGraph(3, 1, edge, false, nil, []uint64{1, 2})
		},
	} {
		if g, err := make(); err == nil {
			t.Errorf("%s: no error, %d nodes", name, g.Nodes())
		}
	}
}

// BenchmarkCompare reports the time for each edge of graphs where refinement does most, and the allocations.
func BenchmarkCompare(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name string
		e    edges
	}{
		{"grid 100x100", lattice(100, 100, false)}, {"grid 316x316", lattice(316, 316, false)}, {"3-regular 5000", regular(5000, 3, rng)},
		{"10-regular 100000", regular(100_000, 10, rng)}, {"hypercube 12", hypercube(12)}, {"Paley 1009", paley(1009)},
		{"Latin square 16", latin(square(16, 40, rng))}, {"Latin square 30", latin(square(30, 60, rng))}, {"binary tree 2^17", tree(2, 1<<17-1)},
		{"star 100000", tree(100_000, 100_000)}, {"triangles 33000", copies(complete(3), 33_000)},
	} {
		s, order := c.e.shuffled(rng)
		g, h := c.e.graph(nil), s.graph(order)
		for _, group := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/group=%v", c.name, group), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if r := isomorphism.Compare(b.Context(), g, h, isomorphism.Options{NoGroup: !group}); r.Verdict != isomorphism.Isomorphic {
						b.Fatal(r.Verdict)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(max(1, len(c.e.list))), "ns/edge")
			})
		}
	}
}

// TestSettle: a node of a grid off its axes settles all others, two of a ring do, and of a graph without symmetries there
// is nothing to ask.
func TestSettle(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, c := range []struct {
		name string
		e    edges
		want int
	}{{"grid", lattice(8, 8, false), 1}, {"ring", lattice(1, 30, true).simple(), 2}, {"10-regular", regular(200, 10, rng), 0}, {"hypercube", hypercube(5), 3}} {
		s, order := c.e.shuffled(rng)
		g := s.graph(order)
		group := isomorphism.Automorphisms(t.Context(), g, isomorphism.Options{})
		nodes := isomorphism.Settle(t.Context(), g, group, 3, isomorphism.Options{})
		if len(nodes) != c.want {
			t.Errorf("%s: nodes %v, want %d", c.name, nodes, c.want)
		}
		if c.want == 3 || len(nodes) == 0 {
			continue
		}
		colours := make([]uint64, c.e.n) // told apart they leave no symmetry
		for k, i := range nodes {
			colours[i] = uint64(k + 1)
		}
		told, err := isomorphism.NewGraph(s.n, len(s.list), func(k int) (i, j int) { return order[s.list[k][0]], order[s.list[k][1]] }, false, colours, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rest := isomorphism.Automorphisms(t.Context(), told, isomorphism.Options{}); rest.Order.Int64() != 1 {
			t.Errorf("%s: %v automorphisms once nodes %v are known", c.name, rest.Order, nodes)
		}
	}
}
