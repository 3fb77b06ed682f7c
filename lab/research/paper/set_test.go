package paper

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

func TestSetsHaveNames(t *testing.T) {
	for set, v := range variants {
		if v.set() != set || !features.OfPolicy(set) || !features.Plain(set) || len(features.Tensors(set)) == 0 {
			t.Errorf("%s is that of %+v", set, v)
		}
	}
	if len(variants) != 12 {
		t.Errorf("%d sets, want 3 in 4 forms", len(variants))
	}
}

// TestSumsMatchTheAssociationGraph adds up the neighbours one by one.
func TestSumsMatchTheAssociationGraph(t *testing.T) {
	for _, in := range solvertest.Forms(t, 1) {
		n1, n2 := in.Size()
		n := n1 * n2
		largest := 0.0
		for p := range n {
			for q := range n {
				if p == q || p/n2 != q/n2 && p%n2 != q%n2 { // a vertex or an edge
					largest = max(largest, math.Abs(in.Affinity.At(p, q)))
				}
			}
		}
		static, _ := staticFeatures(in, false)
		for p := range n {
			var want [channels]float64
			for q := range n {
				if q/n2 == p/n2 || q%n2 == p%n2 {
					continue
				}
				k := in.Affinity.At(p, q)
				want[positiveEdges] += max(k, 0)
				want[negativeEdges] += max(-k, 0)
				want[neighbourWeights] += in.Affinity.At(q, q)
			}
			for c, w := range want {
				w /= largest * float64((n1-1)*(n2-1))
				if got := float64(static[p*channels+c]); math.Abs(got-w) > 1e-6 {
					t.Errorf("%s: vertex %d channel %d is %v, want %v", in.Name, p, c, got, w)
				}
			}
		}
	}
}

// fill returns the inputs of the current state, written behind another one.
func fill(x features.Extractor, set string, n1, n2 int) [][]float32 {
	batch := features.Make(set, 2, n1, n2)
	x.Fill(batch, 1)
	for k, t := range features.Tensors(set) {
		batch[k] = batch[k][t.Size(n1, n2):]
	}
	return batch
}

