package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/kdtree"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align/points"
	"github.com/rgm-go/rgm/qap/confidence"
)

// Places is two sets of points of which one is, but for noise and points without a partner, the other turned, scaled, moved and
// perhaps mirrored.
type Places struct {
	Known  []graphs.Pair
	About  string   // what is compared, in words
	Unused []string // what the graphs have and is not compared, in words

	n1, n2 int
	found  *points.Match
	score  func(i, a int) float64 // beyond places, nil for nothing
}

// Placed is what is known of points that a transform takes to others, as it is printed.
type Placed struct {
	Transform Transform `json:"transform"`
}

// Transform takes the points of graph 1 to those of graph 2: y = Scale·Turn·x + Shift. docs/CLI_JSON.md says what each field means.
type Transform struct {
	Scale    float64     `json:"scale"`
	Angle    *float64    `json:"angle,omitempty"`
	Turn     [][]float64 `json:"turn"`
	Shift    []float64   `json:"shift"`
	Mirrored bool        `json:"mirrored"`
	Noise    float64     `json:"noise"`
	Partners float64     `json:"partners"`
}

// fewPoints is up to how many pairs of points all distances are compared instead, and fewestPartners the share of the smaller set that
// a transform must give a partner: else lengths of neighbours are compared where that is possible.
const fewPoints, fewestPartners = completeNodes, 0.5

// mostLengths is the product of the numbers of points up to which lengths of neighbours can be compared instead.
const mostLengths = maxPairs / 2 / 9

// ManyPoints reports whether two sets of points are so large that lengths of neighbours are not compared.
func ManyPoints(g1, g2 *graphs.Graph) bool {
	return float64(g1.Nodes)*float64(g2.Nodes) > mostLengths
}

// Places returns the problem of two sets of points whose places tell a transform, nil where they tell none or are not compared. known are
// pairs that are right.
func (d Design) Places(ctx context.Context, g1, g2 graphs.Graph, seed uint64, known []graphs.Pair) (*Places, error) {
	if d.Joins.Rule != JoinAuto || d.Similar != nil || g1.Points == nil || g2.Points == nil || g1.Edges != nil && g2.Edges != nil ||
		d.Agree != nil && d.Agree.Edges1 != nil || g1.Nodes*g2.Nodes <= fewPoints {
		return nil, nil
	}
	if err := cmp.Or(g1.Check(), g2.Check()); err != nil {
		return nil, err
	}
	left, err := byName(&g1, &g2)
	if err != nil {
		return nil, err
	}
	if points.Check(g1.Points, g2.Points) != nil {
		return nil, nil
	}
	p := &Places{Known: known, n1: g1.Nodes, n2: g2.Nodes}
	if p.found = points.Find(ctx, g1.Points, g2.Points, points.Options{Seed: seed, Known: p.known()}); p.found == nil {
		return nil, nil
	}
	share := float64(len(p.found.Right)) / float64(min(g1.Nodes, g2.Nodes))
	if least := fewestPartners; share < least && (!ManyPoints(&g1, &g2) || share < least/2) {
		return nil, nil
	}
	p.About = fmt.Sprintf("%d and %d nodes by their places: one transform takes %d points to others, scale %.4g, noise %.3g",
		g1.Nodes, g2.Nodes, len(p.found.Right), p.found.Transform.Scale, p.found.Noise)
	if err := p.addAttributes(ctx, &d, &g1, &g2, &left); err != nil {
		return nil, err
	}
	if d.Agree != nil {
		of := p.score
		p.score = func(i, a int) float64 {
			switch {
			case !d.Agree.May(i, a):
				return math.Inf(-1)
			case of == nil:
				return 0
			}
			return of(i, a)
		}
	}
	p.About += d.Agree.String()
	p.Unused = left
	return p, nil
}

// addAttributes adds what nodes have besides places, by the pairs that places are sure of.
func (p *Places) addAttributes(ctx context.Context, d *Design, g1, g2 *graphs.Graph, left *unused) error {
	nodes, err := left.nodeQuantities(ctx, g1, g2)
	if err != nil || len(nodes) == 0 || len(p.found.Right) < fewestKnown || d.NodeWeight != nil && *d.NodeWeight == 0 {
		return err
	}
	right := make([]graphs.Pair, len(p.found.Right))
	for k, r := range p.found.Right {
		right[k] = graphs.Pair(r)
	}
	l := nodes.likelihoods(ctx, g1.Nodes, g2.Nodes, right)
	if l.most <= 0 {
		left.leaveBoth(nodes.names(), saysNothing)
		return nil
	}
	weight := 1.0
	if d.NodeWeight != nil {
		weight = *d.NodeWeight
	}
	p.score = func(i, a int) float64 { return weight * l.of(i, a) }
	p.About += fmt.Sprintf("; nodes by %s", l)
	return nil
}

