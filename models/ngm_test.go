package models

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/features"
)

func ngmSubject(t testing.TB, n1, n2, batch int, rng *rand.Rand) subject {
	net, err := New(Config{Architecture: ArchitectureNGM, Hidden: 5, Iterations: 3}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Parameters() { // biases too, so that they are tested
		for i := range p.Data {
			p.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	s := subject{name: fmt.Sprintf("ngm %dx%d", n1, n2), network: net, n1: n1, n2: n2}
	s.inputs = features.Make(features.NGM, batch, n1, n2)
	for k, tensor := range s.inputs {
		for i := range tensor {
			tensor[i] = float32(rng.NormFloat64())
			if k == 1 {
				tensor[i] *= 0.3
			}
		}
	}
	s.reference = func(w weights64) (q []float64) {
		for b := range batch {
			q = append(q, ngmReference(w, s.inputs, b, n1, n2, 3)...)
		}
		return q
	}
	return s
}

// ngmReference is NGM's definition for one state, with as many dummy nodes as it says.
func ngmReference(w weights64, inputs [][]float32, state, n1, n2, layers int) (logs []float64) {
	n := n1 * n2
	e := make([][]float64, n)
	for v := range e {
		for c := range features.NGMChannels {
			e[v] = append(e[v], float64(inputs[0][(state*n+v)*features.NGMChannels+c]))
		}
	}
	edge := func(p, q int) float64 { return float64(inputs[1][(state*n+p)*n+q]) }
	largest := 0.0
	for p := range n {
		for q := range n {
			largest = max(largest, math.Abs(edge(p, q)))
		}
	}
	for t := 1; t <= layers; t++ {
		of := func(weights string) []float64 { return w[fmt.Sprintf("layer%d.%s", t, weights)] }
		scores, next := make([]float64, n), make([][]float64, n)
		for p := range n {
			near, sharp := make([]float64, len(e[p])), make([]float64, len(e[p]))
			for q := range n {
				x := edge(p, q)
				near = sum(near, scaled(e[q], x))
				sharp = sum(sharp, scaled(e[q], x*math.Pow(math.Abs(x)/largest, 3)))
			}
			next[p] = rectified(sum(product(near, of("message")), product(sharp, of("sharp")), product(e[p], of("self")), of("bias")))
			scores[p] = product(next[p], of("score"))[0]
		}
		logs = sinkhornReference(scores, n1, n2)
		for p := range n {
			next[p] = append(next[p], float64(max(n1, n2))*math.Exp(logs[p]))
		}
		e = next
	}
	return logs
}

// sinkhornReference normalises a square of scores, in which dummy nodes have score 0, by
// dividing.
func sinkhornReference(scores []float64, n1, n2 int) []float64 {
	n := max(n1, n2)
	x := make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, n)
		for a := range x[i] {
			x[i][a] = 1
			if i < n1 && a < n2 {
				x[i][a] = math.Exp(scores[i*n2+a])
			}
		}
	}
	for range SinkhornRounds {
		for i := range n {
			total := 0.0
			for a := range n {
				total += x[i][a]
			}
			for a := range n {
				x[i][a] /= total
			}
		}
		for a := range n {
			total := 0.0
			for i := range n {
				total += x[i][a]
			}
			for i := range n {
				x[i][a] /= total
			}
		}
	}
	logs := make([]float64, n1*n2)
	for v := range logs {
		logs[v] = math.Log(x[v/n2][v%n2])
	}
	return logs
}

// TestSinkhornIsSoft: the shares of the nodes of the smaller graph add up to 1, those of the
// larger one to at most 1, also of scores far apart.
func TestSinkhornIsSoft(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for _, size := range [][2]int{{5, 5}, {3, 6}, {6, 2}, {1, 1}, {1, 4}} {
		for _, spread := range []float64{1, 30, 1e4} {
			s := newSinkhorn(size[0], size[1])
			scores := make([]float32, size[0]*size[1])
			for v := range scores {
				scores[v] = float32(spread * rng.NormFloat64())
			}
			s.forward(scores)
			columns := make([]float64, size[1])
			total := 0.0
			for v, x := range scores {
				share := math.Exp(float64(x))
				if math.IsNaN(share) || share > 1+1e-6 {
					t.Fatalf("%v, spread %v: share %v", size, spread, share)
				}
				columns[v%size[1]] += share
				total += share
			}
			for _, c := range columns { // columns were normalised last
				if c > 1+1e-6 || size[0] >= size[1] && math.Abs(c-1) > 1e-6 && size[0] == size[1] {
					t.Errorf("%v, spread %v: a column adds up to %v", size, spread, c)
				}
			}
			if spread == 1 && math.Abs(total-float64(min(size[0], size[1]))) > 1e-3 {
				t.Errorf("%v: all adds up to %v", size, total)
			}
		}
	}
}
