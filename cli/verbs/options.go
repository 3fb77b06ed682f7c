package verbs

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/models/pretrained"
)

// optionsOf returns the options of a call.
func optionsOf(call string) []table.Field {
	all := rgm.OptionTable()
	if call == "distance" {
		all = rgm.DistanceTable()
	}
	return slices.DeleteFunc(all, func(f table.Field) bool { return f.For != nil && !slices.Contains(f.For, call) })
}

// named is the name of an option in the text of another, and inBrackets what holds where nothing is said.
var (
	named      = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)
	inBrackets = regexp.MustCompile(`\(([^()]*)\)$`)
)

// usage returns the help of the flag of an option.
func usage(f *table.Field) string {
	text := named.ReplaceAllStringFunc(f.Doc, func(name string) string { return "--" + strings.ReplaceAll(name, "_", "-") })
	if f.Default == "" {
		text = inBrackets.ReplaceAllString(text, "(default $1)")
	}
	return text
}

// AddOptions adds the flags of the options of a call, solve, match or distance, whose values may be choices, or of those
// options alone that are named.
func AddOptions(cmd *cobra.Command, call string, methods []string, names ...string) {
	choices := table.Choices{"method": methods, "affinity": rgm.Affinities(), "refine": search.Refinements(), "model": pretrained.Names(), "costs": costs.Names()}
	flags := cmd.Flags()
	for _, f := range optionsOf(call) {
		name, text := strings.ReplaceAll(f.Name, "_", "-"), usage(&f)
		if f.Flag == "-" || len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		if f.Choices == "method" {
			text += "; those without learning are " + strings.Join(search.Unlearned(methods), ", ")
		}
		number, _ := strconv.Atoi(f.Default) // 0 of none
		switch {
		case f.Type == reflect.TypeFor[time.Duration]():
			flags.Duration(name, 0, text)
		case f.Type.Kind() == reflect.Bool:
			flags.Bool(name, false, text)
		case f.Type.Kind() == reflect.Int:
			flags.Int(name, number, text)
		case f.Type.Kind() == reflect.Uint64:
			flags.Uint64(name, 0, text)
		case f.Type == reflect.TypeFor[[]string]():
			flags.StringSlice(name, nil, text)
		case f.Type.Kind() == reflect.String, f.Type == reflect.TypeFor[*float64]():
			flags.String(name, f.Default, text)
		default:
			panic(fmt.Sprintf("verbs: the option %s has no flag", f.Name))
		}
		switch values := choices.Values(&f); {
		case f.Choices != "" && f.Choices != "method":
			settings.CompleteOrFile(cmd, name, values...)
		case values != nil:
			settings.Complete(cmd, name, values...)
		}
	}
}

// AddForms adds the flags of these names that give an option in another form: a file of it, or its opposite.
func AddForms(cmd *cobra.Command, names ...string) {
	for _, f := range rgm.OptionTable() {
		if slices.Contains(names, f.File) {
			cmd.Flags().String(f.File, "", "`file` of "+f.Usage)
		}
		if slices.Contains(names, f.Opposite) {
			cmd.Flags().Bool(f.Opposite, true, f.Usage)
		}
	}
}

// firstOf returns the flags that the help of a call shows first: options, and others.
func firstOf(call string, more ...string) (names []string) {
	for _, f := range optionsOf(call) {
		if slices.Contains(f.First, call) {
			names = append(names, f.Flags()...)
		}
	}
	return append(names, more...)
}

// Sections are the flags of the commands that have many, as their help shows them: options below their group.
func Sections() []settings.Section {
	all := slices.Clone(sections)
	for _, f := range rgm.OptionTable() {
		k := slices.IndexFunc(all, func(s settings.Section) bool { return s.Title == f.Group })
		for _, name := range f.Flags() {
			if k >= 0 && !slices.Contains(all[k].Flags, name) {
				all[k].Flags = append(slices.Clone(all[k].Flags), name)
			}
		}
	}
	return all
}
