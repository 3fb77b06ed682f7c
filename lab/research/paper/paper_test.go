package paper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/train"
)

// TestArchitectures holds the networks to their definitions.
func TestArchitectures(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const batch = 2
	for _, size := range [][2]int{{3, 4}, {4, 3}} {
		for _, single := range []bool{false, true} {
			modeltest.Test(t, subject(t, Name, "costs", costs, size[0], size[1], batch, single, rng))
			for _, architecture := range []string{Name, Weighted, Matched} {
				modeltest.Test(t, subject(t, architecture, "signed", signedAffinity, size[0], size[1], batch, single, rng))
			}
		}
	}
}

// signedAffinity draws an entry of any sign, on the diagonal too.
func signedAffinity(p, q, n2 int, rng *rand.Rand) float64 { return rng.NormFloat64() }

// costs draws a negative entry, 0 on the diagonal and for vertices that share a
// node: the inputs that firstEmbedding is for.
func costs(p, q, n2 int, rng *rand.Rand) float64 {
	if p/n2 == q/n2 || p%n2 == q%n2 {
		return 0
	}
	return -rng.Float64()
}

func subject(t testing.TB, architecture, kind string, entry func(p, q, n2 int, rng *rand.Rand) float64, n1, n2, batch int, single bool, rng *rand.Rand) modeltest.Subject {
	net := must.Get(models.New(models.Config{Architecture: architecture, Hidden: 6, Head: 5, SingleStream: single}, rng))(t)
	for _, p := range net.Parameters() {
		for i := range p.Data {
			p.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	n := n1 * n2
	k := make([]float64, n*n)
	for i := range k {
		k[i] = entry(i/n, i%n, n2, rng)
	}
	in := must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
	largest := 0.0
	for p := range n {
		for q := range n {
			if p == q || p/n2 != q/n2 && p%n2 != q%n2 { // a vertex or an edge
				largest = max(largest, math.Abs(in.Affinity.At(p, q)))
			}
		}
	}
	inputs := must.Get(features.New(net.Features(), in))(t)
	s := modeltest.Subject{Name: fmt.Sprintf("%s, %s, %dx%d dueling=%v", architecture, kind, n1, n2, !single), Network: net, N1: n1, N2: n2}
	s.Inputs = features.Make(net.Features(), batch, n1, n2)
	var solutions [][]float64
	for b := range batch {
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
		for range 3 {
			env.Step(rng.IntN(n))
		}
		inputs.NewExtractor(env, 10).Fill(s.Inputs, b)
		x := make([]float64, n)
		for i := range n1 {
			if a := env.Match(i); a != qap.Unmatched {
				x[i*n2+a] = 1
			}
		}
		solutions = append(solutions, x)
	}
	unit := largest
	if architecture == Matched {
		unit = features.Scale(in) / float64(min(n1, n2))
	}
	affinity := func(p, q int) float64 { return in.Affinity.At(p, q) / unit }
	s.Reference = func(w modeltest.Weights) (q []float64) {
		for _, x := range solutions {
			q = append(q, reference(w, affinity, x, n1, n2, 3, architecture)...)
		}
		return q
	}
	return s
}

// TestFirstEmbeddingTakesFewValues: the short way is taken for costs, not for
// affinities of any sign.
func TestFirstEmbeddingTakesFewValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for kind, want := range map[string]bool{"costs": true, "signed": false} {
		entry := signedAffinity
		if want {
			entry = costs
		}
		s := subject(t, Name, kind, entry, 4, 5, 2, false, rng)
		p := s.Network.NewPass(2, s.N1, s.N2).(*pass)
		modeltest.CopyInputs(p, s.Inputs)
		p.Forward()
		if p.first.found != want {
			t.Errorf("%s: found is %v", kind, p.first.found)
		}
	}
}

// reference evaluates the paper's equations 8 and 9 on the association
// graph itself: every edge of every vertex, O(n⁴) edges, none of the identities.
// k is the scaled affinity matrix, x the solution.
// What a vertex takes in of others depends on the architecture.
func reference(w modeltest.Weights, k func(p, q int) float64, x []float64, n1, n2, iterations int, architecture string) []float64 {
	n, d := n1*n2, len(w["theta1"])
	m := float64((n1 - 1) * (n2 - 1))
	adjacent := func(p, q int) bool { return p/n2 != q/n2 && p%n2 != q%n2 }
	e := make([][]float64, n)
	for p := range e {
		e[p] = make([]float64, d)
	}
	for range iterations {
		next := make([][]float64, n)
		for p := range next {
			near, released, support, weight, edges := make([]float64, d), make([]float64, d), make([]float64, d), 0.0, make([]float64, d)
			for q := range n {
				if !adjacent(p, q) {
					if q != p {
						released = modeltest.Sum(released, modeltest.Scaled(e[q], x[q]))
					}
					continue
				}
				support = modeltest.Sum(support, modeltest.Scaled(e[q], x[q]*k(p, q)))
				if architecture == Weighted {
					near = modeltest.Sum(near, modeltest.Scaled(e[q], k(p, q)))
				} else {
					near = modeltest.Sum(near, e[q])
				}
				weight += k(q, q)
				edges = modeltest.Sum(edges, modeltest.Rectified(modeltest.Scaled(w["theta5"], k(p, q))))
			}
			others := modeltest.Product(modeltest.Scaled(near, 1/m), w["theta2"])
			if architecture == Matched {
				others = modeltest.Sum(modeltest.Product(released, w["theta2"]), modeltest.Product(modeltest.Scaled(support, 1/float64(min(n1, n2))), w["theta9"]))
			}
			weight /= m
			if architecture == Matched {
				weight = k(p, p) / float64(min(n1, n2))
			}
			next[p] = modeltest.Rectified(modeltest.Sum(
				modeltest.Scaled(w["theta1"], x[p]),
				others,
				modeltest.Scaled(w["theta3"], weight),
				modeltest.Product(modeltest.Scaled(edges, 1/m), w["theta4"]),
			))
		}
		e = next
	}
	var advantages []float64
	dueling, value := w["theta7"] != nil, 0.0
	if dueling {
		value = w["b2"][0]
	}
	for p := range e {
		h5 := modeltest.Rectified(modeltest.Sum(modeltest.Product(e[p], w["theta6"]), w["b1"]))
		if dueling {
			value += modeltest.Product(h5, w["theta7"])[0] / float64(n)
		}
		advantages = append(advantages, modeltest.Product(h5, w["theta8"])[0]+w["b3"][0])
	}
	if !dueling {
		return advantages
	}
	return modeltest.Dueled(value, advantages)
}

// TestNetworksNameTheirInputs: Clone keeps them too, and none takes another's.
func TestNetworksNameTheirInputs(t *testing.T) {
	for set, v := range variants {
		n := must.Get(models.New(models.Config{Architecture: v.architecture(), Features: set}, nil))(t)
		if clone := models.Clone(n); n.Features() != set || clone.Features() != set || clone.Architecture() != v.architecture() {
			t.Errorf("%s takes %s, its clone %s", set, n.Features(), clone.Features())
		}
		if _, err := models.New(models.Config{Architecture: Name, Features: set}, nil); (err == nil) != (v.architecture() == Name) {
			t.Errorf("%s of the architecture paper: %v", set, err)
		}
	}
}

// TestPresets: each can be trained, and shows the network the paper's own K_reg.
func TestPresets(t *testing.T) {
	for name := range presets() {
		c, err := train.Preset(name)
		if err != nil || c.Validate() != nil || c.RegularizerForm != "literal" || !strings.HasPrefix(c.Model.Architecture, Name) {
			t.Errorf("%s: %v, %v: %+v", name, err, c.Validate(), c)
		}
	}
}

// TestUnskilled: all weights are those of gain but the rule's, and the network says that it is one of gain.
func TestUnskilled(t *testing.T) {
	c := models.Config{Architecture: GainUnskilled, Hidden: 5, Head: 4}
	n := must.Get(models.New(c, rand.New(rand.NewPCG(1, 1))))(t)
	if n.Architecture() != models.ArchitectureGain {
		t.Error(n.Architecture())
	}
	c.Architecture = models.ArchitectureGain
	skilled := must.Get(models.New(c, rand.New(rand.NewPCG(1, 1))))(t).Parameters()
	for k, p := range n.Parameters() {
		isRule := p.Name == "advantage.skip"
		if slices.Equal(p.Data, skilled[k].Data) == isRule || isRule && slices.Max(p.Data) != 0 {
			t.Errorf("%s: %v", p.Name, p.Data)
		}
	}
}

func BenchmarkForwardBackward(b *testing.B) {
	for _, architecture := range []string{Name, Weighted} {
		b.Run(architecture+"/n=20/batch=16", func(b *testing.B) {
			net := must.Get(models.New(models.Config{Architecture: architecture}, rand.New(rand.NewPCG(1, 1))))(b)
			pass := net.NewPass(16, 20, 20)
			gradient := models.NewGradient(net)
			dq := make([]float32, 16*400)
			for v := range 16 * 400 { // costs and permutations
				pass.Inputs()[0][v*channels+negativeEdges] = 0.3
				if v/20%20 == v%20 {
					pass.Inputs()[0][v*channels+solution] = 1
				}
			}
			if architecture == Weighted {
				for k := range pass.Inputs()[1] {
					pass.Inputs()[1][k] = 0.3
				}
			}
			for b.Loop() {
				pass.Forward()
				pass.Backward(dq, gradient)
			}
			b.ReportMetric(16*float64(b.N)/b.Elapsed().Seconds(), "states/s")
		})
	}
}
