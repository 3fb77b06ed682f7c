package models

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// subject is a network with a batch of states and its reference.
type subject struct {
	name      string
	network   Network
	n1, n2    int
	inputs    [][]float32
	reference func(w weights64) []float64 // of the whole batch
}

func subjects(t testing.TB) []subject {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []subject
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
	for _, size := range [][2]int{{3, 4}, {4, 3}, {4, 4}} {
		list = append(list, ngmSubject(t, size[0], size[1], batch, rng), lcsSubject(t, size[0], size[1], batch, rng))
	}
	return append(list, affinitySubject(t, rng), rewriterSubject(t, rng))
}

func gainSubject(t testing.TB, n1, n2, batch int, single bool, rng *rand.Rand) subject {
	net, err := New(Config{Architecture: ArchitectureGain, Hidden: 6, Head: 5, SingleStream: single}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Parameters() { // biases too, so that they are tested
		for i := range p.Data {
			p.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	s := subject{name: fmt.Sprintf("gain %dx%d dueling=%v", n1, n2, !single), network: net, n1: n1, n2: n2}
	s.inputs = features.Make(features.Gain, batch, n1, n2)
	for _, tensor := range s.inputs {
		for k := range tensor {
			tensor[k] = float32(rng.NormFloat64())
		}
	}
	s.reference = func(w weights64) (q []float64) {
		for b := range batch {
			q = append(q, gainReference(w, allChannels(s.inputs, b, n1, n2), n1, n2)...)
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

func paperSubject(t testing.TB, architecture, kind string, entry func(p, q, n2 int, rng *rand.Rand) float64, n1, n2, batch int, single bool, rng *rand.Rand) subject {
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
	s := subject{name: fmt.Sprintf("%s, %s, %dx%d dueling=%v", architecture, kind, n1, n2, !single), network: net, n1: n1, n2: n2}
	s.inputs = features.Make(net.Features(), batch, n1, n2)
	var solutions [][]float64
	for b := range batch {
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
		for range 3 {
			env.Step(rng.IntN(n))
		}
		inputs.NewExtractor(env, 10).Fill(s.inputs, b)
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
	s.reference = func(w weights64) (q []float64) {
		for _, x := range solutions {
			q = append(q, paperReference(w, affinity, x, n1, n2, 3, architecture)...)
		}
		return q
	}
	return s
}

// TestForwardMatchesTheDefinition compares with the references; float32 sums of
// some tens of terms of size 1 agree to about 1e-6.
func TestForwardMatchesTheDefinition(t *testing.T) {
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			want := s.reference(weightsOf(s.network))
			pass := s.network.NewPass(len(want)/(s.n1*s.n2), s.n1, s.n2)
			copyInputs(pass, s.inputs)
			for v, q := range pass.Forward() {
				if math.Abs(float64(q)-want[v]) > 2e-5*(1+math.Abs(want[v])) {
					t.Fatalf("Q[%d] is %v, want %v", v, q, want[v])
				}
			}
		})
	}
}

// TestBackwardMatchesFiniteDifferences compares the gradient of Σ c·Q by every
// weight with central differences of the float64 reference.
func TestBackwardMatchesFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			w := weightsOf(s.network)
			states := len(s.reference(w))
			dq := make([]float32, states)
			for v := range dq {
				dq[v] = float32(rng.NormFloat64())
			}
			loss := func() (total float64) {
				for v, q := range s.reference(w) {
					total += float64(dq[v]) * q
				}
				return total
			}
			pass := s.network.NewPass(states/(s.n1*s.n2), s.n1, s.n2)
			copyInputs(pass, s.inputs)
			pass.Forward()
			gradient := NewGradient(s.network)
			pass.Backward(dq, gradient)
			for k, p := range s.network.Parameters() {
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
			before := gradient[0][0]
			pass.Backward(dq, gradient)
			if math.Abs(float64(gradient[0][0]-2*before)) > 1e-4*(1+math.Abs(float64(before))) {
				t.Error("Backward does not add to the gradient")
			}
		})
	}
}

// TestQFollowsRelabelling permutes the nodes of both graphs.
func TestQFollowsRelabelling(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, s := range subjects(t) {
		n := s.n1 * s.n2
		rows, cols := rng.Perm(s.n1), rng.Perm(s.n2)
		plain, relabelled := s.network.NewPass(1, s.n1, s.n2), s.network.NewPass(1, s.n1, s.n2)
		copyInputs(plain, s.inputs)
		for k, t := range features.Tensors(s.network.Features()) {
			relabel(relabelled.Inputs()[k], s.inputs[k], t, s.n1, s.n2, rows, cols)
		}
		q, r := plain.Forward(), relabelled.Forward()
		for v := range n {
			w := rows[v/s.n2]*s.n2 + cols[v%s.n2]
			if math.Abs(float64(q[v]-r[w])) > 1e-5 {
				t.Fatalf("%s: Q of vertex %d is %v, relabelled %v", s.name, v, q[v], r[w])
			}
		}
	}
}

// copyInputs fills a pass with as many states as it takes.
func copyInputs(p Pass, inputs [][]float32) {
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
	want := float32(skipScale * (-2 + 1 - 0.5 - 0.25))
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
		pass := s.network.NewPass(2, s.n1, s.n2).(*paperPass)
		copyInputs(pass, s.inputs)
		pass.Forward()
		if pass.first.found != want {
			t.Errorf("%s: found is %v", kind, pass.first.found)
		}
	}
}

func TestCloneIsIndependent(t *testing.T) {
	for _, s := range subjects(t) {
		twin := Clone(s.network)
		for k, p := range twin.Parameters() {
			if !slices.Equal(p.Data, s.network.Parameters()[k].Data) {
				t.Fatalf("%s: %s differs in the clone", s.name, p.Name)
			}
			p.Data[0]++
			if p.Data[0] == s.network.Parameters()[k].Data[0] {
				t.Fatalf("%s: %s shares memory with the clone", s.name, p.Name)
			}
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
