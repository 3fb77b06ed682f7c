package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	. "github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap/features"
)

func subjects(t testing.TB) []modeltest.Subject {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []modeltest.Subject
	const batch = 2
	for _, size := range [][2]int{{3, 4}, {4, 3}} {
		n1, n2 := size[0], size[1]
		for _, single := range []bool{false, true} {
			for _, widths := range [][2]int{{6, 5}, {16, 16}} { // products of layers, and the kernel
				list = append(list, gainSubject(t, n1, n2, batch, Config{Hidden: widths[0], Head: widths[1], SingleStream: single}, rng))
			}
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

func gainSubject(t testing.TB, n1, n2, batch int, c Config, rng *rand.Rand) modeltest.Subject {
	c.Architecture = ArchitectureGain
	net := must.Get(New(c, rng))(t)
	for _, p := range net.Parameters() { // biases too, so that they are tested
		for i := range p.Data {
			p.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	s := modeltest.Subject{Name: fmt.Sprintf("gain %dx%d, widths %d and %d, dueling=%v", n1, n2, c.Hidden, c.Head, !c.SingleStream), Network: net, N1: n1, N2: n2}
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

// TestNewGainStartsAsAges: what is learned starts near the unlearned policy.
func TestNewGainStartsAsAges(t *testing.T) {
	net := must.Get(New(Config{Architecture: ArchitectureGain}, nil))(t)
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

func TestNewRefuses(t *testing.T) {
	for _, c := range []Config{{}, {Architecture: "transformer"}, {Architecture: "gain", Hidden: -1}, {Architecture: "gain", Hidden: 1 << 30}} {
		if _, err := New(c, nil); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
