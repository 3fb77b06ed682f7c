package plots

import (
	"math"
	"testing"
)

// TestRankCorrelation: 1 of any rising values, and ties share their ranks.
func TestRankCorrelation(t *testing.T) {
	if r := rankCorrelation([]float64{1, 2, 3}, []float64{1, 10, 1000}); math.Abs(r-1) > 1e-12 {
		t.Errorf("correlation %v, want 1", r)
	}
	if r := rankCorrelation([]float64{1, 1, 2}, []float64{5, 5, 7}); math.Abs(r-1) > 1e-12 {
		t.Errorf("correlation %v of values of which two are equal, want 1", r)
	}
}
