package ngm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/lab/research/soft/softtest"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap/features"
)

func ngmSubject(t testing.TB, n1, n2, batch int, rng *rand.Rand) modeltest.Subject {
	net := must.Get(models.New(models.Config{Architecture: Name, Hidden: 5, Iterations: 3}, rng))(t)
	for _, p := range net.Parameters() { // biases too, so that they are tested
		for i := range p.Data {
			p.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	s := modeltest.Subject{Name: fmt.Sprintf("ngm %dx%d", n1, n2), Network: net, N1: n1, N2: n2}
	s.Inputs = features.Make(soft.Set, batch, n1, n2)
	for k, tensor := range s.Inputs {
		for i := range tensor {
			tensor[i] = float32(rng.NormFloat64())
			if k == 1 {
				tensor[i] *= 0.3
			}
		}
	}
	s.Reference = func(w modeltest.Weights) (q []float64) {
		for b := range batch {
			q = append(q, ngmReference(w, s.Inputs, b, n1, n2, 3)...)
		}
		return q
	}
	return s
}

// ngmReference is NGM's definition for one state, with as many dummy nodes as it says.
func ngmReference(w modeltest.Weights, inputs [][]float32, state, n1, n2, layers int) (logs []float64) {
	n := n1 * n2
	e := make([][]float64, n)
	for v := range e {
		for c := range soft.Channels {
			e[v] = append(e[v], float64(inputs[0][(state*n+v)*soft.Channels+c]))
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
				near = modeltest.Sum(near, modeltest.Scaled(e[q], x))
				sharp = modeltest.Sum(sharp, modeltest.Scaled(e[q], x*math.Pow(math.Abs(x)/largest, 3)))
			}
			next[p] = modeltest.Rectified(modeltest.Sum(modeltest.Product(near, of("message")), modeltest.Product(sharp, of("sharp")), modeltest.Product(e[p], of("self")), of("bias")))
			scores[p] = modeltest.Product(next[p], of("score"))[0]
		}
		logs = softtest.Sinkhorn(scores, n1, n2)
		for p := range n {
			next[p] = append(next[p], float64(max(n1, n2))*math.Exp(logs[p]))
		}
		e = next
	}
	return logs
}

func TestNetwork(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{3, 4}, {4, 3}, {4, 4}} {
		modeltest.Test(t, ngmSubject(t, size[0], size[1], 2, rng))
	}
}
