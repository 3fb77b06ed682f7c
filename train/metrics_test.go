package train

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/internal/tfevents"
)

// checkEvents demands that the event file is what metrics.jsonl says.
func checkEvents(t *testing.T, dir string) {
	t.Helper()
	lines := must.Get(ReadMetrics(filepath.Join(dir, MetricsFile)))(t)
	want := tfevents.AppendHeader(nil, 0)
	for _, line := range lines {
		want = appendEvent(want, line)
	}
	have, err := os.ReadFile(filepath.Join(dir, EventsFile))
	if err != nil || len(lines) == 0 || !bytes.Equal(have, want) {
		t.Errorf("%d lines of metrics; the event file, of %d bytes, is not theirs, of %d: %v", len(lines), len(have), len(want), err)
	}
}

// TestEventsAreMended: whatever is in the file, it then holds the lines and no more.
func TestEventsAreMended(t *testing.T) {
	gap := 0.5
	lines := []Line{{Updates: 10, Seconds: 1, ValidationGap: &gap}, {Updates: 20, Seconds: 2}}
	want := appendEvent(appendEvent(tfevents.AppendHeader(nil, 0), lines[0]), lines[1])
	for name, before := range map[string][]byte{
		"whole": want, "torn": want[:len(want)-7], "longer": append(slices.Clone(want), want...),
		"damaged": append(bytes.Repeat([]byte{7}, 30), want[30:]...), "empty": {},
	} {
		path := filepath.Join(t.TempDir(), EventsFile)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, before, 0o666); err != nil {
			t.Fatal(err)
		}
		events := must.Get(openEvents(path, lines[:1]))(t)
		if err := events.write(lines[1]); err != nil {
			t.Fatal(err)
		}
		if err := events.Close(); err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s: %d bytes, %v, want %d others", name, len(have), err, len(want))
		}
	}
}

func TestScalarsOfALine(t *testing.T) {
	half, quarter := 0.5, 0.25
	l := Line{Updates: 3, Epsilon: 0.1, Loss: &half, ValidationGap: &quarter, ValidationBySize: map[string]float64{"12": 2, "9": 1}}
	have := map[string]float64{}
	for _, s := range l.scalars() {
		have[s.Tag] = s.Value
	}
	for tag, want := range map[string]float64{
		"training/loss": 0.5, "training/epsilon": 0.1, "validation/gap": 0.25, "validation_by_size/12": 2, "validation_by_size/9": 1,
	} {
		if v, ok := have[tag]; !ok || v != want {
			t.Errorf("%s is %v, want %v", tag, v, want)
		}
	}
	for _, absent := range []string{"training/updates", "training/td"} {
		if _, ok := have[absent]; ok {
			t.Errorf("%s was not measured", absent)
		}
	}
}

// TestJudgementSumsUp: two instances of 4 nodes and two of 5, two runs each.
func TestJudgementSumsUp(t *testing.T) {
	c := tinyConfig(t)
	c.ValidationRuns = 2
	trainer := newTrainer(t, c)
	for k, name := range []string{"tree-4", "grid-4", "chr5a", ""} {
		trainer.validation[k].Instance.Name = name
	}
	j := trainer.summarise([]float64{1, 3, 2, 2, 0, 2, 3, 5})
	near := func(what string, have, want float64) {
		if math.Abs(have-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", what, have, want)
		}
	}
	near("gap", j.gap, 2.25)
	near("deviation over instances", j.instanceStd, math.Sqrt(4.75/3)) // of 2, 2, 1, 4
	near("deviation over runs", j.runStd, math.Sqrt(2*0.75*0.75))      // of 1.5 and 3
	near("4 nodes", j.bySize["4"], 2)
	near("5 nodes", j.bySize["5"], 2.5)
	near("trees", j.byFamily["tree"], 2)
	near("chr", j.byFamily["chr"], 1)
	if len(j.bySize) != 2 || len(j.byFamily) != 3 {
		t.Errorf("sizes %v, families %v", j.bySize, j.byFamily)
	}
	if !math.IsNaN(statistics.Deviation([]float64{1})) {
		t.Error("one value deviates from itself")
	}
}

// TestMetricsOfAKilledRun: without the line that it was writing; a line of another
// kind is an error that names its place.
func TestMetricsOfAKilledRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), MetricsFile)
	read := func(text string) ([]Line, error) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return ReadMetrics(path)
	}
	if lines, err := read("{\"updates\":1}\n{\"updates\":2}\n{\"upda"); err != nil || len(lines) != 2 || lines[1].Updates != 2 {
		t.Errorf("lines %v, error %v", lines, err)
	}
	if _, err := read("{\"updates\":1}\nupdates 2\n"); err == nil || !strings.Contains(err.Error(), MetricsFile+":2:") {
		t.Errorf("error %v, want one that names line 2", err)
	}
}
