package auto

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// randomNetwork returns a network with hidden layers of 6 and 5.
func randomNetwork(t testing.TB) *Network {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	weights := map[string][]float32{}
	for name, size := range map[string]int{"w1": features.SelectorChannels * 6, "b1": 6, "w2": 30, "b2": 5, "w3": 5, "b3": 1} {
		w := make([]float32, size)
		for i := range w {
			w[i] = float32(rng.NormFloat64())
		}
		weights["choice."+name] = w
	}
	n, err := NewNetwork(weights)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// learning returns a solver with a network.
func learning(q qap.QFunction) Solver {
	return Solver{Chooser: func() (Chooser, error) { return Learned(q) }}
}

// TestLearnedRepeats: a seed and a number of steps give the same search again.
func TestLearnedRepeats(t *testing.T) {
	in, v := generated(t, "clusters", 25), learning(randomNetwork(t))
	var first qap.Result
	for k := range 2 {
		r, err := v.Solve(context.Background(), in, qap.Options{Seed: 5, Limits: qap.Limits{MaxSteps: 40_000}})
		if err != nil {
			t.Fatal(err)
		}
		if k == 0 {
			first = r
		} else if !slices.Equal(r.Matching, first.Matching) || r.FoundBy != first.FoundBy || r.Steps != first.Steps {
			t.Error("the same seed gives another result")
		}
	}
}

// failing is a network that cannot be evaluated.
type failing struct{ *Network }

type failingBatch struct{ qap.QBatch }

func (f failing) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	b, err := f.Network.NewBatch(size, n1, n2)
	return failingBatch{b}, err
}
func (failingBatch) Evaluate() ([]float32, error) { return nil, errors.New("no evaluation") }

// TestLearnedFailsToTheRule: without answers the search is that of the rule.
func TestLearnedFailsToTheRule(t *testing.T) {
	in := generated(t, "grid", 15)
	o := qap.Options{Seed: 5, Limits: qap.Limits{MaxSteps: 30_000}}
	want := solve(t, in, o)
	got, err := learning(failing{randomNetwork(t)}).Solve(context.Background(), in, o)
	if err != nil || !slices.Equal(got.Matching, want.Matching) {
		t.Errorf("%v, error %v, want the rule's %v", got.Matching, err, want.Matching)
	}
}

// TestQuestionsHaveNoUnit: a multiple of an instance gives the same questions, and
// matrices in the other order too; all numbers are moderate.
func TestQuestionsHaveNoUnit(t *testing.T) {
	const n = 16
	in := generated(t, "grid", n)
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	scaled := slices.Clone(kb.A())
	for k := range scaled {
		scaled[k] *= 2
	}
	twin, err := qap.NewKoopmansBeckmann(n, n, scaled, kb.B(), nil, qap.Minimize)
	if err != nil {
		t.Fatal(err)
	}
	var rows [2][]float32
	for k, in := range []*qap.Instance{in, twin} {
		s, err := newSearch(in, describe(in), RoundRobin(), qap.Options{Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.run(8_000)
		rows[k] = make([]float32, Options*features.SelectorChannels)
		Ask(&s.state, Trajectory, rows[k])
	}
	for i, x := range rows[0] {
		if math.Abs(float64(x-rows[1][i])) > 1e-5 || !(math.Abs(float64(x)) < 10) {
			t.Errorf("channel %d of option %d is %v, and %v of a multiple", i%features.SelectorChannels, i/features.SelectorChannels, x, rows[1][i])
		}
	}
	mirrored := Features{N: n, Density: [2]float64{0.2, 0.9}, Likeness: [2]float64{0.7, 0.1}, Dominance: [2]float64{1, 2}, Narrow: [2]bool{false, true}, Symmetric: [2]bool{true, false}}
	x, y := make([]float32, features.SelectorChannels), make([]float32, features.SelectorChannels)
	askOfInstance(&mirrored, x)
	for _, pair := range []*[2]float64{&mirrored.Density, &mirrored.Likeness, &mirrored.Dominance} {
		pair[0], pair[1] = pair[1], pair[0]
	}
	mirrored.Narrow, mirrored.Symmetric = [2]bool{true, false}, [2]bool{false, true}
	askOfInstance(&mirrored, y)
	if !slices.Equal(x, y) || x[features.IsNarrow] != 1 {
		t.Errorf("channels %v, with the matrices exchanged %v", x, y)
	}
}

// TestChoice: a component must promise more than the rule by some caution.
func TestChoice(t *testing.T) {
	for _, test := range []struct {
		q    []float32
		want Component
	}{
		{[]float32{1, 2, 2, 0, 2.5}, LongPopulation}, // the rule's
		{[]float32{1, 2, 2, 0, 1.99}, LongPopulation},
		{[]float32{1, 2, 2, 0, 1}, ShortPopulation},
		{[]float32{0, 0, 0, 3, 1}, Restarts},
	} {
		if got := choice(test.q, LongPopulation); got != test.want {
			t.Errorf("%v: %v, want %v", test.q, got, test.want)
		}
	}
}

func TestNamesAreKnown(t *testing.T) {
	for _, name := range Names() {
		if Named(name) == nil {
			t.Errorf("%s is unknown", name)
		}
	}
	if Named("nobody") != nil {
		t.Error("nobody is known")
	}
}

func TestNetworkIsChecked(t *testing.T) {
	if _, err := NewNetwork(nil); err == nil {
		t.Error("no weights are accepted")
	}
	if _, err := NewNetwork(map[string][]float32{"choice.b1": {1}, "choice.b2": {1}}); err == nil {
		t.Error("half of the weights are accepted")
	}
	in := generated(t, "grid", 9)
	for _, threads := range []int{1, 2} {
		v := learning(other{})
		v.Threads = threads
		if _, err := v.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{TimeLimit: time.Millisecond}}); err == nil {
			t.Error("a network with other features is accepted")
		}
	}
}

type other struct{ qap.QFunction }

func (other) Features() string { return features.Gain }

// BenchmarkChoice is a choice of the shipped network's size.
func BenchmarkChoice(b *testing.B) {
	c, err := Learned(randomNetwork(b))
	if err != nil {
		b.Fatal(err)
	}
	in := generated(b, "grid", 30)
	s, err := newSearch(in, describe(in), RoundRobin(), qap.Options{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	s.run(20_000)
	b.ReportAllocs()
	for b.Loop() {
		c.Next(&s.state)
	}
}
