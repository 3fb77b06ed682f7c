package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Design says how an affinity matrix is made of two graphs. The zero value chooses by
// what the graphs have.
type Design struct {
	Joins    Joins
	Kernel   Kernel
	Scale    Scale
	Complete bool // only matchings of all nodes of the smaller graph are solutions

	Similar []graphs.Similar // added to node affinities, as shares of the greatest

	// NodeWeight weighs what the numbers of nodes say against what edges do: nil leaves it to
	// the data, 0 leaves the numbers out.
	NodeWeight *float64

	// Agree says what may be matched, nil for all: see the function of that name, which takes it from two graphs.
	Agree *Agreement

	// MostPairs is how many pairs of edges are compared where both graphs have edges: with more
	// they are aligned (0 for the default).
	MostPairs float64

	median bool // with ScaleFree: lengths are over the median distance, not the mean
}

// Problem is the problem of matching two graphs.
type Problem struct {
	Instance       *qap.Instance
	Edges1, Edges2 []graphs.Edge // as they are compared
	Design         Design        // with what was chosen
	About          string        // what was chosen, in words

	Unused []string // what the graphs have and is not compared, in words
}

// maxPairs bounds the pairs of edges that are compared: an affinity takes some 50 bytes
// a pair while it is made.
const maxPairs = 1 << 25

// Problem returns the problem of matching two graphs. K[ia,jb] says how alike the edges
// (i,j) and (a,b) are, from 0 to 1; K[ia,ia] how alike the features of the nodes are,
// where both graphs have such, above 0 where they speak for a match and below where they
// speak against, and else 0. It ends with ctx, and then returns its error. Once a time limit of ctx (qap.WithTimeLimit) is up,
// ways to compare are not tried any more: what there is then is made to the end.
func (d Design) Problem(ctx context.Context, g1, g2 graphs.Graph) (Problem, error) {
	p := Problem{Design: d}
	if err := g1.Check(); err != nil {
		return p, err
	}
	if err := g2.Check(); err != nil {
		return p, err
	}
	if n := max(g1.Nodes, g2.Nodes); n > graphs.MaxCompared {
		return p, fmt.Errorf("graphs: a graph of %d nodes: want at most %d to compare all pairs of nodes", n, graphs.MaxCompared)
	}
	left, err := byName(&g1, &g2)
	if err != nil {
		return p, err
	}
	nodes, err := left.nodeQuantities(ctx, &g1, &g2)
	if err != nil {
		return p, err
	}
	if p.Design.Joins, err = d.Joins.chosen(&g1, &g2); err != nil {
		return p, err
	}
	if d.Agree != nil && d.Agree.Edges1 != nil && p.Design.Joins.Rule != JoinGiven {
		return p, fmt.Errorf("graphs: edges must agree in %s, which only given edges have, and edges are %s", strings.Join(d.Agree.Names, ", "), p.Design.Joins)
	}
	if p.Design.Kernel, err = d.Kernel.chosen(&g1, &g2, p.Design.Joins); err != nil {
		return p, err
	}
	if p.Design.Joins.Rule == JoinComplete {
		if pairs := square(float64(g1.Nodes) * float64(g2.Nodes)); pairs > 2*maxPairs {
			return p, p.Design.Joins.tooMany(g1, g2, pairs)
		}
	} else if pairs := p.Design.Joins.fewestEdges(&g1) * p.Design.Joins.fewestEdges(&g2); pairs > maxPairs/2 {
		return p, p.Design.Joins.tooMany(g1, g2, pairs) // before they are looked for, which takes long
	}
	p.Edges1, p.Edges2 = p.Design.Joins.edges(ctx, &g1), p.Design.Joins.edges(ctx, &g2)
	if err := ended(ctx); err != nil {
		return p, err
	}
	if pairs := float64(len(p.Edges1)) * float64(len(p.Edges2)); pairs > maxPairs/2 {
		return p, p.Design.Joins.tooMany(g1, g2, pairs)
	}
	agreeing := d.Agree != nil && d.Agree.Nodes1 != nil // is something to match by
	if !agreeing && len(nodes)+len(d.Similar) == 0 && (len(p.Edges1) == 0 || len(p.Edges2) == 0) && min(g1.Nodes, g2.Nodes) > 1 {
		return p, errNoComparison
	}
	terms := p.nodeTerms(ctx, &g1, &g2, nodes)
	node := terms.of
	if terms.left != "" {
		left.leaveBoth(nodes.names(), terms.left)
	}
	if len(d.Similar) > 0 {
		node = withSimilar(d.Similar, node)
	}
	if agreeing && node == nil && (len(p.Edges1) == 0 || len(p.Edges2) == 0) {
		node = func(int, int) float64 { return 1 }
	}
	edges, err := p.assemble(ctx, &g1, &g2, node)
	if err == nil {
		edges, err = p.chooseUnit(ctx, d.Scale, &g1, &g2, node, edges)
	}
	about := edges.String()
	if err == nil {
		terms, err = p.agreed(ctx, &g1, &g2, nodes, terms)
	}
	if err == nil {
		var weighed string
		weighed, err = p.weighEdges(ctx, &g1, &g2, node)
		about = cmp.Or(weighed, about)
	}
	if err != nil {
		p.Instance = nil
		return p, err
	}
	left.edges(&g1, &g2, p.Design.Kernel)
	left.constant("the edges'", p.Design.edgeQuantities(&g1, &g2), p.Design.edgeQuantities(&g1, &g2).measured(ctx))
	if k := p.Design.Kernel; p.Design.Joins.Rule == JoinGiven && g1.Points != nil && g2.Points != nil && k != KernelLength && k != KernelDirection {
		left.leaveBoth("coordinates", "the kernel is "+string(k))
	}
	p.Unused = left
	p.About = fmt.Sprintf("%d and %d nodes; edges %s, %d and %d; kernel %s: %s", g1.Nodes, g2.Nodes, p.Design.Joins, len(p.Edges1), len(p.Edges2), p.Design.Kernel, about)
	if k := p.Design.Kernel; k == KernelLength || k == KernelDirection {
		p.About += "; " + p.Design.unit()
	}
	if terms.of != nil {
		p.About += "; nodes " + terms.about
	}
	if len(d.Similar) > 0 {
		p.About += fmt.Sprintf("; nodes by %d similarities over the greatest", len(d.Similar))
	}
	p.About += d.Agree.String()
	return p, nil
}

