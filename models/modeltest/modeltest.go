// Package modeltest is what every architecture must do: package models tests its own by it, and
// who registers another one does too.
package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// Subject is a network with a batch of states, and its definition in float64.
type Subject struct {
	Name      string
	Network   models.Network
	N1, N2    int
	Inputs    [][]float32
	Reference func(w Weights) []float64 // of the whole batch
}

// Weights holds a network's parameters in float64 by name, for references.
type Weights map[string][]float64

// Test holds a network to its definition: forward, backward, under another numbering of the nodes,
// and copied.
func Test(t *testing.T, s Subject) {
	t.Helper()
	t.Run(s.Name, func(t *testing.T) {
		t.Run("forward", func(t *testing.T) { forward(t, s) })
		t.Run("backward", func(t *testing.T) { backward(t, s) })
		t.Run("relabelled", func(t *testing.T) { relabelled(t, s) })
		t.Run("copied", func(t *testing.T) { copied(t, s) })
		if s.Network.Dueling() {
			t.Run("state value", func(t *testing.T) { stateValue(t, s) })
		}
	})
}

// forward compares with the reference; float32 sums of some tens of terms of size 1 agree to
// about 1e-6.
func forward(t *testing.T, s Subject) {
	want := s.Reference(weightsOf(s.Network))
	pass := s.Network.NewPass(len(want)/(s.N1*s.N2), s.N1, s.N2)
	CopyInputs(pass, s.Inputs)
	for v, q := range pass.Forward() {
		if math.Abs(float64(q)-want[v]) > 2e-5*(1+math.Abs(want[v])) {
			t.Fatalf("Q[%d] is %v, want %v", v, q, want[v])
		}
	}
}

// backward compares the gradient of Σ c·Q by every weight with central differences of the
// float64 reference.
func backward(t *testing.T, s Subject) {
	rng := rand.New(rand.NewPCG(3, 4))
	w := weightsOf(s.Network)
	states := len(s.Reference(w))
	dq := make([]float32, states)
	for v := range dq {
		dq[v] = float32(rng.NormFloat64())
	}
	loss := func() (total float64) {
		for v, q := range s.Reference(w) {
			total += float64(dq[v]) * q
		}
		return total
	}
	pass := s.Network.NewPass(states/(s.N1*s.N2), s.N1, s.N2)
	CopyInputs(pass, s.Inputs)
	pass.Forward()
	gradient := models.NewGradient(s.Network)
	pass.Backward(dq, gradient)
	for k, p := range s.Network.Parameters() {
		for i, got := range gradient[k] {
			const step = 1e-6
			x := w[p.Name]
			at := x[i]
			x[i] = at + step
			up := loss()
			x[i] = at - step
			down := loss()
			x[i] = at
			want := (up - down) / (2 * step)
			if math.Abs(float64(got)-want) > 1e-4*(1+math.Abs(want)) {
				t.Fatalf("%s[%d]: gradient %v, want %v", p.Name, i, got, want)
			}
		}
	}
	twice := models.NewGradient(s.Network)
	for k := range gradient {
		copy(twice[k], gradient[k])
	}
	pass.Backward(dq, twice)
	for k, p := range s.Network.Parameters() {
		for i, once := range gradient[k] {
			if math.Abs(float64(twice[k][i]-2*once)) > 1e-4*(1+math.Abs(float64(once))) {
				t.Fatalf("%s[%d]: a second Backward adds %v, not %v", p.Name, i, twice[k][i]-once, once)
			}
		}
	}
}

// relabelled permutes the nodes of both graphs.
func relabelled(t *testing.T, s Subject) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := s.N1 * s.N2
	rows, cols := rng.Perm(s.N1), rng.Perm(s.N2)
	plain, relabelled := s.Network.NewPass(1, s.N1, s.N2), s.Network.NewPass(1, s.N1, s.N2)
	CopyInputs(plain, s.Inputs)
	for k, tensor := range features.Tensors(s.Network.Features()) {
		relabel(relabelled.Inputs()[k], s.Inputs[k], tensor, s.N1, s.N2, rows, cols)
	}
	q, r := plain.Forward(), relabelled.Forward()
	for v := range n {
		w := rows[v/s.N2]*s.N2 + cols[v%s.N2]
		if math.Abs(float64(q[v]-r[w])) > 1e-5 {
			t.Fatalf("%s: Q of vertex %d is %v, relabelled %v", s.Name, v, q[v], r[w])
		}
	}
}

