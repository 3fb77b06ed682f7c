package rgm_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/table"
)

//go:generate go test . -run TestGenerated -update

var update = flag.Bool("update", false, "write anew what is made from the table of options")

// TestGenerated: what other languages and readers have of the options is made from their table.
func TestGenerated(t *testing.T) {
	for _, of := range []struct {
		file, begin, end string // what stands between these lines
		text             func() string
	}{
		{"docs/OPTIONS.md", "<!-- made from the table -->\n", "<!-- to here -->\n", optionsPage},
		{"docs/tutorials/match.md", "<!-- made from the table of formats -->\n", "<!-- to here -->\n", func() string { return wrap(graphs.Formats()+".", "", 140) }},
		{"docs/reference.txt", "THE PACKAGE\n", "END\n", reference(t)},
		{"capi/rgm.h", " * The options, by their JSON names:\n", " * So far. */\n", optionsOfHeader(rgm.OptionTable())},
		{"capi/rgm.h", " * Its options, by their JSON names:\n", " * The result has ", optionsOfHeader(rgm.DistanceTable())},
		{"web/npm/index.d.ts", "// The options: made from the table by go generate; do not edit.\n", "// So far.\n", optionsOfTypeScript("Options", rgm.OptionTable())},
		{"web/npm/index.d.ts", "// Options of a distance: made from their table by go generate; do not edit.\n", "// So far, of a distance.\n", optionsOfTypeScript("DistanceOptions", rgm.DistanceTable())},
		{"python/rgm/_options.py", "# The options: made from the table by go generate; do not edit.\n", "# So far.\n", optionsOfPython("Options", "a search, which all functions but those of distances take", rgm.OptionTable())},
		{"python/rgm/_options.py", "# Options of a distance: made from their table by go generate; do not edit.\n", "# So far, of a distance.\n", optionsOfPython("DistanceOptions", "a distance, which rgm.distance and rgm.distances take", rgm.DistanceTable())},
	} {
		text := string(must.Get(os.ReadFile(of.file))(t))
		before, rest, begins := strings.Cut(text, of.begin)
		_, after, ends := strings.Cut(rest, of.end)
		if !begins || !ends {
			t.Errorf("%s has no lines %q and %q", of.file, of.begin, of.end)
			continue
		}
		want := before + of.begin + of.text() + of.end + after
		if *update {
			if err := os.WriteFile(of.file, []byte(want), 0o666); err != nil {
				t.Error(err)
			}
		} else if text != want {
			t.Errorf("%s is not of the table in options.go: go generate . makes it so", of.file)
		}
	}
}

// wrap returns words in lines of a width, each after the first behind an indent.
func wrap(first, indent string, width int) string {
	var lines []string
	line := ""
	for i, word := range strings.Split(first, " ") {
		if i > 0 && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = indent + word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n") + "\n"
}

// kindOf names the JSON type of an option.
func kindOf(f table.Field) string {
	t := f.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "duration"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Int:
		return "integers"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Slice:
		return "rows of numbers"
	case t.Kind() == reflect.Slice:
		return "strings"
	}
	return map[reflect.Kind]string{
		reflect.Bool: "boolean", reflect.String: "string", reflect.Float64: "number", reflect.Int: "integer", reflect.Uint64: "integer",
	}[t.Kind()]
}

// about says what an option is for, and of which call.
func about(f table.Field) string {
	text := f.About()
	if len(f.For) == 1 {
		text = map[string]string{"solve": "of instances: ", "match": "of two graphs: "}[f.For[0]] + text
	}
	return text
}

// formOf says how the command line takes an option in another form.
func formOf(f table.Field) string {
	switch {
	case f.File != "":
		return "; `--" + f.File + " FILE`"
	case f.Opposite != "":
		return "; `--" + f.Opposite + "=false`"
	}
	return ""
}

func optionsPage() (page string) {
	groups := []string{}
	all := slices.Concat(rgm.OptionTable(), slices.DeleteFunc(rgm.DistanceTable(), func(f table.Field) bool { return len(f.For) > 1 }))
	for _, f := range all {
		if !slices.Contains(groups, f.Group) {
			groups = append(groups, f.Group)
		}
	}
	for _, group := range groups {
		title := group
		if group == "" {
			title = "Others"
		}
		page += "\n## " + title + "\n"
		for _, f := range all {
			if f.Group == group {
				page += wrap(fmt.Sprintf("- `%s` (%s%s): %s", f.Name, kindOf(f), formOf(f), about(f)), "  ", 118)
			}
		}
	}
	return page + "\n"
}

