package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	. "github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap/features"
)

// affinityReference is Affinity's definition for one row of inputs.
func affinityReference(w modeltest.Weights, f []float64) float64 {
	answer := func(name string) float64 {
		h := modeltest.Rectified(modeltest.Sum(modeltest.Product(f, w[name+".w1"]), w[name+".b1"]))
		u := modeltest.Rectified(modeltest.Sum(modeltest.Product(h, w[name+".w2"]), w[name+".b2"]))
		return modeltest.Product(u, w[name+".w3"])[0] + w[name+".b3"][0]
	}
	s := f[features.AsksSize]
	return (1-s)*answer("edge") + s*answer("size")
}

func affinitySubject(t testing.TB, rng *rand.Rand) modeltest.Subject {
	net := must.Get(New(Config{Architecture: ArchitectureAffinity, Hidden: 5, Head: 4}, rng))(t)
	for _, p := range net.Parameters() {
		if len(p.Shape) == 1 { // biases of 0 leave units just where a ReLU bends
			for i := range p.Data {
				p.Data[i] = float32(0.3 * rng.NormFloat64())
			}
		}
	}
	const n1, n2, in = 2, 3, features.AffinityChannels
	s := modeltest.Subject{Name: "affinity", Network: net, N1: n1, N2: n2}
	values := make([]float32, n1*n2*in)
	for k := range values {
		x := float32(rng.NormFloat64())
		if k%in == features.AsksSize {
			x = float32(k / in % 2)
		}
		values[k] = x
	}
	s.Inputs = [][]float32{values}
	s.Reference = func(w modeltest.Weights) (q []float64) {
		for v := range n1 * n2 {
			f := make([]float64, in)
			for k, x := range values[v*in:][:in] {
				f[k] = float64(x)
			}
			q = append(q, affinityReference(w, f))
		}
		return q
	}
	return s
}

// TestStandardize: a network that is given inputs as they are answers as it did for
// standardised ones.
func TestStandardize(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s := affinitySubject(t, rng)
	net := s.Network.(*Affinity)
	const in = features.AffinityChannels
	mean, scale := make([]float32, in), make([]float32, in)
	for k := range mean {
		mean[k], scale[k] = float32(rng.NormFloat64()), float32(0.5+rng.Float64())
	}
	mean[features.AsksSize], scale[features.AsksSize] = 0, 1
	before, after := net.NewPass(1, s.N1, s.N2), net.NewPass(1, s.N1, s.N2)
	copy(after.Inputs()[0], s.Inputs[0])
	for k, x := range s.Inputs[0] {
		before.Inputs()[0][k] = (x - mean[k%in]) / scale[k%in]
	}
	want := before.Forward()
	net.StandardizeEdge(mean, scale)
	net.StandardizeSize(mean, scale)
	for v, q := range after.Forward() {
		if math.Abs(float64(q-want[v])) > 1e-4 {
			t.Errorf("Q[%d] is %v, want %v", v, q, want[v])
		}
	}
}

// TestQuestionsOfOneKind: a pass that is asked but one of the two questions, which
// leaves out the other perceptron, answers as when it is asked both.
func TestQuestionsOfOneKind(t *testing.T) {
	const in = features.AffinityChannels
	s := affinitySubject(t, rand.New(rand.NewPCG(7, 8)))
	both := s.Network.NewPass(1, s.N1, s.N2)
	copy(both.Inputs()[0], s.Inputs[0])
	want := both.Forward()
	one := s.Network.NewPass(1, s.N1, s.N2)
	for kind := range 2 {
		for v := range want { // every place has a question of this kind
			copy(one.Inputs()[0][v*in:(v+1)*in], s.Inputs[0][(v/2*2+kind)*in:])
		}
		for v, q := range one.Forward() {
			if asked := v/2*2 + kind; q != want[asked] {
				t.Errorf("question %d: %v alone, %v beside others", asked, q, want[asked])
			}
		}
	}
}
