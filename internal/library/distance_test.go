package library

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
)

// drawnGraph returns a random graph as both calls have it: weights of edges are their labels.
func drawnGraph(rng *rand.Rand, directed bool) (Arrays, Labelled) {
	n := 1 + rng.IntN(6)
	a := Arrays{Nodes: int64(n), Directed: directed, Ends: []int64{}, Weights: []float64{}}
	g := Labelled{Nodes: int64(n), Directed: directed, Labels: make([]int64, n)}
	for i := range n {
		for j := range n {
			if (j > i || directed && j != i) && rng.IntN(2) == 0 {
				w := rng.IntN(3)
				a.Ends = append(a.Ends, int64(i), int64(j))
				a.Weights = append(a.Weights, float64(w))
				g.EdgeLabels = append(g.EdgeLabels, int64(w))
			}
		}
	}
	g.Ends = a.Ends
	if len(a.Ends) == 0 {
		g.EdgeLabels = []int64{}
	}
	return a, g
}

// ownCosts are those of the tables below.
const ownCosts = "[nodes]\ndelete = 2\n[[edges.attributes]]\nname = [\"weight\"]\nmeasure = \"difference\"\nweight = 0.5"

func readRecord(t *testing.T, l *Library, handle uint64) (r rgm.DistanceResult) {
	t.Helper()
	if err := json.Unmarshal(must.Get(l.Record(handle))(t), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDistances: a pair has the same distance by handles, by tables, and as one of a collection or of two.
func TestDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	nodes := CostTable{[]float64{2}, []float64{1}, []float64{0}}
	edges := CostTable{[]float64{1, 1, 1}, []float64{1, 1, 1}, []float64{0, .5, 1, .5, 0, .5, 1, .5, 0}}
	options := must.Get(json.Marshal(map[string]any{"costs": ownCosts, "seed": 3}))(t)
	for _, directed := range []bool{false, true} {
		var l Library
		const count = 7
		var handles []uint64
		var labelled []Labelled
		for range count {
			a, g := drawnGraph(rng, directed)
			handles, labelled = append(handles, must.Get(l.NewGraph(a))(t)), append(labelled, g)
		}
		var all, between [count][count]float64
		put := func(to *[count][count]float64) func(i, j int, distance, lower float64) {
			return func(i, j int, distance, lower float64) {
				if distance != lower {
					t.Errorf("%d, %d: distance %v, lower bound %v without a limit", i, j, distance, lower)
				}
				to[i][j] = distance
			}
		}
		if whole, err := l.Distances(handles, nil, options, func() bool { return true }, put(&all)); err != nil || !whole {
			t.Fatal(whole, err)
		}
		if whole, err := l.Distances(handles[:3], handles, options, func() bool { return true }, put(&between)); err != nil || !whole {
			t.Fatal(whole, err)
		}
		for i := range count {
			for j := range count {
				one := must.Get(l.Distance(handles[i], handles[j], options, goOn))(t)
				two := must.Get(l.DistanceByTables(labelled[i], labelled[j], nodes, edges, nil, goOn))(t)
				r, s := readRecord(t, &l, one), readRecord(t, &l, two)
				if r.Distance != s.Distance || i > j && all[i][j] != r.Distance && all[i][j] != readRecord(t, &l, must.Get(l.Distance(handles[j], handles[i], options, goOn))(t)).Distance ||
					i < 3 && between[i][j] != r.Distance {
					t.Errorf("%d, %d: %v by handles, %v by tables, %v of all, %v between", i, j, r.Distance, s.Distance, all[i][j], between[i][j])
				}
			}
		}
	}
}

// TestDistanceRefuses: what is wrong is an argument's error, which names it.
func TestDistanceRefuses(t *testing.T) {
	var l Library
	graph := must.Get(l.NewGraph(Arrays{Nodes: 2, Ends: []int64{0, 1}}))(t)
	arrows := must.Get(l.NewGraph(Arrays{Nodes: 2, Ends: []int64{0, 1}, Directed: true}))(t)
	one := CostTable{[]float64{1}, []float64{1}, []float64{0}}
	g := Labelled{Nodes: 2, Labels: []int64{0, 0}, Ends: []int64{0, 1}}
	with := func(change func(*Labelled)) Labelled { h := g; change(&h); return h }
	for part, call := range map[string]func() (uint64, error){
		"/options/costs":  func() (uint64, error) { return l.Distance(graph, graph, []byte(`{"costs":"chem3"}`), goOn) },
		"line 1":          func() (uint64, error) { return l.Distance(graph, graph, []byte(`{"costs":"node.delete=3"}`), goOn) },
		"/options/within": func() (uint64, error) { return l.Distance(graph, graph, []byte(`{"within":-1}`), goOn) },
		"/options/method": func() (uint64, error) { return l.Distance(graph, graph, []byte(`{"method":"tabu"}`), goOn) },
		"directed":        func() (uint64, error) { return l.Distance(graph, arrows, nil, goOn) },
		"the tables say":  func() (uint64, error) { return l.DistanceByTables(g, g, one, one, []byte(`{"costs":"chem2"}`), goOn) },
		"want 0 to 8192": func() (uint64, error) {
			return l.DistanceByTables(with(func(h *Labelled) { h.Nodes = 1e9 }), g, one, one, nil, goOn)
		},
		"no costs of label 7": func() (uint64, error) {
			return l.DistanceByTables(with(func(h *Labelled) { h.Labels = []int64{0, 7} }), g, one, one, nil, goOn)
		},
		"no costs of label 1": func() (uint64, error) {
			return l.DistanceByTables(with(func(h *Labelled) { h.Labels = nil }), g, one, one, nil, goOn)
		},
		"there twice": func() (uint64, error) {
			return l.DistanceByTables(g, with(func(h *Labelled) { h.Ends = []int64{0, 1, 1, 0} }), one, one, nil, goOn)
		},
		"want nodes from 0 to 1": func() (uint64, error) {
			return l.DistanceByTables(with(func(h *Labelled) { h.Ends = []int64{0, 2} }), g, one, one, nil, goOn)
		},
		"substitute of edges has": func() (uint64, error) {
			return l.DistanceByTables(g, g, one, CostTable{[]float64{1}, []float64{1}, nil}, nil, goOn)
		},
		"costs NaN": func() (uint64, error) {
			return l.DistanceByTables(g, g, CostTable{[]float64{1}, []float64{1}, []float64{math.NaN()}}, one, nil, goOn)
		},
		"costs -1": func() (uint64, error) {
			return l.DistanceByTables(g, g, CostTable{[]float64{-1}, []float64{1}, []float64{1}}, one, nil, goOn)
		},
		"/options/path": func() (uint64, error) {
			_, err := l.Distances([]uint64{graph}, nil, []byte(`{"path":true}`), nil, nil)
			return 0, err
		},
		"one graph is directed": func() (uint64, error) {
			_, err := l.Distances([]uint64{graph, arrows}, nil, nil, func() bool { return true }, nil)
			return 0, err
		},
		"want 0 or more": func() (uint64, error) {
			_, err := l.Distances([]uint64{graph}, nil, []byte(`{"within":-1}`), nil, nil)
			return 0, err
		},
	} {
		handle, err := call()
		check(t, err, Invalid, part)
		if handle != 0 {
			t.Errorf("%s: handle %d", part, handle)
		}
	}
	_, err := l.Distance(graph, 99, nil, goOn)
	check(t, err, NoHandle, "99")
}

// TestDistanceStops: who ends a search gets the best edits so far and a lower bound; who ends a collection's, what is known.
func TestDistanceStops(t *testing.T) {
	var l Library
	rng := rand.New(rand.NewPCG(rand.Uint64(), 3))
	var handles []uint64
	for range 40 {
		const n = 60
		a := Arrays{Nodes: n, Ends: []int64{}}
		for i := range int64(n) {
			for j := range i {
				if rng.IntN(5) == 0 {
					a.Ends = append(a.Ends, i, j)
				}
			}
		}
		handles = append(handles, must.Get(l.NewGraph(a))(t))
	}
	heard := 0
	r := readRecord(t, &l, must.Get(l.Distance(handles[0], handles[1], nil, func(i *rgm.Incumbent) bool {
		if i != nil {
			heard++
		}
		return heard == 0
	}))(t))
	if r.Status != "cancelled" || r.Lower >= r.Distance {
		t.Errorf("%+v", r)
	}
	calls := 0
	whole, err := l.Distances(handles, nil, nil, func() bool { calls++; return false }, func(_, _ int, distance, lower float64) {
		if lower > distance {
			t.Errorf("lower bound %v above %v", lower, distance)
		}
	})
	if whole || err != nil || calls != 1 {
		t.Errorf("whole %v, %v, after %d calls", whole, err, calls)
	}
}
