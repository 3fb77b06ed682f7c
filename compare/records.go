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
	"github.com/rgm-go/rgm/qap/assignment"
	"github.com/rgm-go/rgm/qap/confidence"
)

// A NodeProblem is that of matching nodes by what each has for itself: no two matches say anything of each other.
type NodeProblem interface {
	Size() (n1, n2 int)                                       // nodes of both graphs
	Match(ctx context.Context, complete bool) qap.Matching    // the matching of the greatest objective
	Objective(m qap.Matching) float64                         // the sum of the logarithms of how much likelier matches are right than chance
	Evidence(ctx context.Context, m qap.Matching) [][]float64 // what is known of each match (package confidence), nil of nodes without one
	Confidence(ctx context.Context, m qap.Matching) []float64 // how likely each match is right, 0 without one; nil where the context ends
	Compared(g1, g2 *graphs.Graph) Compared                   // what is compared
}

// Records is two sets of nodes that have words and numbers, and neither edges nor places that could be compared: the linkage of records
// (Fellegi and Sunter, doi:10.1080/01621459.1969.10501049).
type Records struct {
	about  string
	unused []string
	n1, n2 int
	known  []graphs.Pair
	agree  *Agreement
	weight float64

	likely *ratios
	prior  float64 // ln of how likely two nodes of both sets are the same, before anything is compared
	blocks *blocks
}

// Records returns the problem of two graphs that have features or words of nodes to compare, and nothing else; nil of others.
func (d Design) Records(ctx context.Context, g1, g2 graphs.Graph, known []graphs.Pair) (*Records, error) {
	if d.Joins.Rule != JoinAuto || d.Similar != nil || g1.Points != nil && g2.Points != nil || g1.Edges != nil && g2.Edges != nil ||
		d.Agree != nil && d.Agree.Edges1 != nil || d.NodeWeight != nil && *d.NodeWeight == 0 {
		return nil, nil
	}
	if err := cmp.Or(g1.Check(), g2.Check()); err != nil {
		return nil, err
	}
	left, err := byName(&g1, &g2)
	if err != nil {
		return nil, err
	}
	nodes, err := left.nodeQuantities(ctx, &g1, &g2)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	r := &Records{n1: g1.Nodes, n2: g2.Nodes, known: known, agree: d.Agree, weight: 1, blocks: newBlocks(nodes)}
	if d.NodeWeight != nil {
		r.weight = *d.NodeWeight
	}
	r.likely = nodes.likelihoods(ctx, r.n1, r.n2, known)
	r.expect(float64(min(r.n1, r.n2)) / 2)
	const rounds = 3 // what right matches are like, from those that were found
	for range rounds {
		if ctx.Err() != nil {
			break
		}
		right := slices.Clone(known)
		for i, a := range r.assign(ctx) {
			if a != qap.Unmatched {
				right = append(right, graphs.Pair{I: i, J: a})
			}
		}
		if len(right) < fewestKnown {
			break
		}
		if l := nodes.likelihoods(ctx, r.n1, r.n2, right); l.most > 0 {
			r.likely = l
			r.expect(float64(len(right)))
		}
	}
	const hardlyAny, standsOut = 0.25, 2 // of the smaller set; the logarithm of the odds
	if found := r.assign(ctx).Size() - len(known); r.likely.most > 0 && r.likely.most+r.prior < standsOut &&
		float64(found) < hardlyAny*float64(min(r.n1, r.n2)) {
		r.expect(float64(min(r.n1, r.n2))) // even equal rows would not stand out: which are nearest is asked all the same
	}
	if err := ended(ctx); err != nil {
		return nil, err
	}
	r.about = fmt.Sprintf("%d and %d nodes by themselves: %s%s", r.n1, r.n2, r.likely, d.Agree)
	r.unused = left
	return r, nil
}

// expect sets the prior by how many matches are expected.
func (r *Records) expect(matches float64) { r.prior = priorOf(matches, r.n1, r.n2) }

