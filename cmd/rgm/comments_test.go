package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExportedNamesHaveComments: staticcheck's ST1020 to ST1022 look at the form of the comments that there are;
// a name without one, of a function, a method, a type or a group of values, fails here.
func TestExportedNamesHaveComments(t *testing.T) {
	spoken := []string{"String", "Error", "Unwrap", "MarshalJSON", "UnmarshalJSON", "Close", "Len", "Less", "Swap"} // of the standard library's interfaces
	for _, p := range listPackages(t) {
		files, parsed := token.NewFileSet(), []*ast.File(nil)
		for _, name := range append(slices.Clone(p.GoFiles), p.CgoFiles...) {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		of, err := doc.NewFromFiles(files, parsed, p.ImportPath)
		if err != nil {
			t.Fatal(err)
		}
		if of.Name == "main" {
			continue
		}
		check := func(name, comment string) {
			if strings.TrimSpace(comment) == "" {
				t.Errorf("%s: %s has no comment", p.ImportPath, name)
			}
		}
		functions := func(all []*doc.Func) {
			for _, f := range all {
				if !slices.Contains(spoken, f.Name) {
					check(f.Name, f.Doc)
				}
			}
		}
		functions(of.Funcs)
		for _, one := range of.Types {
			check(one.Name, one.Doc)
			functions(one.Funcs)
			functions(slices.DeleteFunc(one.Methods, func(m *doc.Func) bool { return m.Level > 0 })) // not those embedded
		}
	}
}
