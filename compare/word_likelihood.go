package compare

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// wordRatios returns the ratio of nodes with the same word, by the word, and with different ones. weights are how likely each pair is
// right, nil where all are.
func (q *quantity) wordRatios(right []graphs.Pair, weights []float64) (equal []float64, differ float64) {
	count := q.words()
	share1, share2 := shares(q.of1, count), shares(q.of2, count)
	chance, common := 0.0, 0.0
	for w := range count {
		chance += share1[w] * share2[w]
		common += min(share1[w], share2[w])
	}
	reliable := common
	if right != nil {
		same, both := 0., 0.
		for n, k := range right {
			u, v, weight := q.of1[k.I], q.of2[k.J], weightOf(weights, n)
			if !math.IsNaN(u) && !math.IsNaN(v) {
				both += weight
			}
			if u == v {
				same += weight
			}
		}
		both = max(both, 1)
		above, error := same/both-chance, math.Sqrt(chance*(1-chance)/both)
		if reliable = above / max(1-chance, 1e-9); above < 2*error {
			reliable = 0 // as by chance
		}
	}
	seen := 0.0
	for n := range right {
		seen += weightOf(weights, n)
	}
	least := 1 / (seen + float64(min(len(q.of1), len(q.of2))) + 1) // all that were seen are alike: the next may not be
	return q.reliably(min(max(reliable, 0), 1-least), count)
}

// reliably returns the ratios of words that are the same of a share of right matches, and else by chance.
func (q *quantity) reliably(reliable float64, count int) (equal []float64, differ float64) {
	share1, share2 := shares(q.of1, count), shares(q.of2, count)
	equal = make([]float64, count)
	for w := range equal {
		if p := (share1[w] + share2[w]) / 2; p > 0 {
			equal[w] = math.Log(reliable/p + 1 - reliable)
		}
	}
	return equal, math.Log(1 - reliable)
}

// words returns how many words there are.
func (q *quantity) words() int {
	count := 1
	for _, w := range known(slices.Concat(q.of1, q.of2)) {
		count = max(count, 1+int(w))
	}
	return count
}

func weightOf(weights []float64, n int) float64 {
	if weights == nil {
		return 1
	}
	return weights[n]
}

// shares returns which share of the values each of so many is.
func shares(values []float64, count int) []float64 {
	all := make([]float64, count)
	values = known(values)
	for _, v := range values {
		all[int(v)] += 1 / float64(len(values))
	}
	return all
}

// asWord returns numbers as words: the same or not.
func (q *quantity) asWord() quantity {
	words := func(values []float64) []graphs.Attribute[string] {
		all := graphs.WordsOf(values)
		for k, v := range values {
			if math.IsNaN(v) {
				all[k] = ""
			}
		}
		return []graphs.Attribute[string]{{Name: q.name, Values: all}}
	}
	return ofNodeWords(words(q.of1), words(q.of2))[0]
}
