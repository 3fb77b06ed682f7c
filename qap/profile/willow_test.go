package profile

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

// pair is an instance with real affinities of both signs, 10×10 nodes, and the
// greatest score of each size, found by another program's branch and bound.
type pair struct {
	*qap.Instance
	best []float64 // by size; that of size 0 is 0
}

// willow reads all pairs.
func willow(t testing.TB) []pair {
	var pairs []pair
	for _, class := range []string{"Car", "Duck", "Face", "Motorbike", "Winebottle"} {
		pairs = append(pairs, read(t, filepath.Join("data", "willow_o0", class), "_A.npy", "_meta.json")...)
	}
	return pairs
}

// read reads the pairs in the file of one ending and the best scores in that of the other.
func read(t testing.TB, name, ending, scores string) []pair {
	var pairs []pair
	best := bestBySize(t, testdata.Path(t, name+scores))
	for in, err := range datasets.Open(testdata.Path(t, name+ending), datasets.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, pair{in, best[len(pairs)]})
	}
	return pairs
}

func bestBySize(t testing.TB, path string) [][]float64 {
	text := must.Get(os.ReadFile(path))(t)
	var meta struct {
		Best []map[string][]json.RawMessage `json:"best_per_cardinality"` // of each pair: size → [score, matching]
	}
	if err := json.Unmarshal(text, &meta); err != nil {
		t.Fatal(err)
	}
	all := make([][]float64, len(meta.Best))
	for k, sizes := range meta.Best {
		all[k] = make([]float64, len(sizes)+1)
		for m := 1; m <= len(sizes); m++ {
			if err := json.Unmarshal(sizes[strconv.Itoa(m)][0], &all[k][m]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// TestWillow finds the proved optimum of the complete matching of every pair, and
// of at least 99.9 % of all sizes.
func TestWillow(t *testing.T) {
	const decimals = 2e-6 // the file gives six
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	pairs := willow(t)
	for seed := range seeds {
		missed, missedComplete, sizes := 0, 0, 0
		for _, p := range pairs {
			r := must.Get(Solver{}.Solve(context.Background(), p.Instance, qap.Options{Seed: seed}))(t)
			for m, want := range p.best {
				sizes++
				if r.Profile[m].Score > want+decimals {
					t.Errorf("%s: size %d: %v is more than the optimum %v", p.Name, m, r.Profile[m].Score, want)
				}
				if math.Abs(r.Profile[m].Score-want) > decimals {
					missed++
					if m == len(p.best)-1 {
						missedComplete++
					}
				}
			}
		}
		t.Logf("seed %d: missed %d of %d sizes, %d of %d complete matchings", seed, missed, sizes, missedComplete, len(pairs))
		if missedComplete > 0 || float64(missed) > 0.001*float64(sizes) {
			t.Errorf("seed %d: want all complete matchings and 99.9 %% of all sizes", seed)
		}
	}
}

// TestPartialOptima finds the proved optimum of any size, which leaves nodes out, and
// that of the complete matching, of problems with costs of both signs.
func TestPartialOptima(t *testing.T) {
	for _, set := range []string{"hotel_mgm_n10_g4", "synth_mgm_n10_g4"} {
		t.Run(set, func(t *testing.T) {
			for _, p := range read(t, filepath.Join("data", "dd", set), ".txt", "_optima.json") {
				for complete, want := range map[bool]float64{false: slices.Max(p.best), true: p.best[len(p.best)-1]} {
					in := *p.Instance
					in.Complete = complete
					r, err := Solver{}.Solve(context.Background(), &in, qap.Options{})
					if err != nil || math.Abs(r.Score-want) > 2e-6 {
						t.Errorf("%s, complete %v: score %v of %d matches, %v; the optimum is %v", in.Name, complete, r.Score, r.Matching.Size(), err, want)
					}
				}
			}
		})
	}
}

func BenchmarkWillow(b *testing.B) {
	pairs := willow(b)
	b.ReportAllocs()
	steps := 0
	k := 0
	for b.Loop() {
		r, err := Solver{}.Solve(context.Background(), pairs[k%len(pairs)].Instance, qap.Options{})
		if err != nil {
			b.Fatal(err)
		}
		steps += r.Steps
		k++
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/pair")
}
