package edit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// drawn returns a problem of random graphs and costs. Metric costs obey the triangle inequality of nodes and edges.
func drawn(rng *rand.Rand, most int, directed, loops bool) *Problem {
	labels := 1 + rng.IntN(3)
	graph := func() *Graph {
		g := &Graph{Nodes: make([]int32, rng.IntN(most+1)), Directed: directed}
		for i := range g.Nodes {
			g.Nodes[i] = int32(rng.IntN(labels))
		}
		density := rng.Float64()
		for i := range g.Nodes {
			for j := range g.Nodes {
				if i == j && !loops || i > j && !directed || rng.Float64() > density {
					continue
				}
				e := Edge{int32(i), int32(j), int32(rng.IntN(labels))}
				if !directed && rng.IntN(2) == 0 {
					e.From, e.To = e.To, e.From
				}
				g.Edges = append(g.Edges, e)
			}
		}
		rng.Shuffle(len(g.Edges), func(x, y int) { g.Edges[x], g.Edges[y] = g.Edges[y], g.Edges[x] })
		return g
	}
	return &Problem{Graph1: graph(), Graph2: graph(), Nodes: drawnCosts(rng, labels), Edges: drawnCosts(rng, labels)}
}

func drawnCosts(rng *rand.Rand, labels int) *Costs {
	c := &Costs{Delete: make([]int32, labels), Insert: make([]int32, labels), Substitute: make([]int32, labels*labels)}
	most := 1 + rng.IntN(12)
	for x := range labels {
		c.Delete[x], c.Insert[x] = int32(rng.IntN(most)), int32(rng.IntN(most))
	}
	for x := range c.Substitute {
		c.Substitute[x] = int32(rng.IntN(2 * most))
	}
	return c
}

// eachMap calls do with every map of nodes.
func eachMap(p *Problem, do func(image []int)) {
	n1, n2 := len(p.Graph1.Nodes), len(p.Graph2.Nodes)
	image, taken := make([]int, n1), make([]bool, n2)
	var place func(i int)
	place = func(i int) {
		if i == n1 {
			do(image)
			return
		}
		image[i] = None
		place(i + 1)
		for a := range n2 {
			if !taken[a] {
				image[i], taken[a] = a, true
				place(i + 1)
				taken[a] = false
			}
		}
	}
	place(0)
}

// leastCost tries all maps.
func leastCost(p *Problem) int {
	least := MostCost
	eachMap(p, func(image []int) {
		_, cost := p.Path(image)
		least = min(least, cost)
	})
	return least
}

