package library

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/distances"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap/edit"
)

// Distance is how far two graphs are from each other.
type Distance struct{ rgm.DistanceResult }

// distanceOptions are the options of distances: those of two graphs, and of many.
type distanceOptions struct {
	Costs     string        `json:"costs,omitempty" choices:"costs"`
	Within    *float64      `json:"within,omitempty"`
	Path      bool          `json:"path,omitempty"`
	TimeLimit time.Duration `json:"time_limit,omitempty"`
	MaxSteps  int           `json:"max_steps,omitempty" minimum:"0"`
	Seed      uint64        `json:"seed,omitempty"`
	Matchings int           `json:"matchings,omitempty" minimum:"0"`
	Threads   int           `json:"threads,omitempty" minimum:"0"`
}

func readDistanceOptions(text []byte) (o distanceOptions, err error) {
	if len(text) == 0 {
		return o, nil
	}
	return o, (&request.Decoder{Choices: table.Choices{"costs": costs.Names()}}).Decode(text, &o, "/options")
}

func (o *distanceOptions) pair() rgm.DistanceOptions {
	return rgm.DistanceOptions{
		Costs: o.Costs, Within: o.Within, Path: o.Path, TimeLimit: o.TimeLimit, MaxSteps: o.MaxSteps, Seed: o.Seed, Matchings: o.Matchings, Name: "distance",
	}
}

// Distance measures two graphs and returns the handle of the result. tell is as in Solve, but only called with nil.
func (l *Library) Distance(graph1, graph2 uint64, options []byte, tell func() (goOn bool)) (handle uint64, err error) {
	g1, err := get[*Graph](l, graph1)
	if err != nil {
		return 0, err
	}
	g2, err := get[*Graph](l, graph2)
	if err != nil {
		return 0, err
	}
	o, err := readDistanceOptions(options)
	if err != nil {
		return 0, asError(err)
	}
	return l.distance(tell, func(ctx context.Context) (rgm.DistanceResult, error) {
		r, err := rgm.Distance(ctx, &g1.Graph, &g2.Graph, o.pair())
		return r, ofCaller(err)
	})
}

// distance runs a measurement on a goroutine of its own, and keeps the result.
func (l *Library) distance(tell func() bool, measure func(context.Context) (rgm.DistanceResult, error)) (uint64, error) {
	var found rgm.DistanceResult
	err := watched(tell, func(ctx context.Context) (err error) {
		found, err = measure(ctx)
		return err
	})
	if err != nil {
		return 0, asError(err)
	}
	return l.put(&Distance{found}), nil
}

// watched calls do on a goroutine of its own, and tell on that of the caller at least every TellEvery; where that returns
// false, the context of do ends.
func watched(tell func() bool, do func(context.Context) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := search{changed: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer Recover(&s.err)
		s.err = do(ctx)
	}()
	s.listen(cancel, func(*rgm.Incumbent) bool { return tell() })
	return s.err
}

// ofCaller returns the error of graphs and costs that cannot be measured as one of the caller.
func ofCaller(err error) error {
	if err == nil {
		return nil
	}
	return invalid("%s", request.WithoutPackage(err))
}

// tables are two graphs whose nodes and edges have numbers for labels, and what edits cost by these.
type tables struct {
	Graph1 tableGraph `json:"graph1"`
	Graph2 tableGraph `json:"graph2"`
	Nodes  tableCosts `json:"nodes"`
	Edges  tableCosts `json:"edges"`
}

type tableGraph struct {
	Directed bool  `json:"directed,omitempty"`
	Nodes    []int `json:"nodes"` // labels
	Edges    []int `json:"edges"` // node, node, label of each
}

// tableCosts are costs; -1 forbids a substitution.
type tableCosts struct {
	Delete     []float64 `json:"delete"`
	Insert     []float64 `json:"insert"`
	Substitute []float64 `json:"substitute"` // by label of graph 1, then of graph 2
}

