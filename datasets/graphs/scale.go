package graphs

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/regrow"
)

// Scale says in which units lengths are compared.
type Scale string

// The scales. ScaleAuto takes ScaleSame where the mean distances of two nodes differ by at
// most a tenth. Where they differ by more, since the units do or since outliers lie far
// away, it takes the scale by which a short search finds the matching of greater affinity;
// of graphs that are too large for that, ScaleFree.
const (
	ScaleAuto Scale = "auto"
	ScaleSame Scale = "same" // lengths are compared as they are
	ScaleFree Scale = "free" // lengths are over the mean distance of two nodes, which outliers change
)

// ParseScale reads "auto", "same" or "free".
func ParseScale(text string) (Scale, error) {
	switch s := Scale(text); s {
	case ScaleAuto, ScaleSame, ScaleFree:
		return s, nil
	}
	return "", fmt.Errorf("graphs: scale %q: want auto, same or free", text)
}

// units returns the scale of two graphs of points as their mean distances tell it, and the
// lengths that are 1 in each.
func (s Scale) units(ctx context.Context, g1, g2 *Graph) (scale Scale, unit1, unit2 float64) {
	const alike = 1.1
	unit1, unit2 = meanSeparation(ctx, g1.Points), meanSeparation(ctx, g2.Points)
	for _, unit := range []*float64{&unit1, &unit2} {
		if *unit == 0 || !finite(*unit) {
			*unit = 1
		}
	}
	if s == ScaleFree || s != ScaleSame && max(unit1/unit2, unit2/unit1) > alike {
		return ScaleFree, unit1, unit2
	}
	mean := unit1/2 + unit2/2
	return ScaleSame, mean, mean
}

// meanSeparation returns the mean distance of two points, of large sets that of an even
// sample.
func meanSeparation(ctx context.Context, points [][]float64) float64 {
	const most = 1000
	step := max(1, len(points)/most)
	sum, pairs := 0.0, 0
	for i := 0; i < len(points) && ctx.Err() == nil; i += step {
		for j := 0; j < i; j += step {
			sum += separation(points[i], points[j])
			pairs++
		}
	}
	return sum / float64(max(pairs, 1))
}

// A search that compares scales takes trialSteps steps for each node of the larger graph,
// where there are at most trialPairs pairs of edges: some milliseconds.
const (
	trialSteps = 20
	trialPairs = 1 << 21
)

// scaleIsOpen tells whether the mean distances alone have said that the scales of a
// problem differ.
func scaleIsOpen(asked Scale, p *Problem) bool {
	return asked != ScaleFree && p.Design.Scale == ScaleFree && len(p.Edges1)*len(p.Edges2) <= trialPairs
}

// tryTheSameScale compares lengths as they are if a short search then finds the matching
// of greater affinity. It returns what edges are compared by.
func (p *Problem) tryTheSameScale(ctx context.Context, g1, g2 *Graph, nodes, edges quantities) (quantities, error) {
	same := *p
	same.Design.Scale = ScaleSame
	sameEdges, err := same.assemble(ctx, g1, g2, nodes)
	if err != nil {
		return nil, err
	}
	before, err := affinityFound(ctx, p.Instance)
	if err != nil {
		return nil, err
	}
	after, err := affinityFound(ctx, same.Instance)
	if err != nil {
		return nil, err
	}
	if after <= before {
		return edges, nil
	}
	*p = same
	return sameEdges, nil
}

// affinityFound returns the score that a short search reaches.
func affinityFound(ctx context.Context, in *qap.Instance) (float64, error) {
	n1, n2 := in.Size()
	r, err := regrow.Solver{}.Solve(ctx, in, qap.Options{Limits: qap.Limits{MaxSteps: trialSteps * max(n1, n2)}})
	if err != nil {
		return 0, err
	}
	return r.Score, ended(ctx)
}
