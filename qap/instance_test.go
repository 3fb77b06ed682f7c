package qap

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

func TestConstructorsRefuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	square := must.Get(NewDense(2, 2, make([]float64, 16), Maximize))(t)
	dense := func(n1, n2 int, k ...float64) error {
		_, err := NewDense(n1, n2, k, Maximize)
		return err
	}
	kb := func(n int, a, b []float64) error {
		_, err := NewKoopmansBeckmann(n, n, a, b, nil, Minimize)
		return err
	}
	sparse := func(e Entry) error {
		_, err := NewSparse(2, 2, []Entry{e}, Maximize)
		return err
	}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"wrong length":     {dense(1, 2, 1, 2, 3), "3 entries, want 4"},
		"NaN":              {dense(1, 2, 1, 2, nan, 3), "K[1,0] is NaN"},
		"infinite":         {kb(2, []float64{0, inf, 0, 0}, make([]float64, 4)), "A[0,1] is +Inf"},
		"overflow":         {kb(2, []float64{0, 1e200, 0, 0}, []float64{0, 1e200, 0, 0}), "overflow"},
		"square":           {dense(1, 2, 1, 2, 2, 1e200), "overflow when summed and squared: scale the problem down"},
		"large A":          {kb(2, []float64{0, 1e200, 0, 0}, []float64{0, 1e-200, 0, 0}), "affinities of size 1e+200 overflow"},
		"tiny":             {sparse(Entry{0, 3, 1e-200}), "affinities of size 5e-201 at most, whose squares are 0: scale the problem up"},
		"tiny product":     {kb(2, []float64{0, 1e-100, 0, 0}, []float64{0, 1e-100, 0, 0}), "scale the problem up"},
		"short B":          {kb(2, make([]float64, 4), make([]float64, 3)), "B has 3 entries, want 2·2"},
		"negative size":    {dense(-1, 2), "want 0.."},
		"index":            {sparse(Entry{0, 4, 1}), "want indices 0..3"},
		"sparse NaN":       {sparse(Entry{0, 3, nan}), "K[0,3] is NaN"},
		"too many nodes":   {dense(1<<40, 1<<40), "want 0.."},
		"twice the column": {square.CheckMatching(Matching{1, 1}), "nodes 0 and 1 both to node 1"},
		"out of range":     {square.CheckMatching(Matching{0, 2}), "sends node 1 to 2"},
		"short matching":   {square.CheckMatching(Matching{0}), "1 entries, want 2"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", name, test.err, test.want)
		}
	}
}

// TestFormsAgree builds one problem in all three forms.
func TestFormsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	const n1, n2 = 3, 4
	n := n1 * n2
	a, b, l := make([]float64, n1*n1), make([]float64, n2*n2), make([]float64, n)
	for _, m := range [][]float64{a, b, l} {
		for i := range m {
			m[i] = rng.NormFloat64()
		}
	}
	k := make([]float64, n*n)
	var entries []Entry
	for p := range n {
		for q := range n {
			k[p*n+q] = a[p/n2*n1+q/n2] * b[p%n2*n2+q%n2]
			if p == q {
				k[p*n+q] += l[p]
			}
			entries = append(entries, Entry{p, q, k[p*n+q]})
		}
	}
	kb := must.Get(NewKoopmansBeckmann(n1, n2, a, b, l, Minimize))(t)
	dense := must.Get(NewDense(n1, n2, slices.Clone(k), Minimize))(t)
	sparse := must.Get(NewSparse(n1, n2, entries, Minimize))(t)
	x := make([]float64, n)
	for p := range x {
		x[p] = rng.NormFloat64()
	}
	for f, in := range []*Instance{kb, dense, sparse} {
		y := make([]float64, n)
		in.Affinity.Multiply(y, x)
		for p := range n {
			row, whole, want := make([]float64, n), make([]float64, n), 0.0
			in.Affinity.Row(whole, p)
			in.Affinity.AddRow(row, p, 2)
			for q, v := range row {
				symmetric := -(k[p*n+q] + k[q*n+p]) / 2
				want += symmetric * x[q]
				if got := in.Affinity.At(p, q); !near(got, symmetric) || whole[q] != got {
					t.Fatalf("form %d: K[%d,%d] is %v, in its row %v, want %v", f, p, q, got, whole[q], symmetric)
				}
				if conflict(p, q, n2) { // p itself too
					symmetric = 0
				}
				if !near(v, 2*symmetric) {
					t.Fatalf("form %d: AddRow gives %v for K[%d,%d], want %v", f, v, p, q, 2*symmetric)
				}
			}
			if !near(y[p], want) {
				t.Fatalf("form %d: (K·x)[%d] is %v, want %v", f, p, y[p], want)
			}
		}
	}
}

// TestScoreAlongRows: Koopmans–Beckmann instances have a score of their own, which is the sum
// over all pairs of vertices to the last bit; and what they tell of their entries holds.
func TestScoreAlongRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for _, sizes := range [][2]int{{7, 7}, {5, 8}, {8, 5}} {
		n1, n2 := sizes[0], sizes[1]
		matrix := func(rows, cols int) []float64 {
			m := make([]float64, rows*cols)
			for k := range m {
				m[k] = rng.NormFloat64()
			}
			return m
		}
		in := must.Get(NewKoopmansBeckmann(n1, n2, matrix(n1, n1), matrix(n2, n2), matrix(n1, n2), Minimize))(t)
		general := Instance{Sense: Minimize, Complete: true, Affinity: struct{ Affinity }{in.Affinity}}
		for range 20 {
			m := RandomMatching(n1, n2, rng)
			m[rng.IntN(n1)] = Unmatched
			if got, want := in.Score(m), general.Score(m); got != want {
				t.Errorf("%v: score %v, want %v", sizes, got, want)
			}
		}
		kb := in.Affinity.(*KoopmansBeckmann)
		a, _, linear := kb.Entries()
		if a.NonZeros != n1*(n1-1) || a.Integer || a.Size != maxAbs(kb.A()) || linear.Size != maxAbs(kb.Linear()) || linear.Pair != 0 {
			t.Errorf("entries of A %+v, of the linear term %+v", a, linear)
		}
	}
	kb := func(a []float64) Entries {
		in := must.Get(NewKoopmansBeckmann(2, 2, a, a, nil, Minimize))(t)
		e, _, _ := in.Affinity.(*KoopmansBeckmann).Entries()
		return e
	}
	if got, want := kb([]float64{9, 3, -5, 9}), (Entries{NonZeros: 2, Least: -5, Most: 3, Size: 5, Integer: true, Pair: 8, RowSum: 8}); got != want {
		t.Errorf("entries %+v, want %+v", got, want)
	}
}

func BenchmarkMultiply(b *testing.B) {
	const n = 300
	rng := rand.New(rand.NewPCG(1, 1))
	m, x := make([]float64, n*n), make([]float64, n*n)
	for k := range m {
		m[k], x[k] = rng.Float64(), rng.Float64()
	}
	in := must.Get(NewKoopmansBeckmann(n, n, m, m, nil, Minimize))(b)
	product := make([]float64, n*n)
	for b.Loop() {
		in.Affinity.(*KoopmansBeckmann).Multiply(product, x)
	}
}
