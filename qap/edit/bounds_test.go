package edit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// mostWeightOf tries all assignments.
func mostWeightOf(n, m int, weight []int32, optional bool) int {
	taken := make([]bool, m)
	var best func(i int) int
	best = func(i int) int {
		if i == n {
			return 0
		}
		most := math.MinInt / 2
		if optional {
			most = best(i + 1)
		}
		for j := range m {
			if !taken[j] {
				taken[j] = true
				most = max(most, int(weight[i*m+j])+best(i+1))
				taken[j] = false
			}
		}
		return most
	}
	return best(0)
}

func checkAssigned(t *testing.T, s *assigner, n, m int, weight []int32, optional bool, got, want int) {
	t.Helper()
	sum, dual := 0, 0
	seen := make([]bool, m)
	for i, j := range s.column[:n] {
		dual -= s.ofRow[i]
		if int(j) == m {
			if !optional || s.ofRow[i] != 0 {
				t.Fatalf("row %d has no column", i)
			}
			continue
		}
		if seen[j] {
			t.Fatalf("column %d twice", j)
		}
		seen[j] = true
		sum += int(weight[i*m+int(j)])
	}
	for j, v := range s.ofColumn {
		dual -= v
		if !seen[j] && v != 0 {
			t.Fatalf("free column %d has the dual %d", j, v)
		}
		for i := range n {
			if -s.ofRow[i]-v < int(weight[i*m+j]) || optional && s.ofRow[i] > 0 {
				t.Fatalf("the duals of %d, %d do not bound", i, j)
			}
		}
	}
	if sum != want || got != want || dual != want {
		t.Fatalf("%d × %d: sum %d, returned %d, duals %d; the most is %d", n, m, sum, got, dual, want)
	}
}

func TestAssignmentsAreBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var s assigner
	for range 2000 {
		n := 1 + rng.IntN(5)
		m := n + rng.IntN(3)
		weight := make([]int32, n*m)
		spread := 1 + rng.IntN(20)
		for k := range weight {
			weight[k] = int32(rng.IntN(spread) - spread/3)
		}
		checkAssigned(t, &s, n, m, weight, true, s.solve(n, m, weight, m, true), mostWeightOf(n, m, weight, true))
		checkAssigned(t, &s, n, m, weight, false, s.solve(n, m, weight, m, false), mostWeightOf(n, m, weight, false))
		for range 4 {
			for range 1 + rng.IntN(len(weight)) {
				weight[rng.IntN(len(weight))] = int32(rng.IntN(spread) - spread/3)
			}
			checkAssigned(t, &s, n, m, weight, false, s.again(n, m, weight, m, nil), mostWeightOf(n, m, weight, false))
		}
		excluded := make([]bool, n*m)
		var few places
		for range 4 {
			for range 1 + rng.IntN(len(weight)) {
				k := rng.IntN(len(weight))
				if excluded[k] = rng.IntN(2) == 0; excluded[k] {
					weight[k] = forbidden
				} else {
					weight[k] = int32(rng.IntN(spread) - spread/3)
				}
			}
			list := &few
			if !few.set(n, m, excluded) {
				list = nil
			}
			want := mostWeightOf(n, m, weight, false)
			checkAssigned(t, &s, n, m, weight, false, s.again(n, m, weight, m, list), want)
			if want < forbidden/2 {
				break // there is no way without excluded matches: who asks goes back
			}
		}
	}
}