func optionsOfHeader(all []table.Field) func() string {
	return func() (text string) {
		for _, f := range all {
			text += wrap(fmt.Sprintf(" *   %s (%s): %s", f.Name, kindOf(f), about(f)), " *     ", 118)
		}
		return text
	}
}

func optionsOfTypeScript(name string, all []table.Field) func() string {
	return func() string {
		text := "export interface " + name + " {\n"
		for _, f := range all {
			kind := map[string]string{"duration": "string | number", "integers": "ArrayLike<number>", "strings": "string[]", "rows of numbers": "number[][]", "integer": "number"}[kindOf(f)]
			if kind == "" {
				kind = kindOf(f)
			}
			if f.Enum != nil {
				kind = "'" + strings.Join(f.Enum, "' | '") + "'"
			}
			text += wrap("  /** "+about(f)+" */", "   * ", 118) + "  " + f.Name + "?: " + kind + "\n"
		}
		return text + "}\n"
	}
}

func optionsOfPython(name, of string, all []table.Field) func() string {
	return func() string {
		text := "class " + name + "(TypedDict, total=False):\n    \"\"\"Options of " + of + " as keyword arguments.\"\"\"\n\n"
		for _, f := range all {
			kind := map[string]string{
				"duration": "str | float", "integers": "Sequence[int]", "strings": "Sequence[str]", "rows of numbers": "Sequence[Sequence[float]]", "integer": "int", "number": "float", "string": "str", "boolean": "bool",
			}[kindOf(f)]
			text += wrap("    # "+about(f), "    # ", 118) + "    " + f.Name + ": " + kind + "\n"
		}
		return text
	}
}

// reference lists what package rgm exports, with the first sentence about each, then the fields of its options and results.
func reference(t *testing.T) func() string {
	return func() string {
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range must.Get(filepath.Glob("*.go"))(t) {
			if !strings.HasSuffix(name, "_test.go") {
				parsed = append(parsed, must.Get(parser.ParseFile(files, name, nil, parser.ParseComments))(t))
			}
		}
		of := must.Get(doc.NewFromFiles(files, parsed, "github.com/rgm-go/rgm"))(t)
		var text strings.Builder
		function := func(f *doc.Func) {
			if f.Doc == "" { // a method that an interface of Go asks for
				return
			}
			f.Decl.Doc, f.Decl.Body = nil, nil
			if err := format.Node(&text, files, f.Decl); err != nil {
				t.Error(err)
			}
			text.WriteString("\n" + wrap("    "+of.Synopsis(f.Doc), "    ", 118))
		}
		for _, f := range of.Funcs {
			function(f)
		}
		for _, typ := range of.Types {
			text.WriteString("type " + typ.Name + "\n" + wrap("    "+of.Synopsis(typ.Doc), "    ", 118))
			for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
				function(f)
			}
		}
		for _, list := range []struct {
			title  string
			fields []table.Field
		}{{"OPTIONS OF SOLVE AND MATCH", rgm.OptionTable()}, {"OPTIONS OF DISTANCE", rgm.DistanceTable()}} {
			text.WriteString("\n" + list.title + "\n")
			for _, f := range list.fields {
				limits := ""
				if f.Minimum != "" {
					limits += ", at least " + f.Minimum
				}
				if f.Maximum != "" {
					limits += ", at most " + f.Maximum
				}
				if f.Enum != nil {
					limits += ", one of " + strings.Join(f.Enum, " ")
				}
				text.WriteString(wrap(fmt.Sprintf("%s (%s%s): %s", f.Name, kindOf(f), limits, about(f)), "    ", 118))
			}
		}
		text.WriteString("\nFIELDS OF RESULTS, BY THEIR NAMES IN JSON\n")
		for _, result := range []reflect.Type{reflect.TypeFor[rgm.Result](), reflect.TypeFor[rgm.DistanceResult]()} {
			var names []string
			for _, f := range table.Of(result) {
				names = append(names, f.Name)
			}
			text.WriteString(wrap(result.Name()+": "+strings.Join(names, ", "), "    ", 118))
		}
		return text.String()
	}
}