func (g *tableGraph) graph(name string) (*edit.Graph, error) {
	of := &edit.Graph{Directed: g.Directed}
	if len(g.Edges)%3 != 0 {
		return nil, invalid("/tables/%s/edges: %d numbers: want three an edge", name, len(g.Edges))
	}
	small := func(values []int) error {
		for _, v := range values {
			if v < 0 || v > math.MaxInt32 {
				return invalid("/tables/%s: %d is no node or label: want a number from 0 on", name, v)
			}
		}
		return nil
	}
	if err := small(g.Nodes); err != nil {
		return nil, err
	}
	if err := small(g.Edges); err != nil {
		return nil, err
	}
	for _, l := range g.Nodes {
		of.Nodes = append(of.Nodes, int32(l))
	}
	for k := 0; k < len(g.Edges); k += 3 {
		of.Edges = append(of.Edges, edit.Edge{From: int32(g.Edges[k]), To: int32(g.Edges[k+1]), Label: int32(g.Edges[k+2])})
	}
	return of, nil
}

func (c *tableCosts) table() *costs.Table {
	t := &costs.Table{Delete: c.Delete, Insert: c.Insert, Substitute: c.Substitute}
	for k, cost := range t.Substitute {
		if cost == -1 {
			t.Substitute[k] = math.Inf(1)
		}
	}
	return t
}

func (t *tables) problem() (*costs.Problem, error) {
	g1, err := t.Graph1.graph("graph1")
	if err != nil {
		return nil, err
	}
	g2, err := t.Graph2.graph("graph2")
	if err != nil {
		return nil, err
	}
	p, err := costs.NewProblem(g1, g2, t.Nodes.table(), t.Edges.table())
	return p, ofCaller(err)
}

// DistanceByTables is Distance of graphs and costs that are tables in JSON.
func (l *Library) DistanceByTables(text, options []byte, tell func() (goOn bool)) (handle uint64, err error) {
	var t tables
	if err := (&request.Decoder{}).Decode(text, &t, "/tables"); err != nil {
		return 0, asError(err)
	}
	o, err := readDistanceOptions(options)
	if err != nil {
		return 0, asError(err)
	}
	p, err := t.problem()
	if err != nil {
		return 0, err
	}
	return l.distance(tell, func(ctx context.Context) (rgm.DistanceResult, error) {
		r, err := rgm.DistanceOf(ctx, p, o.pair())
		return r, ofCaller(err)
	})
}

// mostMeasured bounds the distances of one call.
const mostMeasured = 1 << 30

// Distances measures all graphs against all others, or each two of the graphs where others is nil, and calls put with
// what it finds, of these in both orders: row after row. What is not found by the time that tell ends the call is not put.
func (l *Library) Distances(firsts, others []uint64, options []byte, tell func() (goOn bool), put func(place int, distance, lower float64)) error {
	o, err := readDistanceOptions(options)
	if err != nil {
		return asError(err)
	}
	if len(firsts) == 0 || len(firsts) > mostMeasured/max(len(firsts), len(others)) {
		return invalid("%d and %d graphs: want some, and at most %d pairs", len(firsts), len(others), mostMeasured)
	}
	var all []*graphs.Graph
	for k, handle := range append(append([]uint64{}, firsts...), others...) {
		g, err := get[*Graph](l, handle)
		if err != nil {
			return err
		}
		named := g.Graph
		named.Name = fmt.Sprintf("graph %d", k)
		all = append(all, &named)
	}
	model, err := costs.Named(o.Costs)
	if err != nil {
		return ofCaller(err)
	}
	c, err := model.Collect(all...)
	if err != nil {
		return ofCaller(err)
	}
	search := distances.Options{TimeLimit: o.TimeLimit, MaxSteps: o.MaxSteps, Seed: o.Seed, Threads: o.Threads}
	if o.Within != nil {
		search.Within, search.HasWithin = *o.Within, true
	}
	count, at := distances.Pairs(len(firsts)), distances.Place
	if others != nil {
		count = len(firsts) * len(others)
		at = func(k int) (i, j int) { return k / len(others), len(firsts) + k%len(others) }
	}
	return asError(watched(tell, func(ctx context.Context) error {
		err := distances.Some(ctx, c, count, at, nil, search, func(found []distances.Pair) error {
			for _, p := range found {
				if others != nil {
					put(p.I*len(others)+p.J-len(firsts), p.Cost, p.Lower)
					continue
				}
				put(p.I*len(firsts)+p.J, p.Cost, p.Lower)
				put(p.J*len(firsts)+p.I, p.Cost, p.Lower)
			}
			return nil
		})
		if ctx.Err() != nil {
			return err
		}
		return ofCaller(err)
	}))
}
