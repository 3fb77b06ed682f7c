package bench

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestBestKnownOfQAPLIB: the results of lab/notes/best are those that package qaplib has, and cost what they say.
func TestBestKnownOfQAPLIB(t *testing.T) {
	file := must.Get(os.Open("../notes/best/qaplib.jsonl"))(t)
	defer file.Close()
	lines, seen := json.NewDecoder(file), 0
	for lines.More() {
		var line struct {
			Instance  string
			Objective float64
			Matching  qap.Matching
			Bound     *float64
			Published float64 // where no matching of the best known value is at hand
		}
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		in := must.Get(qaplib.Open(line.Instance))(t)
		best, _ := qaplib.BestKnown(line.Instance)
		if err := in.CheckMatching(line.Matching); err != nil || !in.IsSolution(line.Matching) {
			t.Errorf("%s: %v", line.Instance, err)
			continue
		}
		if cost := in.Objective(in.Score(line.Matching)); cost != line.Objective || cost != best.Value && !(cost > best.Value && line.Published == best.Value) {
			t.Errorf("%s costs %v, the file says %v, package qaplib %v", line.Instance, cost, line.Objective, best.Value)
		}
		if (line.Bound != nil) != best.Optimal || line.Bound != nil && *line.Bound != line.Objective {
			t.Errorf("%s: bound %v, optimal %v", line.Instance, line.Bound, best.Optimal)
		}
		seen++
	}
	if all := len(qaplib.Names()); seen != all {
		t.Errorf("%d results of %d instances", seen, all)
	}
}
