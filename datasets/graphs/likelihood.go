package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// likelihoods returns for each pair of nodes (i, a), at i·n2+a, by how much likelier, as a
// logarithm, the differences of their numbers are between right matches than between random
// pairs, both normal: Σ ½δ²(1/r − 1/v) + ½ln(r/v) over the numbers, r being the mean δ² of
// all pairs and v that of mutual nearest neighbours, robustly. Sums are at most, and no less
// than minus, what two equal nodes have, so that one number far off does not decide alone.
//
// Nearest neighbours are not all right, and the nearer they are to each other within a graph
// the fewer of them are. So the sums are weighed by how much nearer mutual neighbours of both
// graphs are than nearest neighbours within one. nil is returned where nothing can be
// estimated: of few nodes, or of numbers that many nodes share.
func (all quantities) likelihoods(ctx context.Context, n1, n2 int) (values []float64, trust float64) {
	const fewest = 5 // mutual neighbours
	spread := all.spread()
	if slices.Min(spread) < 1e-300 {
		return nil, 0 // its inverse is no number
	}
	distances := make([]float64, n1*n2)
	clock := clock{ctx: ctx}
	for i := range n1 {
		for a := range n2 {
			distances[i*n2+a] = all.distance(spread, i, a)
		}
		if clock.ended(n2 * len(all)) {
			return nil, 0
		}
	}
	mutual := mutualNearest(distances, n1, n2)
	if len(mutual) < fewest {
		return nil, 0
	}
	apart := make([]float64, len(mutual))
	for k, m := range mutual {
		apart[k] = distances[m[0]*n2+m[1]]
	}
	alike := append(all.nearestWithin(ctx, spread, true), all.nearestWithin(ctx, spread, false)...)
	if ctx.Err() != nil || len(alike) == 0 {
		return nil, 0
	}
	within := median(alike)
	if within == 0 {
		return nil, 0
	}
	trust = max(1-median(apart)/within, 0)
	slope, most := make([]float64, len(all)), 0.0
	for c := range all {
		v := all.matchedVariance(c, mutual, spread[c])
		slope[c] = (1/spread[c] - 1/v) / 2
		most += math.Log(spread[c]/v) / 2
	}
	for i := range n1 {
		for a := range n2 {
			sum := most
			for c := range all {
				sum += slope[c] * square(all[c].of1[i]-all[c].of2[a])
			}
			distances[i*n2+a] = max(sum, -most)
		}
		if clock.ended(n2 * len(all)) {
			return nil, 0
		}
	}
	return distances, trust
}

// spread returns the mean squared difference of each quantity over all pairs of nodes of
// both graphs.
func (all quantities) spread() []float64 {
	spread := make([]float64, len(all))
	for c := range all {
		m1, v1 := moments(all[c].of1)
		m2, v2 := moments(all[c].of2)
		spread[c] = v1 + v2 + square(m1-m2)
	}
	return spread
}

// moments returns the mean and the variance.
func moments(values []float64) (mean, variance float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		variance += square(v-mean) / float64(len(values))
	}
	return mean, variance
}

// distance returns Σ δ²/spread of node i of graph 1 and a of graph 2.
func (all quantities) distance(spread []float64, i, a int) float64 {
	sum := 0.0
	for c := range all {
		sum += square(all[c].of1[i]-all[c].of2[a]) / spread[c]
	}
	return sum
}

// nearestWithin returns the distances of nodes of a graph, the first or the second, that are
// nearest to each other.
func (all quantities) nearestWithin(ctx context.Context, spread []float64, first bool) []float64 {
	one := slices.Clone(all)
	for c := range one {
		if first {
			one[c].of2 = one[c].of1
		} else {
			one[c].of1 = one[c].of2
		}
	}
	n := len(one[0].of1)
	nearest, distances := make([]int, n), make([]float64, n)
	clock := clock{ctx: ctx}
	for i := range n {
		nearest[i], distances[i] = -1, math.Inf(1)
		for j := range n {
			if d := one.distance(spread, i, j); j != i && d < distances[i] {
				nearest[i], distances[i] = j, d
			}
		}
		if clock.ended(n * len(one)) {
			return nil
		}
	}
	var mutual []float64
	for i, j := range nearest {
		if j > i && nearest[j] == i {
			mutual = append(mutual, distances[i])
		}
	}
	return mutual
}

