package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

var forms = []qap.RegularizedForm{qap.RegularizedExact, qap.RegularizedSurrogate, qap.RegularizedLiteral}

// paperKinds are all there are.
func paperKinds() []PaperKind {
	kinds := []PaperKind{{}, {Weighted: true}, {Weighted: true, Matched: true}}
	for _, form := range forms {
		kinds = append(kinds, PaperKind{Regularized: true, Form: form}, PaperKind{Weighted: true, Regularized: true, Form: form},
			PaperKind{Weighted: true, Matched: true, Regularized: true, Form: form})
	}
	return kinds
}

func TestPaperSetsHaveNames(t *testing.T) {
	names := map[string]bool{}
	for _, kind := range paperKinds() {
		name := PaperSet(kind)
		if got, ok := ParsePaperSet(name); !ok || got != kind || names[name] {
			t.Errorf("%+v is named %s, read as %+v", kind, name, got)
		}
		names[name] = true
	}
	for _, name := range []string{"", Gain, Affinity, "paperweighted", "paper-", "paper-weighted-", "paper-exact-weighted", "paper-matched-weighted", "paper-weighted-matched", "papers", "paperexact"} {
		if _, ok := ParsePaperSet(name); ok || name != Gain && name != Affinity && Tensors(name) != nil {
			t.Errorf("%q is read as a set of the paper's", name)
		}
	}
}

// signedInstance has entries of both signs and zeros, and node affinities.
func signedInstance(t *testing.T, n1, n2 int, rng *rand.Rand) *qap.Instance {
	t.Helper()
	k := make([]float64, n1*n2*n1*n2)
	for p := range k {
		if rng.IntN(3) > 0 {
			k[p] = rng.NormFloat64() + 0.5
		}
	}
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestPaperSeesTheRegularizedMatrix writes K_reg out entry by entry, for every regularizer,
// form and kind of action, and adds up the neighbours one by one.
func TestPaperSeesTheRegularizedMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, size := range [][2]int{{5, 6}, {6, 4}} {
		n1, n2 := size[0], size[1]
		in := signedInstance(t, n1, n2, rng)
		for _, r := range []qap.Regularizer{{}, qap.RegularizeF1, qap.RegularizeF2, qap.RegularizeF3, qap.RegularizeMean(1)} {
			for _, kind := range paperKinds() {
				inputs, err := New(PaperSet(kind), in)
				if err != nil {
					t.Fatal(err)
				}
				env := qap.NewEnvironment(in, qap.EnvironmentOptions{Release: rng.IntN(2) == 0, Goal: qap.Goal{Regularizer: r}})
				x := inputs.NewExtractor(env, 10)
				for range 12 {
					comparePaper(t, fmt.Sprint(PaperSet(kind), " ", r), env, kind, fill(x, PaperSet(kind), n1, n2))
					env.Step(rng.IntN(n1 * n2))
				}
			}
		}
	}
}

func comparePaper(t *testing.T, name string, env *qap.Environment, kind PaperKind, got [][]float32) {
	t.Helper()
	in := env.Instance()
	n1, n2 := env.Size()
	_, unit := paperStatic(in, kind.Matched)
	for p := range n1 * n2 {
		terms := qap.MatrixTerms{Factor: 1}
		if all, ok := env.RegularizedMatrix(kind.Form); ok && kind.Regularized {
			terms = all[1+env.Growth(p/n2, p%n2)]
		}
		var want [PaperChannels]float64
		if env.Match(p/n2) == p%n2 {
			want[Solution] = float64((n1 - 1) * (n2 - 1))
		}
		for q := range n1 * n2 {
			w := (terms.Factor*in.Affinity.At(p, q) + terms.All) / unit
			if q/n2 == p/n2 || q%n2 == p%n2 {
				w = 0
			} else {
				want[PositiveEdges] += max(w, 0)
				want[NegativeEdges] += max(-w, 0)
				want[NeighbourWeights] += (terms.Factor*in.Affinity.At(q, q) + terms.All + terms.Diagonal) / unit
			}
			if kind.Weighted && math.Abs(float64(got[1][p*n1*n2+q])-w) > 1e-5*(1+math.Abs(w)) {
				t.Fatalf("%s, %d matches: W[%d,%d] is %v, want %v", name, env.Matched(), p, q, got[1][p*n1*n2+q], w)
			}
		}
		if kind.Matched {
			own := (terms.Factor*in.Affinity.At(p, p) + terms.All + terms.Diagonal) / unit
			want[NeighbourWeights] = own / float64(min(n1, n2)) * float64((n1-1)*(n2-1))
		}
		for c, w := range want {
			w /= float64((n1 - 1) * (n2 - 1))
			if g := float64(got[0][p*PaperChannels+c]); math.Abs(g-w) > 1e-5*(1+math.Abs(w)) {
				t.Fatalf("%s, %d matches: vertex %d channel %d is %v, want %v", name, env.Matched(), p, c, g, w)
			}
		}
	}
}

// TestRegularizedFillAllocatesNothing.
func TestRegularizedFillAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	in := signedInstance(t, 5, 6, rng)
	for _, kind := range paperKinds() {
		inputs, err := New(PaperSet(kind), in)
		if err != nil {
			t.Fatal(err)
		}
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{Goal: qap.Goal{Regularizer: qap.RegularizeF1}})
		x, batch := inputs.NewExtractor(env, 10), Make(PaperSet(kind), 1, 5, 6)
		for v := range 4 {
			env.Step(v*6 + v)
		}
		if n := testing.AllocsPerRun(10, func() { x.Fill(batch, 0) }); n > 0 {
			t.Errorf("%s: Fill makes %v allocations", PaperSet(kind), n)
		}
	}
}

// TestTooManyVerticesAreRefused: the weighted sets hold the whole matrix.
func TestTooManyVerticesAreRefused(t *testing.T) {
	const n = 65 // 65² > MostPaperVertices
	in, err := qap.NewKoopmansBeckmann(n, n, make([]float64, n*n), make([]float64, n*n), nil, qap.Minimize)
	if err != nil {
		t.Fatal(err)
	}
	if !in.Complete {
		t.Fatal("an instance that need not be complete")
	}
	for _, kind := range paperKinds() {
		if _, err := New(PaperSet(kind), in); (err != nil) != kind.Weighted {
			t.Errorf("%s: %v", PaperSet(kind), err)
		}
	}
}

// BenchmarkFillRegularized times the features of a state under K_reg.
func BenchmarkFillRegularized(b *testing.B) {
	rng := rand.New(rand.NewPCG(45, 46))
	const n = 15
	k := make([]float64, n*n*n*n)
	for p := range k {
		k[p] = rng.Float64()
	}
	in, err := qap.NewDense(n, n, k, qap.Maximize)
	if err != nil {
		b.Fatal(err)
	}
	for _, set := range []string{Paper, "paper-literal", "paper-weighted-literal"} {
		b.Run(set, func(b *testing.B) {
			inputs, err := New(set, in)
			if err != nil {
				b.Fatal(err)
			}
			env := qap.NewEnvironment(in, qap.EnvironmentOptions{Goal: qap.Goal{Regularizer: qap.RegularizeF1}})
			x, batch := inputs.NewExtractor(env, 10), Make(set, 1, n, n)
			for i := range n / 2 {
				env.Step(i*n + i)
			}
			for b.Loop() {
				x.Fill(batch, 0)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "states/s")
		})
	}
}
