package compare

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/solvertest"
)

// differentVectors returns n vectors.
func differentVectors(n, length int) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, length)
		for k := range all[i] {
			all[i][k] = float64((i*7919 + k*104729) % 1009)
		}
	}
	return all
}

// TestProblemEndsWithItsContext: each of these takes seconds, or tens of them, if nothing
// looks at the context.
func TestProblemEndsWithItsContext(t *testing.T) {
	features := graphs.Graph{Nodes: 700, Features: differentVectors(700, 4000)}
	places := graphs.Graph{Nodes: 700, Points: differentVectors(700, 4000)}
	plane := graphs.Graph{Nodes: 8000, Points: differentVectors(8000, 2)}
	small := graphs.Graph{Nodes: 40, Points: differentVectors(40, 2)} // two of 8,000 are refused at once
	clock := solvertest.Clock()
	for name, g := range map[string][2]graphs.Graph{"features": {features, features}, "nearest places": {places, places}, "triangulation": {plane, small}} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		begin := clock()
		p, err := Design{}.Problem(ctx, g[0], g[1])
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || p.Instance != nil {
			t.Errorf("%s: %v, want the error of the context", name, err)
		}
		if took := clock().Sub(begin); took > 1500*time.Millisecond {
			t.Errorf("%s: ended after %v of processor time, want 50ms and a little", name, took)
		}
	}
}