func (p *Places) known() (known []points.Pair) {
	for _, k := range p.Known {
		known = append(known, points.Pair(k))
	}
	return known
}

// Size returns the nodes of both graphs.
func (p *Places) Size() (n1, n2 int) { return p.n1, p.n2 }

// Match returns the matching of the greatest objective.
func (p *Places) Match(ctx context.Context, complete bool) qap.Matching {
	return p.found.Assign(ctx, points.Options{Known: p.known(), Complete: complete, Score: p.score})
}

// Objective returns how much likelier, as a logarithm, the matches are the same points than strangers, by their places and what they have
// besides.
func (p *Places) Objective(m qap.Matching) (sum float64) {
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		sum += p.found.Value(i, a)
		if p.score == nil {
			continue
		}
		if v := p.score(i, a); !math.IsInf(v, -1) {
			sum += v
		}
	}
	return sum
}

// Evidence returns what is known of each match.
func (p *Places) Evidence(ctx context.Context, m qap.Matching) [][]float64 {
	known := confidence.Assigned{Columns: p.n2, Choices: p.found.Choices(ctx, points.Options{Score: p.score}, confidence.Likely)}
	attributes := 0.0
	if p.score != nil {
		attributes = 1
	}
	known.About = []float64{p.found.Partners, p.found.Crowd(), float64(len(p.found.Transform.Shift)), attributes}
	return known.Evidence(ctx, m, func(i, a int) float64 {
		v := p.found.Value(i, a)
		if p.score != nil {
			v += p.score(i, a)
		}
		return v
	})
}

// Agreeing returns which share of the transforms that are as good takes a point to another.
func (p *Places) Agreeing(i, a int) float64 { return p.found.Agreeing(i, a) }

// Confidence returns how likely each match is right. Of several transforms that are as good each is as likely.
func (p *Places) Confidence(ctx context.Context, m qap.Matching) []float64 {
	return told(ctx, p.Evidence(ctx, m), p.Known, func(i, a int, x []float64) float64 {
		return p.Agreeing(i, a) * confidence.OfPlaces(x)
	}, m)
}

// Placed returns what was found.
func (p *Places) Placed() *Placed {
	t := p.found.Transform
	told := Transform{Scale: t.Scale, Turn: t.Turn, Shift: t.Shift, Mirrored: t.Mirrored, Noise: p.found.Noise, Partners: p.found.Partners}
	if len(t.Shift) == 2 {
		angle := t.Angle()
		told.Angle = &angle
	}
	return &Placed{told}
}

// Compared returns what is compared of two sets of points by their places.
func (p *Places) Compared(g1, g2 *graphs.Graph) Compared {
	return Compared{Edges: "none", Kernel: "place", About: p.About, Names1: g1.Names, Names2: g2.Names, Unused: WithNotices(p.Unused, g1, g2)}
}

// Joined returns a graph whose points are joined with so many nearest neighbours each, in time that grows little faster than their number.
func Joined(ctx context.Context, g *graphs.Graph, neighbours int) *graphs.Graph {
	joined := *g
	width := g.Dimensions()
	low, high := make([]float64, width), make([]float64, width)
	copy(low, g.Points[0])
	copy(high, g.Points[0])
	side := 0.0
	for _, p := range g.Points {
		for k, v := range p {
			low[k], high[k] = min(low[k], v), max(high[k], v)
			side = max(side, high[k]/2-low[k]/2)
		}
	}
	data := make([]float32, 0, len(g.Points)*width)
	for _, p := range g.Points {
		for k, v := range p {
			data = append(data, float32((v/2-low[k]/2)/max(side, math.SmallestNonzeroFloat64)))
		}
	}
	tree := kdtree.New(data, width, func() bool { return ctx.Err() != nil })
	joined.Edges, joined.Weights, joined.Directed = []graphs.Edge{}, nil, false
	joined.Relation, joined.EdgeWords, joined.EdgeNumbers = nil, nil, nil
	var q kdtree.Query
	clock := clock{ctx: ctx}
	for i := range g.Points {
		if clock.ended(width << 6) {
			break
		}
		tree.Search(tree.Row(i), neighbours+1, kdtree.All, &q)
		for _, f := range q.Nearest {
			if j := int(f.ID); j != i {
				joined.Edges = append(joined.Edges, graphs.Edge{I: min(i, j), J: max(i, j)})
			}
		}
	}
	joined.Edges = graphs.SortedEdges(joined.Edges)
	return &joined
}
