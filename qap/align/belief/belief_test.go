package belief

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// noisy returns the pair of a random graph of mean degree 4 and a copy of which a share of the edges is
// replaced by others, and the truth.
func noisy(t testing.TB, nodes int, noise float64, seed uint64) (*align.Problem, qap.Matching) {
	t.Helper()
	g, err := networks.Generate("erdos-renyi", nodes, 4, seed)
	if err != nil {
		t.Fatal(err)
	}
	copied, truth := networks.Noise{Removed: noise, Replaced: true, Seed: seed}.Copy(g)
	a, err1 := compare.Structure(&g)
	b, err2 := compare.Structure(&copied)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return &align.Problem{A: a, B: b}, truth
}

// pairOf returns two graphs of sizes that may differ, which have nothing to do with each other.
func pairOf(t testing.TB, n1, n2 int) *Pair {
	a, _ := noisy(t, n1, 0, 1)
	b, _ := noisy(t, n2, 0, 2)
	return NewPair(a.A, b.B)
}

func normals(n int, scale float64, rng *rand.Rand) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(scale * rng.NormFloat64())
	}
	return x
}

// TestMath: seven digits, of e^x over the powers that float32 holds.
func TestMath(t *testing.T) {
	for _, by := range []struct {
		name       string
		exp, log1p func(y, x []float32)
	}{{"kernel", Exp, Log1p}, {"go", expGo, log1pGo}} {
		y := make([]float32, 1)
		for v := -86.9; v < 87.9; v += 0.0137 {
			by.exp(y, []float32{float32(v)})
			if want := math.Exp(float64(float32(v))); math.Abs(float64(y[0])-want) > 3e-7*want {
				t.Fatalf("%s: e^%v is %v, want %v", by.name, v, y[0], want)
			}
			x := float32(math.Exp(v / 2))
			by.log1p(y, []float32{x})
			if want := math.Log1p(float64(x)); math.Abs(float64(y[0])-want) > 3e-7*(1+want) {
				t.Fatalf("%s: log(1+%v) is %v, want %v", by.name, x, y[0], want)
			}
		}
	}
}

// TestKernels: what is computed in C is what is computed in Go, but for the rounding of sums of 130 terms.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{9, 9}, {9, 40}, {16, 16}, {37, 21}, {50, 133}} {
		n1, n2 := size[0], size[1]
		p := pairOf(t, n1, n2)
		x, z := normals(p.Size(), 1, rng), normals(p.Size(), 1, rng)
		got, want := make([]float32, p.Size()), make([]float32, p.Size())
		got2, want2 := make([]float32, p.Size()), make([]float32, p.Size())
		same := func(what string, got, want []float32) {
			t.Helper()
			for k, v := range want {
				if math.Abs(float64(got[k]-v)) > 1e-4*(1+math.Abs(float64(v))) {
					t.Fatalf("%v, %s: entry %d is %v, in Go %v", size, what, k, got[k], v)
				}
			}
		}
		p.Left(got, x, 0.5)
		leftGo(want, x, &p.a, n2, 0.5)
		same("left", got, want)
		p.Right(got, x, 0.5)
		rightGo(want, x, n1, &p.b, 0.5)
		same("right", got, want)
		Scale(got, x, 2, -1, 1.5)
		scaleGo(want, x, 2, -1, 1.5)
		same("scale", got, want)
		Order(got, got2, x, z, 2, 1.5)
		orderGo(want, want2, x, z, 2, 1.5)
		same("less", got, want)
		same("greater", got2, want2)
		for _, out := range []int{1, 4, 7} {
			w, b := normals(out*n1, 1, rng), normals(out, 1, rng)
			y, y2 := make([]float32, out*n2), make([]float32, out*n2)
			Dense(y, x, w, b, n1, n2, out == 4)
			denseGo(y2, x, w, b, n1, n2, out == 4)
			same("dense", y, y2)
			dw, dw2 := normals(out*n1, 1, rng), make([]float32, out*n1)
			copy(dw2, dw)
			Outer(dw, y, x, out, n1, n2)
			outerGo(dw2, y, x, out, n1, n2)
			same("outer", dw, dw2)
		}
	}
}

// TestNormalizer: after it, rows and columns of e^S sum to what it says.
func TestNormalizer(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := normals(7*9, 30, rng)
	z := NewNormalizer(7, 9)
	z.Measure(s)
	for a, got := range z.Columns {
		sum := 0.0
		for i := range 7 {
			sum += math.Exp(float64(s[i*9+a]))
		}
		if want := math.Log(sum); math.Abs(float64(got)-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("column %d: %v, want %v", a, got, want)
		}
	}
	for i, got := range z.Rows {
		sum := 0.0
		for _, v := range s[i*9 : (i+1)*9] {
			sum += math.Exp(float64(v))
		}
		if want := math.Log(sum); math.Abs(float64(got)-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
}

// TestPlanted: on random graphs of mean degree 4 of whose edges a tenth is changed, belief propagation
// finds nearly all edges that were kept, without swaps; and with nothing to go by it says nothing.
func TestPlanted(t *testing.T) {
	problem, truth := noisy(t, 300, 0.1, 5)
	p := NewPair(problem.A, problem.B)
	planted := problem.SharedEdges(truth)
	found := p.Shared(p.Match(Believe(p, Model{Degree: 4, Noise: 0.1}, 40)))
	if 100*found < 98*planted {
		t.Errorf("%d shared edges, planted are %d", found, planted)
	}
	r, err := align.Solve(t.Context(), problem, align.Options{Limits: qap.Limits{MaxSteps: 1}, Starts: []align.Start{Start()}})
	if err != nil || r.Shared < found || r.FoundBy != Name {
		t.Errorf("as a start %d shared edges by %s, error %v; want %d at least by %s", r.Shared, r.FoundBy, err, found, Name)
	}
}

// TestSharpen: never fewer shared edges, and each node once.
func TestSharpen(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	p := pairOf(t, 60, 50)
	m := p.Match(normals(p.Size(), 1, rng))
	sharp := p.Sharpen(m)
	seen := map[int]bool{}
	for _, a := range sharp {
		if a != Unmatched && seen[a] {
			t.Fatalf("node %d is matched twice", a)
		}
		seen[a] = true
	}
	if p.Shared(sharp) < p.Shared(m) {
		t.Errorf("%d shared edges, before %d", p.Shared(sharp), p.Shared(m))
	}
}