// assemble makes the instance, and returns what edges are compared by.
func (p *Problem) assemble(ctx context.Context, g1, g2 *graphs.Graph, node func(i, a int) float64) (quantities, error) {
	arcs1, arcs2, edges := p.Design.compare(ctx, g1, g2, p.Edges1, p.Edges2)
	if err := ended(ctx); err != nil {
		return nil, err
	}
	node, edge := p.Design.Agree.limited(p.Edges1, p.Edges2, arcs1, arcs2, node, edges.alikeUntil(ctx))
	instance, err := affinities.Assemble(g1.Nodes, g2.Nodes, arcs1, arcs2, node, edge)
	if err = cmp.Or(ended(ctx), err); err != nil {
		return nil, err
	}
	instance.Name, instance.Complete = g1.Name+"-"+g2.Name, p.Design.Complete
	p.Instance = instance
	return edges, nil
}

// ended returns the error of a context that has ended. What was computed since then is
// not complete.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("graphs: the graphs were not compared: %w", err)
	}
	return nil
}

// late reports whether the time limit of a context is up.
func late(ctx context.Context) bool {
	left, limited := qap.Remaining(ctx)
	return limited && left <= 0
}

// TooManyPairs is the error of graphs whose pairs of edges are too many to compare.
type TooManyPairs struct {
	N1, N2 int     // nodes
	Pairs  float64 // of edges
	Given  bool    // the graphs have them: such graphs can be aligned by their structure, see Design.Alignment
}

// Error returns the reason and, of points, which edges would be few enough.
func (e *TooManyPairs) Error() string {
	text := fmt.Sprintf("graphs: graphs of %d and %d nodes have %.3g pairs of edges, too many to compare: ", e.N1, e.N2, e.Pairs)
	nearest := int(math.Sqrt(maxPairs / 2 / float64(e.N1) / float64(e.N2))) // of K nearest there are at most K edges a node
	switch {
	case e.Given:
		return text + "align the graphs by their structure"
	case nearest >= 2:
		return text + fmt.Sprintf("join each point with its %d nearest at most (knn:%d)", nearest, nearest)
	}
	return text + "compare fewer points"
}

func (j Joins) tooMany(g1, g2 graphs.Graph, pairs float64) error {
	return &TooManyPairs{g1.Nodes, g2.Nodes, pairs, j.Rule == JoinGiven}
}

// nodeQuantities returns the features and the words of nodes that both graphs have, but for those that
// are the same for all.
func (u *unused) nodeQuantities(ctx context.Context, g1, g2 *graphs.Graph) (quantities, error) {
	all := ofNodeWords(g1.NodeWords, g2.NodeWords)
	if g1.Features != nil && g2.Features != nil {
		if n1, n2 := graphs.Width(g1.Features), graphs.Width(g2.Features); n1 != n2 {
			return nil, fmt.Errorf("graphs: nodes have %d features in %s and %d in %s: want as many", n1, g1.Name, n2, g2.Name)
		}
		all = append(ofColumns("node", g1.FeatureNames, g1.Features, g2.Features), all...)
	}
	kept := all.averaged(ctx)
	if err := ended(ctx); err != nil {
		return nil, err
	}
	u.constant("the nodes'", all, kept)
	return kept, nil
}

