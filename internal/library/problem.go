package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
)

// Problem is what can be searched: an instance, or two graphs.
type Problem struct {
	instance *qap.Instance
	pair     *request.Pair
}

// mostVertices bounds n1·n2 where the caller's arrays do not: of a sparse affinity each vertex takes
// some 30 bytes, and a search a few times as much.
const mostVertices = 1 << 26

// newInstance keeps an instance, or tells of the error of its constructor.
func (l *Library) newInstance(in *qap.Instance, err error) (uint64, error) {
	if err != nil {
		return 0, invalid("%s", request.WithoutPackage(err))
	}
	in.Name = "problem"
	return l.put(&Problem{instance: in}), nil
}

// checkSizes returns an error unless both graphs have nodes.
func checkSizes(n1, n2 int64) error {
	const most = 1 << 15
	if n1 < 1 || n2 < 1 || n1 > most || n2 > most {
		return invalid("n1 %d, n2 %d: want 1 to %d nodes each", n1, n2, most)
	}
	return nil
}

// checkCount returns an error unless an array has as many entries as it should.
func checkCount(name string, have, want int64) error {
	if have != want {
		return invalid("%s has %d entries: want %d", name, have, want)
	}
	return nil
}

// senseOf reads a sense of rgm.h.
func senseOf(sense int32) (qap.Sense, error) {
	switch sense {
	case 0:
		return qap.Maximize, nil
	case 1:
		return qap.Minimize, nil
	}
	return 0, invalid("sense %d: want RGM_MAXIMIZE (0) or RGM_MINIMIZE (1)", sense)
}

// Dense keeps the problem of an affinity matrix. One that is symmetric and maximised is used where
// it is, and must stay as it is until the problem is freed; any other is copied.
func (l *Library) Dense(n1, n2 int64, k []float64, sense int32) (uint64, error) {
	toward, err := senseOf(sense)
	if err == nil {
		err = checkSizes(n1, n2)
	}
	if err == nil {
		err = checkCount("k", int64(len(k)), n1*n2*n1*n2)
	}
	if err != nil {
		return 0, err
	}
	if toward == qap.Maximize {
		in, err := qap.NewDenseView(int(n1), int(n2), k)
		if !errors.Is(err, qap.ErrAsymmetric) {
			return l.newInstance(in, err)
		}
	}
	return l.newInstance(qap.NewDense(int(n1), int(n2), slices.Clone(k), toward))
}

// Sparse keeps the problem of an affinity matrix of entries, which are copied.
func (l *Library) Sparse(n1, n2 int64, rows, cols []int64, values []float64, sense int32) (uint64, error) {
	toward, err := senseOf(sense)
	if err == nil {
		err = checkSizes(n1, n2)
	}
	if err != nil {
		return 0, err
	}
	if n1*n2 > mostVertices {
		return 0, invalid("n1·n2 is %d: want at most %d; align the graphs instead, which makes no affinities", n1*n2, mostVertices)
	}
	entries := make([]qap.Entry, len(values))
	for k, v := range values {
		entries[k] = qap.Entry{P: int(rows[k]), Q: int(cols[k]), Value: v}
	}
	return l.newInstance(qap.NewSparse(int(n1), int(n2), entries, toward))
}

// Assignment keeps the problem of flows and distances, which are copied; linear may be nil.
func (l *Library) Assignment(n1, n2 int64, a, b, linear []float64, sense int32) (uint64, error) {
	toward, err := senseOf(sense)
	if err == nil {
		err = checkSizes(n1, n2)
	}
	if err == nil {
		err = errors.Join(checkCount("a", int64(len(a)), n1*n1), checkCount("b", int64(len(b)), n2*n2))
	}
	if err == nil && linear != nil {
		err = checkCount("linear", int64(len(linear)), n1*n2)
	}
	if err != nil {
		return 0, asError(err)
	}
	return l.newInstance(qap.NewKoopmansBeckmann(int(n1), int(n2), a, b, linear, toward))
}

// Graph is a graph to match with another.
type Graph struct{ graphs.Graph }

// Arrays are a graph as C has it: all in rows, nil for what the graph has not.
type Arrays struct {
	Nodes        int64
	Points       []float64 // as many a node
	Features     []float64 // as many a node
	Ends         []int64   // two an edge
	Weights      []float64 // one an edge
	EdgeFeatures []float64 // as many an edge
	Directed     bool
}

