package compare

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// mostAlone is up to how many attributes of edges each is tried alone.
const mostAlone = 8

// weighEdges weighs the attributes of edges by how well each tells right from wrong, if there are few
// pairs of edges: K[ia,jb] is the logarithm of how much likelier two edges are among right matches
// than among random ones, as edges and by their attributes, over that of equal ones. What right
// matches are like is estimated from one that a short search finds: by all attributes, by one of
// them, or by none where those share fewer edges, since what says nothing leads elsewhere. It returns
// what edges are compared by in words, "" where too few are matched to say it.
func (p *Problem) weighEdges(ctx context.Context, g1, g2 *graphs.Graph, node func(i, a int) float64) (string, error) {
	if k := p.Design.Kernel; k != KernelFeatures && k != KernelWeight || len(p.Edges1)*len(p.Edges2) > trialPairs || late(ctx) {
		return "", nil
	}
	arcs1, arcs2, all := p.Design.compare(ctx, g1, g2, p.Edges1, p.Edges2)
	w := edgeWeighing{ctx, arcs1, arcs2, func(edge func(e, f int) float64) (*qap.Instance, error) {
		node, edge := p.Design.Agree.limited(p.Edges1, p.Edges2, arcs1, arcs2, node, edge)
		return affinities.Assemble(g1.Nodes, g2.Nodes, arcs1, arcs2, node, edge)
	}}
	right, err := w.best(all)
	if err != nil || len(right) < fewestKnown {
		return "", err
	}
	a, err1 := structure(g1, nil, p.Design.directed(g1))
	b, err2 := structure(g2, nil, p.Design.directed(g2))
	if err1 != nil || err2 != nil {
		return "", nil // weights that are no such for alignments
	}
	edges := edgeRatio(&align.Problem{A: a, B: b}, len(right))
	about := ""
	for range 2 { // by what was found, and again by what that leads to
		l := all.likelihoods(ctx, len(arcs1), len(arcs2), right)
		if len(l.left) > 0 {
			return "", nil
		}
		in, found, err := w.search(func(e, f int) float64 { return max(0, (edges+l.of(e, f))/(edges+l.most)) })
		if err != nil {
			return "", err
		}
		if in == nil {
			break
		}
		about = fmt.Sprintf("%s, %.3g besides the %.3g of an edge", l, l.most, edges)
		in.Name, in.Complete = p.Instance.Name, p.Instance.Complete
		if p.Instance = in; len(found) < fewestKnown {
			break
		}
		right = found
	}
	return about, nil
}

// edgeWeighing compares edges in one way and another.
type edgeWeighing struct {
	ctx          context.Context
	arcs1, arcs2 []graphs.Edge
	instance     func(edge func(e, f int) float64) (*qap.Instance, error)
}

// best returns the matched edges of the likeliest matching: that of most shared edges of those by
// attributes, unless it shares clearly fewer than edges do by themselves.
func (w *edgeWeighing) best(all quantities) (right []graphs.Pair, err error) {
	const harm = 0.9
	kernels := []quantities{all}
	for c := range all {
		if n := len(all); n > 1 && n <= mostAlone {
			kernels = append(kernels, all[c:c+1].alone(n))
		}
	}
	search := func(edge func(e, f int) float64) ([]graphs.Pair, error) {
		_, found, err := w.search(edge)
		return found, err
	}
	found, best, err := trial(kernels, func(kernel quantities) ([]graphs.Pair, error) { return search(kernel.alike) }, func(found []graphs.Pair) float64 { return float64(len(found)) })
	if err != nil {
		return nil, err
	}
	right = found[best]
	plain, err := search(func(int, int) float64 { return 1 })
	if float64(len(right)) < harm*float64(len(plain)) {
		right = plain
	}
	return right, err
}

// search returns the instance of comparing edges so, and the pairs of edges that a short search
// matches; nothing once the time limit is up.
func (w *edgeWeighing) search(edge func(e, f int) float64) (*qap.Instance, []graphs.Pair, error) {
	if late(w.ctx) {
		return nil, nil, nil
	}
	in, err := w.instance(edge)
	if err != nil {
		return nil, nil, err
	}
	r, err := shortSearch(w.ctx, in)
	if err != nil {
		return nil, nil, err
	}
	at := make(map[graphs.Edge]int, len(w.arcs2))
	for f, y := range w.arcs2 {
		at[y] = f
	}
	arcs1 := w.arcs1
	if affinities.Symmetric(arcs1) {
		arcs1 = arcs1[:len(arcs1)/2]
	}
	var pairs []graphs.Pair
	for e, x := range arcs1 {
		if f, both := at[graphs.Edge{I: r.Matching[x.I], J: r.Matching[x.J]}]; both {
			pairs = append(pairs, graphs.Pair{I: e, J: f})
		}
	}
	return in, pairs, nil
}
