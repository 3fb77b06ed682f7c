package graphpairs

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// folderOf returns a folder of files of these texts.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func readKnown(folder string, most int) ([]Known, int, error) {
	return ReadKnown(context.Background(), folder, most, rand.New(rand.NewPCG(1, 2)))
}

const (
	pointsABCD = "name,x,y\na,0,0\nb,1,0\nc,1,1\nd,0,2\n"
	pointsDCBE = "name,x,y\nd,5,5\nc,6,5\nb,6,6\ne,5,7\n"
	edgesABC   = "source,target,weight\nc,a,1\na,b,2\nd,b,3\n"
)

// TestReadKnown: nodes of one name belong together where no file says so; where one does, those that it says.
func TestReadKnown(t *testing.T) {
	folder := folderOf(t, map[string]string{"one.csv": pointsABCD, "two.csv": pointsDCBE, "few.csv": "name,x,y\na,0,0\ny,1,0\nz,1,1\n", "note.md": "x"})
	all, left, err := readKnown(folder, 10)
	if err != nil || len(all) != 1 || left != 2 {
		t.Fatalf("%d pairs, %d left out, error %v", len(all), left, err)
	}
	p := all[0]
	if got := []int(p.Truth); p.Files != [2]string{"one.csv", "two.csv"} || !slices.Equal(got, []int{-1, 2, 1, 0}) {
		t.Errorf("%v: %v", p.Files, got)
	}

	folder = folderOf(t, map[string]string{
		"my_pairs.csv": "known,second,note,first\nm.tsv,two.csv,x,one.csv\n,three.csv,x,one.csv\n",
		"one.csv":      pointsABCD, "two.csv": pointsDCBE, "three.csv": edgesABC, "m.tsv": "i\ta\na\te\nb\td\nc\tb\n",
	})
	all, _, err = readKnown(folder, 10)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d pairs, error %v", len(all), err)
	}
	if got := []int(all[0].Truth); !slices.Equal(got, []int{3, 0, 2, -1}) {
		t.Errorf("known: %v", got)
	}
	for i, a := range all[1].Truth {
		if a < 0 || all[1].Graph1.Names[i] != all[1].Graph2.Names[a] {
			t.Errorf("by name: %d is %d", i, a)
		}
	}
	if all, _, err = readKnown(folder, 1); err != nil || len(all) != 1 {
		t.Errorf("at most 1: %d pairs, error %v", len(all), err)
	}
}

// TestReadKnownRefuses: errors name the file and what to do.
func TestReadKnownRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"one file":     {map[string]string{"one.csv": pointsABCD}, []string{"1 files of graphs", "*pairs.csv"}},
		"no names":     {map[string]string{"one.csv": pointsABCD, "two.csv": "x,y\n1,2\n2,3\n4,5\n"}, []string{"two.csv", "no names", "column known"}},
		"nothing same": {map[string]string{"one.csv": pointsABCD, "two.csv": "name,x,y\nf,1,2\ng,2,3\nh,4,5\n"}, []string{"no two of 2 files", "same names"}},
		"numbers":      {map[string]string{"one.edgelist": "0 1\n1 2\n2 3\n", "two.edgelist": "0 1\n1 2\n2 0\n"}, []string{"one.edgelist", "no names", "*pairs.csv"}},
		"broken":       {map[string]string{"one.csv": pointsABCD, "two.csv": "name,x,y\na,1\nd,1,2\n"}, []string{"two.csv"}},
		"no columns":   {map[string]string{"pairs.csv": "a,b\n"}, []string{"pairs.csv", "line 1", "first and second"}},
		"no second":    {map[string]string{"pairs.csv": "first,second\none.csv\n"}, []string{"pairs.csv", "line 2", "two files"}},
		"no file":      {map[string]string{"pairs.csv": "first,second\none.csv,two.csv\n"}, []string{"pairs.csv: line 2", "one.csv", "no such file"}},
		"unknown node": {map[string]string{"pairs.csv": "first,second,known\none.csv,two.csv,k\n", "one.csv": pointsABCD, "two.csv": pointsDCBE, "k": "a,q\n"}, []string{"pairs.csv: line 2", "k:1", `"q"`}},
	} {
		folder := folderOf(t, c.files)
		_, _, err := readKnown(folder, 10)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q: want %q in it", name, err, want)
			}
		}
	}
	if _, _, err := readKnown(filepath.Join(t.TempDir(), "nowhere"), 10); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("no folder: error %v", err)
	}
}

// TestGeneratedIsKnown: pairs of graphs that edits lie between come back with their map.
func TestGeneratedIsKnown(t *testing.T) {
	folder := t.TempDir()
	s := Generated{Family: FamilyEdits, Name: "near", Pairs: 3, Edited: Edited{Kinds: []string{"labelled"}, Nodes: []int{9}, Edits: 3}, Seed: rand.Uint64() >> 1}
	if err := s.Write(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	want := must.Get(s.edited(t.Context()))(t)
	all, _, err := readKnown(folder, 10)
	if err != nil || len(all) != len(want) {
		t.Fatalf("%d pairs, error %v", len(all), err)
	}
	for k, p := range all {
		if !slices.Equal([]int(p.Truth), want[k].Map) {
			t.Errorf("pair %d: %v, want %v", k, p.Truth, want[k].Map)
		}
	}
}

// FuzzTable: whatever a table of pairs holds, reading gives an error or rows that name two files.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"first,second,known\na,b,c\n", "known,second,x,first\n,b,,a\n", "\ufefffirst,second\n\"a,\n1\",b\n", "first,second\na\n", "first\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, err := readTable(bytes.NewReader(text))
		if err != nil && rows != nil {
			t.Error("rows beside an error")
		}
		for _, row := range rows {
			if row.first == "" || row.second == "" || row.line < 2 {
				t.Errorf("%+v", row)
			}
		}
	})
}
