// Package statistics sums up samples.
package statistics

import "math"

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
