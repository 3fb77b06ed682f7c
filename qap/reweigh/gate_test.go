package reweigh_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// wants returns a gate that expects the most of one side, and there of the share of the
// nodes that is nearest to one.
func wants(learned bool, share float64) handMade {
	return handMade{features.Gate, features.GateChannels, func(x []float32) float64 {
		of := x[features.FirstOfCandidate:]
		v := -math.Abs(float64(of[1]) - share)
		if (of[0] == 1) == learned {
			v += 3
		}
		return v
	}}
}

func newGate(t testing.TB, network qap.QFunction) *reweigh.Gate {
	g, err := reweigh.NewGate(network)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGateChooses: what the gate expects most of is what is searched by: learned
// affinities, J, or J/m, by a regularizer or by a constant; what is expected is told.
func TestGateChooses(t *testing.T) {
	p := synthetic(t, 3)
	a := newAffinity(t, logRatio(6))
	c, reason, err := a.Compare(t.Context(), p.Instance)
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	sizes := c.Defaults()
	if sizes.J == sizes.Mean || sizes.Mean == sizes.Phi {
		t.Fatalf("sizes %+v: want different ones", sizes)
	}
	for _, wanted := range []reweigh.Candidate{{Size: sizes.J}, {Size: sizes.Mean}, {Learned: true, Size: sizes.Phi}} {
		for _, shifts := range []bool{false, true} {
			g := newGate(t, wants(wanted.Learned, float64(wanted.Size)/9))
			now, d, err := g.Choose(t.Context(), a, p.Instance, qap.Goal{}, shifts)
			if err != nil || d.Learned != wanted.Learned || d.Gate != reweigh.GateNetwork || (d.Reason == "") != d.Learned {
				t.Fatalf("decision %+v, error %v", d, err)
			}
			if better := d.ExpectedLearned > d.ExpectedGiven; better != d.Learned || min(d.ExpectedLearned, d.ExpectedGiven) <= 0 {
				t.Errorf("expected %v and %v", d.ExpectedGiven, d.ExpectedLearned)
			}
			byMean := !wanted.Learned && wanted.Size == sizes.Mean
			if d.Shifted != (byMean && shifts) || d.Regularizer.None() == (byMean && !shifts) || d.AsGiven() && now.Score(p.Truth) != p.Instance.Score(p.Truth) {
				t.Errorf("shifts %v, J/m %v: decision %+v", shifts, byMean, d)
			}
			r, err := profile.Solver{Goal: qap.Goal{Regularizer: d.Regularizer}}.Solve(t.Context(), now, qap.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if found := r.Matching.Size(); max(found-wanted.Size, wanted.Size-found) > 1 {
				t.Errorf("%+v: size %d", wanted, found)
			}
		}
	}
}

// TestGateKeepsGoals: where the number of matches is asked for, only affinities are
// chosen, and the instance is not shifted; a regularizer goes with given ones as they are.
func TestGateKeepsGoals(t *testing.T) {
	p := synthetic(t, 3)
	a := newAffinity(t, logRatio(6))
	complete := *p.Instance
	complete.Complete = true
	for _, learned := range []bool{false, true} {
		always, _, err := a.Reweigh(t.Context(), &complete)
		if err != nil {
			t.Fatal(err)
		}
		want := p.Instance
		if learned {
			want = always
		}
		g := newGate(t, wants(learned, .5))
		for _, c := range []struct {
			in   *qap.Instance
			goal qap.Goal
		}{{&complete, qap.Goal{}}, {p.Instance, qap.Goal{Inliers: 5}}} {
			now, d, err := g.Choose(t.Context(), a, c.in, c.goal, false)
			if err != nil || d.Learned != learned || d.Shifted || now.Complete != c.in.Complete {
				t.Fatalf("decision %+v, error %v", d, err)
			}
			if x, y := now.Score(p.Truth), want.Score(p.Truth); math.Abs(x-y) > 1e-9 {
				t.Fatalf("learned %v: score %v, want %v", learned, x, y)
			}
		}
	}
	now, d, err := newGate(t, wants(false, .5)).Choose(t.Context(), a, p.Instance, qap.Goal{Regularizer: qap.RegularizeMean(1)}, false)
	if err != nil || !d.AsGiven() || d.Inliers != 0 || now == p.Instance || now.Score(p.Truth) != p.Instance.Score(p.Truth) {
		t.Errorf("regularised: decision %+v, error %v", d, err)
	}
}

// TestGateKeepsRegularizer: a regularizer decides on the number of matches by the given
// affinities where learned ones choose them, seeds at least.
func TestGateKeepsRegularizer(t *testing.T) {
	p := synthetic(t, 3)
	a := newAffinity(t, logRatio(6))
	seeds := p.Truth.Clone()
	for _, r := range []qap.Regularizer{qap.RegularizeF1, qap.RegularizeF3, qap.RegularizeMean(1)} {
		given, err := profile.Solver{Goal: qap.Goal{Regularizer: r}}.Solve(t.Context(), p.Instance, qap.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for want, goal := range map[int]qap.Goal{
			given.Matching.Size():                      {Regularizer: r},
			max(given.Matching.Size(), p.Truth.Size()): {Regularizer: r, Fixed: seeds},
		} {
			now, d, err := newGate(t, wants(true, .5)).Choose(t.Context(), a, p.Instance, goal, false)
			if err != nil || !d.Learned || d.Inliers != want || !d.Regularizer.None() {
				t.Fatalf("%v: %d matches by given affinities; decision %+v, error %v", r, want, d, err)
			}
			goal.Regularizer, goal.Inliers = qap.Regularizer{}, d.Inliers
			if err := goal.Check(now); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestGateOfKinds: signed, constant, empty, tiny and unequal instances are served, sparse
// ones like dense ones; the form of Koopmans and Beckmann is refused.
func TestGateOfKinds(t *testing.T) {
	a := newAffinity(t, logRatio(3))
	rng := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{
		"signed": rng.NormFloat64, "positive": rng.Float64, "constant": func() float64 { return 1 }, "negative": func() float64 { return -1 },
		"binary": func() float64 { return float64(rng.IntN(2)) }, "empty": func() float64 { return 0 },
	} {
		for _, size := range [][2]int{{6, 8}, {8, 6}, {4, 4}, {3, 5}, {1, 4}, {0, 0}} {
			n := size[0] * size[1]
			var entries []qap.Entry
			k := make([]float64, n*n)
			for p := range n {
				for q := range p {
					if (p+q)%3 == 0 {
						v := draw()
						k[p*n+q], k[q*n+p] = v, v
						entries = append(entries, qap.Entry{P: p, Q: q, Value: v}, qap.Entry{P: q, Q: p, Value: v})
					}
				}
			}
			sparse, err := qap.NewSparse(size[0], size[1], entries, qap.Maximize)
			if err != nil {
				t.Fatal(err)
			}
			dense, err := qap.NewDense(size[0], size[1], k, qap.Maximize)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range []*reweigh.Gate{reweigh.Rule(), newGate(t, wants(true, .7)), newGate(t, wants(false, .7))} {
				one, d1, err1 := g.Choose(t.Context(), a, sparse, qap.Goal{}, true)
				two, d2, err2 := g.Choose(t.Context(), a, dense, qap.Goal{}, true)
				if err := errors.Join(err1, err2); err != nil {
					t.Fatalf("%s %v: %v", name, size, err)
				}
				if (name == "signed" || name == "negative" || name == "empty") && (d1.Learned || d2.Learned) {
					t.Errorf("%s %v: learned", name, size)
				}
				if d1.AsGiven() != (d1.Reason != "" && !d1.Shifted) || one == sparse || two == dense {
					t.Errorf("%s %v: decision %+v", name, size, d1)
				}
			}
		}
	}
	kb, err := qap.NewKoopmansBeckmann(3, 3, make([]float64, 9), make([]float64, 9), nil, qap.Minimize)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := reweigh.Rule().Choose(t.Context(), a, kb, qap.Goal{}, false); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("Koopmans–Beckmann: %v", err)
	}
}

// TestRule: affinities without signs become learned ones, others keep the given ones.
func TestRule(t *testing.T) {
	network, err := models.New(models.Config{Architecture: models.ArchitectureAffinity}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	a := newAffinity(t, models.QFunction(network))
	for _, c := range []struct {
		kind    pairs.Kind
		learned bool
	}{
		{pairs.Kind{Inliers: 8, Dimensions: 2, Density: 1, Noise: .02, Width: .2}, true},
		{pairs.Kind{Inliers: 8, Dimensions: 2, Density: 1, Noise: .02, Width: .2, Kernel: pairs.KernelBinary}, true},
		{pairs.Kind{Inliers: 14, Dimensions: 2, Joins: pairs.JoinDelaunay, Noise: .02, Width: .2}, true},
		{pairs.Kind{Inliers: 8, Dimensions: 2, Density: 1, Noise: .02, Width: .2, Signs: pairs.SignsHalf}, false},
	} {
		p, err := c.kind.Pair(rand.New(rand.NewPCG(3, 4)))
		if err != nil {
			t.Fatal(err)
		}
		_, d, err := reweigh.Rule().Choose(t.Context(), a, p.Instance, qap.Goal{}, false)
		if err != nil || d.Learned != c.learned || d.Gate != reweigh.GateRule || d.ExpectedGiven != 0 {
			t.Errorf("%+v: decision %+v, error %v", c.kind, d, err)
		}
	}
}

// TestZeroBetweenEdges: an affinity of 0 between two edges, or an edge and none, counts as
// the least one; a 0 where nodes have no edge stays, whichever way K is held.
func TestZeroBetweenEdges(t *testing.T) {
	k := pairs.Kind{Inliers: 9, Density: .4, Noise: .05, Width: .3, Kernel: pairs.KernelLinear}
	p, err := k.Pair(rand.New(rand.NewPCG(5, 6)))
	if err != nil {
		t.Fatal(err)
	}
	n1, n2 := p.Instance.Size()
	n := n1 * n2
	dense := make([]float64, n*n)
	var entries []qap.Entry
	edge1, edge2 := map[[2]int]bool{}, map[[2]int]bool{}
	for v := range n {
		for w := range n {
			if x := p.Instance.Affinity.At(v, w); x != 0 {
				dense[v*n+w] = x
				entries = append(entries, qap.Entry{P: v, Q: w, Value: x})
				edge1[[2]int{v / n2, w / n2}], edge2[[2]int{v % n2, w % n2}] = true, true
			}
		}
	}
	asDense, err := qap.NewDense(n1, n2, dense, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	asSparse, err := qap.NewSparse(n1, n2, entries, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	a := newAffinity(t, logRatio(5))
	filled := 0
	for name, in := range map[string]*qap.Instance{"by edges": p.Instance, "dense": asDense, "sparse": asSparse} {
		in.Complete = true // so that no constant is taken off
		learned, _, err := a.Reweigh(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for v := range n {
			for w := range n {
				x, given := learned.Affinity.At(v, w), dense[v*n+w]
				apart := v/n2 != w/n2 && v%n2 != w%n2
				any := apart && (edge1[[2]int{v / n2, w / n2}] || edge2[[2]int{v % n2, w % n2}])
				switch {
				case v == w:
				case !any && x != 0:
					t.Fatalf("%s: K[%d,%d] is %v without edges", name, v, w, x)
				case any && given == 0:
					if filled++; math.Abs(x-(2-12)) > 1e-3 { // logRatio of the least share
						t.Fatalf("%s: K[%d,%d] is %v where an edge is not alike", name, v, w, x)
					}
				}
			}
		}
	}
	if filled < 100 {
		t.Errorf("%d affinities between edges are 0", filled)
	}
}

func TestNewGateRefusesOthers(t *testing.T) {
	if _, err := reweigh.NewGate(logRatio(1)); err == nil {
		t.Error("a network of other features is accepted")
	}
}

// TestCandidates: those of the greatest J and J/m are among the candidates, further ones
// are added, none comes twice, and their matchings have their sizes.
func TestCandidates(t *testing.T) {
	p := synthetic(t, 3)
	c, reason, err := newAffinity(t, logRatio(6)).Compare(t.Context(), p.Instance)
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	d := c.Defaults()
	c.Further(d.J, d.Mean, 5, 5)
	var seen []reweigh.Candidate
	x := make([]float32, features.GateChannels)
	for _, k := range c.Candidates {
		if slices.ContainsFunc(seen, func(o reweigh.Candidate) bool { return o.Learned == k.Learned && o.Size == k.Size }) {
			t.Errorf("%+v twice", k)
		}
		seen = append(seen, k)
		if c.Matching(k).Size() != k.Size {
			t.Errorf("%+v has %d matches", k, c.Matching(k).Size())
		}
		for at := range x {
			x[at] = float32(math.NaN())
		}
		c.Ask(x, k)
		for at, v := range x {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Errorf("%+v: input %d is %v", k, at, v)
			}
		}
	}
	for _, size := range []int{d.J, d.Mean, 5} {
		if !slices.ContainsFunc(seen, func(o reweigh.Candidate) bool { return !o.Learned && o.Size == size }) {
			t.Errorf("no candidate of %d matches", size)
		}
	}
}

func BenchmarkGate13x13(b *testing.B) {
	all, err := pairs.Synthetic{Inliers: 10, Outliers: 3, Noise: 0.1, Count: 1, Affinity: graphs.PaperSynthetic}.Set().All()
	if err != nil {
		b.Fatal(err)
	}
	open := func(architecture string) qap.QFunction {
		n, err := models.New(models.Config{Architecture: architecture}, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			b.Fatal(err)
		}
		return models.QFunction(n)
	}
	a, g := newAffinity(b, open(models.ArchitectureAffinity)), newGate(b, open(models.ArchitectureGate))
	for b.Loop() {
		if _, _, err := g.Choose(b.Context(), a, all[0].Instance, qap.Goal{}, false); err != nil {
			b.Fatal(err)
		}
	}
}
