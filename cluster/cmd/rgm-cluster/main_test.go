package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli"
	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/console"
)

// testCommands are the programs that tests can run.
var testCommands = map[string]func(){"rgm-cluster": main}

func TestMain(m *testing.M) { testscript.Main(m, testCommands) }

func newRoot(c *console.Console) *cobra.Command { return cli.Root(c, options...) }

func TestScripts(t *testing.T) { clitest.Scripts(t, "rgm-cluster") }

func TestEveryFlagIsASetting(t *testing.T) { clitest.EveryFlagIsASetting(t, newRoot) }

func TestSectionsHaveEveryFlag(t *testing.T) { clitest.SectionsHaveEveryFlag(t, newRoot) }

func TestFirstScreens(t *testing.T) { clitest.FirstScreens(t, newRoot) }

func TestCommandsInDocs(t *testing.T) { clitest.CommandsInDocs(t, newRoot) }

func TestCommandsInExamples(t *testing.T) { clitest.CommandsInExamples(t, newRoot) }
