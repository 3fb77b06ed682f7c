package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// ratios say by how much likelier, as a logarithm, what two nodes have is between right matches
// than between random pairs, numbers and words apart.
//
// Differences δ of numbers are normal: Σ ½δ²(1/r − 1/v) + ½ln(r/v), r being the mean δ² of all
// pairs and v that of right ones. A word is the same for a share ρ of the right matches, and else
// any: ln(ρ/p + 1 − ρ) where both nodes have a word that a share p of the nodes has, and ln(1 − ρ)
// where the words differ. So what many nodes have, or what right matches do not share, says
// little. What is unknown says nothing. Sums are at most, and no less than minus, what two equal nodes can have, so that one
// number far off does not decide alone.
type ratios struct {
	numbers, words quantities
	base, slope    []float64   // of numbers
	equal          [][]float64 // of words: by the word
	differ         []float64   // of words
	most           float64     // of equal nodes: what numbers say, and the rarest words
	ofNumbers      float64     // the part of the numbers

	left quantities // numbers without an estimate
}

// of returns the sum of a pair.
func (l *ratios) of(i, a int) float64 {
	sum := l.ofNumbers
	for c := range l.numbers {
		if d := l.numbers[c].of1[i] - l.numbers[c].of2[a]; math.IsNaN(d) {
			sum -= l.base[c]
		} else {
			sum += l.slope[c] * square(d)
		}
	}
	for c := range l.words {
		switch u, v := l.words[c].of1[i], l.words[c].of2[a]; {
		case math.IsNaN(u) || math.IsNaN(v):
		case u == v:
			sum += l.equal[c][int(u)]
		default:
			sum += l.differ[c]
		}
	}
	return max(sum, -l.most)
}

// likelihoods estimates ratios. known are matches that are right, as far as is known; where
// these are too few, numbers take nodes that are nearest to each other for them. These are not
// all right, and the nearer neighbours within a graph are to each other the fewer of them are: so
// ratios are weighed by how much nearer mutual neighbours of both graphs are. Words, and numbers
// that many nodes share, are then taken to be as reliable as the shares of nodes that have them
// are alike in both graphs.
func (all quantities) likelihoods(ctx context.Context, n1, n2 int, known []graphs.Pair) *ratios {
	l := all.parted()
	if len(known) < fewestKnown {
		known = nil
	}
	pairs, trust := known, 1.0
	if known == nil && len(l.numbers) > 0 {
		pairs, trust = l.nearest(ctx, n1, n2)
	}
	l.estimate(pairs, nil, trust, known)
	return l
}

// parted returns ratios without estimates.
func (all quantities) parted() *ratios {
	l := &ratios{}
	for _, q := range all {
		switch {
		case q.isWord:
			l.words = append(l.words, q)
		case quantities{q}.spread()[0] < 1e-300: // whose inverse is none
			l.left = append(l.left, q)
		default:
			l.numbers = append(l.numbers, q)
		}
	}
	return l
}

// estimate fills in what pairs say of numbers, as far as these are trusted, and what right ones, nil for none, say of words. weights are
// how likely each is right, nil where all are.
func (l *ratios) estimate(pairs []graphs.Pair, weights []float64, trust float64, right []graphs.Pair) {
	for c, q := range l.numbers {
		spread := l.numbers[c : c+1].spread()[0]
		l.addNumber(spread, q.matchedVariance(pairs, weights, spread), trust)
	}
	l.most = l.ofNumbers
	for _, q := range l.words {
		l.addWord(q.wordRatios(right, weights))
	}
}

// noisy returns ratios of right matches whose numbers have noise, a part of the spread of all pairs.
func (all quantities) noisy(noise float64) *ratios {
	const reliable = 0.9 // of the words
	l := all.parted()
	for c := range l.numbers {
		q := &l.numbers[c]
		spread := l.numbers[c : c+1].spread()[0]
		l.addNumber(spread, max(noise, square(q.sharing()))*spread, 1)
	}
	l.most = l.ofNumbers
	for k := range l.words {
		l.addWord(l.words[k].reliably(reliable, l.words[k].words()))
	}
	return l
}

// addNumber adds what a number says whose mean squared difference is spread of all pairs, and v of right ones.
func (l *ratios) addNumber(spread, v, trust float64) {
	l.slope = append(l.slope, trust*(1/spread-1/v)/2)
	l.base = append(l.base, trust*math.Log(spread/v)/2)
	l.ofNumbers += l.base[len(l.base)-1]
}

func (l *ratios) addWord(equal []float64, differ float64) {
	l.equal, l.differ = append(l.equal, equal), append(l.differ, differ)
	l.most += slices.Max(equal)
}

// fewestKnown is how many right matches say what the attributes of right matches are like.
const fewestKnown = 20

// nearest returns the pairs of nodes whose numbers are nearest to each other, and how far to
// trust them. Where the numbers of most nodes are those of another node of their graph they
// become words; of few nodes nothing is estimated.
func (l *ratios) nearest(ctx context.Context, n1, n2 int) (pairs []graphs.Pair, trust float64) {
	const fewest = 5 // mutual neighbours
	numbers, spread := l.numbers, l.numbers.spread()
	l.numbers = nil
	within := append(numbers.within(ctx, spread, true), numbers.within(ctx, spread, false)...)
	if len(within) > 0 && median(within) == 0 {
		for _, q := range numbers {
			l.words = append(l.words, q.asWord())
		}
		return nil, 0
	}
	mutual, apart := numbers.mutual(ctx, spread, n1, n2)
	if len(mutual) < fewest || len(within) == 0 || ctx.Err() != nil {
		l.left = append(l.left, numbers...)
		return nil, 0
	}
	l.numbers = numbers
	return mutual, max(1-median(apart)/median(within), 0)
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
	values = known(values)
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		variance += square(v-mean) / float64(len(values))
	}
	return mean, variance
}

