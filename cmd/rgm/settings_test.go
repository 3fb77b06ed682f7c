package main

import (
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
)

// commandsWithFlags returns all commands that have flags of their own.
func commandsWithFlags(c *cobra.Command) []*cobra.Command {
	var found []*cobra.Command
	if c.HasParent() && c.LocalNonPersistentFlags().HasFlags() {
		found = append(found, c)
	}
	for _, sub := range c.Commands() {
		found = append(found, commandsWithFlags(sub)...)
	}
	return found
}

// TestEveryFlagIsASetting: a flag that no field takes up would be read from no
// file and change nothing.
func TestEveryFlagIsASetting(t *testing.T) {
	commands := commandsWithFlags(newRoot(console.Discard()))
	if len(commands) < 8 {
		t.Fatalf("only %d commands have flags", len(commands))
	}
	for _, c := range commands {
		path := strings.Fields(c.CommandPath())[1:]
		t.Run(strings.Join(path, " "), func(t *testing.T) {
			var out strings.Builder
			root := newRoot(console.Discard())
			root.SetArgs(append(path, "--"+settings.PrintConfigFlag))
			root.SetOut(&out)
			root.SetErr(io.Discard)
			if err := root.Execute(); err != nil {
				t.Fatal(err)
			}
			var table map[string]any
			if err := toml.Unmarshal([]byte(out.String()), &table); err != nil {
				t.Fatal(err)
			}
			settings := slices.Collect(maps.Keys(table))
			c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				if f.Name != setFlag && f.Name != "help" && !slices.Contains(settings, f.Name) {
					t.Errorf("--%s is no setting", f.Name)
				}
			})
		})
	}
}

// TestDefaultsAreThoseOfTheFlags: the printed defaults are what the help says.
func TestDefaultsAreThoseOfTheFlags(t *testing.T) {
	var out strings.Builder
	root := newRoot(console.Discard())
	root.SetArgs([]string{"bench", "qaplib", "--" + settings.PrintConfigFlag})
	root.SetOut(&out)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"classes = []", "max-n = 64", "methods = ['rgm', 'greedy', 'greedy-tabu', 'greedy-ages', 'tabu']",
		"model = ''", "provider = 'auto'", "time-limit = '0s'", "workers = 1",
	} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
}

// TestSectionsHaveEveryFlag: those of long commands stand below a title, and every flag of a
// title is one of theirs.
func TestSectionsHaveEveryFlag(t *testing.T) {
	unused := map[string]bool{}
	for _, s := range sections {
		for _, flag := range s.Flags {
			name, _, _ := strings.Cut(flag, " ")
			unused[name] = true
		}
	}
	inSections := 0
	for _, c := range commandsWithFlags(newRoot(console.Discard())) {
		var out strings.Builder
		root := newRoot(console.Discard())
		root.SetArgs(append(strings.Fields(c.CommandPath())[1:], "--help"))
		root.SetOut(&out)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		_, others, found := strings.Cut(out.String(), "Other flags:\n")
		if !found {
			continue
		}
		inSections++
		if !strings.HasPrefix(others, "  -h, --help") || strings.Index(others, "\n\n") != strings.Index(others, "\n") {
			t.Errorf("%s: flags of no section:\n%s", c.CommandPath(), others)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { delete(unused, f.Name) })
	}
	if inSections < 8 || len(unused) > 0 {
		t.Errorf("%d commands have sections; flags %v are of none of them", inSections, unused)
	}
}