// NewGraph keeps a graph, which is copied.
func (l *Library) NewGraph(a Arrays) (uint64, error) {
	n, edges := int(a.Nodes), len(a.Ends)/2
	if most := 1<<15 + int64(8*edges+len(a.Points)+len(a.Features)); a.Nodes < 1 || a.Nodes > most {
		return 0, invalid("nodes %d: want 1 to %d, with %d edges", a.Nodes, most, edges)
	}
	g := &Graph{graphs.Graph{Name: "graph", Nodes: n, Directed: a.Directed, Weights: slices.Clone(a.Weights)}}
	for _, part := range []struct {
		name   string
		to     *[][]float64
		values []float64
		rows   int
	}{{"points", &g.Points, a.Points, n}, {"features", &g.Features, a.Features, n}, {"edge_features", &g.Relation, a.EdgeFeatures, edges}} {
		if len(part.values) == 0 {
			continue
		}
		if part.rows == 0 || len(part.values)%part.rows != 0 {
			return 0, invalid("%s: %d numbers for %d rows: want as many in each", part.name, len(part.values), part.rows)
		}
		*part.to = slices.Collect(slices.Chunk(slices.Clone(part.values), len(part.values)/part.rows))
	}
	if a.Ends != nil {
		g.Edges = make([]graphs.Edge, edges)
		for k := range g.Edges {
			g.Edges[k] = graphs.Edge{I: int(a.Ends[2*k]), J: int(a.Ends[2*k+1])}
		}
	}
	return l.newGraph(g)
}

// newGraph keeps a graph whose parts fit together.
func (l *Library) newGraph(g *Graph) (uint64, error) {
	err := checkCount("weights", int64(len(g.Weights)), int64(len(g.Edges)))
	if g.Weights == nil {
		err = nil
	}
	if err == nil {
		err = g.Normalise()
	}
	if err == nil {
		err = g.Check()
	}
	if err != nil {
		return 0, invalid("%s", request.WithoutPackage(err))
	}
	return l.put(g), nil
}

// ReadGraph keeps the graph of a file that is in memory; the name's ending says the format.
func (l *Library) ReadGraph(name string, text []byte) (uint64, error) {
	g, err := graphs.Read(name, bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return 0, invalid("%s", request.WithoutPackage(err))
	}
	return l.newGraph(&Graph{g})
}

// Places writes where a picture shows the nodes of a graph, x and y of each.
func (l *Library) Places(graph uint64, to []float64) error {
	g, err := get[*Graph](l, graph)
	if err != nil {
		return err
	}
	if err := checkCount("values", int64(len(to)), 2*int64(g.Nodes)); err != nil {
		return err
	}
	for i, p := range g.Places() {
		to[2*i], to[2*i+1] = p.X, p.Y
	}
	return nil
}

// Match keeps the problem of matching two graphs. compare is JSON with the fields kernel and scale of
// the service's instances, which say what is compared; "" leaves it to what the graphs have.
func (l *Library) Match(graph1, graph2 uint64, compare []byte) (uint64, error) {
	pair := &request.Pair{Name: "problem"}
	for k, handle := range []uint64{graph1, graph2} {
		g, err := get[*Graph](l, handle)
		if err != nil {
			return 0, err
		}
		pair.Graphs[k] = g.Graph
		pair.Graphs[k].Name = fmt.Sprintf("graph %d", k+1)
	}
	var told request.Instance
	if len(compare) > 0 {
		if err := (&request.Decoder{}).Decode(compare, &told, "/compare"); err != nil {
			return 0, asError(err)
		}
	}
	if by := (request.Instance{Kernel: told.Kernel, Scale: told.Scale}); !reflect.DeepEqual(by, told) {
		return 0, invalid("/compare: want the fields kernel and scale alone")
	}
	pair.Kernel, pair.Scale = told.Kernel, told.Scale
	return l.put(&Problem{pair: pair}), nil
}

// prepare returns what is searched of a problem, which is shared.
func (p *Problem) prepare(ctx context.Context, s *rgm.Solver, o rgm.Options) (*rgm.Problem, error) {
	if p.pair != nil {
		return p.pair.Problem(ctx, s, o)
	}
	return s.Prepare(p.instance, o)
}
