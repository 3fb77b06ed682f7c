package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

func openAll(t *testing.T, path string, o Options) []*qap.Instance {
	t.Helper()
	var instances []*qap.Instance
	for in, err := range Open(path, o) {
		if err != nil {
			t.Fatal(err)
		}
		instances = append(instances, in)
	}
	return instances
}

func TestConvertKeepsTheProblem(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	nug12 := fromQAPLIB(t, "nug12")
	for _, step := range [][2]string{
		{"qaplib/nug12.dat", path("a.dat")}, {path("a.dat"), path("b.npy")}, {path("b.npy"), path("c.dd")}, {path("c.dd"), path("d.npy")},
	} {
		if err := Convert(Open(step[0], Options{}), step[1]); err != nil {
			t.Fatal(err)
		}
		instances := openAll(t, step[1], Options{})
		if len(instances) != 1 {
			t.Fatalf("%s holds %d instances", step[1], len(instances))
		}
		if err := sameAffinity(nug12, instances[0]); err != nil {
			t.Errorf("%s: %v", step[1], err)
		}
	}
}

func TestConvertKeepsStacks(t *testing.T) {
	folder := t.TempDir()
	problems := filepath.Join(folder, "problems.txt")
	text := "gm 0 1\n" + smallDD + "gm 0 2\n" + strings.Replace(smallDD, "-4", "7", 1)
	if err := os.WriteFile(problems, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	stack, again := filepath.Join(folder, "stack.npy"), filepath.Join(folder, "again.dd")
	o := Options{N1: 2, N2: 3}
	if err := Convert(Open(problems, o), stack); err != nil {
		t.Fatal(err)
	}
	if err := Convert(Open(stack, o), again); err != nil {
		t.Fatal(err)
	}
	want := openAll(t, problems, o)
	for _, path := range []string{stack, again} {
		have := openAll(t, path, o)
		if len(have) != 2 {
			t.Fatalf("%s holds %d instances, want 2", path, len(have))
		}
		for k := range want {
			if err := sameAffinity(want[k], have[k]); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

func TestConvertRefuses(t *testing.T) {
	folder := t.TempDir()
	bad, stack := filepath.Join(folder, "bad.dat"), filepath.Join(folder, "stack.npy")
	if err := os.WriteFile(bad, []byte("2 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stack, []byte(npyFile("<f8", "(2, 1, 1)", floats(1, 2))), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ in, out, want string }{
		{"qaplib/tai256c.dat", "x.npy", "the affinity of tai256c, 1·(256·256)² numbers, takes 32.0 GiB: more than 2 GiB"},
		{"qaplib/tai256c.dat", "x.dd", "more than 2 GiB"},
		{"qaplib/nug12.dat", "x.sln", `cannot write format ".sln": want .npy, .dd or .dat`},
		{bad, "x.npy", "want 4 numbers for matrix A, have 1"},
		{stack, "x.dat", "2 instances as .dat: the format holds one"},
		{"nosuch.dat", "x.npy", "no such file"},
	} {
		out := filepath.Join(folder, test.out)
		err := Convert(Open(test.in, Options{}), out)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s to %s: error %v, want one with %q", test.in, test.out, err, test.want)
		}
		if strings.Contains(test.want, "GiB") && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%v does not wrap ErrTooLarge", err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s to %s failed, but left a file", test.in, test.out)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(folder, "*.tmp")); len(files) > 0 {
		t.Errorf("left %v behind", files)
	}
}

func TestStackWantsGraphsOfTheSameSizes(t *testing.T) {
	var none strings.Builder
	if err := WriteNPY(&none); err == nil || err.Error() != "datasets: writing .npy: no instance to write" {
		t.Error(err)
	}
	err := WriteNPY(&none, randomInstance(2, 2, 1), randomInstance(1, 4, 2))
	if err == nil || !strings.Contains(err.Error(), "random1 has 2 and 2 nodes, random2 has 1 and 4") {
		t.Error(err)
	}
}