// TestInputsAreScaleFree multiplies an instance by a power of two.
func TestInputsAreScaleFree(t *testing.T) {
	small, large := solvertest.Forms(t, 1), solvertest.Forms(t, 1<<20)
	for k := range small {
		n1, n2 := small[k].Size()
		for set := range variants {
			var got [2][][]float32
			for s, in := range []*qap.Instance{small[k], large[k]} {
				inputs := must.Get(features.New(set, in))(t)
				rng := rand.New(rand.NewPCG(5, 6))
				env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
				for range 30 {
					env.Step(rng.IntN(n1 * n2))
				}
				got[s] = fill(inputs.NewExtractor(env, 50), set, n1, n2)
			}
			for tensor := range got[0] {
				for i, want := range got[0][tensor] {
					if math.Abs(float64(want-got[1][tensor][i])) > 1e-5 {
						t.Fatalf("%s %s: input %d of tensor %d is %v and, scaled, %v", small[k].Name, set, i, tensor, want, got[1][tensor][i])
					}
				}
			}
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
	return must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
}

// TestPolicySeesTheRegularizedMatrix writes K_reg out entry by entry, for every regularizer,
// form and kind of action, and adds up the neighbours one by one.
func TestPolicySeesTheRegularizedMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, size := range [][2]int{{5, 6}, {6, 4}} {
		n1, n2 := size[0], size[1]
		in := signedInstance(t, n1, n2, rng)
		for _, r := range []qap.Regularizer{{}, qap.RegularizeF1, qap.RegularizeF2, qap.RegularizeF3, qap.RegularizeMean(1)} {
			for _, set := range slices.Sorted(maps.Keys(variants)) {
				v := variants[set]
				inputs := must.Get(features.New(set, in))(t)
				env := qap.NewEnvironment(in, qap.EnvironmentOptions{Release: rng.IntN(2) == 0, Goal: qap.Goal{Regularizer: r}})
				x := inputs.NewExtractor(env, 10)
				for range 12 {
					comparePaper(t, fmt.Sprint(set, " ", r), env, v, fill(x, set, n1, n2))
					env.Step(rng.IntN(n1 * n2))
				}
			}
		}
	}
}

func comparePaper(t *testing.T, name string, env *qap.Environment, v variant, got [][]float32) {
	t.Helper()
	in := env.Instance()
	n1, n2 := env.Size()
	_, unit := staticFeatures(in, v.matched)
	for p := range n1 * n2 {
		terms := matrixTerms{Factor: 1}
		if all, ok := regularizedMatrix(env, v.form); ok && v.regularized {
			terms = all[1+growth(env, p/n2, p%n2)]
		}
		var want [channels]float64
		if env.Match(p/n2) == p%n2 {
			want[solution] = float64((n1 - 1) * (n2 - 1))
		}
		for q := range n1 * n2 {
			w := (terms.Factor*in.Affinity.At(p, q) + terms.All) / unit
			if q/n2 == p/n2 || q%n2 == p%n2 {
				w = 0
			} else {
				want[positiveEdges] += max(w, 0)
				want[negativeEdges] += max(-w, 0)
				want[neighbourWeights] += (terms.Factor*in.Affinity.At(q, q) + terms.All + terms.Diagonal) / unit
			}
			if v.weighted && math.Abs(float64(got[1][p*n1*n2+q])-w) > 1e-5*(1+math.Abs(w)) {
				t.Fatalf("%s, %d matches: W[%d,%d] is %v, want %v", name, env.Matched(), p, q, got[1][p*n1*n2+q], w)
			}
		}
		if v.matched {
			own := (terms.Factor*in.Affinity.At(p, p) + terms.All + terms.Diagonal) / unit
			want[neighbourWeights] = own / float64(min(n1, n2)) * float64((n1-1)*(n2-1))
		}
		for c, w := range want {
			w /= float64((n1 - 1) * (n2 - 1))
			if g := float64(got[0][p*channels+c]); math.Abs(g-w) > 1e-5*(1+math.Abs(w)) {
				t.Fatalf("%s, %d matches: vertex %d channel %d is %v, want %v", name, env.Matched(), p, c, g, w)
			}
		}
	}
}

// TestRegularizedFillAllocatesNothing.
func TestRegularizedFillAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	in := signedInstance(t, 5, 6, rng)
	for set := range variants {
		inputs := must.Get(features.New(set, in))(t)
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{Goal: qap.Goal{Regularizer: qap.RegularizeF1}})
		x, batch := inputs.NewExtractor(env, 10), features.Make(set, 1, 5, 6)
		for v := range 4 {
			env.Step(v*6 + v)
		}
		if n := testing.AllocsPerRun(10, func() { x.Fill(batch, 0) }); n > 0 {
			t.Errorf("%s: Fill makes %v allocations", set, n)
		}
	}
}

// TestTooManyVerticesAreRefused: the weighted sets hold the whole matrix.
func TestTooManyVerticesAreRefused(t *testing.T) {
	const n = 65 // 65² > mostVertices
	in := must.Get(qap.NewKoopmansBeckmann(n, n, make([]float64, n*n), make([]float64, n*n), nil, qap.Minimize))(t)
	if !in.Complete {
		t.Fatal("an instance that need not be complete")
	}
	for set, v := range variants {
		if _, err := features.New(set, in); (err != nil) != v.weighted {
			t.Errorf("%s: %v", set, err)
		}
	}
}

// BenchmarkFillRegularized times the features of a state under K_reg.
func BenchmarkFillRegularized(b *testing.B) {
	rng := rand.New(rand.NewPCG(45, 46))
	const n = 15
	k := solvertest.RandomMatrix(rng, n*n)
	in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(b)
	for _, set := range []string{Name, "paper-literal", "paper-weighted-literal"} {
		b.Run(set, func(b *testing.B) {
			inputs := must.Get(features.New(set, in))(b)
			env := qap.NewEnvironment(in, qap.EnvironmentOptions{Goal: qap.Goal{Regularizer: qap.RegularizeF1}})
			x, batch := inputs.NewExtractor(env, 10), features.Make(set, 1, n, n)
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