// priorOf returns, as a logarithm, by how much likelier two nodes are the same than that both have no partner, before anything is
// compared: against each node there are as many others as have none.
func priorOf(matches float64, nodes1, nodes2 int) float64 {
	n1, n2 := float64(nodes1), float64(nodes2)
	share := min(max(matches/n1, 1/(n1+1)), 1-1/(n1+1))
	return math.Log(share/(1-share)) - math.Log(max(n2-matches, 1))
}

func (r *Records) value(i, a int) float64 {
	return r.weight*(r.likely.of(i, a)+alikeAlone(r.likely.left, i, a)) + r.prior
}

// alikeAlone returns what numbers without an estimate of their noise say: nothing where they differ, and a little where they are alike.
func alikeAlone(left quantities, i, a int) float64 {
	if len(left) == 0 {
		return 0
	}
	return left.alike(i, a)
}

// assign returns the best matching.
func (r *Records) assign(ctx context.Context) qap.Matching {
	fixed1, fixed2 := map[int]int{}, map[int]bool{}
	for _, k := range r.known {
		fixed1[k.I], fixed2[k.J] = k.J, true
	}
	choices := r.blocks.choices(ctx, r.likely, r.n1, r.n2, 0, func(i, a int) float64 {
		if _, fixed := fixed1[i]; fixed || fixed2[a] || !r.agree.May(i, a) {
			return math.Inf(-1)
		}
		return r.value(i, a)
	})
	m := qap.Matching(assignment.MaximizeSparse(ctx, choices, r.n2))
	for i, a := range fixed1 {
		m[i] = a
	}
	return m
}

// Size returns the numbers of rows.
func (r *Records) Size() (n1, n2 int) { return r.n1, r.n2 }

// Match returns the matching of the greatest objective; a complete one gives what is left over any partner, the best first.
func (r *Records) Match(ctx context.Context, complete bool) qap.Matching {
	m := r.assign(ctx)
	if complete {
		fill(ctx, m, r.n2, func(i, a int) float64 {
			if !r.agree.May(i, a) {
				return math.Inf(-1)
			}
			return r.value(i, a)
		})
	}
	return m
}

// fill gives nodes without a partner the best that is left, of a value above −∞.
func fill(ctx context.Context, m qap.Matching, n2 int, value func(i, a int) float64) {
	taken := make([]bool, n2)
	for _, a := range m {
		if a != qap.Unmatched {
			taken[a] = true
		}
	}
	for i, a := range m {
		if a != qap.Unmatched || ctx.Err() != nil {
			continue
		}
		best := math.Inf(-1)
		for a := range taken {
			if taken[a] {
				continue
			}
			if v := value(i, a); v > best {
				m[i], best = a, v
			}
		}
		if m[i] != qap.Unmatched {
			taken[m[i]] = true
		}
	}
}

// Objective returns the sum of the matches' values.
func (r *Records) Objective(m qap.Matching) (sum float64) {
	for i, a := range m {
		if a != qap.Unmatched {
			sum += r.value(i, a)
		}
	}
	return sum
}

// Evidence returns what is known of each match.
func (r *Records) Evidence(ctx context.Context, m qap.Matching) [][]float64 {
	known := confidence.Assigned{Columns: r.n2}
	known.Choices = r.blocks.choices(ctx, r.likely, r.n1, r.n2, confidence.Likely, func(i, a int) float64 {
		if !r.agree.May(i, a) {
			return math.Inf(-1)
		}
		return r.value(i, a)
	})
	numbers, words := float64(len(r.likely.numbers)), float64(len(r.likely.words))
	known.About = []float64{r.prior, r.likely.most, math.Log1p(numbers), math.Log1p(words)}
	return known.Evidence(ctx, m, r.value)
}

// Confidence returns how likely each match is right.
func (r *Records) Confidence(ctx context.Context, m qap.Matching) []float64 {
	return told(ctx, r.Evidence(ctx, m), r.known, func(_, _ int, x []float64) float64 { return confidence.OfRecords(x) }, m)
}

