package classic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// softer is a method that makes a soft assignment.
type softer interface {
	Soft(ctx context.Context, in *qap.Instance) ([]float64, error)
}

var softers = map[string]softer{"sm": SpectralMatching{}, "rrwm": RRWM{}, "gagm": GraduatedAssignment{}, "psm": PSM{}}

// Renaming the nodes renames the matches, and changes nothing else.
func TestPermutedNodesGivePermutedMatches(t *testing.T) {
	const n1, n2 = 5, 6
	rng := rand.New(rand.NewPCG(7, 1))
	for range 5 {
		k := solvertest.RandomMatrix(rng, n1*n2)
		left, right := rng.Perm(n1), rng.Perm(n2)
		renamed := make([]float64, len(k))
		vertex := func(p int) int { return left[p/n2]*n2 + right[p%n2] }
		for p := range n1 * n2 {
			for q := range n1 * n2 {
				renamed[vertex(p)*n1*n2+vertex(q)] = k[p*n1*n2+q]
			}
		}
		in := solvertest.Must(qap.NewDense(n1, n2, k, qap.Maximize))(t)
		other := solvertest.Must(qap.NewDense(n1, n2, renamed, qap.Maximize))(t)
		for _, name := range []string{"sm", "rrwm", "ipfp", "gagm", "psm"} {
			s, err := New(name)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := solvertest.Check(t, context.Background(), s, in, qap.Options{})
			after, _ := solvertest.Check(t, context.Background(), s, other, qap.Options{})
			for i, a := range before.Matching {
				if after.Matching[left[i]] != right[a] {
					t.Errorf("%s: %v becomes %v under %v and %v", name, before.Matching, after.Matching, left, right)
					break
				}
			}
		}
	}
}

// The three forms of one K give the same soft assignments.
func TestFormsAgree(t *testing.T) {
	const n1, n2 = 4, 5
	rng := rand.New(rand.NewPCG(7, 2))
	for _, sense := range []qap.Sense{qap.Maximize, qap.Minimize} {
		a, b, linear := symmetricMatrix(rng, n1), symmetricMatrix(rng, n2), solvertest.RandomMatrix(rng, n1+n2)[:n1*n2]
		kb := solvertest.Must(qap.NewKoopmansBeckmann(n1, n2, a, b, linear, sense))(t)
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
		dense, sparse := solvertest.Must(qap.NewDense(n1, n2, k, sense))(t), solvertest.Must(qap.NewSparse(n1, n2, entries, sense))(t)
		for name, m := range softers {
			want, err := m.Soft(context.Background(), kb)
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range []*qap.Instance{dense, sparse} {
				got, err := m.Soft(context.Background(), in)
				if err != nil {
					t.Fatal(err)
				}
				for p := range want {
					if math.Abs(got[p]-want[p]) > 1e-9 {
						t.Errorf("%s, %v: entry %d of %T is %v, of the others %v", name, sense, p, in.Affinity, got[p], want[p])
						break
					}
				}
			}
		}
	}
}

func symmetricMatrix(rng *rand.Rand, n int) []float64 {
	m := solvertest.RandomMatrix(rng, n)
	for i := range n {
		for j := range i {
			m[i*n+j] = m[j*n+i]
		}
	}
	return m
}

