package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/clitest"
)

// TestKilledSolveResumes kills a run over many instances again and again, wherever
// it is, and resumes it. Whatever a kill leaves is complete, what is there stays as
// it was to the last byte, which another search would not, and in the end nothing
// is missing.
func TestKilledSolveResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	most := 12
	if clitest.Campaign {
		most = 50
	}
	dir := filepath.Join(t.TempDir(), "results")
	args := append(strings.Fields("solve --method tabu --time-limit 15ms --workers 2 --resume --out"), dir)
	names := []string{ // 41 of up to 22 nodes
		"chr12a", "chr12b", "chr12c", "chr15a", "chr15b", "chr15c", "chr18a", "chr18b", "chr20a", "chr20b", "chr20c",
		"had12", "had14", "had16", "had18", "had20", "nug12", "nug14", "nug15", "nug16a", "nug16b", "nug17", "nug18",
		"nug20", "nug21", "nug22", "rou12", "rou15", "rou20", "scr12", "scr15", "scr20", "tai12a", "tai12b", "tai15a",
		"tai15b", "tai17a", "tai20a", "tai20b", "lipa20a", "lipa20b",
	}
	args = append(args, names...)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	before := map[string]string{}
	kills := 0
	for kills < most && killedAfter(t, time.Duration(rng.Float64()*float64(150*time.Millisecond)), args...) {
		kills++
		after := clitest.ResultsIn(t, dir)
		for name, text := range before {
			if after[name] != text {
				t.Errorf("%s was solved twice:\n%safter\n%s", name, after[name], text)
			}
		}
		before = after
	}
	t.Attr("tried", fmt.Sprint(kills))
	t.Logf("killed %d times; %d of %d results were there", kills, len(before), len(names))
	clitest.MustRun(t, "rgm", args...)
	final := clitest.ResultsIn(t, dir)
	for name, text := range before {
		if final[name] != text {
			t.Errorf("%s was solved twice", name)
		}
	}
	if len(final) != len(names) {
		t.Errorf("%d results, want %d", len(final), len(names))
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