// compare returns the edges in both ways, those of directed graphs in their own, and
// what they are compared by.
func (d *Design) compare(ctx context.Context, g1, g2 *graphs.Graph, edges1, edges2 []graphs.Edge) (arcs1, arcs2 []graphs.Edge, by quantities) {
	arcs1, arcs2 = d.bothWays(g1, edges1), d.bothWays(g2, edges2)
	spread := func(g *graphs.Graph, arcs []graphs.Edge, value func(k int) float64) []float64 {
		all := make([]float64, len(arcs))
		edges := len(arcs)
		if !d.directed(g) {
			edges /= 2
		}
		for k := range arcs {
			all[k] = value(k % max(edges, 1))
		}
		return all
	}
	scale := d.Scale
	d.Scale = "" // of no length
	switch d.Kernel {
	case KernelLength, KernelDirection:
		var unit1, unit2 float64
		d.Scale, unit1, unit2 = scale.units(ctx, g1, g2, d.median)
		by = quantities{{name: "len", of1: lengths(ctx, g1, arcs1, unit1), of2: lengths(ctx, g2, arcs2, unit2)}}
		if d.Kernel == KernelDirection {
			by = append(by, quantity{name: "dir", of1: directions(g1, arcs1), of2: directions(g2, arcs2), isAngle: true})
		}
	case KernelWeight, KernelFeatures:
		by = d.edgeQuantities(g1, g2)
		for c := range by {
			of1, of2 := by[c].of1, by[c].of2
			by[c].of1 = spread(g1, arcs1, func(k int) float64 { return of1[k] })
			by[c].of2 = spread(g2, arcs2, func(k int) float64 { return of2[k] })
		}
		if d.Kernel == KernelFeatures {
			return arcs1, arcs2, by.averaged(ctx)
		}
	}
	return arcs1, arcs2, by.measured(ctx)
}

// edgeQuantities returns the attributes of the edges that the kernel compares, a number for each edge.
func (d *Design) edgeQuantities(g1, g2 *graphs.Graph) (all quantities) {
	if d.Kernel == KernelFeatures {
		all = append(ofColumns("edge", nil, g1.Relation, g2.Relation), ofWords(g1.EdgeWords, g2.EdgeWords)...)
		for k, a := range g1.EdgeNumbers {
			all = append(all, quantity{name: a.Name, of1: a.Values, of2: g2.EdgeNumbers[k].Values})
		}
	}
	if g1.Weights != nil && g2.Weights != nil && (d.Kernel == KernelWeight || d.Kernel == KernelFeatures) {
		all = append(all, quantity{name: graphs.WeightName, of1: g1.Weights, of2: g2.Weights})
	}
	return all
}

// directed reports whether the edges of a graph that are compared have a direction.
func (d Design) directed(g *graphs.Graph) bool { return g.Directed && d.Joins.Rule == JoinGiven }

// bothWays returns all edges, and then all of them in the other direction, unless they
// have one.
func (d Design) bothWays(g *graphs.Graph, edges []graphs.Edge) []graphs.Edge {
	arcs := append([]graphs.Edge(nil), edges...)
	if d.directed(g) {
		return arcs
	}
	for _, e := range edges {
		arcs = append(arcs, graphs.Edge{I: e.J, J: e.I})
	}
	return arcs
}

// lengths returns the lengths of arcs in a unit.
func lengths(ctx context.Context, g *graphs.Graph, arcs []graphs.Edge, unit float64) []float64 {
	all := make([]float64, len(arcs))
	clock := clock{ctx: ctx}
	for k, e := range arcs {
		if clock.ended(g.Dimensions()) {
			break
		}
		all[k] = separation(g.Points[e.I], g.Points[e.J]) / unit
	}
	return all
}

// directions returns those of arcs in the plane, in rad.
func directions(g *graphs.Graph, arcs []graphs.Edge) []float64 {
	all := make([]float64, len(arcs))
	for k, e := range arcs {
		p, q := g.Points[e.I], g.Points[e.J]
		all[k] = math.Atan2(q[1]-p[1], q[0]-p[0])
	}
	return all
}

// withSimilar adds similarities, over the greatest, to affinities of nodes, nil for none.
func withSimilar(similar []graphs.Similar, node func(i, a int) float64) func(i, a int) float64 {
	most := 0.0
	for _, s := range similar {
		most = max(most, s.Score)
	}
	scores := make(map[graphs.Pair]float64, len(similar))
	for _, s := range similar {
		scores[s.Pair] = max(scores[s.Pair], s.Score/most)
	}
	return func(i, a int) float64 {
		sum := scores[graphs.Pair{I: i, J: a}]
		if node != nil {
			sum += node(i, a)
		}
		return sum
	}
}