// searchOf returns a search over an instance.
func searchOf(t *testing.T, in *qap.Instance) *search {
	t.Helper()
	s, err := newSearch(context.Background(), in, qap.Options{}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A shifted K has no negative entry, and the scores of complete matchings differ
// from those of K by one and the same number.
func TestShiftLeavesTheOrderOfMatchings(t *testing.T) {
	const n = 4
	rng := rand.New(rand.NewPCG(7, 3))
	a, b := solvertest.RandomMatrix(rng, n), solvertest.SignedMatrix(rng, n)
	for _, in := range []*qap.Instance{
		solvertest.Must(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t),
		solvertest.Must(qap.NewDense(n, n, negated(solvertest.RandomMatrix(rng, n*n)), qap.Maximize))(t),
	} {
		k := nonNegative(searchOf(t, in))
		x, product := make([]float64, n*n), make([]float64, n*n)
		for p := range x {
			clear(x)
			x[p] = 1
			k.Multiply(product, x)
			if least := slices.Min(product); k.edge > 0 && least < -1e-12 {
				t.Errorf("%T: K' has an entry of %v", in.Affinity, least)
			}
		}
		var offset float64
		for round := range 10 {
			m := qap.RandomMatching(n, n, rng)
			indicate(x, m, n)
			k.Multiply(product, x)
			d := dot(x, product) - in.Score(m)
			if round == 0 {
				offset = d
			} else if math.Abs(d-offset) > 1e-9 {
				t.Errorf("%T: scores shift by %v and by %v", in.Affinity, offset, d)
			}
		}
	}
}

func negated(values []float64) []float64 {
	for k := range values {
		values[k] = -values[k]
	}
	return values
}

// On an instance whose best matching stands out, every method finds it.
func TestMethodsFindAnObviousMatching(t *testing.T) {
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
	in := solvertest.Must(qap.NewDense(n, n, k, qap.Maximize))(t)
	eachMethod(t, func(t *testing.T, s qap.Solver) {
		result, ok := solvertest.Check(t, context.Background(), s, in, qap.Options{})
		if ok && !slices.Equal(result.Matching, truth) {
			t.Errorf("%v, want %v", result.Matching, truth)
		}
	})
}

// Signed as it is, IPFP comes near good assignments; pygmtools' start would end it
// at once (mean gap 50 % and more).
func TestIPFPOnQAPLIB(t *testing.T) {
	sum, count := 0.0, 0
	for _, name := range datasets.PaperSet(12, 64) {
		in, err := datasets.QAPLIB(name)
		if err != nil {
			t.Fatal(err)
		}
		result, err := IPFP{}.Solve(context.Background(), in, qap.Options{})
		if err != nil {
			t.Fatal(err)
		}
		best, _ := datasets.BestKnown(name)
		if gap, ok := datasets.Gap(result.Objective, best.Value); ok {
			sum += gap
			count++
		}
	}
	mean := sum / float64(count)
	t.Logf("mean gap %.2f %% of %d instances", mean, count)
	if mean > 24 {
		t.Errorf("mean gap %.2f %%, want at most 24", mean)
	}
}

func TestStartIsChecked(t *testing.T) {
	in := solvertest.Must(qap.NewDense(2, 2, make([]float64, 16), qap.Maximize))(t)
	for _, start := range [][]float64{{1, 2, 3}, {1, 2, math.NaN(), 3}} {
		if _, err := (SpectralMatching{Start: start}).Soft(context.Background(), in); err == nil {
			t.Errorf("no error for the start %v", start)
		}
	}
}

func TestUnknownMethod(t *testing.T) {
	if _, err := New("none"); err == nil || errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("error %v, want one that lists the methods", err)
	}
}

func BenchmarkMethods(b *testing.B) {
	for _, f := range readFixtures(b) {
		if f.Name != "willow_car_3" {
			continue
		}
		in := f.instance(b, false)
		for _, name := range Methods() {
			s, err := New(name)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/10×10", func(b *testing.B) {
				for b.Loop() {
					if _, err := s.Solve(context.Background(), in, qap.Options{}); err != nil {
						b.Skip(err)
					}
				}
			})
		}
	}
}

// A constant on the diagonal adds the same to every complete matching, so it must not
// change what the methods for K ≥ 0 find.
func TestNegativeDiagonalChangesNothing(t *testing.T) {
	const n1, n2 = 5, 7
	rng := rand.New(rand.NewPCG(7, 4))
	n := n1 * n2
	k := solvertest.RandomMatrix(rng, n) // entries in 0..1
	for p := range n {
		k[p*n+p] = 0
	}
	want := solvertest.Must(qap.NewDense(n1, n2, slices.Clone(k), qap.Maximize))(t)
	for _, diagonal := range []float64{-.01, -3, -10} { // the uniform soft assignment scores above 0
		for p := range n {
			k[p*n+p] = diagonal
		}
		in := solvertest.Must(qap.NewDense(n1, n2, slices.Clone(k), qap.Maximize))(t)
		for _, name := range []string{"sm", "rrwm", "psm"} {
			x, err := softers[name].Soft(t.Context(), want)
			if err != nil {
				t.Fatal(err)
			}
			y, err := softers[name].Soft(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if d := distance(x, y); d > 1e-9 {
				t.Errorf("%s: a diagonal of %v moves the soft assignment by %v", name, diagonal, d)
			}
		}
	}
}
