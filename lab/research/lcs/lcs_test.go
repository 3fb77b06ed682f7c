package lcs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/lab/research/soft/softtest"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap/features"
)

func lcsSubject(t testing.TB, n1, n2, batch int, rng *rand.Rand) modeltest.Subject {
	const rounds = 3
	net := must.Get(models.New(models.Config{Architecture: Name, Hidden: 5, Head: 4, Iterations: rounds}, rng))(t)
	for _, p := range net.Parameters() { // biases too, so that they are tested
		for i := range p.Data {
			p.Data[i] = 0.3*p.Data[i] + float32(0.1*rng.NormFloat64())
		}
	}
	s := modeltest.Subject{Name: fmt.Sprintf("lcs %dx%d", n1, n2), Network: net, N1: n1, N2: n2}
	s.Inputs = features.Make(soft.Set, batch, n1, n2)
	for k, tensor := range s.Inputs {
		for i := range tensor {
			if tensor[i] = float32(rng.NormFloat64()); k == 1 && rng.IntN(4) == 0 {
				tensor[i] = 0 // no edge
			}
		}
	}
	s.Reference = func(w modeltest.Weights) (q []float64) {
		for b := range batch {
			q = append(q, lcsReference(w, s.Inputs, b, n1, n2, rounds)...)
		}
		return q
	}
	return s
}

// lcsReference is LCS's definition for one state.
func lcsReference(w modeltest.Weights, inputs [][]float32, state, n1, n2, rounds int) (logs []float64) {
	n := n1 * n2
	heads := attentionReference(w, inputs[1][state*n*n:(state+1)*n*n], n)
	y := make([][]float64, n)
	hidden := len(w["bias"])
	for v := range y {
		y[v] = append(make([]float64, hidden), 1)
		for c := range soft.Channels {
			y[v] = append(y[v], float64(inputs[0][(state*n+v)*soft.Channels+c]))
		}
	}
	for range rounds {
		gathered := make([][]float64, n)
		for p := range n {
			for column := range lcsWidth {
				got := 0.0
				for q := range n {
					got += heads[column/lcsColumns][p*n+q] * modeltest.Product(y[q], w["message"])[column]
				}
				gathered[p] = append(gathered[p], got)
			}
		}
		for column := range lcsWidth {
			square := 0.0
			for p := range n {
				square += gathered[p][column] * gathered[p][column]
			}
			for p := range n {
				gathered[p][column] /= math.Sqrt(square/float64(n) + lcsSquare)
			}
		}
		scores := make([]float64, n)
		for p := range n {
			h := modeltest.Rectified(modeltest.Sum(modeltest.Product(gathered[p], w["gather"]), modeltest.Product(y[p], w["self"]), w["bias"]))
			scores[p] = modeltest.Product(h, w["score"])[0] + modeltest.Product(gathered[p], w["score.plain"])[0]
			copy(y[p], h)
		}
		logs = softtest.Sinkhorn(scores, n1, n2)
		for p := range n {
			y[p][hidden] = float64(max(n1, n2)) * math.Exp(logs[p])
		}
	}
	return logs
}

func attentionReference(w modeltest.Weights, edges []float32, n int) [][]float64 {
	largest, total, count := 0.0, 0.0, 0.0
	for _, x := range edges {
		if x != 0 {
			largest = max(largest, math.Abs(float64(x)))
			total, count = total+math.Abs(float64(x)), count+1
		}
	}
	heads := make([][]float64, lcsHeads)
	for c := range heads {
		heads[c] = make([]float64, n*n)
		all := 0.0
		for e, x := range edges {
			if x == 0 {
				continue
			}
			k := float64(x) / largest
			phi := []float64{k, max(math.Log(math.Abs(k)), leastLogarithm) / edgeLogarithmUnit, total / count / largest}
			u := modeltest.Rectified(modeltest.Sum(modeltest.Product(phi, w["edge.in"]), w["edge.bias"]))
			heads[c][e] = math.Exp(modeltest.Sum(modeltest.Product(u, w["edge.out"]), modeltest.Product(phi, w["edge.skip"]))[c])
			all += heads[c][e]
		}
		for e, x := range edges {
			heads[c][e] *= math.Copysign(float64(n)/all, float64(x))
		}
	}
	return heads
}

// TestAttentionIsWAtTheStart: the first head of a network without an embedding of edges is W
// over its mean degree, and the others are its powers.
func TestAttentionIsWAtTheStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	net := newNetwork(4, 4, 2, rng)
	clear(net.edgeOut.Data)
	const n = 9
	w := make([]float32, n*n)
	for e := range w {
		if rng.IntN(3) > 0 {
			w[e] = float32(rng.Float64() - 0.3)
		}
	}
	a := newAttention(n)
	a.forward(net, w)
	for c, power := range []float64{1, 4, 16} {
		total := 0.0
		for _, x := range w {
			total += math.Pow(math.Abs(float64(x)), power)
		}
		for e, x := range w {
			want := math.Copysign(n*math.Pow(math.Abs(float64(x)), power)/total, float64(x))
			if x == 0 {
				want = 0
			}
			if got := float64(a.heads[c][e]); math.Abs(got-want) > 1e-4*(math.Abs(want)+1e-3) {
				t.Errorf("head %d of edge %v is %v, want %v", c, x, got, want)
			}
		}
	}
}

// TestLCSWithoutEdges gives the uniform soft matching, and nothing that is no number.
func TestLCSWithoutEdges(t *testing.T) {
	net := newNetwork(4, 4, 2, rand.New(rand.NewPCG(63, 64)))
	for _, size := range [][2]int{{3, 3}, {1, 1}, {2, 4}} {
		q := slices.Clone(net.NewPass(1, size[0], size[1]).Forward())
		for _, x := range q {
			if math.Abs(float64(x)-float64(q[0])) > 1e-6 || math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Errorf("%v: %v", size, q)
			}
		}
	}
}

func TestNetwork(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{2, 3}, {3, 2}, {3, 3}} {
		modeltest.Test(t, lcsSubject(t, size[0], size[1], 2, rng))
	}
}
