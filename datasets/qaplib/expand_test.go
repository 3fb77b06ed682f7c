package qaplib

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
)

func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("sub/deeper", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/b.dat", "sub/a.dd", "sub/c.NPY", "sub/b.sln", "sub/README.txt", "sub/deeper/d.dat", "nug15", "x.txt"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ args, want, wantErr string }{
		{"sub", "sub/a.dd sub/b.dat sub/c.NPY", ""},
		{"sub/*", "sub/a.dd sub/b.dat sub/c.NPY", ""},
		{"sub/b.*", "sub/b.dat", ""},
		{"x.txt nug12 sub/b.sln", "x.txt @nug12 sub/b.sln", ""},
		{"nug15 ./nug15", "nug15 ./nug15", ""}, // a file wins over a name
		{"nug12 nosuch.dat tai64c", "@nug12 @tai64c", "datasets: nosuch.dat: no such file"},
		{"sub/*.npz", "", "datasets: sub/*.npz: no files there"},
		{"sub/b.s*", "", "datasets: sub/b.s*: none of its 1 files is .dat, .npy, .npz, .dd, .mtx"},
		{"[", "", "datasets: [: syntax error in pattern"},
		{"nug13", "", "datasets: nug13: no such file, and no QAPLIB instance of that name; near it are nug12, nug14, nug15"},
		{"", "", ""},
	} {
		inputs, err := Expand(strings.Fields(test.args))
		var have []string
		for _, in := range inputs {
			if in.Embedded {
				in.Path = "@" + in.Path
			}
			have = append(have, filepath.ToSlash(in.Path))
		}
		if strings.Join(have, " ") != test.want || fmt.Sprint(err) != test.wantErr && (err != nil || test.wantErr != "") {
			t.Errorf("%q: %v, %v, want %s, %s", test.args, have, err, test.want, test.wantErr)
		}
	}
}

// TestExpansion: folders in folders where they count, links to folders never, and what is
// passed over is told with its reason.
func TestExpansion(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("all/sub/deeper", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"all/a.dat", "all/notes.txt", "all/sub/b.dat", "all/sub/deeper/c.dat"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"all/back": "../all", "all/nowhere.dat": "none", "all/linked.dat": "a.dat", "link": "all"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	for _, test := range []struct {
		recursive           bool
		arg, files, skipped string
	}{
		{false, "all", "a.dat linked.dat", "back: link to a folder or to nowhere, notes.txt: file of another format, nowhere.dat: link to a folder or to nowhere, sub: folder"},
		{true, "all", "a.dat linked.dat sub/b.dat sub/deeper/c.dat", "back: link to a folder or to nowhere, notes.txt: file of another format, nowhere.dat: link to a folder or to nowhere"},
		{true, "link", "a.dat linked.dat sub/b.dat sub/deeper/c.dat", "back: link to a folder or to nowhere, notes.txt: file of another format, nowhere.dat: link to a folder or to nowhere"},
	} {
		var files, skipped []string
		name := func(path string) string {
			below := must.Get(filepath.Rel(test.arg, path))(t)
			return filepath.ToSlash(below)
		}
		e := Expansion{Recursive: test.recursive, Skipped: func(path string, why SkipReason) {
			skipped = append(skipped, fmt.Sprintf("%s: %s", name(path), why))
		}}
		inputs := must.Get(e.Expand([]string{test.arg}))(t)
		for _, in := range inputs {
			files = append(files, name(in.Path))
		}
		if have := strings.Join(files, " "); have != test.files {
			t.Errorf("%s, recursive %v: %s, want %s", test.arg, test.recursive, have, test.files)
		}
		if have := strings.Join(skipped, ", "); have != test.skipped {
			t.Errorf("%s, recursive %v: passed over %s, want %s", test.arg, test.recursive, have, test.skipped)
		}
	}
}

func TestInputsYieldTheirInstances(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.dat")
	if err := os.WriteFile(path, []byte("1 2 3"), 0o644); err != nil {
		t.Fatal(err)
	}
	inputs := must.Get(Expand([]string{path, "nug12"}))(t)
	var names []string
	for _, input := range inputs {
		for in, err := range input.Instances(datasets.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, in.Name)
		}
	}
	if fmt.Sprint(names) != "[one nug12]" {
		t.Errorf("instances %v, want one and nug12", names)
	}
}
