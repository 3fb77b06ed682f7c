package paper

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// examplePart is a table of one's own, as docs/RESEARCH.md has it: two searches on generated
// pairs, by the number of outliers. Written into parts.toml, with what it shows in shows, it is a part of every report.
func examplePart() Part {
	u := scale{}.unit("generated-example: $generated --methods greedy-tabu,profile --pairs 1")
	return Part{
		ID: "example", Title: "Two searches on generated pairs",
		About: "F1 in % by the number of outliers.",
		Units: []Unit{u},
		Show: func(results Results) []Block {
			rows := matchingRows(results, u.Name)
			every := func(bench.MatchingRow) bool { return true }
			return []Block{
				{Table: byClass(rows)},
				{Picture: &Picture{Name: "example", Alt: "F1 over outliers", SVG: plots.Lines("F1", "outliers", "F1 in %", linesOverClasses(rows, every))}},
			}
		},
	}
}

// TestExamplePart: its unit is run, and its rows are shown.
func TestExamplePart(t *testing.T) {
	o, c := Options{Dir: t.TempDir()}, commands{}
	parts := []Part{examplePart()}
	if err := runParts(t.Context(), o, parts, parts, Program{}, c.run, func(int, int, string, string) {}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(o.Dir, MarkdownFile))
	if err != nil || !strings.Contains(string(page), "| m | 50.0 | 50.0 |") {
		t.Errorf("error %v\n%s", err, page)
	}
}
