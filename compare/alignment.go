package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap/align"
)

// Structure returns the edges of a graph, and their weights, as package align takes them.
func Structure(g *graphs.Graph) (*align.Graph, error) { return structure(g, g.Weights, g.Directed) }

func structure(g *graphs.Graph, weights []float64, directed bool) (*align.Graph, error) {
	s, err := align.NewGraph(g.Nodes, len(g.Edges), func(k int) (i, j int) { return g.Edges[k].I, g.Edges[k].J }, weights, directed)
	if err != nil {
		return nil, fmt.Errorf("graphs: %s: %w", cmp.Or(g.Name, "a graph"), err)
	}
	return s, nil
}

// Plain reports whether two graphs have edges, and nothing but them and their weights to compare.
func Plain(g1, g2 *graphs.Graph) bool {
	if g1.Edges == nil || g2.Edges == nil {
		return false
	}
	for _, vectors := range [][2][][]float64{{g1.Points, g2.Points}, {g1.Features, g2.Features}, {g1.Relation, g2.Relation}} {
		if vectors[0] != nil && vectors[1] != nil {
			return false
		}
	}
	var u unused // of which nothing is said
	words, _ := both(&u, g1, g2, "", "", wordsBeside(g1, g2.NodeWords), wordsBeside(g2, g1.NodeWords))
	edgeWords, _ := both(&u, g1, g2, "", "", g1.EdgeWords, g2.EdgeWords)
	edgeNumbers, _ := both(&u, g1, g2, "", "", u.complete(g1), u.complete(g2))
	return len(words)+len(edgeWords)+len(edgeNumbers) == 0
}

// Alignment is the problem of aligning two graphs.
type Alignment struct {
	align.Problem
	About  string   // what is compared, in words
	Unused []string // what the graphs have and is not compared, in words
}

// Alignment returns the problem of aligning two graphs by their edges, with pairs that are
// known and similarities, nil for none. Weights and directions count where both have them, and
// attributes of nodes by their likelihoods, for which a third of the context's time limit is used at
// most.
func (d Design) Alignment(ctx context.Context, g1, g2 graphs.Graph, known []graphs.Pair) (a Alignment, err error) {
	if err := cmp.Or(g1.Check(), g2.Check()); err != nil {
		return a, err
	}
	if g1.Edges == nil || g2.Edges == nil {
		return a, fmt.Errorf("graphs: %s has no edges: an alignment goes by them", without(&g1, &g2, func(g *graphs.Graph) bool { return g.Edges != nil }))
	}
	left, err := byName(&g1, &g2)
	if err != nil {
		return a, err
	}
	weighted, directed := g1.Weights != nil && g2.Weights != nil, g1.Directed && g2.Directed
	weights1, weights2 := g1.Weights, g2.Weights
	left.structure(&g1, &g2)
	for _, s := range d.Similar {
		a.Similar = append(a.Similar, align.Similar{Pair: align.Pair(s.Pair), Score: s.Score})
	}
	if kinds1, kinds2 := d.Agree.alignment(&a.Problem, &g1, &g2, &left); kinds1 != nil {
		weights1, weights2, weighted = kinds1, kinds2, false
	}
	words := strings.Join(graphs.NamesOf(g1.EdgeWords), " and ")
	if !weighted && !a.Strict {
		weights1, weights2 = kindsOf(&g1, &g2)
		a.Kinds = weights1 != nil
	}
	if a.A, err = structure(&g1, weights1, directed); err != nil {
		return a, err
	}
	if a.B, err = structure(&g2, weights2, directed); err != nil {
		return a, err
	}
	a.About = fmt.Sprintf("aligned by structure: %d and %d nodes, %d and %d edges", g1.Nodes, g2.Nodes, a.A.Edges(), a.B.Edges())
	if weighted {
		a.About += " with weights"
	}
	if directed {
		a.About += " and directions"
	}
	for _, k := range known {
		a.Known = append(a.Known, align.Pair(k))
	}
	if len(known) > 0 {
		a.About += fmt.Sprintf("; known pairs: %d", len(known))
	}
	if len(d.Similar) > 0 {
		a.About += fmt.Sprintf("; similarities of nodes: %d", len(d.Similar))
	}
	if a.Kinds && !a.Strict {
		plain := a.Problem
		plain.Kinds = false
		if plain.A, err = structure(&g1, nil, directed); err == nil {
			plain.B, err = structure(&g2, nil, directed)
		}
		if err != nil {
			return a, err
		}
		a.weighKinds(ctx, plain, words, kindShares(weights1, weights2))
		if !a.Kinds {
			left.leaveBoth("the edges' "+words, "those of shared edges differ")
		}
	}
	err = d.addAttributes(ctx, &a, &g1, &g2, &left)
	a.Unused = left
	a.About += d.Agree.String()
	return a, err
}

