package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/rgm-go/rgm/internal/cputime"
)

// floatsOf returns weights as numbers in a row.
func floatsOf(w *Weights) []float32 {
	return unsafe.Slice(&w.Vertices[0][0], unsafe.Sizeof(*w)/4)
}

// newState returns the memory of a state with random inputs.
func newState(n1, n2 int, rng *rand.Rand) *State {
	random := func(n int) []float32 {
		x := make([]float32, n)
		for k := range x {
			if rng.IntN(4) > 0 { // many features are 0
				x[k] = float32(rng.NormFloat64())
			}
		}
		return x
	}
	floats := func(n int) []float32 { return make([]float32, n) }
	return &State{
		N1: n1, N2: n2, Vertices: random(vertexChannels * n1 * n2), Rows: random(rowChannels * n1), Columns: random(columnChannels * n2), State: random(stateChannels),
		RowMeans: floats(n1 * Channels), ColumnMeans: floats(n2 * Channels), Means: floats(Channels),
		RowPart: floats(n1 * Width), ColumnPart: floats(n2 * Width), H: floats(n1 * n2 * Width), U: floats(n1 * n2 * Width), DH: floats(n1 * n2 * Width),
		Q: floats(n1 * n2), HSum: floats(Width),
	}
}

func randomWeights(rng *rand.Rand) *Weights {
	w := &Weights{}
	for k, x := 0, floatsOf(w); k < len(x); k++ {
		x[k] = float32(rng.NormFloat64() / 4)
	}
	return w
}

// same reports the first number that differs in a bit.
func same(x, y []float32) error {
	for k := range x {
		if math.Float32bits(x[k]) != math.Float32bits(y[k]) && (x[k] == x[k] || y[k] == y[k]) {
			return fmt.Errorf("number %d of %d is %v, in Go %v", k, len(x), x[k], y[k])
		}
	}
	return nil
}

// TestSetsAgree: every instruction set gives what Go does, to the last bit, whatever the sizes,
// and where an input is no number too.
func TestSetsAgree(t *testing.T) {
	seed := rand.Uint64()
	for _, set := range Supported() {
		rng := rand.New(rand.NewPCG(seed, 0))
		for round := range 60 {
			n1, n2 := 1+rng.IntN(40), 1+rng.IntN(40)
			if round < 5 {
				n1, n2 = 1+round, 16
			}
			w := randomWeights(rng)
			s := newState(n1, n2, rng)
			if round == 59 {
				s.Vertices[rng.IntN(len(s.Vertices))] = float32(math.NaN())
			}
			other := *s
			for _, part := range []*[]float32{&other.RowMeans, &other.ColumnMeans, &other.Means, &other.RowPart, &other.ColumnPart, &other.H, &other.U, &other.DH, &other.Q, &other.HSum} {
				*part = make([]float32, len(*part))
			}
			compare := func(when string) {
				for name, pair := range map[string][2][]float32{
					"row means": {s.RowMeans, other.RowMeans}, "column means": {s.ColumnMeans, other.ColumnMeans}, "means": {s.Means, other.Means},
					"h": {s.H, other.H}, "u": {s.U, other.U}, "dh": {s.DH, other.DH}, "q": {s.Q, other.Q}, "sum of h": {s.HSum, other.HSum},
				} {
					if err := same(pair[0], pair[1]); err != nil {
						t.Fatalf("%s, %d×%d, seed %d, %s: %s: %v", set, n1, n2, seed, when, name, err)
					}
				}
			}
			set.Forward(w, s)
			Go.Forward(w, &other)
			compare("forward")
			g := randomWeights(rng)
			gradient := *g
			for k := range s.Q {
				s.Q[k] = float32(rng.NormFloat64())
			}
			for k := range s.HSum {
				s.HSum[k] = float32(rng.NormFloat64())
			}
			copy(other.Q, s.Q)
			copy(other.HSum, s.HSum)
			set.Backward(w, s, g)
			Go.Backward(w, &other, &gradient)
			compare("backward")
			if err := same(floatsOf(g), floatsOf(&gradient)); err != nil {
				t.Fatalf("%s, %d×%d, seed %d: gradient: %v", set, n1, n2, seed, err)
			}
		}
	}
}

// TestForward compares with the definition in float64: sums of some hundred terms of size 1.
func TestForward(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	w, s := randomWeights(rng), newState(7, 19, rng)
	Supported()[0].Forward(w, s)
	at := func(channel, i, a int) float64 { // of vertex (i,a)
		switch k := channel - vertexChannels; {
		case k < 0:
			return float64(s.Vertices[channel*7*19+i*19+a])
		case k < rowChannels:
			return float64(s.Rows[k*7+i])
		case k < rowChannels+columnChannels:
			return float64(s.Columns[(k-rowChannels)*19+a])
		default:
			return float64(s.State[k-rowChannels-columnChannels])
		}
	}
	for i := range 7 {
		for a := range 19 {
			q := 0.0
			var h [Width]float64
			for o := range h {
				z := float64(w.B[o])
				for j := range Channels {
					var row, column, all float64
					for b := range 19 {
						row += at(j, i, b) / 19
					}
					for k := range 7 {
						column += at(j, k, a) / 7
						for b := range 19 {
							all += at(j, k, b) / (7 * 19)
						}
					}
					z += row*float64(w.Rows[j][o]) + column*float64(w.Columns[j][o]) + all*float64(w.All[j][o])
					if j < vertexChannels {
						z += at(j, i, a) * float64(w.Vertices[j][o])
					}
				}
				h[o] = max(z, 0)
			}
			for o := range Width {
				u := float64(w.B1[o])
				for k, z := range h {
					u += z * float64(w.W1[k][o])
				}
				q += max(u, 0) * float64(w.W2[o])
			}
			for j := range Channels - stateChannels {
				q += float64(w.Skip[j]) * at(j, i, a)
			}
			if got := float64(s.Q[i*19+a]); math.Abs(got-q) > 1e-5 {
				t.Fatalf("advantage of (%d,%d) is %v, want %v", i, a, got, q)
			}
		}
	}
}

func BenchmarkState(b *testing.B) {
	for _, set := range Supported() {
		for _, n := range []int{10, 16, 30} {
			rng := rand.New(rand.NewPCG(1, 1))
			w, s, g := randomWeights(rng), newState(n, n, rng), &Weights{}
			bench := func(name string, f func()) {
				b.Run(fmt.Sprintf("%s/n=%d/%s", set, n, name), func(b *testing.B) {
					before, _ := cputime.Taken()
					for b.Loop() {
						f()
					}
					after, _ := cputime.Taken()
					b.ReportMetric(float64((after-before).Nanoseconds())/float64(b.N*n*n), "CPU-ns/vertex")
				})
			}
			bench("forward", func() { set.Forward(w, s) })
			bench("backward", func() { set.Backward(w, s, g) })
		}
	}
}
