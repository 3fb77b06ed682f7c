package compare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// Scale says in which units lengths are compared.
type Scale string

// The scales. ScaleAuto takes ScaleSame where the mean distances of two nodes differ by at
// most a tenth. Where they differ by more, since the units do or since outliers lie far
// away, it takes the scale by which a short search finds the matching of greater affinity;
// of graphs that are too large for that, ScaleFree. So does ScaleFree between its units.
const (
	ScaleAuto Scale = "auto"
	ScaleSame Scale = "same" // lengths are compared as they are
	ScaleFree Scale = "free" // lengths are over the mean or the median distance of two nodes
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
// lengths that are 1 in each: the mean distances, or the medians.
func (s Scale) units(ctx context.Context, g1, g2 *graphs.Graph, median bool) (scale Scale, unit1, unit2 float64) {
	const alike = 1.1
	apart1, apart2 := separations(ctx, g1.Points), separations(ctx, g2.Points)
	unit1, unit2 = apart1.mean(), apart2.mean()
	if s == ScaleFree || s != ScaleSame && max(unit1/unit2, unit2/unit1) > alike {
		if median {
			unit1, unit2 = apart1.median(), apart2.median()
		}
		return ScaleFree, unit1, unit2
	}
	mean := unit1/2 + unit2/2
	return ScaleSame, mean, mean
}

// unit says in which unit lengths are.
func (d Design) unit() string {
	switch {
	case d.Scale == ScaleSame:
		return "scale same, lengths over the mean distance of both"
	case d.median:
		return "scale free, lengths over a median distance"
	}
	return "scale free, lengths over a mean distance"
}

// distances are those of pairs of points.
type distances []float64

// separations returns the distances of all pairs of points, of large sets those of an even
// sample.
func separations(ctx context.Context, points [][]float64) distances {
	const most = 1000
	step := max(1, len(points)/most)
	var all distances
	for i := 0; i < len(points) && ctx.Err() == nil; i += step {
		for j := 0; j < i; j += step {
			if apart := separation(points[i], points[j]); !math.IsNaN(apart) {
				all = append(all, apart)
			}
		}
	}
	return all
}

// mean returns 1 where the mean could not be a unit.
func (d distances) mean() float64 {
	sum := 0.0
	for _, v := range d {
		sum += v
	}
	return unitOf(sum / float64(max(len(d), 1)))
}

// median returns 1 where the median could not be a unit.
func (d distances) median() float64 {
	if len(d) == 0 {
		return 1
	}
	slices.Sort(d)
	return unitOf(d[len(d)/2])
}

func unitOf(length float64) float64 {
	if length == 0 || !finite(length) {
		return 1
	}
	return length
}

// chooseUnit is asked where the mean distances of two graphs are the units of their lengths. If
// a short search then finds a matching of greater affinity, it takes the medians, where those
// tell another ratio (few points far away leave them as they are), or, unless the scales were
// said to differ, one unit. It returns what edges are compared by.
func (p *Problem) chooseUnit(ctx context.Context, asked Scale, g1, g2 *graphs.Graph, node func(i, a int) float64, edges quantities) (quantities, error) {
	if p.Design.Scale != ScaleFree || len(p.Edges1)*len(p.Edges2) > trialPairs || late(ctx) {
		return edges, nil
	}
	others := []Design{p.Design}
	if mediansDiffer(ctx, g1, g2) {
		d := p.Design
		d.median = true
		others = append(others, d)
	}
	if asked != ScaleFree {
		d := p.Design
		d.Scale = ScaleSame
		others = append(others, d)
	}
	if len(others) == 1 {
		return edges, nil
	}
	type made struct {
		Problem
		edges quantities
		score float64
	}
	found, best, err := trial(others, func(d Design) (m made, err error) {
		if m = (made{Problem: *p, edges: edges}); d.Scale != p.Design.Scale || d.median != p.Design.median {
			m.Design = d
			if m.edges, err = m.assemble(ctx, g1, g2, node); err != nil {
				return m, err
			}
		}
		r, err := shortSearch(ctx, m.Instance)
		m.score = r.Score
		return m, err
	}, func(m made) float64 { return m.score })
	if err != nil {
		return nil, err
	}
	*p = found[best].Problem
	return found[best].edges, nil
}

// mediansDiffer reports whether the ratio of two graphs' median distances is another than that of
// their means, by a twentieth or more.
func mediansDiffer(ctx context.Context, g1, g2 *graphs.Graph) bool {
	_, mean1, mean2 := ScaleFree.units(ctx, g1, g2, false)
	_, median1, median2 := ScaleFree.units(ctx, g1, g2, true)
	ratio := mean1 / mean2 / (median1 / median2)
	return max(ratio, 1/ratio) > 1.05
}