// copied changes a copy.
func copied(t *testing.T, s Subject) {
	clone := models.Clone(s.Network)
	for k, p := range clone.Parameters() {
		if !slices.Equal(p.Data, s.Network.Parameters()[k].Data) {
			t.Fatalf("%s: %s differs in the clone", s.Name, p.Name)
		}
		p.Data[0]++
		if p.Data[0] == s.Network.Parameters()[k].Data[0] {
			t.Fatalf("%s: %s shares memory with the clone", s.Name, p.Name)
		}
	}
}

// CopyInputs fills a pass with as many states as it takes.
func CopyInputs(p models.Pass, inputs [][]float32) {
	for k, tensor := range p.Inputs() {
		copy(tensor, inputs[k])
	}
}

// relabel copies a tensor of one state with the nodes of both graphs permuted.
func relabel(dst, src []float32, t features.Tensor, n1, n2 int, rows, cols []int) {
	dims := t.Dims(n1, n2)
	for at := range t.Size(n1, n2) {
		to, stride, rest := 0, 1, at
		for k := len(dims) - 1; k >= 0; k-- {
			index := rest % dims[k]
			switch t.Shape[k] {
			case features.N1:
				to += stride * rows[index]
			case features.N2:
				to += stride * cols[index]
			default:
				to += stride * index
			}
			rest, stride = rest/dims[k], stride*dims[k]
		}
		dst[to] = src[at]
	}
}

func weightsOf(n models.Network) Weights {
	w := Weights{}
	for _, p := range n.Parameters() {
		for _, v := range p.Data {
			w[p.Name] = append(w[p.Name], float64(v))
		}
	}
	return w
}

// Product is x·w for one row x.
func Product(x, w []float64) []float64 {
	width := len(w) / len(x)
	y := make([]float64, width)
	for i, v := range x {
		for k := range y {
			y[k] += v * w[i*width+k]
		}
	}
	return y
}

// Sum is the sum of vectors.
func Sum(vectors ...[]float64) []float64 {
	y := slices.Clone(vectors[0])
	for _, v := range vectors[1:] {
		for k := range y {
			y[k] += v[k]
		}
	}
	return y
}

// Scaled is a vector times a number.
func Scaled(x []float64, factor float64) []float64 {
	y := slices.Clone(x)
	for k := range y {
		y[k] *= factor
	}
	return y
}

// Rectified is a vector without what is negative.
func Rectified(x []float64) []float64 {
	y := slices.Clone(x)
	for k := range y {
		y[k] = max(y[k], 0)
	}
	return y
}

// stateValue: the parameters that serve the state value alone move all Q of a state alike; each
// of the others has a part in the advantages.
func stateValue(t *testing.T, s Subject) {
	rng := rand.New(rand.NewPCG(7, 8))
	n := models.Clone(s.Network)
	pass, size := n.NewPass(1, s.N1, s.N2), s.N1*s.N2
	for _, tensor := range pass.Inputs() { // any, so that none is 0
		for i := range tensor {
			tensor[i] = float32(rng.NormFloat64())
		}
	}
	advantages := func() []float32 {
		a := slices.Clone(pass.Forward())
		mean := layers.Mean(a)
		for v := range size {
			a[v] -= mean
		}
		return a
	}
	before := advantages()
	for k, own := range models.OfStateValue(n) {
		p := n.Parameters()[k]
		old := slices.Clone(p.Data)
		for i := range p.Data {
			p.Data[i] += float32(1 + rng.Float64())
		}
		moved := 0.0
		for v, a := range advantages() {
			moved = max(moved, math.Abs(float64(a-before[v])))
		}
		copy(p.Data, old)
		// A bias of the advantages cancels in their mean.
		if own && moved > 1e-5 || !own && moved < 1e-3 && len(p.Data) > 1 {
			t.Errorf("of the state value alone: %v, yet %s moves advantages by %v", own, p.Name, moved)
		}
	}
}

// Dueled is Q of a state value and advantages.
func Dueled(value float64, advantages []float64) []float64 {
	average := 0.0
	for _, a := range advantages {
		average += a / float64(len(advantages))
	}
	q := slices.Clone(advantages)
	for v := range q {
		q[v] += value - average
	}
	return q
}
