package plots

import (
	"math"
	"slices"
	"testing"
)

// TestRankCorrelation: 1 of any rising values, and ties share their ranks.
func TestRankCorrelation(t *testing.T) {
	if r := rankCorrelation([]float64{1, 2, 3}, []float64{1, 10, 1000}); math.Abs(r-1) > 1e-12 {
		t.Errorf("correlation %v, want 1", r)
	}
	if have, want := ranks([]float64{5, 1, 5, 2}), []float64{2.5, 0, 2.5, 1}; !slices.Equal(have, want) {
		t.Errorf("ranks %v, want %v", have, want)
	}
}
