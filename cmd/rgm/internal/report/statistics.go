package report

import (
	"math"
)

// StandardDeviation returns that of a sample, nil of less than two values.
func StandardDeviation(values []float64) *float64 {
	if len(values) < 2 {
		return nil
	}
	centre, sum := Mean(values), 0.0
	for _, v := range values {
		sum += (v - centre) * (v - centre)
	}
	sd := math.Sqrt(sum / float64(len(values)-1))
	return &sd
}

// Mean returns the mean of values.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
