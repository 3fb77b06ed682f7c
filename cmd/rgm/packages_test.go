package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

const module = "github.com/rgm-go/rgm/"

// modules are their folders.
var modules = []string{"../..", "../../cluster", "../../lab"}

// listedPackage is what this test asks go list for.
type listedPackage struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
	CgoFiles   []string
	Dir        string
}

// listPackages returns all packages of the modules.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	var all []listedPackage
	for _, folder := range modules {
		out := must.Get(exec.Command("go", "-C", folder, "list", "-json=ImportPath,Imports,GoFiles,CgoFiles,Dir", "./...").Output())(t)
		for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
			var p listedPackage
			if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
	}
	return all
}

// tableOfPackages returns the names in the first column of CONTRIBUTING.md's table, in
// their order.
func tableOfPackages(t *testing.T) []string {
	t.Helper()
	text := must.Get(os.ReadFile("../../CONTRIBUTING.md"))(t)
	_, table, found := strings.Cut(string(text), "| package | holds |\n")
	if !found {
		t.Fatal("CONTRIBUTING.md has no table of packages")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var names []string
	for line := range strings.Lines(table) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			names = append(names, name[1])
		}
	}
	return names
}

// nameOf returns what the table calls a package: its folder, rgm for that of the module.
func nameOf(path string) string {
	if path+"/" == module {
		return "rgm"
	}
	return strings.TrimPrefix(path, module)
}

// TestPackages: CONTRIBUTING.md's table has every package, each below all that it imports,
// so that imports run one way; and what is outside has one door.
func TestPackages(t *testing.T) {
	table, packages := tableOfPackages(t), listPackages(t)
	doors := map[string][]string{ // the packages that may import it
		"github.com/spf13/viper": {"cli/settings"},
		"gonum.org/v1/plot":      {"cli/pictures", "lab/plots"},
	}
	for _, p := range packages {
		name := nameOf(p.ImportPath)
		place := slices.Index(table, name)
		if place < 0 {
			t.Errorf("%s is not in CONTRIBUTING.md's table of packages", name)
			continue
		}
		for _, imported := range p.Imports {
			if below := nameOf(imported); below != imported && slices.Index(table, below) > place {
				t.Errorf("%s imports %s, which stands below it in CONTRIBUTING.md's table", name, below)
			}
			for outside, homes := range doors {
				if (imported == outside || strings.HasPrefix(imported, outside+"/")) && !slices.Contains(homes, name) {
					t.Errorf("%s imports %s, which only %v may", name, imported, homes)
				}
			}
			if strings.HasPrefix(imported, "github.com/spf13/") && name == "lab/bench" {
				t.Errorf("%s imports %s: what is measured knows no command line", name, imported)
			}
		}
	}
	for _, name := range table {
		if !slices.ContainsFunc(packages, func(p listedPackage) bool { return nameOf(p.ImportPath) == name }) {
			t.Errorf("CONTRIBUTING.md's table has %s, which is no package", name)
		}
	}
}

// TestSizes: a file is read on a few screens.
func TestSizes(t *testing.T) {
	const mostOfFile = 400
	for _, p := range listPackages(t) {
		for _, name := range append(p.GoFiles, p.CgoFiles...) {
			text := must.Get(os.ReadFile(filepath.Join(p.Dir, name)))(t)
			lines := strings.Count(string(text), "\n")
			if lines > mostOfFile && !strings.HasSuffix(p.ImportPath, "test") { // what tests share may be longer
				t.Errorf("%s/%s has %d lines, more than %d", p.ImportPath, name, lines, mostOfFile)
			}
		}
	}
}
