package library

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/distances"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap/edit"
)

// Labelled is a graph whose nodes and edges have labels: places in tables of costs. Edges may go from a node to itself.
type Labelled struct {
	Nodes      int64
	Labels     []int64 // of the nodes; nil: 0, 1, …
	Ends       []int64 // two an edge
	EdgeLabels []int64 // nil: 0, 1, …
	Directed   bool
}

// CostTable is what edits of nodes cost, or of edges, by their labels.
type CostTable struct {
	Delete     []float64 // by label of graph 1
	Insert     []float64 // by label of graph 2
	Substitute []float64 // [label of graph 1, label of graph 2]; +Inf forbids it
}

// readDistance reads options in JSON; "" stands for none.
func readDistance(text []byte) (rgm.Options, error) {
	var o request.DistanceOptions
	if len(text) == 0 {
		return rgm.Options{}, nil
	}
	err := (&request.Decoder{}).Decode(text, &o, "/options")
	return rgm.Options(o), asError(err)
}

// Distance measures the edit distance of two graphs, and returns the handle of the result; tell is called as by Solve.
func (l *Library) Distance(graph1, graph2 uint64, text []byte, tell func(*rgm.Incumbent) bool) (uint64, error) {
	g1, err := get[*Graph](l, graph1)
	if err != nil {
		return 0, err
	}
	g2, err := get[*Graph](l, graph2)
	if err != nil {
		return 0, err
	}
	return l.measure(text, tell, func(ctx context.Context, o rgm.Options) (rgm.DistanceResult, error) {
		return rgm.Distance(ctx, &g1.Graph, &g2.Graph, o)
	})
}

// DistanceByTables is Distance by tables of costs, which are copied.
func (l *Library) DistanceByTables(g1, g2 Labelled, nodes, edges CostTable, text []byte, tell func(*rgm.Incumbent) bool) (uint64, error) {
	first, err := g1.graph("graph 1")
	if err != nil {
		return 0, err
	}
	second, err := g2.graph("graph 2")
	if err != nil {
		return 0, err
	}
	if err := checkLabels(first, second, &nodes, &edges); err != nil {
		return 0, err
	}
	p, err := costs.NewProblem(first, second, (*costs.Table)(&nodes), (*costs.Table)(&edges))
	if err != nil {
		return 0, invalid("%s", request.WithoutPackage(err))
	}
	return l.measure(text, tell, func(ctx context.Context, o rgm.Options) (rgm.DistanceResult, error) {
		if o.Costs != "" {
			return rgm.DistanceResult{}, request.Invalid("/options/costs", "the tables say what edits cost: want none")
		}
		return rgm.DistanceByTables(ctx, p, o)
	})
}

// measure runs the search of a distance, and keeps the result.
func (l *Library) measure(text []byte, tell func(*rgm.Incumbent) bool, by func(context.Context, rgm.Options) (rgm.DistanceResult, error)) (uint64, error) {
	o, err := readDistance(text)
	if err != nil {
		return 0, err
	}
	var result rgm.DistanceResult
	err = run(tell, func(ctx context.Context, found func(rgm.Incumbent)) error {
		o.Name = "graphs"
		o.OnBest = found
		var err error
		result, err = by(ctx, o)
		return err
	})
	if err != nil {
		return 0, err
	}
	return l.put(&Result{distance: &result}), nil
}

// mostLabelled bounds the nodes of a graph, as package edit does.
const mostLabelled = 1 << 13

// graph returns the graph as package edit has it.
func (g *Labelled) graph(name string) (*edit.Graph, error) {
	if g.Nodes < 0 || g.Nodes > mostLabelled {
		return nil, invalid("%s: %d nodes: want 0 to %d", name, g.Nodes, mostLabelled)
	}
	if g.Labels != nil && int64(len(g.Labels)) != g.Nodes || g.EdgeLabels != nil && len(g.EdgeLabels) != len(g.Ends)/2 || len(g.Ends)%2 != 0 {
		return nil, invalid("%s: %d labels for %d nodes, %d for %d ends of edges: want one each", name, len(g.Labels), g.Nodes, len(g.EdgeLabels), len(g.Ends))
	}
	label := func(labels []int64, k int) int64 {
		if labels == nil {
			return int64(k)
		}
		return labels[k]
	}
	of := &edit.Graph{Directed: g.Directed, Nodes: make([]int32, g.Nodes), Edges: make([]edit.Edge, len(g.Ends)/2)}
	for i := range of.Nodes {
		l := label(g.Labels, i)
		if l != int64(int32(l)) {
			return nil, invalid("%s, node %d: there are no costs of label %d", name, i, l)
		}
		of.Nodes[i] = int32(l)
	}
	known := make(map[[2]int64]bool, len(of.Edges))
	for k := range of.Edges {
		from, to, l := g.Ends[2*k], g.Ends[2*k+1], label(g.EdgeLabels, k)
		if from < 0 || to < 0 || from >= g.Nodes || to >= g.Nodes {
			return nil, invalid("%s, edge %d: %d, %d: want nodes from 0 to %d", name, k, from, to, g.Nodes-1)
		}
		if l != int64(int32(l)) {
			return nil, invalid("%s, edge %d: there are no costs of label %d", name, k, l)
		}
		ends := [2]int64{from, to}
		if !g.Directed && from > to {
			ends = [2]int64{to, from}
		}
		if known[ends] {
			return nil, invalid("%s, edge %d: %d, %d is there twice", name, k, from, to)
		}
		known[ends] = true
		of.Edges[k] = edit.Edge{From: int32(from), To: int32(to), Label: int32(l)}
	}
	return of, nil
}

