package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

func subjects(t testing.TB) []modeltest.Subject {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []modeltest.Subject
	const batch = 2
	for _, size := range [][2]int{{3, 4}, {4, 3}} {
		n1, n2 := size[0], size[1]
		for _, single := range []bool{false, true} {
			list = append(list, gainSubject(t, n1, n2, batch, single, rng),
				paperSubject(t, ArchitecturePaper, "signed", signedAffinity, n1, n2, batch, single, rng),
				paperSubject(t, ArchitecturePaper, "costs", costs, n1, n2, batch, single, rng),
				paperSubject(t, ArchitectureWeighted, "signed", signedAffinity, n1, n2, batch, single, rng),
				paperSubject(t, ArchitectureMatched, "signed", signedAffinity, n1, n2, batch, single, rng))
		}
	}
	return append(list, affinitySubject(t, rng))
}

// TestArchitectures holds every network to its definition.
func TestArchitectures(t *testing.T) {
	for _, s := range subjects(t) {
		modeltest.Test(t, s)
	}
}

func gainSubject(t testing.TB, n1, n2, batch int, single bool, rng *rand.Rand) modeltest.Subject {
	net, err := New(Config{Architecture: ArchitectureGain, Hidden: 6, Head: 5, SingleStream: single}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Parameters() { // biases too, so that they are tested
		for i := range p.Data {
			p.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	s := modeltest.Subject{Name: fmt.Sprintf("gain %dx%d dueling=%v", n1, n2, !single), Network: net, N1: n1, N2: n2}
	s.Inputs = features.Make(features.Gain, batch, n1, n2)
	for _, tensor := range s.Inputs {
		for k := range tensor {
			tensor[k] = float32(rng.NormFloat64())
		}
	}
	s.Reference = func(w modeltest.Weights) (q []float64) {
		for b := range batch {
			q = append(q, gainReference(w, allChannels(s.Inputs, b, n1, n2), n1, n2)...)
		}
		return q
	}
	return s
}

// allChannels returns all channels of the vertices of a state, also those that they share.
func allChannels(inputs [][]float32, state, n1, n2 int) [][]float64 {
	f := make([][]float64, n1*n2)
	for v := range f {
		f[v] = make([]float64, features.GainChannels)
		at := []int{v, v / n2, v % n2, 0}
		sizes := []int{n1 * n2, n1, n2, 1}
		for tensor, list := range [][]int{
			features.VertexChannels, features.RowChannels, features.ColumnChannels, features.StateChannels,
		} {
			for k, channel := range list {
				f[v][channel] = float64(inputs[tensor][(state*len(list)+k)*sizes[tensor]+at[tensor]])
			}
		}
	}
	return f
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

func paperSubject(t testing.TB, architecture, kind string, entry func(p, q, n2 int, rng *rand.Rand) float64, n1, n2, batch int, single bool, rng *rand.Rand) modeltest.Subject {
	net, err := New(Config{Architecture: architecture, Hidden: 6, Head: 5, SingleStream: single}, rng)
	if err != nil {
		t.Fatal(err)
	}
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
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	largest := 0.0
	for p := range n {
		for q := range n {
			if p == q || p/n2 != q/n2 && p%n2 != q%n2 { // a vertex or an edge
				largest = max(largest, math.Abs(in.Affinity.At(p, q)))
			}
		}
	}
	inputs, err := features.New(net.Features(), in)
	if err != nil {
		t.Fatal(err)
	}
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
	if architecture == ArchitectureMatched {
		unit = features.Scale(in) / float64(min(n1, n2))
	}
	affinity := func(p, q int) float64 { return in.Affinity.At(p, q) / unit }
	s.Reference = func(w modeltest.Weights) (q []float64) {
		for _, x := range solutions {
			q = append(q, paperReference(w, affinity, x, n1, n2, 3, architecture)...)
		}
		return q
	}
	return s
}

// TestNewGainStartsAsAges: what is learned starts near the unlearned policy.
func TestNewGainStartsAsAges(t *testing.T) {
	net, err := New(Config{Architecture: ArchitectureGain}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pass := net.NewPass(1, 2, 2)
	const at = 3
	for channel, value := range map[int]float32{
		features.Regret: -2, features.BeatsBest: 1, features.ReleasedAge: 0.5, features.PartnerAge: 0.25,
	} {
		features.Plane(pass.Inputs(), 0, channel, 4)[at] = value
	}
	q := pass.Forward()
	want := float32(SkipScale * (-2 + 1 - 0.5 - 0.25))
	if got := q[at] - q[0]; math.Abs(float64(got-want)) > 1e-6 {
		t.Errorf("Q differs by %v, want %v", got, want)
	}
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
		s := paperSubject(t, ArchitecturePaper, kind, entry, 4, 5, 2, false, rng)
		pass := s.Network.NewPass(2, s.N1, s.N2)
		modeltest.CopyInputs(pass, s.Inputs)
		pass.Forward()
		if FewValues(pass) != want {
			t.Errorf("%s: found is %v", kind, FewValues(pass))
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []Config{{}, {Architecture: "transformer"}, {Architecture: "gain", Hidden: -1}, {Architecture: "paper", Hidden: 1 << 30}, {Architecture: "paper", Regularized: "none"}} {
		if _, err := New(c, nil); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

// TestPaperNetworksNameTheirInputs: Clone keeps them too.
func TestPaperNetworksNameTheirInputs(t *testing.T) {
	for _, c := range []Config{
		{Architecture: ArchitecturePaper}, {Architecture: ArchitectureWeighted}, {Architecture: ArchitecturePaper, Regularized: "literal"},
		{Architecture: ArchitectureWeighted, Regularized: "exact"}, {Architecture: ArchitectureMatched, Regularized: "literal"},
	} {
		n, err := New(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := c.Architecture
		if c.Regularized != "" {
			want += "-" + c.Regularized
		}
		if twin := Clone(n); n.Features() != want || twin.Features() != want || twin.Architecture() != c.Architecture {
			t.Errorf("%+v takes %s, its clone %s", c, n.Features(), twin.Features())
		}
	}
}
