package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/kdtree"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align/points"
	"github.com/rgm-go/rgm/qap/assignment"
	"github.com/rgm-go/rgm/qap/confidence"
)

// Places is two sets of points of which one is, but for noise and points without a partner, the other turned, scaled, moved and
// perhaps mirrored.
type Places struct {
	Known  []graphs.Pair
	About  string   // what is compared, in words
	Unused []string // what the graphs have and is not compared, in words

	n1, n2             int
	nodes1, nodes2     []int // whose places are known
	numbers1, numbers2 []int // of all nodes among these, −1 of the others
	found              *points.Match
	score              func(i, a int) float64 // beyond places, nil for nothing
	prior              float64                // of two nodes of which one has no place
	likely             *ratios                // of what nodes have besides, nil for nothing
	blocks             *blocks
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

// FewPoints is up to how many pairs of points all distances are compared instead of their places.
const FewPoints = completeNodes

// fewestPartners is the share of the smaller set that a transform must give a partner: else lengths of neighbours are compared where that
// is possible.
const fewestPartners = 0.5

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
		d.Agree != nil && d.Agree.Edges1 != nil || g1.Nodes*g2.Nodes <= FewPoints {
		return nil, nil
	}
	if err := cmp.Or(g1.Check(), g2.Check()); err != nil {
		return nil, err
	}
	left, err := byName(&g1, &g2)
	if err != nil {
		return nil, err
	}
	p := &Places{Known: known, n1: g1.Nodes, n2: g2.Nodes}
	var at1, at2 [][]float64
	p.nodes1, at1 = located(&g1)
	p.nodes2, at2 = located(&g2)
	p.numbers1, p.numbers2 = numbersOf(p.nodes1, p.n1), numbersOf(p.nodes2, p.n2)
	if points.Check(at1, at2) != nil {
		return nil, nil
	}
	if p.found = points.Find(ctx, at1, at2, points.Options{Seed: seed, Known: p.known()}); p.found == nil {
		return nil, nil
	}
	share := float64(len(p.found.Right)) / float64(min(len(at1), len(at2)))
	p.prior = priorOf(share*float64(min(p.n1, p.n2)), p.n1, p.n2)
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
		right[k] = graphs.Pair{I: p.nodes1[r.I], J: p.nodes2[r.J]}
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
	if !p.allLocated() {
		p.likely, p.blocks = l, newBlocks(nodes)
	}
	p.About += fmt.Sprintf("; nodes by %s", l)
	return nil
}

// known returns the known pairs of nodes whose places are known.
func (p *Places) known() (known []points.Pair) {
	for _, k := range p.Known {
		if i, a := p.numbers1[k.I], p.numbers2[k.J]; i >= 0 && a >= 0 {
			known = append(known, points.Pair{I: i, J: a})
		}
	}
	return known
}

func (p *Places) allLocated() bool { return len(p.nodes1) == p.n1 && len(p.nodes2) == p.n2 }

// placed returns what nodes have besides places as package points asks for it.
func (p *Places) placed() func(i, a int) float64 {
	if p.score == nil || p.allLocated() {
		return p.score
	}
	return func(i, a int) float64 { return p.score(p.nodes1[i], p.nodes2[a]) }
}

// choices returns the partners of each node that are worth more than least: by places where both are known, else by what nodes have
// besides.
func (p *Places) choices(ctx context.Context, least float64) [][]assignment.Choice {
	all := make([][]assignment.Choice, p.n1)
	for k, of := range p.found.Choices(ctx, points.Options{Score: p.placed()}, least) {
		for c := range of {
			of[c].Column = p.nodes2[of[c].Column]
		}
		all[p.nodes1[k]] = of
	}
	if p.likely == nil {
		return all
	}
	for i, of := range p.blocks.choices(ctx, p.likely, p.n1, p.n2, least, func(i, a int) float64 {
		if p.numbers1[i] >= 0 && p.numbers2[a] >= 0 {
			return math.Inf(-1)
		}
		return p.value(i, a)
	}) {
		all[i] = append(all[i], of...)
	}
	return all
}

