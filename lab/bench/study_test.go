package bench

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// TestStudiesAreUsable: every variant of every study changes the preset into a
// configuration that can be trained, and no two share a folder.
func TestStudiesAreUsable(t *testing.T) {
	preset := must.Get(train.Preset("qap"))(t)
	for _, s := range studies() {
		names := map[string]string{}
		for _, v := range s.variants {
			config, err := v.config(preset, nil)
			if err == nil {
				_, err = sources.Open(config, nil)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", s.Name, v.Name, err)
			}
			if other, taken := names[folderName(v.Name)]; taken {
				t.Errorf("%s: %s and %s share a folder", s.Name, v.Name, other)
			}
			names[folderName(v.Name)] = v.Name
		}
	}
}

// TestSweepsTrainThePresetOnce: the values that it has make no variants of their own.
func TestSweepsTrainThePresetOnce(t *testing.T) {
	of := must.Get(FindStudy("sensitivity"))(t)
	s := &StudySettings{Preset: "qap", Seeds: 2, Out: "runs"}
	r := must.Get(NewRun(new(console.Console), s, of, nil, []string{"nug12"}))(t)
	if want := 2 * (len(of.variants) - 5); len(r.Tasks) != want { // a value of each of the five keys
		t.Errorf("%d trainings, want %d", len(r.Tasks), want)
	}
}

// TestStudySumsUp: means over the seeds by variant, in the order of the study, and a
// line a training for programs.
func TestStudySumsUp(t *testing.T) {
	gap := 0.5
	of := &Study{variants: []Variant{{Name: "first"}, {Name: "second"}, {Name: "absent"}}}
	results := []StudyResult{
		{Variant: "second", Updates: 7, Classes: map[string]float64{"nug": 4}, Average: 4},
		{Variant: "first", Updates: 10, Seconds: 3, ValidationGap: &gap, Classes: map[string]float64{"nug": 1}, Average: 1},
		{Variant: "first", Seed: 1, Updates: 20, Seconds: 5, Classes: map[string]float64{"nug": 2}, Average: 2},
	}
	rows := StudyRows(of, results)
	if len(rows) != 2 || rows[0].Variant != "first" || rows[0].Classes["nug"] != 1.5 || rows[0].updates != 15 || rows[0].seconds != 4 || len(rows[0].validation) != 1 {
		t.Errorf("rows %+v", rows)
	}
	var out strings.Builder
	if err := PrintStudy(&out, report.CSV, []string{"nug"}, rows, results); err != nil {
		t.Fatal(err)
	}
	want := "variant,seed,config,updates,seconds,validation_gap,nug,average\nsecond,0,,7,0,,4,4\nfirst,0,,10,3,0.5,1,1\nfirst,1,,20,5,,2,2\n"
	if out.String() != want {
		t.Errorf("CSV\n%s\nwant\n%s", out.String(), want)
	}
}
