package clitest

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
)

// NewRoot makes the command line of a program.
type NewRoot func(*console.Console) *cobra.Command

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

// EveryFlagIsASetting holds that a flag that no field takes up would be read from no
// file and change nothing.
func EveryFlagIsASetting(t *testing.T, newRoot NewRoot) {
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
				if f.Name != verbs.SetFlag && f.Name != "help" && !slices.Contains(settings, f.Name) {
					t.Errorf("--%s is no setting", f.Name)
				}
			})
		})
	}
}

// SectionsHaveEveryFlag holds that the flags of long commands stand below a title.
func SectionsHaveEveryFlag(t *testing.T, newRoot NewRoot) {
	inSections := 0
	for _, c := range commandsWithFlags(newRoot(console.Discard())) {
		var out strings.Builder
		root := newRoot(console.Discard())
		root.SetArgs(append(strings.Fields(c.CommandPath())[1:], "--"+settings.HelpAllFlag, "--help"))
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
	}
	if inSections < 4 {
		t.Errorf("%d commands have sections", inSections)
	}
}

// FirstScreens holds that the help of commands with many flags shows those that most need, and says
// where the others are.
func FirstScreens(t *testing.T, newRoot NewRoot) {
	const mostFlags, mostLines = 14, 52
	for _, c := range newRoot(console.Discard()).Commands() {
		if verbs.First[c.Name()] == nil {
			continue
		}
		var out strings.Builder
		root := newRoot(console.Discard())
		root.SetArgs([]string{c.Name(), "--help"})
		root.SetOut(&out)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		flags := len(regexp.MustCompile(`(?m)^  (-\w,|   ) --`).FindAllString(out.String(), -1))
		if lines := strings.Count(out.String(), "\n"); flags > mostFlags || flags < 8 || lines > mostLines {
			t.Errorf("%s --help shows %d flags in %d lines, want at most %d in %d", c.Name(), flags, lines, mostFlags, mostLines)
		}
		if !strings.Contains(out.String(), " --help-all shows all flags") {
			t.Errorf("%s --help does not say where the other flags are", c.Name())
		}
	}
}
