package models

import (
	"math"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestAdamFirstStep: the first step is the rate times the sign of the gradient.
func TestAdamFirstStep(t *testing.T) {
	net := must.Get(New(Config{Architecture: ArchitectureGain}, nil))(t)
	a, gradient := NewAdam(net), NewGradient(net)
	gradient[0][0], gradient[0][1] = 3, -0.01
	before := slices.Clone(net.Parameters()[0].Data[:3])
	a.Update(net, gradient, 0.1)
	for i, want := range []float32{-0.1, 0.1, 0} {
		if got := net.Parameters()[0].Data[i] - before[i]; math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("weight %d moved by %v, want %v", i, got, want)
		}
	}
}

func TestClipKeepsTheDirection(t *testing.T) {
	g := [][]float32{{3}, {4}}
	if norm := ClipNorm(g, 0); norm != 5 || g[0][0] != 3 {
		t.Errorf("norm %v, gradient %v", norm, g)
	}
	ClipNorm(g, 1)
	if math.Abs(float64(g[0][0])-0.6) > 1e-6 || math.Abs(float64(g[1][0])-0.8) > 1e-6 {
		t.Errorf("clipped to %v", g)
	}
}