func TestDistanceIsLeast(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	var s Solver
	for k := range 600 {
		p := drawn(rng, 5, k%2 == 1, k%3 == 0)
		want := leastCost(p)
		r, err := s.Solve(context.Background(), p, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		_, cost := p.Path(r.Image)
		if r.Cost != want || cost != want || r.Lower != want || r.Status != qap.Optimal {
			t.Fatalf("seed %d, problem %d: cost %d, path %d, lower %d, %s; the least is %d", seed, k, r.Cost, cost, r.Lower, r.Status, want)
		}
	}
}

func TestBoundsAndCostsAreTrue(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	var s Solver
	for k := range 200 {
		p := drawn(rng, 9, k%2 == 1, k%3 == 0)
		proved, err := s.Solve(context.Background(), p, Options{Seed: seed})
		if err != nil || proved.Status != qap.Optimal {
			t.Fatal(proved.Status, err)
		}
		for _, steps := range []int{1, 500, 3000} {
			r, err := s.Solve(context.Background(), p, Options{Seed: seed, MaxSteps: steps})
			if err != nil {
				t.Fatal(err)
			}
			_, cost := p.Path(r.Image)
			if r.Lower > proved.Cost || r.Cost < proved.Cost || cost != r.Cost {
				t.Fatalf("seed %d, problem %d, %d steps: %d to %d, path %d; the distance is %d", seed, k, steps, r.Lower, r.Cost, cost, proved.Cost)
			}
		}
		swapped, err := s.Solve(context.Background(), p.Swapped(), Options{Seed: seed, TimeLimit: time.Hour})
		if err != nil || swapped.Cost != proved.Cost {
			t.Fatalf("seed %d, problem %d: %d, but %d swapped", seed, k, proved.Cost, swapped.Cost)
		}
	}
}

// metric returns costs that are a metric on labels and nothing, as the distance on graphs then is.
func metric(rng *rand.Rand, labels int) *Costs {
	c := &Costs{Delete: make([]int32, labels), Substitute: make([]int32, labels*labels)}
	for x := range labels {
		c.Delete[x] = int32(4 + rng.IntN(4))
	}
	c.Insert = c.Delete
	for x := range labels {
		for y := range x {
			cost := int32(4 + rng.IntN(4)) // any two sides are at least as long as a third
			c.Substitute[x*labels+y], c.Substitute[y*labels+x] = cost, cost
		}
	}
	return c
}

func TestTriangleInequality(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	var s Solver
	for k := range 150 {
		one, two := drawn(rng, 6, k%2 == 1, false), drawn(rng, 6, k%2 == 1, false)
		nodes, edges := metric(rng, 3), metric(rng, 3)
		graphs := []*Graph{one.Graph1, one.Graph2, two.Graph1}
		var sides [3]int
		for side := range sides {
			p := &Problem{graphs[side], graphs[(side+1)%3], nodes, edges}
			r, err := s.Solve(context.Background(), p, Options{})
			if err != nil || r.Status != qap.Optimal {
				t.Fatal(r.Status, err)
			}
			sides[side] = r.Cost
		}
		if a, b, c := sides[0], sides[1], sides[2]; a > b+c || b > a+c || c > a+b {
			t.Fatalf("seed %d, triple %d: distances %v", seed, k, sides)
		}
	}
}

// copied returns a problem of a sparse graph and a copy of it, in another order, with some edges drawn anew.
func copied(rng *rand.Rand, n, changed int) *Problem {
	p := &Problem{Graph1: &Graph{}, Graph2: &Graph{}, Nodes: metric(rng, 4), Edges: metric(rng, 2)}
	order := rng.Perm(n)
	p.Graph2.Nodes = make([]int32, n)
	for i := range n {
		l := int32(rng.IntN(4))
		p.Graph1.Nodes = append(p.Graph1.Nodes, l)
		p.Graph2.Nodes[order[i]] = l
		if i > 0 {
			j, l := rng.IntN(i), int32(rng.IntN(2))
			p.Graph1.Edges = append(p.Graph1.Edges, Edge{int32(j), int32(i), l})
			if i <= changed {
				j = rng.IntN(i)
			}
			p.Graph2.Edges = append(p.Graph2.Edges, Edge{int32(order[j]), int32(order[i]), l})
		}
	}
	return p
}

func TestSeedAndStepsDecide(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 4))
	p := copied(rng, 40, 20)
	var used Solver
	for range 3 {
		o := Options{Seed: rng.Uint64(), MaxSteps: 200_000}
		first, err := Solve(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		o.TimeLimit = time.Hour
		again, err := used.Solve(context.Background(), p, o)
		if err != nil || again.Cost != first.Cost || again.Lower != first.Lower || again.Steps != first.Steps || !slices.Equal(again.Image, first.Image) {
			t.Fatalf("%+v, then %+v, %v", first, again, err)
		}
	}
}

