package exact

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

// TestWillow proves the optima of real affinity matrices of both signs, 10×10
// nodes, partial and complete; the data's meta files hold them, found by a program
// of another author.
func TestWillow(t *testing.T) {
	classes := []string{"Car", "Duck", "Face", "Motorbike", "Winebottle"}
	if testing.Short() {
		classes = classes[:1]
	}
	for _, class := range classes {
		t.Run(class, func(t *testing.T) {
			partial, complete := optima(t, testdata.Path(t, "data", "willow_o0", class+"_meta.json"))
			nodes, k := 0, 0
			for in, err := range datasets.Open(testdata.Path(t, "data", "willow_o0", class+"_A.npy"), datasets.Options{}) {
				if err != nil {
					t.Fatal(err)
				}
				for _, want := range []float64{partial[k], complete[k]} {
					result := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{}))(t)
					nodes += result.Steps
					// The file gives six decimals.
					if result.Status != qap.Optimal || math.Abs(result.Score-want) > 2e-6 || math.Abs(result.Bound-want) > 2e-6 {
						t.Errorf("%s: %s %v, bound %v: the optimum is %v", in.Name, result.Status, result.Score, result.Bound, want)
					}
					in.Complete = true
				}
				k++
			}
			t.Logf("%d instances, %d nodes", k, nodes)
		})
	}
}

// optima reads the greatest scores of all matchings and of those of all 10 nodes.
func optima(t *testing.T, path string) (partial, complete []float64) {
	text := must.Get(os.ReadFile(path))(t)
	var meta struct {
		Best []map[string][]json.RawMessage `json:"best_per_cardinality"`
	}
	if err := json.Unmarshal(text, &meta); err != nil {
		t.Fatal(err)
	}
	for _, sizes := range meta.Best {
		best := 0.0 // of the empty matching
		var score float64
		for _, entry := range sizes {
			if err := json.Unmarshal(entry[0], &score); err != nil {
				t.Fatal(err)
			}
			best = max(best, score)
		}
		if err := json.Unmarshal(sizes["10"][0], &score); err != nil {
			t.Fatal(err)
		}
		partial, complete = append(partial, best), append(complete, score)
	}
	return partial, complete
}