// checkLabels returns an error unless the tables have costs of all labels.
func checkLabels(g1, g2 *edit.Graph, nodes, edges *CostTable) error {
	for _, t := range []struct {
		of    string
		table *CostTable
	}{{"nodes", nodes}, {"edges", edges}} {
		if err := checkCount("substitute of "+t.of, int64(len(t.table.Substitute)), int64(len(t.table.Delete))*int64(len(t.table.Insert))); err != nil {
			return err
		}
	}
	for side, g := range []*edit.Graph{g1, g2} {
		node, edge := nodes.Delete, edges.Delete
		if side == 1 {
			node, edge = nodes.Insert, edges.Insert
		}
		for i, l := range g.Nodes {
			if l < 0 || int(l) >= len(node) {
				return invalid("graph %d, node %d: there are no costs of label %d", side+1, i, l)
			}
		}
		for k, e := range g.Edges {
			if e.Label < 0 || int(e.Label) >= len(edge) {
				return invalid("graph %d, edge %d: there are no costs of label %d", side+1, k, e.Label)
			}
		}
	}
	return nil
}

// Distances measures all pairs of graphs, or where there are others the distances from each graph to each of those. It
// calls put on the caller's goroutine with what was found so far: row, column, distance and lower bound, both ways
// for all pairs. Where tell returns false it ends, and whole is false.
func (l *Library) Distances(ones, others []uint64, text []byte, tell func() bool, put func(i, j int, distance, lower float64)) (whole bool, err error) {
	o, err := readDistance(text)
	if err == nil && o.Path {
		err = asError(request.Invalid("/options/path", "it is for two graphs"))
	}
	if err != nil {
		return false, err
	}
	c, err := l.collect(&o, ones, others)
	if err != nil {
		return false, err
	}
	options := distances.Options{TimeLimit: o.TimeLimit, MaxSteps: o.MaxSteps, Seed: o.Seed, Within: o.Within, Threads: o.Threads}
	var mutex sync.Mutex
	var news []distances.Pair
	report := func(pairs []distances.Pair) error {
		mutex.Lock()
		defer mutex.Unlock()
		news = append(news, pairs...)
		return nil
	}
	take := func() {
		mutex.Lock()
		defer mutex.Unlock()
		for _, p := range news {
			if len(others) > 0 {
				put(p.I, p.J-len(ones), p.Cost, p.Lower)
				continue
			}
			put(p.I, p.J, p.Cost, p.Lower)
			put(p.J, p.I, p.Cost, p.Lower)
		}
		news = news[:0]
	}
	stopped := false
	err = run(func(*rgm.Incumbent) bool {
		take()
		stopped = !tell()
		return !stopped
	}, func(ctx context.Context, _ func(rgm.Incumbent)) error {
		var err error
		if len(others) > 0 {
			err = distances.Between(ctx, c, len(ones), options, report)
		} else {
			err = distances.All(ctx, c, nil, options, report)
		}
		if err == nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return nil
		}
		return &rgm.InputError{Err: err}
	})
	take()
	return err == nil && !stopped, err
}

// collect returns all graphs under the costs of the options.
func (l *Library) collect(o *rgm.Options, handles ...[]uint64) (*costs.Collection, error) {
	model, err := costs.Parse(o.Costs)
	if err != nil {
		return nil, asError(request.Invalid("/options/costs", "%v", err))
	}
	var all []*graphs.Graph
	for side, list := range handles {
		for k, handle := range list {
			g, err := get[*Graph](l, handle)
			if err != nil {
				return nil, err
			}
			named := g.Graph
			named.Name = fmt.Sprintf("%s[%d]", []string{"graphs", "others"}[side], k)
			all = append(all, &named)
		}
	}
	c, err := model.Collect(all...)
	if err != nil {
		return nil, invalid("%s", request.WithoutPackage(err))
	}
	return c, nil
}
