package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMatchings: what all matchings of two sets weigh is Σ (n1 over m)·(n2 over m)·m!·e^(m·each).
func TestMatchings(t *testing.T) {
	const n1, n2, each = 5, 3, 0.7
	want := 1 + 15*math.Exp(each) + 10*3*2*math.Exp(2*each) + 10*6*math.Exp(3*each)
	if got := matchings(each, n1, n2); math.Abs(got-math.Log(want)) > 1e-12 {
		t.Errorf("ln of the weight of all matchings: %v, want %v", got, math.Log(want))
	}
	if got := matchings(-3, 100_000, 100_000); math.IsInf(got, 0) || math.IsNaN(got) || got < 0 {
		t.Errorf("of large sets: %v", got)
	}
}

// TestRarities: of numbers with a density, −ln of it, over the mean, is what two equal ones say besides, one half by each; and the likelihood
// ratios of right pairs are the true ones of normal numbers, to a tenth of their spread.
func TestRarities(t *testing.T) {
	const n, noise = 4000, 0.3
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 39))
	q := quantity{of1: make([]float64, n), of2: make([]float64, n)}
	for i := range n {
		q.of1[i] = rng.NormFloat64()
		q.of2[i] = q.of1[i] + noise*rng.NormFloat64()
	}
	q.of1[0], q.of2[1] = math.NaN(), math.NaN()
	all := quantities{q}
	r := newRarities(all).weighed(all.noisy(noise * noise / (2 + noise*noise)))
	l := all.noisy(noise * noise / (2 + noise*noise))
	var miss, mean, squares float64
	for i := 2; i < n; i++ {
		x, y := q.of1[i], q.of2[i]
		truth := -math.Log(noise) - square((y-x)/noise)/2 + square(y)/(1+noise*noise)/2 + math.Log(1+noise*noise)/2
		miss += square(l.of(i, i) + r.of1[i] + r.of2[i] - truth)
		mean, squares = mean+truth, squares+square(truth)
	}
	mean, squares = mean/(n-2), squares/(n-2)
	if variance := squares - square(mean); miss/(n-2) > 0.1*variance {
		t.Errorf("seed %d: the mean squared miss is %.3f, the variance of the ratios %.3f", seed, miss/(n-2), variance)
	}
	if r.of1[0] != 0 || r.of2[1] != 0 {
		t.Errorf("unknown numbers are told %v and %v", r.of1[0], r.of2[1])
	}
}
