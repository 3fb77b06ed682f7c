package qap

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestMapAffinities maps a matrix held dense, held sparse and to be minimised.
func TestMapAffinities(t *testing.T) {
	const n1, n2, n = 3, 4, 12
	rng := rand.New(rand.NewPCG(1, 2))
	k := make([]float64, n*n)
	var entries []Entry
	for p := range n {
		for q := range n {
			if rng.Float64() < 0.6 {
				k[p*n+q] = rng.NormFloat64()
				entries = append(entries, Entry{p, q, k[p*n+q]})
			}
		}
	}
	dense := must.Get(NewDense(n1, n2, append([]float64(nil), k...), Minimize))(t)
	sparse := must.Get(NewSparse(n1, n2, entries, Minimize))(t)
	node := make([]float64, n)
	for p := range node {
		node[p] = float64(p) - 3
	}
	edge := func(v float64) float64 { return 3*v + 1 }
	for _, in := range []*Instance{dense, sparse} {
		in.Name, in.Complete = "x", true
		now := must.Get(in.MapAffinities(edge, node))(t)
		if now.Name != "x" || !now.Complete || now.Sense != Maximize {
			t.Errorf("%+v", now)
		}
		count := 0
		in.EachEdge(func(p, q int, v float64) {
			if v != in.Affinity.At(p, q) || p >= q || conflict(p, q, n2) {
				t.Errorf("edge %d, %d has %v", p, q, v)
			}
			count++
		})
		edges := 0
		for p := range n {
			for q := range n {
				want := 0.0
				switch v := in.Affinity.At(p, q); {
				case p == q:
					want = node[p]
				case v != 0 && !conflict(p, q, n2):
					want = edge(v)
					edges++
				}
				if got := now.Affinity.At(p, q); math.Abs(got-want) > 1e-12 {
					t.Errorf("K[%d,%d] is %v, want %v", p, q, got, want)
				}
			}
		}
		if 2*count != edges {
			t.Errorf("%d edges were visited, want %d", count, edges/2)
		}
	}
	now := must.Get(sparse.MapAffinities(edge, node))(t)
	if was, is := sparse.Affinity.(*Sparse).NonZeros(), now.Affinity.(*Sparse).NonZeros(); is > was {
		t.Errorf("%d non-zero entries from %d", is, was)
	}
	if _, err := dense.MapAffinities(func(float64) float64 { return math.NaN() }, node); err == nil {
		t.Error("NaN is accepted")
	}
}

// TestDenseByRows: rows make the instance that their matrix makes; what is not finite, and
// a context that has ended, are errors.
func TestDenseByRows(t *testing.T) {
	const n1, n2, n = 3, 4, 12
	rng := rand.New(rand.NewPCG(3, 4))
	k := make([]float64, n*n)
	for p := range n {
		for q := range p + 1 {
			k[p*n+q] = rng.NormFloat64()
			k[q*n+p] = k[p*n+q]
		}
	}
	rows := func(p int, dst []float64) { copy(dst, k[p*n:]) }
	got := must.Get(DenseByRows(t.Context(), n1, n2, rows))(t)
	want := must.Get(NewDense(n1, n2, slices.Clone(k), Maximize))(t)
	if got.Sense != want.Sense || !slices.Equal(got.Affinity.(*Dense).k, want.Affinity.(*Dense).k) {
		t.Error("another matrix")
	}
	for _, bad := range []float64{math.NaN(), math.Inf(-1), math.MaxFloat64} {
		k[5*n+5] = bad
		if _, err := DenseByRows(t.Context(), n1, n2, rows); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	k[5*n+5] = 0
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DenseByRows(ended, n1, n2, rows); err == nil {
		t.Error("a context that has ended is not looked at")
	}
}