// told returns how likely matches are right by their evidence, known ones for certain; nil where ctx ended.
func told(ctx context.Context, rows [][]float64, known []graphs.Pair, of func(i, a int, x []float64) float64, m qap.Matching) []float64 {
	if ctx.Err() != nil {
		return nil
	}
	all := make([]float64, len(m))
	for i, x := range rows {
		if x != nil {
			all[i] = of(i, m[i], x)
		}
	}
	for _, k := range known {
		if m[k.I] == k.J {
			all[k.I] = 1
		}
	}
	return all
}

// Compared returns what is compared.
func (r *Records) Compared(g1, g2 *graphs.Graph) Compared {
	return Compared{Edges: "none", Kernel: "node", About: r.about, Names1: g1.Names, Names2: g2.Names, Unused: WithNotices(r.unused, g1, g2)}
}

// blocks find the nodes of graph 2 that one of graph 1 is compared with: those that share a rare value or two values, and those of near numbers.
type blocks struct {
	all    quantities
	single []map[float64][]int32 // by quantity
	double []map[[2]float64][]int32
	pairs  [][2]int // the quantities of double
}

// mostShared is how many nodes may share what blocks go by.
const mostShared = 48

func newBlocks(all quantities) *blocks {
	const most = 8 // quantities of which pairs are taken
	b := &blocks{all: all}
	for c := range all {
		index := map[float64][]int32{}
		for a, v := range all[c].of2 {
			if !math.IsNaN(v) {
				index[v] = append(index[v], int32(a))
			}
		}
		b.single = append(b.single, index)
	}
	for c := range min(len(all), most) {
		for d := range c {
			index := map[[2]float64][]int32{}
			for a := range all[c].of2 {
				key := [2]float64{all[c].of2[a], all[d].of2[a]}
				if !graphs.Known(key[:]) {
					continue
				}
				index[key] = append(index[key], int32(a))
			}
			b.double, b.pairs = append(b.double, index), append(b.pairs, [2]int{c, d})
		}
	}
	return b
}

// choices returns the partners of each node of graph 1 of a value above the least, the best of those that are compared.
func (b *blocks) choices(ctx context.Context, l *ratios, n1, n2 int, least float64, value func(i, a int) float64) [][]assignment.Choice {
	const most, near, leaves = 24, 16, 12
	over := func() bool { return ctx.Err() != nil }
	choices := make([][]assignment.Choice, n1)
	var tree *kdtree.Tree
	var places []float32
	width := len(l.numbers)
	if width > 0 {
		at := l.attributes(n1, n2)
		narrow := func(from []float32, n int) []float32 { // without the words
			to := make([]float32, 0, n*width)
			for i := range n {
				to = append(to, from[i*at.Width:i*at.Width+width]...)
			}
			return to
		}
		places = narrow(at.X, n1)
		tree = kdtree.New(narrow(at.Y, n2), width, over)
	}
	seen := make([]int32, n2)
	var q kdtree.Query
	for i := range choices {
		if i%256 == 0 && over() {
			break
		}
		consider := func(nodes []int32) {
			if len(nodes) > mostShared {
				return
			}
			for _, a := range nodes {
				if seen[a] == int32(i+1) {
					continue
				}
				seen[a] = int32(i + 1)
				if v := value(i, int(a)); v > least {
					choices[i] = append(choices[i], assignment.Choice{Column: int(a), Score: v})
				}
			}
		}
		for c := range b.all {
			consider(b.single[c][b.all[c].of1[i]])
		}
		for k, p := range b.pairs {
			consider(b.double[k][[2]float64{b.all[p[0]].of1[i], b.all[p[1]].of1[i]}])
		}
		if tree != nil {
			tree.Search(places[i*width:(i+1)*width], near, leaves, &q)
			for _, f := range q.Nearest {
				consider([]int32{f.ID})
			}
		}
		if len(choices[i]) > most {
			slices.SortStableFunc(choices[i], func(x, y assignment.Choice) int { return cmp.Compare(y.Score, x.Score) })
			choices[i] = choices[i][:most]
		}
	}
	return choices
}
