package published

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// folderOf writes files, arrays or texts, into a folder.
func folderOf(t *testing.T, files map[string]any) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		var b bytes.Buffer
		switch c := content.(type) {
		case string:
			b.WriteString(c)
		case datasets.Array:
			if err := datasets.WriteArray(&b, c); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// pointFiles are the files of one pair of two points.
func pointFiles() map[string]any {
	return map[string]any{
		"A_P1.npy":    datasets.Array{Shape: []int{1, 2, 2}, Data: []float64{0, 0, 1, 1}},
		"A_P2.npy":    datasets.Array{Shape: []int{1, 2, 2}, Data: []float64{0, 0, 1, 1}},
		"A_X.npy":     datasets.Array{Shape: []int{1, 2, 2}, Data: []float64{0, 1, 0, 0}},
		"A_meta.json": `{"image_id1":[4],"image_id2":[7]}`,
	}
}

func TestPointsOfFolder(t *testing.T) {
	all, err := Points(folderOf(t, pointFiles()), affinities.PaperSynthetic).All()
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	p := all[0]
	if !slices.Equal(p.Truth, qap.Matching{1, qap.Unmatched}) || !slices.Equal(p.Groups, []string{"A image 4", "A image 7"}) || p.Instance.Affinity.At(0, 3) != 1 {
		t.Errorf("%+v", p)
	}
}

// TestFoldersAreNoPatterns: a folder may be called what a pattern looks like.
func TestFoldersAreNoPatterns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "part[1]*")
	if err := os.Rename(folderOf(t, pointFiles()), folder); err != nil {
		t.Fatal(err)
	}
	if all, err := Points(folder, affinities.PaperSynthetic).All(); err != nil || len(all) != 1 {
		t.Errorf("points: %v, %v", all, err)
	}
	images := datasets.Array{Shape: []int{2, 2, 2}, Data: []float64{0, 0, 1, 1, 0, 0, 1, 2}}
	var file bytes.Buffer
	if err := errors.Join(datasets.WriteArray(&file, images), os.WriteFile(filepath.Join(folder, "A.npy"), file.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	one := pairs.Keypoints{Folder: filepath.Join(folder, "A.npy"), Frame: 1, Count: 1, Affinity: affinities.PaperSynthetic}
	if all, err := one.Set().All(); err != nil || len(all) != 1 {
		t.Errorf("keypoints: %v, %v", all, err)
	}
}

// TestStacksReadBack: what generate writes is what Points reads.
func TestStacksReadBack(t *testing.T) {
	all := must.Get(pairs.Relabelled(pairs.Synthetic{Inliers: 10, Outliers: 2, Noise: 0.2, Count: 3, Affinity: affinities.PaperSynthetic, Seed: 1}.Set(), 5).All())(t)
	p1, p2, x := pairs.Stacks(all)
	again, err := Points(folderOf(t, map[string]any{"S_P1.npy": p1, "S_P2.npy": p2, "S_X.npy": x}), affinities.PaperSynthetic).All()
	if err != nil || len(again) != 3 {
		t.Fatalf("%d pairs, %v", len(again), err)
	}
	for k := range all {
		if !slices.Equal(all[k].Truth, again[k].Truth) || !slices.Equal(all[k].Points2, again[k].Points2) {
			t.Errorf("pair %d differs", k)
		}
	}
}

// TestDamagedFolders: one clear error each, and no pair of what is damaged.
func TestDamagedFolders(t *testing.T) {
	array := func(data []float64, shape ...int) datasets.Array { return datasets.Array{Shape: shape, Data: data} }
	for _, c := range []struct {
		file    string
		content any
		want    string
	}{
		{"A_X.npy", array([]float64{0, 1, 0, 1}, 1, 2, 2), "both to node"},
		{"A_X.npy", array([]float64{1, 1, 0, 0}, 1, 2, 2), "row 0 of matrix 0 is no row of a 0/1 matching"},
		{"A_X.npy", array([]float64{.5, 0, 0, 0}, 1, 2, 2), "row 0 of matrix 0"},
		{"A_X.npy", array([]float64{1, 0, 0}, 1, 1, 3), "matching has 1 entries, want 2"},
		{"A_X.npy", array(make([]float64, 8), 2, 2, 2), "points of 1 and of 1 graphs, 2 true matchings"},
		{"A_P2.npy", array([]float64{1, 2, 3}, 1, 1, 3), "want (n, 2) or (k, n, 2)"},
		{"A_P2.npy", array(nil, 1<<40, 0, 2), "no dimension 0"},
		{"A_X.npy", array(nil, 1<<40, 0, 2), "none of them 0"},
		{"A_P2.npy", "no array", "A_P2.npy"},
		{"A_meta.json", "{", "A_meta.json"},
	} {
		files := pointFiles()
		files[c.file] = c.content
		for p, err := range Points(folderOf(t, files), affinities.PaperSynthetic).Pairs {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %v: pair %q, error %v, want one with %q", c.file, c.content, p.Name, err, c.want)
			}
		}
	}
	stacks := map[string]any{
		"A_A.npy": array(make([]float64, 16), 1, 4, 4), "A_X.npy": array([]float64{0, 1, 1, 0}, 1, 2, 2),
		"A_meta.json": `{"best_per_cardinality":[{"2":[1,[0,2]]}]}`,
	}
	film := map[string]any{"f_xy.npy": array(make([]float64, 12), 3, 2, 2), "f_pairs.json": `[{"frame1":0,"frame2":3}]`}
	for _, c := range []struct {
		set  pairs.Set
		want string
	}{
		{Frames(folderOf(t, film), "f", affinities.HouseSparse), "frames 0 and 3: want 0..2"},
		{Frames(t.TempDir(), "f", affinities.HouseSparse), "f_xy.npy"},
		{Affinities(t.TempDir()), "no file *_A.npy"},
		{Affinities(folderOf(t, stacks)), "best_per_cardinality of 2 matches"},
		{Problems("none.txt"), "none.txt"},
	} {
		if _, err := c.set.All(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
