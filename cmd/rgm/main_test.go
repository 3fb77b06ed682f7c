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
var testCommands = map[string]func(){"rgm": main}

func TestMain(m *testing.M) { testscript.Main(m, testCommands) }

// newRoot returns the command line.
func newRoot(c *console.Console) *cobra.Command { return cli.Root(c) }

func TestScripts(t *testing.T) { clitest.Scripts(t, "rgm") }

func TestEveryFlagIsASetting(t *testing.T) { clitest.EveryFlagIsASetting(t, newRoot) }

func TestSectionsHaveEveryFlag(t *testing.T) { clitest.SectionsHaveEveryFlag(t, newRoot) }

func TestFirstScreens(t *testing.T) { clitest.FirstScreens(t, newRoot) }

func TestCommandsInDocs(t *testing.T) { clitest.CommandsInDocs(t, newRoot) }

func TestCommandsInExamples(t *testing.T) { clitest.CommandsInExamples(t, newRoot) }
