package reweigh_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// handMade is a network made by hand, which answers about each vertex by its channels.
type handMade struct {
	features string
	channels int
	answer   func(x []float32) float64
}

func (h handMade) Features() string { return h.features }

func (h handMade) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	return &handMadeBatch{h, make([]float32, size*n1*n2*h.channels)}, nil
}

type handMadeBatch struct {
	handMade
	inputs []float32
}

func (b *handMadeBatch) Inputs() [][]float32 { return [][]float32{b.inputs} }
func (b *handMadeBatch) Close() error        { return nil }

func (b *handMadeBatch) Evaluate() ([]float32, error) {
	var q []float32
	for x := range slices.Chunk(b.inputs, b.channels) {
		q = append(q, float32(b.answer(x)))
	}
	return q, nil
}

// logRatio returns a network with φ = 2 + the logarithm of the share of the greatest
// affinity, to which sizes are the better the nearer they are to the one that is wanted.
func logRatio(wanted int) handMade {
	return handMade{features.Affinity, features.AffinityChannels, func(x []float32) float64 {
		if x[features.AsksSize] == 1 {
			return -math.Abs(10*math.Exp(float64(x[features.FirstOfSize+1])) - float64(wanted))
		}
		return float64(2 + x[features.LogAffinity])
	}}
}

func synthetic(t testing.TB, outliers int) pairs.Pair {
	all := must.Get(pairs.Synthetic{Inliers: 6, Outliers: outliers, Noise: 0.05, Count: 1, Affinity: affinities.PaperSynthetic, Seed: 3}.Set().All())(t)
	return all[0]
}

func best(t testing.TB, in *qap.Instance) qap.Result {
	return must.Get(profile.Solver{}.Solve(context.Background(), in, qap.Options{}))(t)
}

func newAffinity(t testing.TB, network qap.QFunction) *reweigh.Affinity {
	return must.Get(reweigh.New(network))(t)
}

// TestChosenSizeIsBest: the best score of any size has the size that the network
// chose, for sizes on the hull.
func TestChosenSizeIsBest(t *testing.T) {
	p := synthetic(t, 3)
	found := map[int]bool{}
	for wanted := reweigh.LeastSize; wanted <= 9; wanted++ {
		learned, _, err := newAffinity(t, logRatio(wanted)).Reweigh(t.Context(), p.Instance, qap.Goal{}, true)
		if err != nil {
			t.Fatal(err)
		}
		size := best(t, learned).Matching.Size()
		if found[size] = true; max(size-wanted, wanted-size) > 2 {
			t.Errorf("size %d where %d is wanted", size, wanted)
		}
	}
	if !found[reweigh.LeastSize] || !found[9] || len(found) < 5 {
		t.Errorf("sizes %v were best", found)
	}
}

