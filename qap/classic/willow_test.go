package classic

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

// pair is a Willow image pair with its ground truth.
type pair struct {
	in    *qap.Instance
	truth qap.Matching
}

// willow reads the developers' half of the Willow pairs without outliers. If lifted,
// the least entry of A is lifted to 0 on the diagonal, as the paper's code does. Nodes
// are renamed at random, since the ground truth is the identity in the files.
func willow(t *testing.T, lifted bool) map[string][]pair {
	const n = 10
	rng := rand.New(rand.NewPCG(8, 1))
	classes := map[string][]pair{}
	for _, class := range []string{"Car", "Duck", "Face", "Motorbike", "Winebottle"} {
		affinities := instances.Array(t, "data", "willow_o0", class+"_A.npy")
		for size := n * n * n * n; len(affinities.Data) > 0; affinities.Data = affinities.Data[size:] {
			a := affinities.Data[:size]
			least := 0.0
			for _, v := range a {
				least = min(least, v)
			}
			left, truth := rng.Perm(n), qap.RandomMatching(n, n, rng)
			// Node i is called left[i] in graph 1 and its partner truth[left[i]] in graph 2.
			vertex := func(p int) int { return left[p/n]*n + truth[left[p%n]] }
			k := make([]float64, size)
			for p := range n * n {
				for q := range n * n {
					k[vertex(p)*n*n+vertex(q)] = a[p*n*n+q]
				}
				if lifted {
					k[vertex(p)*n*n+vertex(p)] -= least
				}
			}
			in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
			classes[class] = append(classes[class], pair{in, truth})
		}
	}
	return classes
}

// meanF1 is the mean over the classes of the mean F1, in percent. With as many
// matches as there are true ones, F1 is the share of true ones.
func meanF1(t *testing.T, classes map[string][]pair, s qap.Solver) float64 {
	sum := 0.0
	for _, pairs := range classes {
		right, all := 0, 0
		for _, p := range pairs {
			result := must.Get(s.Solve(context.Background(), p.in, qap.Options{}))(t)
			for i, a := range result.Matching {
				all++
				if a == p.truth[i] {
					right++
				}
			}
		}
		sum += 100 * float64(right) / float64(all)
	}
	return sum / float64(len(classes))
}

// pygmtools reaches 89.1, 96.0 and 95.2 on both halves together.
func TestWillow(t *testing.T) {
	classes := willow(t, true)
	for _, c := range []struct {
		name   string
		solver qap.Solver
		least  float64
	}{
		{"sm", SpectralMatching{}, 88},
		{"rrwm", RRWM{}, 95.5},
		{"ipfp", IPFP{}, 94.7},
	} {
		f1 := meanF1(t, classes, c.solver)
		t.Logf("%s: mean F1 %.2f %%", c.name, f1)
		if f1 < c.least {
			t.Errorf("%s: mean F1 %.2f %%, want at least %v", c.name, f1, c.least)
		}
	}
}

// TestWillowAsGiven: the affinities of the files have a negative diagonal, on which
// methods for K ≥ 0 lost 34 (sm) and 11 (rrwm) points.
func TestWillowAsGiven(t *testing.T) {
	lifted, given := willow(t, true), willow(t, false)
	for _, name := range []string{"sm", "rrwm"} {
		s := must.Get(New(name))(t)
		want, have := meanF1(t, lifted, s), meanF1(t, given, s)
		t.Logf("%s: mean F1 %.2f %% as given, %.2f %% lifted", name, have, want)
		if have < want-.5 {
			t.Errorf("%s: mean F1 %.2f %% as given, %.2f %% with the diagonal lifted", name, have, want)
		}
	}
}