// distance returns Σ δ²/spread of node i of graph 1 and a of graph 2; what is unknown counts as in the mean.
func (all quantities) distance(spread []float64, i, a int) float64 {
	sum := 0.0
	for c := range all {
		if d := all[c].of1[i] - all[c].of2[a]; math.IsNaN(d) {
			sum++
		} else {
			sum += square(d) / spread[c]
		}
	}
	return sum
}

// every returns which nodes of graph 1 are searched for nearest neighbours: each n-th, in large
// graphs so few that it takes some seconds at most.
func (all quantities) every(n1, n2 int) int {
	const most = 1 << 29 // numbers
	return 1 + int(float64(n1)*float64(n1+n2)*float64(len(all))/most)
}

// closest returns the node of the first n whose distance is least, and that.
func closest(n int, distance func(a int) float64) (nearest int, least float64) {
	nearest, least = -1, math.Inf(1)
	for a := range n {
		if d := distance(a); d < least {
			nearest, least = a, d
		}
	}
	return nearest, least
}

// within returns the distances of nodes of a graph, the first or the second, that are nearest
// to each other.
func (all quantities) within(ctx context.Context, spread []float64, first bool) (distances []float64) {
	one := slices.Clone(all)
	for c := range one {
		if first {
			one[c].of2 = one[c].of1
		} else {
			one[c].of1 = one[c].of2
		}
	}
	n := len(one[0].of1)
	other := func(i int) (int, float64) {
		return closest(n, func(j int) float64 {
			if j == i {
				return math.Inf(1)
			}
			return one.distance(spread, i, j)
		})
	}
	every := one.every(n, n)
	for i := 0; i < n && ctx.Err() == nil; i += every {
		j, d := other(i)
		if j < 0 || every == 1 && j < i {
			continue
		}
		if k, _ := other(j); k == i {
			distances = append(distances, d)
		}
	}
	return distances
}

// mutual returns nodes that are nearest to each other, and their distances.
func (all quantities) mutual(ctx context.Context, spread []float64, n1, n2 int) (pairs []graphs.Pair, distances []float64) {
	for i, every := 0, all.every(n1, n2); i < n1 && ctx.Err() == nil; i += every {
		a, d := closest(n2, func(a int) float64 { return all.distance(spread, i, a) })
		if a < 0 {
			continue
		}
		if k, _ := closest(n1, func(k int) float64 { return all.distance(spread, k, a) }); k == i {
			pairs, distances = append(pairs, graphs.Pair{I: i, J: a}), append(distances, d)
		}
	}
	return pairs, distances
}

// matchedVariance returns the mean squared difference of a quantity between right matches, by
// the median, as of normal differences; it is at most the spread. Equal numbers say no more
// than how few nodes share one.
func (q *quantity) matchedVariance(pairs []graphs.Pair, weights []float64, spread float64) float64 {
	const medianOfSquare = 0.4549 // of a standard normal number
	type difference struct{ square, weight float64 }
	var differences []difference
	total := 0.0
	for n, p := range pairs {
		if d := (difference{square(q.of1[p.I] - q.of2[p.J]), weightOf(weights, n)}); !math.IsNaN(d.square) {
			differences, total = append(differences, d), total+d.weight
		}
	}
	if len(differences) == 0 {
		return spread
	}
	slices.SortFunc(differences, func(x, y difference) int { return cmp.Compare(x.square, y.square) })
	middle := 0.0
	for sum, n := 0.0, 0; n < len(differences) && sum <= total/2; n++ {
		middle, sum = differences[n].square, sum+differences[n].weight
	}
	return min(max(middle/medianOfSquare, leastVariance*spread, square(q.sharing())*spread), spread)
}

// leastVariance is the least that is believed of the mean squared difference of a number between right matches, in parts of that of all pairs:
// equal numbers are no proof.
const leastVariance = 1e-4

// sharing returns which share of all pairs of nodes have the same number.
func (q *quantity) sharing() float64 {
	of1, of2 := known(q.of1), known(q.of2)
	count := make(map[float64]float64, len(of2))
	for _, v := range of2 {
		count[v] += 1 / float64(len(of2))
	}
	sum := 0.0
	for _, v := range of1 {
		sum += count[v] / float64(len(of1))
	}
	return sum
}

// repeats reports whether a number is much like a word: there are few different ones.
func (q *quantity) repeats() bool {
	const shared = 0.05 // of all pairs
	return q.sharing() >= shared
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// String names what the ratios are of.
func (l *ratios) String() string {
	var names []string
	for _, q := range slices.Concat(l.numbers, l.words) {
		names = append(names, q.name)
	}
	const most = 6
	if n := len(names); n > most {
		names = append(names[:most], fmt.Sprintf("… (%d)", n))
	}
	return "likelihood of " + strings.Join(names, ", ")
}
