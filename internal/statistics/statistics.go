// Package statistics sums up samples, and draws numbers.
package statistics

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Mean returns the mean of values, NaN of none.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Deviation returns the standard deviation of a sample, NaN of less than two values.
func Deviation(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	centre, sum := Mean(values), 0.0
	for _, v := range values {
		sum += (v - centre) * (v - centre)
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

// ErrorOfMean returns the standard error of the mean of a sample, NaN of less than two
// values.
func ErrorOfMean(values []float64) float64 {
	return Deviation(values) / math.Sqrt(float64(len(values)))
}

// Ranks returns the ranks of values, from 0; equal values share the mean of theirs.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(j, k int) int { return cmp.Compare(values[j], values[k]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			ranks[k] = float64(from+to-1) / 2
		}
		from = to
	}
	return ranks
}

// Between draws a number, all as likely.
func Between(from, to float64, rng *rand.Rand) float64 { return from + (to-from)*rng.Float64() }

// LogBetween draws a number whose logarithm is uniform.
func LogBetween(from, to float64, rng *rand.Rand) float64 {
	return math.Exp(Between(math.Log(from), math.Log(to), rng))
}
