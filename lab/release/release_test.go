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
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

// TestManuals: each verb that rgm lists has a page with what its help has, and each of four shells its completions; the same
// day gives the same bytes.
func TestManuals(t *testing.T) {
	files := must.Get(manuals(time.Unix(0, 0)))(t)
	text := map[string]string{}
	for _, f := range files {
		text[f.name] = string(f.content)
	}
	for name, wants := range map[string][]string{
		"man/man1/rgm.1":                   {`.TH "RGM" "1" "Jan 1970"`, "rgm solve nug30"},
		"man/man1/rgm-solve.1":             {"rgm-solve - Solve instances", `\fB--time-limit\fP`, ".SH EXAMPLE"},
		"man/man1/rgm-datasets-generate.1": {"--family"},
		"completions/rgm.bash":             {"rgm"},
		"completions/_rgm":                 {"#compdef rgm"},
		"completions/rgm.fish":             {"complete -c rgm"},
		"completions/rgm.ps1":              {"Register-ArgumentCompleter"},
	} {
		for _, want := range wants {
			if !strings.Contains(text[name], want) {
				t.Errorf("%s: no %q in\n%.600s", name, want, text[name])
			}
		}
	}
	if again := must.Get(manuals(time.Unix(0, 0)))(t); !reflect.DeepEqual(files, again) {
		t.Error("the second time they are others")
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