// TestTransportsAreBest holds flows between rows and columns of several members to assignments of the members.
func TestTransportsAreBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 6))
	var s transporter
	var a assigner
	for range 3000 {
		n, m := 1+rng.IntN(4), 1+rng.IntN(4)
		members, places, weight := make([]int32, n), make([]int32, m), make([]int32, n*m)
		var rows, columns []int
		for i := range members {
			members[i] = int32(1 + rng.IntN(4))
			for range members[i] {
				rows = append(rows, i)
			}
		}
		for j := range places {
			places[j] = int32(1 + rng.IntN(5))
			for range places[j] {
				columns = append(columns, j)
			}
		}
		spread := 1 + rng.IntN(20)
		for k := range weight {
			if weight[k] = int32(rng.IntN(spread) - spread/3); rng.IntN(9) == 0 {
				weight[k] = forbidden
			}
		}
		optional := len(rows) > len(columns) || rng.IntN(2) == 0
		each := make([]int32, 0, len(rows)*len(columns))
		for _, i := range rows {
			for _, j := range columns {
				each = append(each, weight[i*m+j])
			}
		}
		want := a.solve(len(rows), len(columns), each, len(columns), optional)
		got, dual := s.solve(members, places, weight, optional), 0
		for i := range n {
			sent := int32(0)
			for j, flow := range s.flow[i*m:][:m] {
				places[j] -= flow
				sent += flow
				if slack := -s.ofRow[i] - s.ofColumn[j] - int(weight[i*m+j]); slack < 0 || flow < 0 || slack > 0 && flow > 0 {
					t.Fatalf("%d members of row %d in column %d, whose slack is %d", flow, i, j, slack)
				}
			}
			if dual -= s.ofRow[i] * int(members[i]); sent > members[i] || sent < members[i] && (!optional || s.ofRow[i] != 0) || optional && s.ofRow[i] > 0 {
				t.Fatalf("%d of %d members of row %d have a column, its dual is %d", sent, members[i], i, s.ofRow[i])
			}
		}
		for j, spare := range places {
			used := 0
			for i := range n {
				used += int(s.flow[i*m+j])
			}
			dual -= s.ofColumn[j] * (used + int(spare))
			if spare < 0 || spare > 0 && s.ofColumn[j] != 0 {
				t.Fatalf("column %d has %d places left and the dual %d", j, spare, s.ofColumn[j])
			}
		}
		if got != want || dual != want {
			t.Fatalf("%d members, %d places: sum %d, duals %d; the most is %d", len(rows), len(columns), got, dual, want)
		}
	}
}

// TestSlacksOfStars: what a place of a star falls short of the best matching by is exact in small stars, no more in large.
func TestSlacksOfStars(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 4))
	var m matcher
	for range 1000 {
		rows, columns := 1+rng.IntN(7), 1+rng.IntN(7)
		weight, slack := make([]int32, rows*columns), make([]int32, rows*columns)
		for k := range weight {
			weight[k] = int32(rng.IntN(20) - 5)
		}
		if got, want := m.slacks(weight, rows, columns, slack), m.value(weight, rows, columns); got != want {
			t.Fatalf("%d × %d %v: %d, want %d", rows, columns, weight, got, want)
		}
		x, y := rng.IntN(rows), rng.IntN(columns)
		at, others := x*columns+y, slices.Clone(weight)
		for k := range others {
			if (k/columns == x) || (k%columns == y) {
				others[k] = -100
			}
		}
		want := int32(m.value(weight, rows, columns)-m.value(others, rows, columns)) - weight[at]
		if slack[at] > want || slack[at] < want && min(rows, columns) <= setSize {
			t.Fatalf("%d × %d %v: place %d, %d lacks %d, want %d", rows, columns, weight, x, y, slack[at], want)
		}
	}
}

func TestStarsAreBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	var m matcher
	for range 1000 {
		rows, columns := 1+rng.IntN(5), 1+rng.IntN(5)
		weight := make([]int32, rows*columns)
		for k := range weight {
			weight[k] = int32(rng.IntN(20) - 5)
		}
		if got, want := m.value(weight, rows, columns), mostWeightOf(rows, columns, weight, true); got != want {
			t.Fatalf("%d × %d %v: %d, want %d", rows, columns, weight, got, want)
		}
	}
}

