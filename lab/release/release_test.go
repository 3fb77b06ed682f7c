package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

const help = `Match graphs and solve
problems: all of them.

.dotted lines stay

Files:
  metrics.jsonl  a line a step

Usage:
  rgm [command]

Examples:
  rgm solve nug30    # an instance

Solve:
  solve       Solve instances
              in two lines
  match       Match two graphs

Additional Commands:
  help        Help about any command

Flags:
  -h, --help           help for rgm
  named       nothing
`

func TestVerbsOfHelp(t *testing.T) {
	if have := verbsOf(strings.Replace(help, "  named       nothing\n", "", 1)); !slices.Equal(have, []string{"solve", "match", "help"}) {
		t.Errorf("%q", have)
	}
	if have := verbsOf(strings.Replace(help, "[command]", "[flags]", 1)); have != nil {
		t.Errorf("without verbs: %q", have)
	}
}

func TestManual(t *testing.T) {
	page := manual("rgm-solve", help, time.Unix(0, 0))
	for _, want := range []string{
		".TH RGM\\-SOLVE 1 1970-01-01 ", "rgm\\-solve \\- Match graphs and solve problems\n", "\n\\&.dotted lines stay\n", ".SH EXAMPLES\n.nf\n", "  \\-h, \\-\\-help  ",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Count(page, "\n.nf\n") != strings.Count(page, "\n.fi\n") {
		t.Error("as many .nf as .fi are wanted")
	}
}

// TestArchives: what was put in is there, whatever the order it came in.
func TestArchives(t *testing.T) {
	b := &build{out: t.TempDir(), time: time.Unix(1.7e9, 0)}
	files := []file{{"a/rgm", []byte("program"), 0o755}, {"a/LICENSE", []byte("text"), 0o644}}
	for _, name := range []string{"x.tar", "x.tar.gz", "x.zip"} {
		var made [2][]byte
		for k := range made {
			if err := b.archive(name, files); err != nil {
				t.Fatal(err)
			}
			made[k], _ = os.ReadFile(filepath.Join(b.out, name))
			slices.Reverse(files)
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s: the order of the files counts", name)
		}
		if have := contents(t, name, made[0]); have != "a/LICENSE -rw-r--r-- text\na/rgm -rwxr-xr-x program\n" {
			t.Errorf("%s: %q", name, have)
		}
	}
}

// contents lists the files of an archive.
func contents(t *testing.T, name string, text []byte) string {
	t.Helper()
	var list strings.Builder
	say := func(name string, mode os.FileMode, r io.Reader) {
		content := must.Get(io.ReadAll(r))(t)
		list.WriteString(name + " " + mode.String() + " " + string(content) + "\n")
	}
	if strings.HasSuffix(name, ".zip") {
		z := must.Get(zip.NewReader(bytes.NewReader(text), int64(len(text))))(t)
		for _, f := range z.File {
			r := must.Get(f.Open())(t)
			say(f.Name, f.Mode(), r)
		}
		return list.String()
	}
	var unzipped io.Reader = bytes.NewReader(text)
	if strings.HasSuffix(name, ".gz") {
		var err error
		if unzipped, err = gzip.NewReader(unzipped); err != nil {
			t.Fatal(err)
		}
	}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			return list.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		say(header.Name, header.FileInfo().Mode(), r)
	}
}

// TestBill: an SBOM lists each module once, by its package URL, and depends on nothing but them and
// the date.
func TestBill(t *testing.T) {
	modules := map[string]component{}
	for _, name := range []string{"b", "a"} {
		purl := "pkg:golang/example.org/" + name + "@v1.0.0"
		modules[purl] = component{Type: "library", Ref: purl, Name: "example.org/" + name, Version: "v1.0.0", PURL: purl}
	}
	text := must.Get(billText(modules, time.Unix(0, 0)))(t)
	again, _ := billText(modules, time.Unix(0, 0))
	if !bytes.Equal(text, again) {
		t.Error("made twice, it differs")
	}
	var bill struct {
		SerialNumber string
		Components   []component
		Dependencies []struct{ DependsOn []string }
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	if len(bill.Components) != 2 || bill.Components[0].Name != "example.org/a" || len(bill.Dependencies[0].DependsOn) != 2 || len(bill.SerialNumber) != len("urn:uuid:")+36 {
		t.Errorf("%s", text)
	}
}