// mutualNearest returns the pairs of nodes that are nearest to each other, of distances at
// i·n2+a.
func mutualNearest(distances []float64, n1, n2 int) (pairs [][2]int) {
	nearest1, nearest2 := make([]int, n1), make([]int, n2)
	for i := range n1 {
		for a := range n2 {
			d := distances[i*n2+a]
			if d < distances[i*n2+nearest1[i]] {
				nearest1[i] = a
			}
			if d < distances[nearest2[a]*n2+a] {
				nearest2[a] = i
			}
		}
	}
	for i, a := range nearest1 {
		if nearest2[a] == i {
			pairs = append(pairs, [2]int{i, a})
		}
	}
	return pairs
}

// matchedVariance returns the mean squared difference of a quantity between nearest
// neighbours, by the median, as of normal differences; it is at most the spread.
func (all quantities) matchedVariance(c int, pairs [][2]int, spread float64) float64 {
	const medianOfSquare = 0.4549 // of a standard normal number
	const least = 1e-4            // of the spread: equal numbers are no proof
	squares := make([]float64, len(pairs))
	for k, p := range pairs {
		squares[k] = square(all[c].of1[p[0]] - all[c].of2[p[1]])
	}
	return min(max(median(squares)/medianOfSquare, least*spread), spread)
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// nodeTerms are the affinities of nodes by their features.
type nodeTerms struct {
	of    func(i, a int) float64 // nil for none
	about string                 // what it is, in words
}

// A weight of 1 is for this many edges a node: a match has as many edges beside it as its
// nodes have, all of which say much the same of where they are.
const edgesANode = 10

// nodeTerms returns how alike nodes are, by likelihoods of their numbers where these can be
// estimated, as weighed against the edges, and else, as by words, by exp(−Σ Δ²/width).
func (p *Problem) nodeTerms(ctx context.Context, g1, g2 *Graph, nodes quantities) nodeTerms {
	var numbers, words quantities
	for _, q := range nodes {
		if q.isWord {
			words = append(words, q)
		} else {
			numbers = append(numbers, q)
		}
	}
	given := p.Design.NodeWeight
	if given != nil && *given == 0 || len(nodes) == 0 {
		return nodeTerms{}
	}
	if len(numbers) > 0 {
		degree := 2 * float64(len(p.Edges1)+len(p.Edges2)) / float64(g1.Nodes+g2.Nodes)
		values, trust := numbers.likelihoods(ctx, g1.Nodes, g2.Nodes)
		if weight := trust * max(degree, 1) / edgesANode; values != nil {
			return weighedTerms(values, g2.Nodes, weight, given, numbers, words.alone(len(nodes)))
		}
	}
	alike, weight := nodes.alikeUntil(ctx), 1.0
	if given != nil {
		weight = *given
	}
	return nodeTerms{func(i, a int) float64 { return weight * alike(i, a) }, scaled(weight) + nodes.String()}
}

// weighedTerms returns the likelihoods of numbers times a weight, or the one that was given
// in its place, and what words say besides.
func weighedTerms(values []float64, n2 int, weight float64, given *float64, numbers, words quantities) nodeTerms {
	source := "from the data"
	if given != nil {
		weight, source = *given, "as given"
	}
	t := nodeTerms{
		of:    func(i, a int) float64 { return weight * values[i*n2+a] },
		about: fmt.Sprintf("by likelihood of %s, weight %.3g (%s)", numbers.names(), weight, source),
	}
	if len(words) > 0 {
		t.of = func(i, a int) float64 { return weight*values[i*n2+a] + words.alike(i, a) }
		t.about += " and " + words.String()
	}
	return t
}

// alone returns quantities that were averaged beside others, of so many in all, as they are
// averaged alone.
func (all quantities) alone(of int) quantities {
	kept := slices.Clone(all)
	for k := range kept {
		kept[k].width *= float64(len(all)) / float64(of)
	}
	return kept
}

// scaled is a weight before a formula.
func scaled(weight float64) string {
	if weight == 1 {
		return ""
	}
	return fmt.Sprintf("%.3g·", weight)
}

// names returns those of quantities, of many the first ones and how many there are.
func (all quantities) names() string {
	const most = 6
	var names []string
	for _, q := range all[:min(len(all), most)] {
		names = append(names, q.name)
	}
	text := strings.Join(names, ", ")
	if len(all) > most {
		text += fmt.Sprintf(", … (%d)", len(all))
	}
	return text
}
