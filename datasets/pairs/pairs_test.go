package pairs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
)

func paperSynthetic(outliers, count int) Synthetic {
	return Synthetic{Inliers: 10, Outliers: outliers, Noise: 0.1, Count: count, Affinity: graphs.PaperSynthetic}
}

// TestSyntheticProtocol: sizes, ranges of the noise, and that a set begins the same
// however long it is.
func TestSyntheticProtocol(t *testing.T) {
	s := paperSynthetic(3, 20)
	s.PerTruth = 4
	all, err := s.Set().All()
	if err != nil {
		t.Fatal(err)
	}
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

// TestRRWMOfPeers: mean F1 of RRWM on 200 pairs is what pygmtools' RRWM reaches on
// another draw of the same protocol, within four standard errors of the difference. Three are
// not enough: at k = 1 the two draws are 3.6 apart. Ten draws of 200 pairs have 87.7 there,
// and are at every k .9 to 3.5 points (.8 to 3.0 of pygmtools' errors) below its one draw, so
// that is a lucky one, or differs in what its report does not say. That RRWM itself is
// pygmtools' to 1e-9 is held by the fixtures of package classic.
func TestRRWMOfPeers(t *testing.T) {
	want := []float64{.8981, .7877, .6935, .5996, .5144, .4423} // peers_synthetic.md, k = 1..6
	errs := []float64{.0070, .0122, .0146, .0172, .0170, .0174}
	for k := range want {
		f1 := meanF1(t, classic.RRWM{}, paperSynthetic(k+1, 200).Set())
		t.Logf("k=%d: F1 %.4f, peers %.4f", k+1, f1, want[k])
		if math.Abs(f1-want[k]) > 4*math.Sqrt2*errs[k] {
			t.Errorf("k=%d: F1 %.4f, want %.4f ± %.4f", k+1, f1, want[k], 4*math.Sqrt2*errs[k])
		}
	}
}

// TestWillowOfPeers: mean F1 of RRWM over the classes is what pygmtools' RRWM reaches
// on twice as many pairs, these among them, with the same affinities, within two of
// our standard errors (1.3 %).
func TestWillowOfPeers(t *testing.T) {
	folder := testdata.Path(t, "data", "willow_points_o3")
	for edges, want := range map[graphs.EdgeRule]float64{graphs.Complete: .6355, graphs.Delaunay: .6157} {
		affinity := graphs.LengthDirection
		affinity.Edges = edges
		f1 := meanF1(t, classic.RRWM{}, Points(folder, affinity))
		t.Logf("%v: F1 %.4f, peers %.4f", edges, f1, want)
		if math.Abs(f1-want) > .026 {
			t.Errorf("%v: F1 %.4f, want %.4f", edges, f1, want)
		}
	}
}

func meanF1(t *testing.T, solver qap.Solver, set Set) float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	sum, n := 0.0, 0
	for p, err := range set.Pairs {
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Relabelled(rng); err != nil {
			t.Fatal(err)
		}
		result, err := solver.Solve(context.Background(), p.Instance, qap.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum += p.Judge(result.Matching).F1
		n++
	}
	return sum / float64(n)
}

// TestRelabelledKeepsTheProblem: the truth, the optimum and the points follow, in a
// dense and in a sparse instance, maximised or minimised.
func TestRelabelledKeepsTheProblem(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, edges := range []graphs.EdgeRule{graphs.Complete, graphs.Delaunay} {
		p, err := Mixture{Edges: edges}.Pair(12, rng)
		if err != nil {
			t.Fatal(err)
		}
		now, err := p.Relabelled(rng)
		if err != nil {
			t.Fatal(err)
		}
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
	in, err := qap.NewDense(2, 2, k, qap.Minimize)
	if err != nil {
		t.Fatal(err)
	}
	p := Pair{Instance: in, Truth: qap.Matching{1, 0}}
	now, err := p.Relabelled(rng)
	if err != nil || now.Instance.Sense != qap.Minimize || now.Instance.Score(now.Truth) != in.Score(p.Truth) {
		t.Errorf("minimised: %v, score %v, want %v", err, now.Instance.Score(now.Truth), in.Score(p.Truth))
	}
}

// TestJudge: three of four true matches, and one false.
func TestJudge(t *testing.T) {
	in, err := qap.NewDense(5, 5, make([]float64, 625), qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	p := Pair{Instance: in, Truth: qap.Matching{0, 1, 2, 3, -1}}
	q := p.Judge(qap.Matching{0, 1, 2, -1, 4})
	if q.Precision != .75 || q.Recall != .75 || q.F1 != .75 || q.Optimal {
		t.Errorf("%+v", q)
	}
	if q := p.Judge(qap.NewMatching(5)); q != (Quality{}) {
		t.Errorf("the empty matching: %+v", q)
	}
}

// TestSplitSharesNoGroup: by image and by true points.
func TestSplitSharesNoGroup(t *testing.T) {
	var all []Pair
	for k := range 200 {
		all = append(all, Pair{Groups: []string{fmt.Sprint(k % 20), fmt.Sprint(k * 7 % 19)}})
	}
	first, second := Split(all, 2./3, rand.New(rand.NewPCG(1, 1)))
	if len(first) == 0 || len(second) == 0 {
		t.Fatalf("%d and %d pairs", len(first), len(second))
	}
	for _, x := range first {
		for _, y := range second {
			for _, g := range x.Groups {
				if slices.Contains(y.Groups, g) {
					t.Fatalf("both parts have %s", g)
				}
			}
		}
	}
	s := paperSynthetic(0, 30)
	s.PerTruth = 10
	pairs, err := s.Set().All()
	if err != nil {
		t.Fatal(err)
	}
	if first, second := Split(pairs, 2./3, rand.New(rand.NewPCG(1, 1))); len(first) != 20 || len(second) != 10 {
		t.Errorf("%d and %d pairs, want 20 and 10", len(first), len(second))
	}
}

// TestMixture: sizes up to n, and the same pair from the same state.
func TestMixture(t *testing.T) {
	for n := 2; n <= 20; n++ {
		p, err := Mixture{}.Pair(n, rand.New(rand.NewPCG(5, uint64(n))))
		if err != nil {
			t.Fatal(err)
		}
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

// TestPublishedOptimum: a matching is optimal if its objective is the published one,
// but for the digits that are not printed.
func TestPublishedOptimum(t *testing.T) {
	folder := folderOf(t, map[string]any{
		"one.dd":                      "p 2 2 4 1\na 0 0 0 -1\na 1 0 1 0\na 2 1 0 0\na 3 1 1 -1\ne 0 3 -0.637\n",
		"one_gmbench_baselines.json":  `{"one": {"optimum": -2.64, "baselines": {"1": {"dd": [-Infinity, NaN]}}}}`,
		"none.dd":                     "p 2 2 1 0\na 0 0 0 -1\n",
		"none_gmbench_baselines.json": `{"other": {"optimum": -1}}`,
	})
	all, err := Problems(filepath.Join(folder, "one.dd"), filepath.Join(folder, "none.dd")).All()
	if err != nil || len(all) != 2 {
		t.Fatalf("%d pairs, %v", len(all), err)
	}
	if !all[0].HasOptimum || !all[0].Judge(qap.Matching{0, 1}).Optimal || all[0].Judge(qap.Matching{0, -1}).Optimal {
		t.Errorf("optimum %v, matching 0 1 scores %v", all[0].Optimum, all[0].Instance.Score(qap.Matching{0, 1}))
	}
	if all[1].HasOptimum {
		t.Errorf("optimum %v of a problem without a published one", all[1].Optimum)
	}
}

// TestRealSets: how many pairs there are, and what the files state of them.
func TestRealSets(t *testing.T) {
	for name, c := range map[string]struct {
		folder                   string
		set                      func(path string) Set
		inliers, outliers, least int
		optima                   bool
	}{
		"affinities": {"willow_o0", Affinities, 10, 0, 200, true},
		"points":     {"willow_points_o3", func(path string) Set { return Points(path, graphs.LengthDirection) }, 10, 3, 200, false},
		"house":      {"cmu", func(path string) Set { return Frames(path, "house", graphs.HouseSparse) }, 30, 0, 40, true},
		"hotel":      {"cmu", func(path string) Set { return Frames(path, "hotel", graphs.HouseSparse) }, 30, 0, 10, false},
		"keypoints": {"willow_keypoints", func(path string) Set {
			return Keypoints{Folder: path, Frame: 256, Outliers: 2, Count: 3, Affinity: graphs.LengthDirection}.Set()
		}, 10, 2, 15, false},
	} {
		t.Run(name, func(t *testing.T) {
			checkPairs(t, c.set(testdata.Path(t, "data", c.folder)), c.inliers, c.outliers, c.least, c.optima)
		})
	}
	for _, name := range []string{"hotel_mgm_n10_g4", "synth_mgm_n10_g4"} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for _, ending := range []string{".txt", "_optima.json"} {
				content := testdata.Read(t, "data", "dd", name+ending)
				if err := os.WriteFile(filepath.Join(folder, name+ending), content, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			checkPairs(t, Problems(filepath.Join(folder, name+".txt")), 0, 10, 6, true)
		})
	}
}

func checkPairs(t *testing.T, set Set, inliers, outliers, least int, optima bool) {
	t.Helper()
	n := 0
	for p, err := range set.Pairs {
		if err != nil {
			t.Fatal(err)
		}
		n1, n2 := p.Instance.Size()
		if p.Truth.Size() != inliers || n1 != inliers+outliers || n2 != n1 || p.HasOptimum != optima {
			t.Fatalf("%s: %d×%d nodes, %d inliers, optimum %v", p.Name, n1, n2, p.Truth.Size(), p.HasOptimum)
		}
		n++
	}
	t.Logf("%d pairs", n)
	if n < least {
		t.Errorf("%d pairs, want %d or more", n, least)
	}
}
