package paper

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// commands is a Runner that takes note of what it is asked for.
type commands struct {
	asked []string
	fail  string // what the failing command contains
	then  func() // called after each
}

func (c *commands) run(_ context.Context, args []string, out io.Writer) error {
	line := strings.Join(args, " ")
	c.asked = append(c.asked, line)
	if c.then != nil {
		c.then()
	}
	if c.fail != "" && strings.Contains(line, c.fail) {
		return errors.New("as wanted")
	}
	for k, arg := range args { // what the command would leave
		if k > 0 && (args[k-1] == "--scatter" || args[k-1] == "--out") && filepath.Ext(arg) != "" {
			if err := os.WriteFile(arg, []byte("<svg/>"), 0o666); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(out, `{"method":"m","source":"measured","classes":{"k=1":{"f1_percent":50}},"average":{"f1_percent":50}}`)
	return nil
}

func makeReport(t *testing.T, o Options, c *commands) (events []string, err error) {
	t.Helper()
	err = Run(t.Context(), o, Program{Version: "v0", Commit: "abc", Go: "go", System: "test"}, c.run,
		func(done, of int, unit, event string) {
			events = append(events, fmt.Sprintf("%d/%d %s %s", done, of, unit, event))
		})
	return events, err
}

// TestEveryUnitIsRunOnce: the second call finds all results, a damaged one is made again, and
// another command of the same name has a result of its own.
func TestEveryUnitIsRunOnce(t *testing.T) {
	o := Options{Dir: t.TempDir(), Only: []string{"figure5", "figure10"}}
	var c commands
	if _, err := makeReport(t, o, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.asked) != 3 { // Willow's needs data
		t.Fatalf("%d commands: %q", len(c.asked), c.asked)
	}
	files, _ := filepath.Glob(filepath.Join(o.Dir, "units", "*.json"))
	if err := os.WriteFile(files[0], []byte(`{"unit":"noi`), 0o666); err != nil {
		t.Fatal(err)
	}
	again := commands{}
	if _, err := makeReport(t, o, &again); err != nil || len(again.asked) != 1 {
		t.Errorf("%d commands again, error %v", len(again.asked), err)
	}
	o.Full = true
	full := commands{}
	if _, err := makeReport(t, o, &full); err != nil || len(full.asked) != 3 {
		t.Errorf("%d commands of a full report, error %v", len(full.asked), err)
	}
	if after, _ := filepath.Glob(filepath.Join(o.Dir, "units", "*.json")); len(after) != 6 {
		t.Errorf("%d results, want 6", len(after))
	}
}

// TestPagesSayWhatWasNotRun: one failure stops nothing else, and the pages have its reason, the
// commands and the commit.
func TestPagesSayWhatWasNotRun(t *testing.T) {
	o := Options{Dir: t.TempDir(), Only: []string{"figure5", "figure10", "table3"}}
	c := commands{fail: "profile"}
	events, err := makeReport(t, o, &c)
	if err == nil || !strings.Contains(err.Error(), "noise-policies: as wanted") || len(c.asked) != 3 {
		t.Errorf("error %v after %q", err, c.asked)
	}
	if !slices.ContainsFunc(events, func(e string) bool { return strings.Contains(e, "needs --data, a folder with willow_points_o3") }) {
		t.Errorf("events %q", events)
	}
	for _, name := range []string{HTMLFile, MarkdownFile} {
		data := must.Get(os.ReadFile(filepath.Join(o.Dir, name)))(t)
		for _, want := range []string{"as wanted", "needs --data", "commit abc", "--set synthetic-noise --complete --pairs 5 --methods sm,rrwm,ipfp", "keypoint_annotations", "60.19"} {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		if foreign := regexp.MustCompile(`(src|href|url)[=(]["']?(https?:)?//[^"' ]*`).FindString(string(data)); foreign != "" {
			t.Errorf("%s asks for %s", name, foreign)
		}
	}
}

// TestInterruptedReportGoesOn: the units before the end are kept, the one during it is not.
func TestInterruptedReportGoesOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Dir: t.TempDir(), Only: []string{"figure5"}}
	c := commands{}
	c.then = func() {
		if len(c.asked) == 2 {
			cancel()
		}
	}
	err := Run(ctx, o, Program{}, c.run, func(int, int, string, string) {})
	if err == nil || !strings.Contains(err.Error(), "interrupted after 1 of 2 units") {
		t.Errorf("error %v", err)
	}
	rest := commands{}
	if _, err := makeReport(t, o, &rest); err != nil || len(rest.asked) != 1 || rest.asked[0] != c.asked[1] {
		t.Errorf("then %q, error %v", rest.asked, err)
	}
}

// TestPagesKeepEarlierParts: a run of other parts leaves what was measured on the pages, and no
// part that was not asked for.
func TestPagesKeepEarlierParts(t *testing.T) {
	o := Options{Dir: t.TempDir(), Only: []string{"figure5"}}
	var c commands
	if _, err := makeReport(t, o, &c); err != nil {
		t.Fatal(err)
	}
	o.Only = []string{"table3"}
	if _, err := makeReport(t, o, &c); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(o.Dir, MarkdownFile))
	if err != nil || !strings.Contains(string(page), "## Figure 5") || !strings.Contains(string(page), "## Table 3") || strings.Contains(string(page), "## Figure 7") {
		t.Errorf("error %v\n%s", err, page)
	}
}

