package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestPublishedBoundsOfFlows: the bounds of Gilmore and Lawler and by projection are those that
// Anstreicher, Brixius, Mathematical Programming 89 (2001), doi:10.1007/PL00011402, list (rounded
// up to integers).
func TestPublishedBoundsOfFlows(t *testing.T) {
	for name, want := range map[string][2]float64{
		"nug12": {493, 472}, "nug15": {963, 973}, "nug20": {2057, 2196}, "nug30": {4539, 5266},
	} {
		in := must.Get(qaplib.Open(name))(t)
		f := must.Get(flowsOf(in))(t)
		t.Log(name, f.gilmoreLawler(), f.projection())
		if got := [2]float64{math.Ceil(f.gilmoreLawler() - 1e-6), math.Ceil(f.projection() - 1e-6)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestBoundsOfFlowsHold: no bound is above the optimum, known of QAPLIB and found by trying all
// matchings of small instances: of both signs, symmetric or not, with places that cost by themselves,
// integers or not.
func TestBoundsOfFlowsHold(t *testing.T) {
	for _, name := range qaplib.Names() {
		in := must.Get(qaplib.Open(name))(t)
		best, _ := qaplib.BestKnown(name)
		if n, _ := in.Size(); n > 100 {
			continue
		}
		bound, err := OfFlows(in)
		if bound = in.Objective(bound); err != nil || bound > best.Value {
			t.Errorf("%s: bound %v above %v (%v)", name, bound, best.Value, err)
		}
	}
	rng := rand.New(rand.NewPCG(5, 8))
	for trial := range 400 {
		n := 1 + trial%6
		matrix := func(symmetric bool) []float64 {
			m := make([]float64, n*n)
			for i := range n {
				for j := range n {
					if m[i*n+j] = float64(2 * (rng.IntN(9) - 3)); trial%3 == 0 {
						m[i*n+j] += rng.Float64()
					}
					if symmetric && j < i {
						m[i*n+j] = m[j*n+i]
					}
				}
			}
			return m
		}
		in := must.Get(qap.NewKoopmansBeckmann(n, n, matrix(trial&1 == 0), matrix(trial>>1&1 == 0), matrix(false), qap.Sense(trial>>2&1)))(t)
		best := math.Inf(-1)
		m := make(qap.Matching, n)
		var place func(i int)
		place = func(i int) {
			if i == n {
				best = max(best, in.Score(m))
			}
			for c := range n {
				if i < n && !slices.Contains(m[:i], c) {
					m[i] = c
					place(i + 1)
				}
			}
		}
		place(0)
		if bound, err := OfFlows(in); err != nil || bound < best-1e-9*math.Abs(best) {
			t.Fatalf("trial %d, %d nodes: no score above %v, but %v is one (%v)", trial, n, bound, best, err)
		}
	}
}

// TestProjectedEigenvalues: their sums and those of their squares are the traces of the projected
// matrix P·M·P with P = I − 1/n, and of its square.
func TestProjectedEigenvalues(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	for _, n := range []int{2, 3, 10, 60} {
		m := make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				m[i*n+j] = rng.NormFloat64()
				m[j*n+i] = m[i*n+j]
			}
		}
		mean := make([]float64, n)
		all := 0.0
		for i := range n {
			for _, v := range m[i*n : (i+1)*n] {
				mean[i] += v / float64(n)
			}
			all += mean[i] / float64(n)
		}
		var want, got [3]float64 // sums of powers
		p := make([]float64, n*n)
		for i := range n {
			for j := range n {
				p[i*n+j] = m[i*n+j] - mean[i] - mean[j] + all
				want[2] += p[i*n+j] * p[i*n+j]
			}
			want[1] += p[i*n+i]
		}
		for _, v := range projectedEigenvalues(slices.Clone(m), n) {
			got[0]++
			got[1] += v
			got[2] += v * v
		}
		want[0] = float64(n - 1)
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1e-10*float64(n*n) {
				t.Errorf("n = %d: sums of powers %v, want %v", n, got, want)
			}
		}
	}
}

// BenchmarkOfFlows is of 100 nodes.
func BenchmarkOfFlows(b *testing.B) {
	in, err := qaplib.Open("sko100a")
	if err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		if _, err := OfFlows(in); err != nil {
			b.Fatal(err)
		}
	}
}