// TestDualBounds holds the bound, and what it excludes, to proved distances.
func TestDualBounds(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	for k := range 300 {
		p := drawn(rng, 8, k%2 == 0, true)
		if k%3 == 0 {
			p = copied(rng, 12, 6)
		}
		r, err := Solve(context.Background(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var q pair
		var d dual
		var e exact
		if err := q.set(p); err != nil || !d.fits(&q) {
			continue
		}
		best := q.total - r.Cost
		d.reset(&q)
		before := d.split
		whole := slices.Clone(d.whole)
		d.improve(60, best-1)
		for id, mate := range d.mate {
			if before[id] != ruledOut && before[id]+before[mate] != whole[id] {
				t.Fatalf("seed %d, problem %d: parts %d and %d of %d", seed, k, before[id], before[mate], whole[id])
			}
		}
		if d.bound < float64(best) {
			t.Fatalf("seed %d, problem %d: bound %v of %d", seed, k, d.bound, best)
		}
		e.reset(&q, nil)
		e.exclude(d.ruled(nil))
		if proved := e.run(best-1, 1<<20, func() bool { return false }); !proved || e.best != best {
			t.Fatalf("seed %d, problem %d: %d without %d of %d matches, the most is %d", seed, k, e.best, d.n1*d.n2-d.left, d.n1*d.n2, best)
		}
	}
}

// TestTreeProves: to its end the tree finds what saves one more than it is told of, and then nothing better.
func TestTreeProves(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 5))
	trees := 0
	for k := range 300 {
		p := drawn(rng, 8, k%2 == 0, true)
		if k%3 == 0 {
			p = copied(rng, 12, 6)
		}
		r, err := Solve(context.Background(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var q pair
		var d dual
		var e exact
		var tr tree
		if err := q.set(p); err != nil || !d.fits(&q) {
			continue
		}
		e.reset(&q, nil)
		d.reset(&q)
		best := q.total - r.Cost
		known := best - 1 - rng.IntN(3)
		look := func() { known = max(known, q.saved(d.images(make([]int32, q.n1)))) }
		proved := d.improve(1+rng.IntN(8), known)
		look()
		begin := func() {
			if proved = !tr.begin(&d, &e.class2); proved {
				look()
			}
		}
		if !proved {
			trees++
			begin()
		}
		for left := rng.IntN(20); !proved; left-- {
			proved = tr.next(known)
			look()
			if left == 0 && !proved {
				tr.abandon()
				if proved = d.improve(1, known); !proved {
					begin()
				}
			}
		}
		if known != best {
			t.Fatalf("seed %d, problem %d: proved %d, the most is %d", seed, k, known, best)
		}
	}
	if trees < 30 {
		t.Errorf("seed %d: %d trees", seed, trees)
	}
}

// blown returns a graph each node of which is up to three, alike: with edges between them, or none.
func blown(rng *rand.Rand, small *Graph, labels int) *Graph {
	g := &Graph{Directed: small.Directed}
	copies := make([][]int32, len(small.Nodes))
	for i, label := range small.Nodes {
		inside, of := rng.IntN(2) == 0, int32(rng.IntN(labels))
		for range min(1+rng.IntN(3), 5-len(g.Nodes)) {
			now := int32(len(g.Nodes))
			g.Nodes = append(g.Nodes, label)
			for _, before := range copies[i] {
				if inside {
					g.Edges = append(g.Edges, Edge{before, now, of})
					if g.Directed {
						g.Edges = append(g.Edges, Edge{now, before, of})
					}
				}
			}
			copies[i] = append(copies[i], now)
		}
	}
	for _, e := range small.Edges {
		for _, i := range copies[e.From] {
			for _, j := range copies[e.To] {
				g.Edges = append(g.Edges, Edge{i, j, e.Label})
			}
		}
	}
	return g
}

// TestTwinsAreExact holds the exact search alone to all maps, of graphs whose nodes are alike.
func TestTwinsAreExact(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 7))
	classes, nodes := 0, 0
	for k := range 300 {
		p := drawn(rng, 3, k%2 == 0, false)
		labels := len(p.Edges.Delete)
		p.Graph1, p.Graph2 = blown(rng, p.Graph1, labels), blown(rng, p.Graph2, labels)
		var q pair
		var e exact
		if err := q.set(p); err != nil {
			t.Fatal(err)
		}
		e.reset(&q, nil)
		classes, nodes = classes+e.class1.count()+e.class2.count(), nodes+q.n1+q.n2
		want := q.total - leastCost(p)
		proved := e.run(-1, 1<<30, func() bool { return false })
		if !proved || e.best != want || q.saved(e.found) != want {
			t.Fatalf("seed %d, problem %d: %d, its image saves %d, the most is %d", seed, k, e.best, q.saved(e.found), want)
		}
	}
	if classes*4 > nodes*3 {
		t.Errorf("seed %d: %d classes of %d nodes", seed, classes, nodes)
	}
}