// TestQuickPartsStandIn: a full report in the folder of a quick one shows what of it was not run
// as the quick one has it, and says so.
func TestQuickPartsStandIn(t *testing.T) {
	o := Options{Dir: t.TempDir(), Only: []string{"figure5", "figure10"}}
	var c commands
	if _, err := makeReport(t, o, &c); err != nil {
		t.Fatal(err)
	}
	o.Full, o.Only = true, []string{"figure5"}
	if _, err := makeReport(t, o, &c); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(o.Dir, MarkdownFile))
	text := string(page)
	if err != nil || strings.Count(text, "By the commands of a quick report") != 1 || !strings.Contains(text, "--complete --pairs 100 ") || !strings.Contains(text, "--fix 0..5 --pairs 2\n") {
		t.Errorf("error %v\n%s", err, text)
	}
}

// TestTrainingIsResumed: where a checkpoint is, by the command that goes on.
func TestTrainingIsResumed(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	u := scale{}.unit("train-ngm: train ngm --out {dir}/runs/ngm --updates 400")
	if line := strings.Join(o.arguments(u), " "); !strings.HasPrefix(line, "train ngm --out "+o.Dir+"/runs/ngm ") {
		t.Errorf("begins with %s", line)
	}
	if err := os.MkdirAll(filepath.Join(o.Dir, u.Folder), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(o.Dir, u.Folder, u.Checkpoint), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if line := strings.Join(o.arguments(u), " "); line != "train ngm --resume "+o.Dir+"/runs/ngm" {
		t.Errorf("goes on with %s", line)
	}
	if err := o.begin(u); err != nil { // whose command is not known
		t.Fatal(err)
	}
	if line := strings.Join(o.arguments(u), " "); !strings.HasPrefix(line, "train ngm --out ") {
		t.Errorf("goes on from another command's checkpoint: %s", line)
	}
	checkpoint := filepath.Join(o.Dir, u.Folder, u.Checkpoint)
	if err := errors.Join(os.WriteFile(checkpoint, nil, 0o666), o.begin(u)); err != nil {
		t.Fatal(err)
	}
	if line := strings.Join(o.arguments(u), " "); !strings.HasPrefix(line, "train ngm --resume ") {
		t.Errorf("its own checkpoint is gone: %s", line)
	}
	study := studyUnit("protocol", "--preset qap --seeds 1")
	begins := strings.Join(o.arguments(study), " ")
	if err := os.MkdirAll(filepath.Join(o.Dir, study.Folder), 0o777); err != nil {
		t.Fatal(err)
	}
	if line := strings.Join(o.arguments(study), " "); line != begins { // which resumes its own trainings
		t.Errorf("a study that was stopped goes on with %s", line)
	}
}

// TestOneNameIsOneCommand: in a report, units of a name are the same.
func TestOneNameIsOneCommand(t *testing.T) {
	for _, full := range []bool{false, true} {
		commands, ids := map[string]string{}, map[string]bool{}
		for _, p := range Parts(full) {
			if ids[p.ID] || p.Title == "" || len(p.Units) == 0 {
				t.Errorf("part %q", p.ID)
			}
			ids[p.ID] = true
			p.Show(Results{}) // of nothing
			for _, u := range p.Units {
				if before, there := commands[u.Name]; there && before != u.Command() {
					t.Errorf("%s is %s and %s", u.Name, before, u.Command())
				}
				commands[u.Name] = u.Command()
			}
		}
	}
}

func TestNumberIn(t *testing.T) {
	for class, want := range map[string]float64{"k=3": 3, "δ=0.1 k=6": 6, "δ=0.5 k=0": 0.5, "δ=0 k=0": 0} {
		if have, ok := numberIn(class); !ok || have != want {
			t.Errorf("%s: %v, %v", class, have, ok)
		}
	}
	if _, ok := numberIn("Duck"); ok {
		t.Error("Duck has a number")
	}
}