// value returns how much likelier, as a logarithm, two nodes are the same than that both have no partner.
func (p *Places) value(i, a int) float64 {
	v := p.prior
	if k, l := p.numbers1[i], p.numbers2[a]; k >= 0 && l >= 0 {
		v = p.found.Value(k, l)
	}
	if p.score == nil {
		return v
	}
	return v + p.score(i, a)
}

// Size returns the nodes of both graphs.
func (p *Places) Size() (n1, n2 int) { return p.n1, p.n2 }

// Match returns the matching of the greatest objective. A node whose place is unknown is matched by what else it has, or not at all.
func (p *Places) Match(ctx context.Context, complete bool) qap.Matching {
	if p.allLocated() {
		return p.found.Assign(ctx, points.Options{Known: p.known(), Complete: complete, Score: p.score})
	}
	fixed1, fixed2 := make([]bool, p.n1), make([]bool, p.n2)
	for _, k := range p.Known {
		fixed1[k.I], fixed2[k.J] = true, true
	}
	choices := p.choices(ctx, 0)
	for i, of := range choices {
		choices[i] = slices.DeleteFunc(of, func(c assignment.Choice) bool { return fixed1[i] || fixed2[c.Column] })
	}
	m := qap.Matching(assignment.MaximizeSparse(ctx, choices, p.n2))
	for _, k := range p.Known {
		m[k.I] = k.J
	}
	if complete {
		fill(ctx, m, p.n2, p.value)
	}
	return m
}

// Objective returns how much likelier, as a logarithm, the matches are the same points than strangers, by their places and what they have
// besides.
func (p *Places) Objective(m qap.Matching) (sum float64) {
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		if v := p.value(i, a); !math.IsInf(v, -1) {
			sum += v
		}
	}
	return sum
}

// Evidence returns what is known of each match.
func (p *Places) Evidence(ctx context.Context, m qap.Matching) [][]float64 {
	attributes := 0.0
	if p.score != nil {
		attributes = 1
	}
	known := confidence.Assigned{
		Columns: p.n2, Choices: p.choices(ctx, confidence.Likely),
		About: []float64{p.found.Partners, p.found.Crowd(), float64(len(p.found.Transform.Shift)), attributes},
	}
	return known.Evidence(ctx, m, p.value)
}

// Agreeing returns which share of the transforms that are as good takes a node to another; all where the place of one is unknown.
func (p *Places) Agreeing(i, a int) float64 {
	if i, a = p.numbers1[i], p.numbers2[a]; i < 0 || a < 0 {
		return 1
	}
	return p.found.Agreeing(i, a)
}

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

// Joined returns a graph whose points, as far as they are known, are joined with so many nearest neighbours each, in time that grows little faster than their number.
func Joined(ctx context.Context, g *graphs.Graph, neighbours int) *graphs.Graph {
	joined := *g
	width := g.Dimensions()
	nodes, at := located(g)
	if len(at) == 0 {
		joined.Edges = []graphs.Edge{}
		return &joined
	}
	low, high := slices.Clone(at[0]), slices.Clone(at[0])
	side := 0.0
	for _, p := range at {
		for k, v := range p {
			low[k], high[k] = min(low[k], v), max(high[k], v)
			side = max(side, high[k]/2-low[k]/2)
		}
	}
	data := make([]float32, 0, len(at)*width)
	for _, p := range at {
		for k, v := range p {
			data = append(data, float32((v/2-low[k]/2)/max(side, math.SmallestNonzeroFloat64)))
		}
	}
	tree := kdtree.New(data, width, func() bool { return ctx.Err() != nil })
	joined.Edges, joined.Weights, joined.Directed = []graphs.Edge{}, nil, false
	joined.Relation, joined.EdgeWords, joined.EdgeNumbers = nil, nil, nil
	var q kdtree.Query
	clock := clock{ctx: ctx}
	for i := range at {
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
	joined.Edges = renamed(graphs.SortedEdges(joined.Edges), nodes)
	return &joined
}