// kindsOf returns the numbers of the kinds of edges, from 1: edges are of one kind where all words that
// both graphs have are equal, which are then used. It returns nil where there are none.
func kindsOf(g1, g2 *graphs.Graph) (of1, of2 []float64) {
	if len(g1.EdgeWords) == 0 { // as of graph 2, see byName
		return nil, nil
	}
	numbers := map[string]float64{}
	for _, side := range []struct {
		of *graphs.Graph
		to *[]float64
	}{{g1, &of1}, {g2, &of2}} {
		for k := range side.of.Edges {
			kind := ""
			for _, a := range side.of.EdgeWords {
				kind += strconv.Quote(a.Values[k])
			}
			if numbers[kind] == 0 {
				numbers[kind] = float64(len(numbers) + 1)
			}
			*side.to = append(*side.to, numbers[kind])
		}
	}
	g1.EdgeWords, g2.EdgeWords = nil, nil
	return of1, of2
}

// kindShares returns how many of all pairs of edges are of one kind, as a share.
func kindShares(of1, of2 []float64) (equal float64) {
	counts := map[float64]float64{}
	for _, kind := range of1 {
		counts[kind]++
	}
	for _, kind := range of2 {
		equal += counts[kind]
	}
	return equal / float64(len(of1)) / float64(len(of2))
}

// structure takes note of what alignments do not compare, and makes words of the numbers of edges
// that many edges share.
func (u *unused) structure(g1, g2 *graphs.Graph) {
	if g1.Points != nil && g2.Points != nil {
		u.leaveBoth("coordinates", "an alignment goes by edges")
	}
	if g1.Relation != nil && g2.Relation != nil {
		u.leaveBoth("features of edges", "an alignment has no use for them")
	}
	for _, sides := range [][2]*graphs.Graph{{g1, g2}, {g2, g1}} {
		if sides[0].Directed && !sides[1].Directed {
			u.leaveBoth("directions of edges of "+cmp.Or(sides[0].Name, "a graph"), cmp.Or(sides[1].Name, "the other graph")+" has none")
		}
	}
	if g1.Weights != nil && g2.Weights != nil {
		for _, name := range slices.Concat(graphs.NamesOf(g1.EdgeWords), graphs.NamesOf(g1.EdgeNumbers)) {
			u.leaveBoth("the edges' "+name, "an alignment compares their weights")
		}
		return
	}
	for k, a := range g1.EdgeNumbers {
		b := g2.EdgeNumbers[k]
		if q := (quantity{of1: a.Values, of2: b.Values}); !q.repeats() {
			u.leaveBoth("the edges' "+a.Name, "an alignment compares numbers of edges only as their weight")
			continue
		}
		g1.EdgeWords = append(slices.Clip(g1.EdgeWords), graphs.Attribute[string]{Name: a.Name, Values: graphs.WordsOf(a.Values)})
		g2.EdgeWords = append(slices.Clip(g2.EdgeWords), graphs.Attribute[string]{Name: a.Name, Values: graphs.WordsOf(b.Values)})
	}
}

