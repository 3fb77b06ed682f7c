package export

import "math"

// sizeQuestions are the channels of the questions about the sizes m = 3 and more,
// [sizes − 3, channels]. S(m) is the score of the m-th matching of the profile.
func (a *affinityFeatures) sizeQuestions(reweighed string) string {
	one, x := a.exactNumber(1), a.profile
	m := a.total(x, true, 1) // [sizes, 1], as all that follows
	scores := a.rowDots(a.product(x, reweighed), x)
	best, bestScore := a.bestSize(m, scores)
	isBest := a.equal(m, best)
	bestMatching := a.total(a.mul(isBest, x), true, 0) // [1, n1·n2]

	most := a.smaller()
	edges := a.mul(m, a.sub(m, one))
	shares, logs := a.within(x)
	overlap := func(other, size string) string { return a.div(a.rowDots(x, other), a.op("Min", m, size)) }
	before, after := a.shift(x, -1), a.shift(x, 1)
	last := a.op("Gather", x, a.ints(-1))
	gain := a.sizeGain(m, scores)
	list := []string{
		a.div(m, most), a.op("Log", a.div(m, a.exactNumber(10))), a.equal(m, most), a.div(a.sub(m, best), most),
		a.div(scores, edges), a.div(a.sub(scores, bestScore), edges),
		a.shift(gain, -1), gain, a.shift(gain, 1), a.shift(a.shift(gain, 1), 1),
		shares, logs,
		overlap(before, a.sub(m, one)), overlap(after, a.op("Add", m, one)), overlap(last, most), overlap(bestMatching, best),
	}
	ofSize := a.float(a.fromThree(a.concat(1, list...)))
	questions := a.op("Gather", a.op("Shape", ofSize), a.ints(0))
	repeated := func(v string, width int64) string {
		return a.op("Expand", v, a.concat(0, questions, a.ints(width)))
	}
	return a.concat(1, repeated(a.number(1), 1), repeated(a.number(0), 2), repeated(a.statistics, 16), ofSize)
}

// fromThree leaves out the rows of the sizes 0, 1 and 2.
func (a *affinityFeatures) fromThree(v string) string {
	return a.op("Slice", v, a.ints(3), a.ints(math.MaxInt32), a.ints(0))
}

// bestSize is the least m of 3 or more whose score is the greatest, and the score.
func (a *affinityFeatures) bestSize(m, scores string) (best, score string) {
	const far = 1e30
	counts := a.greater(m, a.exactNumber(2))
	score = a.largestOf(a.where(counts, scores, a.exactNumber(-far)), 0)
	reaches := a.mul(counts, a.equal(scores, score))
	best = a.op("Neg", a.largestOf(a.where(reaches, a.op("Neg", m), a.exactNumber(-far)), 0))
	return best, score
}

// sizeGain is (S(m) − S(m−1))/2(m−1), 0 for m < 2.
func (a *affinityFeatures) sizeGain(m, scores string) string {
	pairs := a.op("Max", a.twice(a.sub(m, a.exactNumber(1))), a.exactNumber(1))
	gain := a.div(a.sub(scores, a.shift(scores, -1)), pairs)
	return a.mul(gain, a.greater(m, a.exactNumber(1)))
}

// shift is the rows of the next (by = 1) or the former (by = −1) sizes, 0 beyond the ends.
func (a *affinityFeatures) shift(v string, by int) string {
	nothing := a.mul(a.op("Slice", v, a.ints(0), a.ints(1), a.ints(0)), a.exactNumber(0))
	if by < 0 {
		return a.concat(0, nothing, a.op("Slice", v, a.ints(0), a.ints(-1), a.ints(0)))
	}
	return a.concat(0, a.op("Slice", v, a.ints(1), a.ints(math.MaxInt32), a.ints(0)), nothing)
}
