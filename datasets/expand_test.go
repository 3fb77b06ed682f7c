package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func TestInputsYieldTheirInstances(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.dat")
	if err := os.WriteFile(path, []byte("1 2 3"), 0o644); err != nil {
		t.Fatal(err)
	}
	inputs, err := Expand([]string{path, "nug12"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, input := range inputs {
		for in, err := range input.Instances(Options{}) {
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
