package solvertest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// Renamed holds that renaming the nodes renames the matches, and changes nothing else.
func Renamed(t *testing.T, s qap.Solver) {
	const n1, n2 = 5, 6
	rng := rand.New(rand.NewPCG(7, 1))
	for range 5 {
		k := RandomMatrix(rng, n1*n2)
		left, right := rng.Perm(n1), rng.Perm(n2)
		renamed := make([]float64, len(k))
		vertex := func(p int) int { return left[p/n2]*n2 + right[p%n2] }
		for p := range n1 * n2 {
			for q := range n1 * n2 {
				renamed[vertex(p)*n1*n2+vertex(q)] = k[p*n1*n2+q]
			}
		}
		in := must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
		other := must.Get(qap.NewDense(n1, n2, renamed, qap.Maximize))(t)
		before, _ := Check(t, context.Background(), s, in, qap.Options{})
		after, _ := Check(t, context.Background(), s, other, qap.Options{})
		for i, a := range before.Matching {
			if after.Matching[left[i]] != right[a] {
				t.Errorf("%v becomes %v under %v and %v", before.Matching, after.Matching, left, right)
				break
			}
		}
	}
}

// Obvious holds that on an instance whose best matching stands out, the method finds it.
func Obvious(t *testing.T, s qap.Solver) {
	const n = 8
	rng := rand.New(rand.NewPCG(7, 4))
	truth := qap.RandomMatching(n, n, rng)
	k := make([]float64, n*n*n*n)
	for p := range n * n {
		for q := range n * n {
			if k[p*n*n+q] = 0.1 * rng.Float64(); truth[p/n] == p%n && truth[q/n] == q%n {
				k[p*n*n+q] = 1
			}
		}
	}
	in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
	result, ok := Check(t, context.Background(), s, in, qap.Options{})
	if ok && !slices.Equal(result.Matching, truth) {
		t.Errorf("%v, want %v", result.Matching, truth)
	}
}

// InTime holds that on a large dense instance a search whose time is up ends within a few milliseconds,
// wherever it is.
func InTime(t *testing.T, s qap.Solver) {
	const n = 40
	rng := rand.New(rand.NewPCG(1, 2))
	k := RandomMatrix(rng, n*n)
	in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
	const limit = 10 * time.Millisecond
	clock := Clock()
	for attempt := 0; ; attempt++ { // the collector of memory takes its time too
		start := clock()
		r, err := s.Solve(Clocked(), in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
		if errors.Is(err, qap.ErrUnsupported) {
			break
		}
		if took := clock().Sub(start); err != nil || took > limit+20*time.Millisecond && attempt == 5 {
			t.Errorf("%v (%v) after %v", r.Status, err, took)
		} else if took > limit+20*time.Millisecond {
			continue
		}
		break
	}
}

// Soft is a method that makes a soft assignment.
type Soft interface {
	Soft(ctx context.Context, in *qap.Instance) ([]float64, error)
}

// FormsAgree holds that the three forms of one K give the same soft assignment.
func FormsAgree(t *testing.T, m Soft) {
	const n1, n2 = 4, 5
	rng := rand.New(rand.NewPCG(7, 2))
	for _, sense := range []qap.Sense{qap.Maximize, qap.Minimize} {
		a, b, linear := symmetricMatrix(rng, n1), symmetricMatrix(rng, n2), RandomMatrix(rng, n1+n2)[:n1*n2]
		kb := must.Get(qap.NewKoopmansBeckmann(n1, n2, a, b, linear, sense))(t)
		k := make([]float64, n1*n2*n1*n2)
		var entries []qap.Entry
		for p := range n1 * n2 {
			for q := range n1 * n2 {
				v := a[p/n2*n1+q/n2] * b[p%n2*n2+q%n2]
				if p == q {
					v += linear[p]
				}
				k[p*n1*n2+q] = v
				entries = append(entries, qap.Entry{P: p, Q: q, Value: v})
			}
		}
		dense, sparse := must.Get(qap.NewDense(n1, n2, k, sense))(t), must.Get(qap.NewSparse(n1, n2, entries, sense))(t)
		want := must.Get(m.Soft(context.Background(), kb))(t)
		for _, in := range []*qap.Instance{dense, sparse} {
			got := must.Get(m.Soft(context.Background(), in))(t)
			for p := range want {
				if math.Abs(got[p]-want[p]) > 1e-9 {
					t.Errorf("%v: entry %d of %T is %v, of the others %v", sense, p, in.Affinity, got[p], want[p])
					break
				}
			}
		}
	}
}

func symmetricMatrix(rng *rand.Rand, n int) []float64 {
	m := RandomMatrix(rng, n)
	for i := range n {
		for j := range i {
			m[i*n+j] = m[j*n+i]
		}
	}
	return m
}

// NegativeDiagonal holds that a constant on the diagonal adds the same to every complete matching, so it
// must not change what a method for K ≥ 0 finds.
func NegativeDiagonal(t *testing.T, m Soft) {
	const n1, n2 = 5, 7
	rng := rand.New(rand.NewPCG(7, 4))
	n := n1 * n2
	k := RandomMatrix(rng, n) // entries in 0..1
	for p := range n {
		k[p*n+p] = 0
	}
	want := must.Get(qap.NewDense(n1, n2, slices.Clone(k), qap.Maximize))(t)
	for _, diagonal := range []float64{-.01, -3, -10} { // the uniform soft assignment scores above 0
		for p := range n {
			k[p*n+p] = diagonal
		}
		in := must.Get(qap.NewDense(n1, n2, slices.Clone(k), qap.Maximize))(t)
		x := must.Get(m.Soft(t.Context(), want))(t)
		y := must.Get(m.Soft(t.Context(), in))(t)
		for p, v := range x {
			if math.Abs(v-y[p]) > 1e-9 {
				t.Fatalf("a diagonal of %v makes %v of entry %d, %v", diagonal, y[p], p, v)
			}
		}
	}
}
