package export

import "math"

// sizeQuestions are the channels of the questions about the sizes m = 3 and more,
// [sizes − 3, channels]. S(m) is the score of the m-th matching of the profile.
func (a *affinityFeatures) sizeQuestions(reweighed string) string {
	one, x := a.exactNumber(1), a.profile
	m := a.Total(x, true, 1) // [sizes, 1], as all that follows
	scores := a.rowDots(a.Product(x, reweighed), x)
	best, bestScore := a.bestSize(m, scores)
	isBest := a.equal(m, best)
	bestMatching := a.Total(a.Mul(isBest, x), true, 0) // [1, n1·n2]

	most := a.smaller()
	edges := a.Mul(m, a.Sub(m, one))
	shares, logs := a.within(x)
	overlap := func(other, size string) string { return a.Div(a.rowDots(x, other), a.Op("Min", m, size)) }
	before, after := a.shift(x, -1), a.shift(x, 1)
	last := a.Op("Gather", x, a.Ints(-1))
	gain := a.sizeGain(m, scores)
	list := []string{
		a.Div(m, most), a.Op("Log", a.Div(m, a.exactNumber(10))), a.equal(m, most), a.Div(a.Sub(m, best), most),
		a.Div(scores, edges), a.Div(a.Sub(scores, bestScore), edges),
		a.shift(gain, -1), gain, a.shift(gain, 1), a.shift(a.shift(gain, 1), 1),
		shares, logs,
		overlap(before, a.Sub(m, one)), overlap(after, a.Op("Add", m, one)), overlap(last, most), overlap(bestMatching, best),
	}
	ofSize := a.Float(a.fromThree(a.Concat(1, list...)))
	questions := a.Op("Gather", a.Op("Shape", ofSize), a.Ints(0))
	repeated := func(v string, width int64) string {
		return a.Op("Expand", v, a.Concat(0, questions, a.Ints(width)))
	}
	return a.Concat(1, repeated(a.Number(1), 1), repeated(a.Number(0), 2), repeated(a.statistics, 16), ofSize)
}

// fromThree leaves out the rows of the sizes 0, 1 and 2.
func (a *affinityFeatures) fromThree(v string) string {
	return a.Op("Slice", v, a.Ints(3), a.Ints(math.MaxInt32), a.Ints(0))
}

// bestSize is the least m of 3 or more whose score is the greatest, and the score.
func (a *affinityFeatures) bestSize(m, scores string) (best, score string) {
	const far = 1e30
	counts := a.greater(m, a.exactNumber(2))
	score = a.LargestOf(a.where(counts, scores, a.exactNumber(-far)), 0)
	reaches := a.Mul(counts, a.equal(scores, score))
	best = a.Op("Neg", a.LargestOf(a.where(reaches, a.Op("Neg", m), a.exactNumber(-far)), 0))
	return best, score
}

// sizeGain is (S(m) − S(m−1))/2(m−1), 0 for m < 2.
func (a *affinityFeatures) sizeGain(m, scores string) string {
	pairs := a.Op("Max", a.twice(a.Sub(m, a.exactNumber(1))), a.exactNumber(1))
	gain := a.Div(a.Sub(scores, a.shift(scores, -1)), pairs)
	return a.Mul(gain, a.greater(m, a.exactNumber(1)))
}

// shift is the rows of the next (by = 1) or the former (by = −1) sizes, 0 beyond the ends.
func (a *affinityFeatures) shift(v string, by int) string {
	nothing := a.Mul(a.Op("Slice", v, a.Ints(0), a.Ints(1), a.Ints(0)), a.exactNumber(0))
	if by < 0 {
		return a.Concat(0, nothing, a.Op("Slice", v, a.Ints(0), a.Ints(-1), a.Ints(0)))
	}
	return a.Concat(0, a.Op("Slice", v, a.Ints(1), a.Ints(math.MaxInt32), a.Ints(0)), nothing)
}
