package statistics

import (
	"math"
	"slices"
	"testing"
)

func TestSample(t *testing.T) {
	values := []float64{2, 4, 4, 4, 5, 5, 7, 9} // squares around the mean 5 add up to 32
	if m := Mean(values); m != 5 {
		t.Errorf("mean %v, want 5", m)
	}
	if d, want := Deviation(values), math.Sqrt(32./7); math.Abs(d-want) > 1e-15 {
		t.Errorf("deviation %v, want %v", d, want)
	}
	if e, want := ErrorOfMean(values), math.Sqrt(32./7/8); math.Abs(e-want) > 1e-15 {
		t.Errorf("standard error %v, want %v", e, want)
	}
	for _, v := range []float64{Mean(nil), Deviation(nil), Deviation([]float64{1}), ErrorOfMean([]float64{1})} {
		if !math.IsNaN(v) {
			t.Errorf("%v of too few values", v)
		}
	}
}

// TestRanks: equal values share the mean of their ranks.
func TestRanks(t *testing.T) {
	if have, want := Ranks([]float64{5, 1, 5, 2}), []float64{2.5, 0, 2.5, 1}; !slices.Equal(have, want) {
		t.Errorf("ranks %v, want %v", have, want)
	}
	if have := Ranks(nil); len(have) > 0 {
		t.Errorf("ranks %v of nothing", have)
	}
}