// weighKinds says what an edge of another kind counts: by how much less likely it is right, from how
// many edges that a short alignment shares are of one kind, where chance would have a share of
// them. There are two, with words and without, and that of more shared edges is right. Words that
// say nothing are left out.
func (a *Alignment) weighKinds(ctx context.Context, plain align.Problem, words string, chance float64) {
	const guess, clearly = 0.5, 1.1 // what counts until then, times chance
	a.Unlike = guess
	equal := 0.9
	if max(a.A.Nodes(), a.B.Nodes()) <= mostAligned {
		found, k, err := shortAlignments(ctx, 10, &a.Problem, &plain)
		if err != nil {
			return // as the search will say
		}
		best := found[k]
		a.Begin = best.Matching
		equal = (a.Objective(best.Matching)/float64(max(best.Shared, 1)) - guess) / (1 - guess)
	}
	if equal < clearly*chance {
		a.A, a.B, a.Kinds = plain.A, plain.B, false
		return
	}
	edge, none := edgeRatio(&a.Problem, 0), 1/float64(a.Bound()+2)
	a.Unlike = max(0, edge+math.Log(max(1-equal, none)/max(1-chance, none))) / (edge + math.Log(equal/chance))
	a.About += fmt.Sprintf("; edges by %s: one of another kind counts %.2g", words, a.Unlike)
}

// addAttributes adds what nodes have besides edges to an alignment.
func (d Design) addAttributes(ctx context.Context, a *Alignment, g1, g2 *graphs.Graph, left *unused) error {
	nodes, err := left.nodeQuantities(ctx, g1, g2)
	if err != nil {
		return err
	}
	if len(nodes) == 0 || d.NodeWeight != nil && *d.NodeWeight == 0 {
		return nil
	}
	l, begin := nodes.byEdges(ctx, g1, g2, a.Known, d.NodeWeight != nil)
	a.Begin = begin.Matching
	switch {
	case ctx.Err() != nil:
		return nil // and the search will have no time either
	case l == nil:
		left.leaveBoth(nodes.names(), sharesMore)
		return nil
	case l.most <= 0:
		left.leaveBoth(nodes.names(), saysNothing)
		return nil
	}
	a.Attributes = l.attributes(g1.Nodes, g2.Nodes)
	weight, source := l.most/edgeRatio(&a.Problem, begin.Shared), "from the data"
	if d.NodeWeight != nil {
		weight, source = *d.NodeWeight, "as given"
	}
	a.Attributes.Weight = weight
	a.About += fmt.Sprintf("; nodes by %s, at most %.3g edges a match (%s)", l, weight, source)
	return nil
}

// attributes returns the ratios as package align takes them: numbers in units in which their
// differences are likelihoods, and words as random vectors, so that different ones are as far
// apart in the mean.
func (l *ratios) attributes(n1, n2 int) *align.Attributes {
	const wide = 3 // numbers a word
	a := &align.Attributes{Width: len(l.numbers) + wide*len(l.words), Score: func(i, j int) float64 { return l.of(i, j) / l.most }}
	a.X, a.Y = make([]float32, n1*a.Width), make([]float32, n2*a.Width)
	for c, q := range l.numbers {
		unit := math.Sqrt(-4 * l.slope[c])
		mean, _ := moments(slices.Concat(q.of1, q.of2)) // in place of what is unknown
		put := func(to []float32, values []float64) {
			for i, v := range values {
				if math.IsNaN(v) {
					v = mean
				}
				to[i*a.Width+c] = float32(unit * v)
			}
		}
		put(a.X, q.of1)
		put(a.Y, q.of2)
	}
	for c, q := range l.words {
		at := len(l.numbers) + wide*c
		vectors := l.wordVectors(c, wide)
		put := func(to []float32, words []float64) {
			for i, w := range words {
				if !math.IsNaN(w) {
					copy(to[i*a.Width+at:], vectors[int(w)])
				}
			}
		}
		put(a.X, q.of1)
		put(a.Y, q.of2)
	}
	return a
}

// wordVectors returns a random vector for each word.
func (l *ratios) wordVectors(c, wide int) [][]float32 {
	rng := rand.New(rand.NewPCG(uint64(c), 0))
	vectors := make([][]float32, len(l.equal[c]))
	for w, equal := range l.equal[c] {
		length := math.Sqrt(2 * max(equal-l.differ[c], 0) / float64(wide))
		for range wide {
			vectors[w] = append(vectors[w], float32(length*rng.NormFloat64()))
		}
	}
	return vectors
}