// TestImages: all maps of least cost are listed, each once.
func TestImages(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 9))
	for k := range 200 {
		p := drawn(rng, 4, k%2 == 1, k%3 == 0)
		r, err := Solve(context.Background(), p, Options{Images: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		want, seen := 0, map[string]bool{}
		eachMap(p, func(image []int) {
			if _, cost := p.Path(image); cost == r.Cost {
				want++
			}
		})
		for _, image := range r.Images {
			if _, cost := p.Path(image); cost != r.Cost {
				t.Fatalf("seed %d, problem %d: %v costs %d, not %d", seed, k, image, cost, r.Cost)
			}
			seen[fmt.Sprint(image)] = true
		}
		if len(seen) != want || len(r.Images) != want {
			t.Fatalf("seed %d, problem %d: %d images, %d of them different; want %d", seed, k, len(r.Images), len(seen), want)
		}
	}
}

func TestWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 5))
	for range 100 {
		p := drawn(rng, 8, false, true)
		exact, err := Solve(context.Background(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, within := range []int{exact.Cost - 1, exact.Cost, exact.Cost + 3} {
			r, err := Solve(context.Background(), p, Options{Within: within, HasWithin: true})
			if err != nil {
				t.Fatal(err)
			}
			if is := exact.Cost <= within; is && r.Cost > within || !is && r.Lower <= within {
				t.Fatalf("distance %d, within %d: %d to %d, %s", exact.Cost, within, r.Lower, r.Cost, r.Status)
			}
		}
	}
}

func TestInitialIsKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 6))
	for k := range 50 {
		p := drawn(rng, 8, k%2 == 0, true)
		exact, err := Solve(context.Background(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Solve(context.Background(), p, Options{MaxSteps: 1, Initial: exact.Image})
		if err != nil || r.Cost != exact.Cost {
			t.Fatalf("%d from a start of %d: %v", r.Cost, exact.Cost, err)
		}
	}
}

func TestStopsWhenCancelled(t *testing.T) {
	p := copied(rand.New(rand.NewPCG(rand.Uint64(), 7)), 90, 60)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Solve(ctx, p, Options{OnBest: func(_, _ int) { cancel() }})
	if err != nil || r.Status != qap.Cancelled || r.Lower > r.Cost {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, cost := p.Path(r.Image); cost != r.Cost {
		t.Fatalf("cost %d, path %d", r.Cost, cost)
	}
}

func TestAllocatesLittle(t *testing.T) {
	p := copied(rand.New(rand.NewPCG(1, 8)), 40, 20)
	var s Solver
	solve := func(steps int) float64 {
		return testing.AllocsPerRun(3, func() {
			if _, err := s.Solve(context.Background(), p, Options{MaxSteps: steps}); err != nil {
				t.Fatal(err)
			}
		})
	}
	solve(400_000)
	if few, many := solve(100_000), solve(400_000); many > few+4 {
		t.Errorf("%v allocations in 400,000 steps, %v in 100,000", many, few)
	}
}

func TestRefuses(t *testing.T) {
	costs := func() *Costs { return &Costs{Delete: []int32{1}, Insert: []int32{1}, Substitute: []int32{0}} }
	node := &Graph{Nodes: []int32{0}}
	for _, test := range []struct {
		name, want string
		p          Problem
	}{
		{"negative", "-1 is negative", Problem{node, node, &Costs{Delete: []int32{-1}, Insert: []int32{1}, Substitute: []int32{0}}, costs()}},
		{"table", "2 substitutions", Problem{node, node, &Costs{Delete: []int32{1}, Insert: []int32{1}, Substitute: []int32{0, 1}}, costs()}},
		{"label", "no costs of label 7", Problem{&Graph{Nodes: []int32{7}}, node, costs(), costs()}},
		{"edge label", "no costs of label 3", Problem{node, &Graph{Nodes: []int32{0, 0}, Edges: []Edge{{0, 1, 3}}}, costs(), costs()}},
		{"end", "between 0 and 5", Problem{&Graph{Nodes: []int32{0}, Edges: []Edge{{0, 5, 0}}}, node, costs(), costs()}},
		{"parallel", "two edges", Problem{&Graph{Nodes: []int32{0, 0}, Edges: []Edge{{0, 1, 0}, {1, 0, 0}}}, node, costs(), costs()}},
		{"parallel arcs", "two edges", Problem{&Graph{Nodes: []int32{0, 0}, Edges: []Edge{{0, 1, 0}, {0, 1, 0}}, Directed: true}, &Graph{Directed: true}, costs(), costs()}},
		{"loops", "two edges", Problem{&Graph{Nodes: []int32{0}, Edges: []Edge{{0, 0, 0}, {0, 0, 0}}}, node, costs(), costs()}},
		{"directions", "one graph is directed", Problem{&Graph{Directed: true}, node, costs(), costs()}},
		{"dear", "coarser unit", Problem{node, node, &Costs{Delete: []int32{MostCost}, Insert: []int32{1}, Substitute: []int32{0}}, costs()}},
		{"large", "too large", Problem{&Graph{Nodes: make([]int32, 1<<14)}, node, costs(), costs()}},
	} {
		if _, err := Solve(context.Background(), &test.p, Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if _, err := Solve(context.Background(), &Problem{node, node, costs(), costs()}, Options{Initial: []int{1}}); err == nil {
		t.Error("an initial map outside graph 2 is taken")
	}
}

func TestEmptyGraphs(t *testing.T) {
	costs := &Costs{Delete: []int32{2}, Insert: []int32{3}, Substitute: []int32{0}}
	empty, two := &Graph{}, &Graph{Nodes: []int32{0, 0}, Edges: []Edge{{0, 1, 0}}}
	for _, test := range []struct {
		p    Problem
		want int
	}{
		{Problem{empty, empty, costs, costs}, 0},
		{Problem{empty, two, costs, costs}, 9},
		{Problem{two, empty, costs, costs}, 6},
		{Problem{two, two, costs, costs}, 0},
	} {
		if r, err := Solve(context.Background(), &test.p, Options{}); err != nil || r.Cost != test.want || r.Status != qap.Optimal {
			t.Errorf("%+v, %v; want %d", r, err, test.want)
		}
	}
}
