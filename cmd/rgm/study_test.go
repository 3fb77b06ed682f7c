package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// TestStudiesAreUsable: every variant of every study changes the preset into a
// configuration that can be trained, and no two share a folder.
func TestStudiesAreUsable(t *testing.T) {
	preset, err := train.Preset("qap")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range studies() {
		names := map[string]string{}
		for _, v := range s.variants {
			config, err := v.config(preset, nil)
			if err == nil {
				_, err = sources.Open(config, nil)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", s.name, v.name, err)
			}
			if twin, taken := names[folderName(v.name)]; taken {
				t.Errorf("%s: %s and %s share a folder", s.name, v.name, twin)
			}
			names[folderName(v.name)] = v.name
		}
	}
}

// TestSweepsTrainThePresetOnce: the values that it has make no variants of their own.
func TestSweepsTrainThePresetOnce(t *testing.T) {
	of, err := findStudy("sensitivity")
	if err != nil {
		t.Fatal(err)
	}
	s := &studySettings{Preset: "qap", Seeds: 2, Out: "runs"}
	r, err := newStudyRun(new(console), s, of, nil, []string{"nug12"})
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * (len(of.variants) - 5); len(r.tasks) != want { // a value of each of the five keys
		t.Errorf("%d trainings, want %d", len(r.tasks), want)
	}
}

// TestStudyPictures: of one training on one class, of equal ones, and of those that a
// class tells apart.
func TestStudyPictures(t *testing.T) {
	row := func(variant string, nug float64) studyRow {
		return studyRow{variant: variant, average: []float64{nug, 2 * nug}, classes: map[string]float64{"nug": nug, "tai": 1}}
	}
	for name, rows := range map[string][]studyRow{
		"one": {row("a", 1)}, "equal": {row("a", 1), row("b", 1)}, "three": {row("a", 1), row("b", 2), row("c", 0)},
	} {
		for _, classes := range [][]string{{"nug"}, {"nug", "tai"}} {
			for _, heatMap := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "study.svg")
				if err := saveStudyPicture(path, &study{name: name, heatMap: heatMap}, classes, rows); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if info, err := os.Stat(path); err != nil || info.Size() == 0 {
					t.Errorf("%s: no picture: %v", name, err)
				}
			}
		}
	}
	h := heat{[]string{"nug", "tai"}, []studyRow{row("a", 1), row("b", 2), row("c", 0)}}
	for at, want := range map[[2]int]float64{{0, 2}: 0.5, {0, 1}: 0, {0, 0}: 1, {1, 1}: 1} { // the first row on top
		if got := h.Z(at[0], at[1]); got != want {
			t.Errorf("shade %v of column %d, row %d, want %v", got, at[0], at[1], want)
		}
	}
}

// TestStudySumsUp: means over the seeds by variant, in the order of the study, and a
// line a training for programs.
func TestStudySumsUp(t *testing.T) {
	gap := 0.5
	of := &study{variants: []variant{{name: "first"}, {name: "second"}, {name: "absent"}}}
	results := []studyResult{
		{Variant: "second", Updates: 7, Classes: map[string]float64{"nug": 4}, Average: 4},
		{Variant: "first", Updates: 10, Seconds: 3, ValidationGap: &gap, Classes: map[string]float64{"nug": 1}, Average: 1},
		{Variant: "first", Seed: 1, Updates: 20, Seconds: 5, Classes: map[string]float64{"nug": 2}, Average: 2},
	}
	rows := studyRows(of, results)
	if len(rows) != 2 || rows[0].variant != "first" || rows[0].classes["nug"] != 1.5 || rows[0].updates != 15 || rows[0].seconds != 4 || len(rows[0].validation) != 1 {
		t.Errorf("rows %+v", rows)
	}
	var out strings.Builder
	if err := printStudy(&out, formatCSV, []string{"nug"}, rows, results); err != nil {
		t.Fatal(err)
	}
	want := "variant,seed,config,updates,seconds,validation_gap,nug,average\nsecond,0,,7,0,,4,4\nfirst,0,,10,3,0.5,1,1\nfirst,1,,20,5,,2,2\n"
	if out.String() != want {
		t.Errorf("CSV\n%s\nwant\n%s", out.String(), want)
	}
}

// TestInterruptedStudySaysHowToGoOn: and lets go of its folder.
func TestInterruptedStudySaysHowToGoOn(t *testing.T) {
	s := &studySettings{
		Search: searchSettings{Provider: providerGo, Rollouts: 1, Beam: 1, Refine: refineNone, Restarts: 1},
		Preset: "smoke", Seeds: 1, Workers: 1, MinN: 12, MaxN: 12, Out: filepath.Join(t.TempDir(), "study"), Format: formatTable,
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		var out strings.Builder
		err := runStudy(ctx, discard(), s, "ablation", nil, &out)
		if want := "interrupted after 0 of 14 trainings; all is saved in " + s.Out + ": the same command goes on"; err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("error %v, want one with %q; printed %q", err, want, out.String())
		}
	}
	lock, err := claim(s.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := runStudy(t.Context(), discard(), s, "ablation", nil, io.Discard); err == nil || !strings.Contains(err.Error(), "another run is writing there") {
		t.Errorf("beside another run: %v", err)
	}
}
