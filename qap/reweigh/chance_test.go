package reweigh

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// TestShuffled: every pair of edges keeps its affinity with the pairs of edges that it had, and
// every node of graph 1 its node affinities, in another order; the order is the seed's, however K is held.
func TestShuffled(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, in := range solvertest.Small(t) {
		if _, product := in.Affinity.(*qap.KoopmansBeckmann); product {
			continue
		}
		n1, n2 := in.Size()
		seed := rng.Uint64()
		now := must.Get(shuffled(t.Context(), in, rand.New(rand.NewPCG(seed, 0))))(t)
		again := must.Get(shuffled(t.Context(), in, rand.New(rand.NewPCG(seed, 0))))(t)
		for i := range n1 {
			for j := range n1 {
				if before, after, second := block(in, i, j), block(now, i, j), block(again, i, j); !slices.Equal(before, after) || !slices.Equal(after, second) {
					t.Fatalf("%s: affinities of nodes %d and %d are %v, were %v", in.Name, i, j, after, before)
				}
			}
		}
		for p := range n1 * n2 {
			for q := range n1 * n2 {
				if v := now.Affinity.At(p, q); v != now.Affinity.At(q, p) {
					t.Fatalf("%s: K[%d,%d] is %v, not so the other way round", in.Name, p, q, v)
				}
			}
		}
	}
}

// block returns the affinities of nodes i and j of graph 1, sorted: of vertices that do not conflict.
func block(in *qap.Instance, i, j int) (values []float64) {
	_, n2 := in.Size()
	for a := range n2 {
		for b := range n2 {
			if (i == j) == (a == b) {
				values = append(values, in.Affinity.At(i*n2+a, j*n2+b))
			}
		}
	}
	slices.Sort(values)
	return values
}

// TestByChance compares f with the best scores of the shuffled instance, by enumeration.
func TestByChance(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
		n1, n2 := 4, 4+int(seed%2)
		k := solvertest.SignedMatrix(rng, n1*n2)
		for p := range k {
			k[p] = math.Abs(k[p])
		}
		in := must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
		r := must.Get(ByChance(t.Context(), in, seed))(t)
		null := must.Get(shuffled(t.Context(), in, rand.New(rand.NewPCG(seed, chanceStream))))(t)
		most := 0.0
		for m, score := range solvertest.BestScores(null, nil) {
			most = max(most, score)
			if m > 0 && math.Abs(r.Factor(m, n1, n2)*most-1) > 1e-9 {
				t.Errorf("seed %d, %d matches: f = %v, want 1/%v", seed, m, r.Factor(m, n1, n2), most)
			}
		}
		if r.String() != "null" || r.Unknown() {
			t.Errorf("%v, unknown %v", r, r.Unknown())
		}
	}
}

// TestByChanceFindsWhatCorresponds: of points and their noisy copies, with as many strangers in both,
// the best J/J0 over all sizes is at the number of true matches or near it, in the mean.
func TestByChanceFindsWhatCorresponds(t *testing.T) {
	const inliers, outliers, rounds = 10, 4, 30
	total := 0
	for round := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(round, 3))
		n := inliers + outliers
		x, y := make([][2]float64, n), make([][2]float64, n)
		for i := range n {
			x[i] = [2]float64{rng.Float64(), rng.Float64()}
			y[i] = [2]float64{x[i][0] + .01*rng.NormFloat64(), x[i][1] + .01*rng.NormFloat64()}
			if i >= inliers {
				y[i] = [2]float64{rng.Float64(), rng.Float64()}
			}
		}
		k := make([]float64, n*n*n*n)
		for p := range n * n {
			for q := range n * n {
				i, a, j, b := p/n, p%n, q/n, q%n
				if i != j && a != b {
					d := math.Hypot(x[i][0]-x[j][0], x[i][1]-x[j][1]) - math.Hypot(y[a][0]-y[b][0], y[a][1]-y[b][1])
					k[p*n*n+q] = math.Exp(-d * d / .01)
				}
			}
		}
		in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
		r := must.Get(ByChance(t.Context(), in, round))(t)
		total += sizeBy(r, in, searchProfile(t.Context(), in, chanceStarts))
	}
	if mean := float64(total) / rounds; mean < inliers-1 || mean > inliers+1.5 {
		t.Errorf("%.1f matches in the mean, %d are true", mean, inliers)
	}
}

func TestByChanceEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := must.Get(qap.NewDense(4, 4, make([]float64, 256), qap.Maximize))(t)
	if _, err := ByChance(ctx, in, 0); !errors.Is(err, context.Canceled) {
		t.Error(fmt.Errorf("error %v", err))
	}
}
