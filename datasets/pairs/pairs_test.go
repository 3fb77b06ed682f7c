package pairs

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

func paperSynthetic(outliers, count int) Synthetic {
	return Synthetic{Inliers: 10, Outliers: outliers, Noise: 0.1, Count: count, Affinity: affinities.PaperSynthetic}
}

// TestSyntheticProtocol: sizes, ranges of the noise, and that a set begins the same
// however long it is.
func TestSyntheticProtocol(t *testing.T) {
	s := paperSynthetic(3, 20)
	s.PerTruth = 4
	all := must.Get(s.Set().All())(t)
	s.Count = 5
	fewer, err := s.Set().All()
	if err != nil || len(all) != 20 || !slices.Equal(fewer[4].Points2, all[4].Points2) {
		t.Errorf("%d pairs, %v; the fifth of five differs from the fifth of twenty", len(all), err)
	}
	for k, p := range all {
		if n1, n2 := p.Instance.Size(); n1 != 13 || n2 != 13 || p.Truth.Size() != 10 || len(p.Points1) != 13 {
			t.Fatalf("%s: %d×%d nodes, %d inliers", p.Name, n1, n2, p.Truth.Size())
		}
		for i := range 10 {
			x, y := p.Points1[i], p.Points2[i]
			if r := y.X / x.X; r < .9 || r > 1.1 || x.X < 0 || x.X > 1 {
				t.Errorf("%s: x of node %d is %v, then %v", p.Name, i, x.X, y.X)
			}
		}
		if same := slices.Equal(p.Points1[:10], all[k/4*4].Points1[:10]); !same || p.Groups[0] != all[k/4*4].Groups[0] {
			t.Errorf("%s: true points are not those of its group", p.Name)
		}
	}
	if slices.Equal(all[0].Points1[:10], all[4].Points1[:10]) {
		t.Error("two groups have the same true points")
	}
}

// TestRelabelledKeepsTheProblem: the truth, the optimum and the points follow, in a
// dense and in a sparse instance, maximised or minimised.
func TestRelabelledKeepsTheProblem(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, edges := range []graphs.EdgeRule{graphs.Complete, graphs.Delaunay} {
		p := must.Get(Mixture{Edges: edges}.Pair(12, rng))(t)
		now := must.Get(p.Relabelled(rng))(t)
		if before, after := p.Instance.Score(p.Truth), now.Instance.Score(now.Truth); math.Abs(before-after) > 1e-12*before {
			t.Errorf("%v: the truth scores %v, then %v", edges, before, after)
		}
		for i, a := range now.Truth {
			if a == qap.Unmatched {
				continue
			}
			j := slices.Index(p.Points1, now.Points1[i])
			if p.Points2[p.Truth[j]] != now.Points2[a] {
				t.Errorf("%v: node %d is matched to another point", edges, i)
			}
		}
	}
	k := []float64{1, 0, 0, 2, 0, 3, 4, 0, 0, 4, 5, 0, 2, 0, 0, 6}
	in := must.Get(qap.NewDense(2, 2, k, qap.Minimize))(t)
	p := Pair{Instance: in, Truth: qap.Matching{1, 0}}
	now, err := p.Relabelled(rng)
	if err != nil || now.Instance.Sense != qap.Minimize || now.Instance.Score(now.Truth) != in.Score(p.Truth) {
		t.Errorf("minimised: %v, score %v, want %v", err, now.Instance.Score(now.Truth), in.Score(p.Truth))
	}
}

// TestJudge: three of four true matches, and one false.
func TestJudge(t *testing.T) {
	in := must.Get(qap.NewDense(5, 5, make([]float64, 625), qap.Maximize))(t)
	p := Pair{Instance: in, Truth: qap.Matching{0, 1, 2, 3, -1}}
	q := p.Judge(qap.Matching{0, 1, 2, -1, 4})
	if q.Precision != .75 || q.Recall != .75 || q.F1 != .75 || q.Optimal {
		t.Errorf("%+v", q)
	}
	if q := p.Judge(qap.NewMatching(5)); q != (Quality{}) {
		t.Errorf("the empty matching: %+v", q)
	}
}

// TestMixture: sizes up to n, and the same pair from the same state.
func TestMixture(t *testing.T) {
	for n := 2; n <= 20; n++ {
		p := must.Get(Mixture{}.Pair(n, rand.New(rand.NewPCG(5, uint64(n)))))(t)
		again, _ := Mixture{}.Pair(n, rand.New(rand.NewPCG(5, uint64(n))))
		n1, n2 := p.Instance.Size()
		if max(n1, n2) != n || p.Instance.CheckMatching(p.Truth) != nil || p.Truth.Size() < min(n, leastInliers) {
			t.Errorf("n=%d: %d×%d nodes, truth %v", n, n1, n2, p.Truth)
		}
		if !slices.Equal(p.Points1, again.Points1) || !slices.Equal(p.Truth, again.Truth) {
			t.Errorf("n=%d: not the same pair again", n)
		}
	}
}

// TestWrongSets: one clear error each.
func TestWrongSets(t *testing.T) {
	for _, c := range []struct {
		set  Set
		want string
	}{
		{Keypoints{Folder: t.TempDir()}.Set(), "no file *.npy"},
		{Synthetic{Inliers: 1000}.Set(), "at most 128 nodes"},
		{Synthetic{Inliers: 5, Noise: 2}.Set(), "want 0..1"},
	} {
		if _, err := c.set.All(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if _, err := (Mixture{}).Pair(1, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("a mixture of one node: no error")
	}
}
