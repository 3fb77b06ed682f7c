package plots

import (
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// TestChosenSizes: J grows to the last size, J/m is largest at size 2, and equal
// choices share a label.
func TestChosenSizes(t *testing.T) {
	in := randomAffinity(t, 3, 3)
	var p qap.Profile
	for m, score := range []float64{0, 1, 22, 27} {
		best := qap.NewMatching(3)
		for i := range m {
			best[i] = i
		}
		p = append(p, qap.Best{Score: score, Matching: best})
	}
	marks := chosenSizes(in, p, []qap.Regularizer{{}, qap.RegularizeF2, qap.RegularizeMean(1)})
	if !slices.Equal(marks.Labels, []string{"mean", "J, f2"}) || marks.XYs[0].X != 2 || marks.XYs[0].Y != 22 || marks.XYs[1].X != 3 {
		t.Errorf("marks %v", marks)
	}
}
