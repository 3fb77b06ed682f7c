package plots

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/lab/bench"
)

// TestStudyPictures: of one training on one class, of equal ones, and of those that a
// class tells apart.
func TestStudyPictures(t *testing.T) {
	row := func(variant string, nug float64) bench.StudyRow {
		return bench.StudyRow{Variant: variant, Average: []float64{nug, 2 * nug}, Classes: map[string]float64{"nug": nug, "tai": 1}}
	}
	for name, rows := range map[string][]bench.StudyRow{
		"one": {row("a", 1)}, "equal": {row("a", 1), row("b", 1)}, "three": {row("a", 1), row("b", 2), row("c", 0)},
	} {
		for _, classes := range [][]string{{"nug"}, {"nug", "tai"}} {
			for _, heatMap := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "study.svg")
				if err := SaveStudyPicture(path, &bench.Study{Name: name, HeatMap: heatMap}, classes, rows); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if info, err := os.Stat(path); err != nil || info.Size() == 0 {
					t.Errorf("%s: no picture: %v", name, err)
				}
			}
		}
	}
	h := studyTable([]string{"nug", "tai"}, []bench.StudyRow{row("a", 1), row("b", 2), row("c", 0)})
	for at, want := range map[[2]int]float64{{0, 2}: 0.5, {0, 1}: 0, {0, 0}: 1, {1, 1}: 1} { // the first row on top
		if got := h.Z(at[0], at[1]); got != want {
			t.Errorf("shade %v of column %d, row %d, want %v", got, at[0], at[1], want)
		}
	}
}
