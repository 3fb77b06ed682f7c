package clitest

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
)

// documentedFields returns the fields in the list, or the first column of the table, below a
// heading of docs/CLI_JSON.md, or, for rgm-lab, of the page of the same name in its notes.
func documentedFields(t *testing.T, heading string) []string {
	t.Helper()
	page := "docs/CLI_JSON.md"
	if strings.HasPrefix(heading, "rgm-lab ") {
		page = "lab/notes/CLI_JSON.md"
	}
	text := must.Get(os.ReadFile(filepath.Join(testdata.Repository(t), page)))(t)
	_, section, found := strings.Cut(string(text), "## `"+heading+"`\n")
	if !found {
		t.Fatalf("%s has no section %s", page, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	section, _, _ = strings.Cut(section, "\n### ") // of other objects
	var fields []string
	for line := range strings.Lines(section) {
		names := ""
		if item, listed := strings.CutPrefix(line, "- "); listed {
			names, _, _ = strings.Cut(item, " (")
		} else if cells := strings.Split(line, "|"); len(cells) > 1 && cells[0] == "" {
			names = cells[1]
		}
		for _, name := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(names, -1) {
			fields = append(fields, name[1])
		}
	}
	return fields
}

// JSONFields returns the names of the fields of an object in JSON, in their order, without those of parts
// that may be missing.
func JSONFields(t *testing.T, object any) []string {
	t.Helper()
	var fields []string
	of := reflect.TypeOf(object)
	optional := func(f reflect.StructField) bool {
		for n := 1; n < len(f.Index); n++ {
			if of.FieldByIndex(f.Index[:n]).Type.Kind() == reflect.Pointer {
				return true
			}
		}
		return false
	}
	for _, f := range reflect.VisibleFields(of) {
		if optional(f) {
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields = append(fields, name)
		}
	}
	return fields
}

// FieldsAreDocumented fails unless the objects, by the headings of CLI_JSON.md, have the
// fields in JSON that their tables say.
func FieldsAreDocumented(t *testing.T, objects map[string]any) {
	t.Helper()
	for heading, object := range objects {
		documented := documentedFields(t, heading)
		have := JSONFields(t, object)
		if heading == "rgm solve" {
			have = append(have, "error") // of a failure
		} else { // documented in another order
			slices.Sort(documented)
			slices.Sort(have)
		}
		if !slices.Equal(have, documented) {
			t.Errorf("%s: fields\n%v, documented\n%v", heading, have, documented)
		}
	}
}
