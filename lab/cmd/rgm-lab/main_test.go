package main

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/paper"
)

// testCommands are the programs that tests can run.
var testCommands = map[string]func(){"rgm-lab": main}

func TestMain(m *testing.M) { testscript.Main(m, testCommands) }

func TestScripts(t *testing.T) { clitest.Scripts(t, "rgm-lab") }

func TestEveryFlagIsASetting(t *testing.T) { clitest.EveryFlagIsASetting(t, newRoot) }

func TestSectionsHaveEveryFlag(t *testing.T) { clitest.SectionsHaveEveryFlag(t, newRoot) }

func TestCommandsInDocs(t *testing.T) { clitest.CommandsInDocs(t, newRoot) }

func TestCommandsInExamples(t *testing.T) { clitest.CommandsInExamples(t, newRoot) }

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

func TestFieldsAreTheDocumentedOnes(t *testing.T) {
	clitest.FieldsAreDocumented(t, map[string]any{
		"rgm-lab bench qaplib": bench.QAPLIBRow{}, "rgm-lab bench matching": bench.MatchingRow{}, "rgm-lab bench training": bench.StudyResult{},
		"rgm-lab bench models": bench.ModelRow{}, "rgm-lab report": paper.Result{},
	})
}
