package qap

import (
	"math"
	"testing"
)

// TestF1 counts by hand.
func TestF1(t *testing.T) {
	truth := Matching{0, 1, Unmatched, 2}
	for _, test := range []struct {
		matching Matching
		right    int
		f1       float64
	}{
		{Matching{0, 1, Unmatched, 2}, 3, 1},
		{Matching{0, Unmatched, 1, 2}, 2, 4.0 / 6},
		{Matching{Unmatched, Unmatched, 0, Unmatched}, 0, 0},
	} {
		right, f1 := test.matching.Right(truth), test.matching.F1(truth)
		if right != test.right || math.Abs(f1-test.f1) > 1e-12 {
			t.Errorf("%v has %d right and F1 %v, want %d and %v", test.matching, right, f1, test.right, test.f1)
		}
	}
	if f1 := NewMatching(3).F1(NewMatching(3)); f1 != 0 {
		t.Errorf("F1 of nothing against nothing is %v", f1)
	}
}