// TestScale: multiplying all affinities changes nothing; node affinities that are all
// alike say nothing.
func TestScale(t *testing.T) {
	p := synthetic(t, 2)
	a := newAffinity(t, logRatio(6))
	learned, _, err := a.Reweigh(t.Context(), p.Instance, qap.Goal{}, true)
	if err != nil {
		t.Fatal(err)
	}
	n1, n2 := p.Instance.Size()
	n := n1 * n2
	k := make([]float64, n*n)
	for q := range n {
		p.Instance.Affinity.Row(k[q*n:(q+1)*n], q)
		for r := range n {
			k[q*n+r] *= 8
		}
	}
	other, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err == nil {
		other, _, err = a.Reweigh(t.Context(), other, qap.Goal{}, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	for q := range n {
		k[q*n+q] = 5
	}
	alike, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err == nil {
		alike.Complete = true
		alike, _, err = a.Reweigh(t.Context(), alike, qap.Goal{}, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	for q := range n {
		if v := alike.Affinity.At(q, q); v != 0 {
			t.Errorf("node affinity %d is %v", q, v)
		}
		for r := range n {
			if x, y := learned.Affinity.At(q, r), other.Affinity.At(q, r); math.Abs(x-y) > 1e-5 {
				t.Fatalf("K[%d,%d] is %v and %v", q, r, x, y)
			}
		}
	}
}

// TestKindsOfInstances serves sparse, negative, constant, empty and unequal ones, and
// refuses the form of Koopmans and Beckmann.
func TestKindsOfInstances(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	a := newAffinity(t, logRatio(3))
	for name, draw := range map[string]func() float64{
		"both signs": rng.NormFloat64, "negative": func() float64 { return -rng.Float64() }, "constant": func() float64 { return -1 },
		"empty": func() float64 { return 0 },
	} {
		for _, size := range [][2]int{{5, 7}, {7, 5}, {3, 3}, {1, 4}, {0, 0}} {
			n := size[0] * size[1]
			var entries []qap.Entry
			k := make([]float64, n*n)
			for p := range n {
				for q := range n {
					if (p+q)%3 == 0 {
						k[p*n+q] = draw()
						entries = append(entries, qap.Entry{P: p, Q: q, Value: k[p*n+q]})
					}
				}
			}
			sparse := must.Get(qap.NewSparse(size[0], size[1], entries, qap.Maximize))(t)
			dense := must.Get(qap.NewDense(size[0], size[1], k, qap.Maximize))(t)
			one, _, err1 := a.Reweigh(t.Context(), sparse, qap.Goal{}, true)
			two, _, err2 := a.Reweigh(t.Context(), dense, qap.Goal{}, true)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatalf("%s %v: %v", name, size, err)
			}
			matching := qap.RandomMatching(size[0], size[1], rng)
			if hasNegativeEdge(sparse) && math.Abs(one.Score(matching)-sparse.Score(matching)) > 1e-9 {
				t.Errorf("%s %v: negative affinities are changed", name, size)
			}
			for p := range n {
				for q := range n {
					if x, y := one.Affinity.At(p, q), two.Affinity.At(p, q); math.Abs(x-y) > 1e-9 {
						t.Fatalf("%s %v: K[%d,%d] is %v sparse and %v dense", name, size, p, q, x, y)
					}
				}
			}
			if _, ok := one.Affinity.(*qap.Sparse); !ok {
				t.Errorf("%s %v: no longer sparse", name, size)
			}
		}
	}
	signed := must.Get(qap.NewDense(1, 2, []float64{1, 0, 0, -1}, qap.Maximize))(t)
	if now, _, err := a.Reweigh(t.Context(), signed, qap.Goal{}, true); err != nil || now.Affinity.At(0, 0) != 1 || now.Affinity.At(1, 1) != -1 {
		t.Errorf("node affinities without edges are changed: %v", err)
	}
	kb := must.Get(qap.NewKoopmansBeckmann(3, 3, make([]float64, 9), make([]float64, 9), nil, qap.Minimize))(t)
	if _, _, err := a.Reweigh(t.Context(), kb, qap.Goal{}, true); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("Koopmans–Beckmann: %v", err)
	}
}

func hasNegativeEdge(in *qap.Instance) (has bool) {
	in.EachEdge(func(_, _ int, v float64) { has = has || v < 0 })
	return has
}

func TestNewRefusesPolicies(t *testing.T) {
	n := must.Get(models.New(models.Config{Architecture: models.ArchitectureGain}, nil))(t)
	if _, err := reweigh.New(models.QFunction(n)); err == nil {
		t.Error("a policy is accepted")
	}
}

// TestGiven: results are told in the instance's own terms.
func TestGiven(t *testing.T) {
	p := synthetic(t, 2)
	learned, _, err := newAffinity(t, logRatio(6)).Reweigh(t.Context(), p.Instance, qap.Goal{}, true)
	if err != nil {
		t.Fatal(err)
	}
	r := best(t, learned)
	r.Status, r.HasBound = qap.Optimal, true
	given := reweigh.Given(p.Instance, r)
	if given.Score != p.Instance.Score(r.Matching) || given.HasBound || given.Status == qap.Optimal || given.Steps != r.Steps {
		t.Errorf("%+v", given)
	}
	for m, best := range given.Profile {
		if best.Score != p.Instance.Score(best.Matching) {
			t.Errorf("size %d: score %v", m, best.Score)
		}
	}
}

func BenchmarkReweigh13x13(b *testing.B) {
	all := must.Get(pairs.Synthetic{Inliers: 10, Outliers: 3, Noise: 0.1, Count: 1, Affinity: affinities.PaperSynthetic}.Set().All())(b)
	n := must.Get(models.New(models.Config{Architecture: models.ArchitectureAffinity}, rand.New(rand.NewPCG(1, 2))))(b)
	a := newAffinity(b, models.QFunction(n))
	for b.Loop() {
		if _, _, err := a.Reweigh(b.Context(), all[0].Instance, qap.Goal{}, true); err != nil {
			b.Fatal(err)
		}
	}
}
