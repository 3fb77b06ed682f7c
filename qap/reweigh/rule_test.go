package reweigh_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// TestGoals: where the number of matches is asked for, the affinities alone are learned
// ones, the same of every count.
func TestGoals(t *testing.T) {
	p := synthetic(t, 3)
	a := newAffinity(t, logRatio(6))
	complete := *p.Instance
	complete.Complete = true
	all, _, err := a.Reweigh(t.Context(), &complete, qap.Goal{}, true)
	if err != nil {
		t.Fatal(err)
	}
	counted, d, err := a.Reweigh(t.Context(), p.Instance, qap.Goal{Inliers: 5}, true)
	if err != nil || !d.Learned || d.Inliers != 0 || !all.Complete || counted.Complete {
		t.Fatalf("decision %+v, error %v", d, err)
	}
	if x, y := all.Score(p.Truth), counted.Score(p.Truth); math.Abs(x-y) > 1e-9 {
		t.Errorf("scores %v and %v", x, y)
	}
}

// TestRegularizer: a regularizer decides on the number of matches by the given affinities
// where learned ones choose them, seeds at least.
func TestRegularizer(t *testing.T) {
	p := synthetic(t, 3)
	a := newAffinity(t, logRatio(6))
	seeds := p.Truth.Clone()
	for _, r := range []qap.Regularizer{qap.RegularizeF1, qap.RegularizeF3, qap.RegularizeMean(1)} {
		given := must.Get(profile.Solver{Goal: qap.Goal{Regularizer: r}}.Solve(t.Context(), p.Instance, qap.Options{}))(t)
		for want, goal := range map[int]qap.Goal{
			given.Matching.Size():                      {Regularizer: r},
			max(given.Matching.Size(), p.Truth.Size()): {Regularizer: r, Fixed: seeds},
		} {
			now, d, err := a.Reweigh(t.Context(), p.Instance, goal, true)
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

// TestSigned: negative affinities stay as given and J/m chooses the number of matches, by
// a regularizer or, for a search that keeps to none, by a constant.
func TestSigned(t *testing.T) {
	a := newAffinity(t, logRatio(6))
	k := kinds.Kind{Inliers: 8, Outliers1: 3, Outliers2: 3, Dimensions: 2, Density: 1, Noise: .02, Width: .2, Signs: kinds.SignsHalf}
	p := must.Get(k.Pair(rand.New(rand.NewPCG(3, 4))))(t)
	mean := qap.Goal{Regularizer: qap.RegularizeMean(1)}
	sizes := map[bool]int{}
	for _, keeps := range []bool{true, false} {
		now, d, err := a.Reweigh(t.Context(), p.Instance, qap.Goal{}, keeps)
		if err != nil || d.Learned || d.Reason != reweigh.ReasonSigned || d.Shifted == keeps || d.Regularizer.None() == keeps {
			t.Fatalf("keeps to goals: %v, decision %+v, error %v", keeps, d, err)
		}
		r := must.Get(profile.Solver{Goal: qap.Goal{Regularizer: d.Regularizer}}.Solve(t.Context(), now, qap.Options{}))(t)
		sizes[keeps] = r.Matching.Size()
	}
	if d := sizes[true] - sizes[false]; d < -1 || d > 1 {
		t.Errorf("sizes %v by the regularizer and the constant", sizes)
	}
	for _, goal := range []qap.Goal{mean, {Inliers: 4}} {
		now, d, err := a.Reweigh(t.Context(), p.Instance, goal, true)
		if err != nil || !d.AsGiven() || d.Inliers != 0 || !d.Regularizer.None() || now.Score(p.Truth) != p.Instance.Score(p.Truth) {
			t.Errorf("%+v: decision %+v, error %v", goal, d, err)
		}
	}
}

// TestReweighEndsAnywhere: whenever the context ends, there is an instance.
func TestReweighEndsAnywhere(t *testing.T) {
	a := newAffinity(t, logRatio(9))
	const n = 8
	rng := rand.New(rand.NewPCG(1, 2))
	k := make([]float64, n*n*n*n)
	for p := range n * n {
		for q := range p {
			if rng.IntN(3) > 0 {
				k[p*n*n+q] = rng.Float64()
				k[q*n*n+p] = k[p*n*n+q]
			}
		}
	}
	in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
	for asked := range 400 {
		now, d, err := a.Reweigh(solvertest.EndsAfter(t.Context(), asked), in, qap.Goal{}, false)
		if err != nil || now == nil {
			t.Fatalf("after %d looks at the context: decision %+v, error %v", asked, d, err)
		}
	}
}

// TestRuleOfKinds: signed, constant, empty, tiny and unequal instances are served, sparse
// ones like dense ones; the form of Koopmans and Beckmann is refused.
func TestRuleOfKinds(t *testing.T) {
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
			sparse := must.Get(qap.NewSparse(size[0], size[1], entries, qap.Maximize))(t)
			dense := must.Get(qap.NewDense(size[0], size[1], k, qap.Maximize))(t)
			for _, keeps := range []bool{true, false} {
				one, d1, err1 := a.Reweigh(t.Context(), sparse, qap.Goal{}, keeps)
				two, d2, err2 := a.Reweigh(t.Context(), dense, qap.Goal{}, keeps)
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
	kb := must.Get(qap.NewKoopmansBeckmann(3, 3, make([]float64, 9), make([]float64, 9), nil, qap.Minimize))(t)
	if _, _, err := a.Reweigh(t.Context(), kb, qap.Goal{}, true); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("Koopmans–Beckmann: %v", err)
	}
}

// TestRule: affinities without signs become learned ones, others keep the given ones.
func TestRule(t *testing.T) {
	network := must.Get(models.New(models.Config{Architecture: models.ArchitectureAffinity}, rand.New(rand.NewPCG(1, 2))))(t)
	a := newAffinity(t, models.QFunction(network))
	for _, c := range []struct {
		kind    kinds.Kind
		learned bool
	}{
		{kinds.Kind{Inliers: 8, Dimensions: 2, Density: 1, Noise: .02, Width: .2}, true},
		{kinds.Kind{Inliers: 8, Dimensions: 2, Density: 1, Noise: .02, Width: .2, Kernel: kinds.KernelBinary}, true},
		{kinds.Kind{Inliers: 14, Dimensions: 2, Joins: kinds.JoinDelaunay, Noise: .02, Width: .2}, true},
		{kinds.Kind{Inliers: 8, Dimensions: 2, Density: 1, Noise: .02, Width: .2, Signs: kinds.SignsHalf}, false},
	} {
		p := must.Get(c.kind.Pair(rand.New(rand.NewPCG(3, 4))))(t)
		_, d, err := a.Reweigh(t.Context(), p.Instance, qap.Goal{}, true)
		if err != nil || d.Learned != c.learned {
			t.Errorf("%+v: decision %+v, error %v", c.kind, d, err)
		}
	}
}

// TestZeroBetweenEdges: an affinity of 0 between two edges, or an edge and none, counts as
// the least one; a 0 where nodes have no edge stays, whichever way K is held.
func TestZeroBetweenEdges(t *testing.T) {
	k := kinds.Kind{Inliers: 9, Density: .4, Noise: .05, Width: .3, Kernel: kinds.KernelLinear}
	p := must.Get(k.Pair(rand.New(rand.NewPCG(5, 6))))(t)
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
	asDense := must.Get(qap.NewDense(n1, n2, dense, qap.Maximize))(t)
	asSparse := must.Get(qap.NewSparse(n1, n2, entries, qap.Maximize))(t)
	a := newAffinity(t, logRatio(5))
	filled := 0
	for name, in := range map[string]*qap.Instance{"by edges": p.Instance, "dense": asDense, "sparse": asSparse} {
		in.Complete = true // so that no constant is taken off
		learned, _, err := a.Reweigh(t.Context(), in, qap.Goal{}, true)
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
