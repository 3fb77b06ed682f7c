package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rgm-go/rgm/cli"
	"github.com/rgm-go/rgm/cli/clitest"
)

// testCommands are the programs that tests can run.
var testCommands = map[string]func(){"rgm": main}

func TestMain(m *testing.M) { testscript.Main(m, testCommands) }

func TestScripts(t *testing.T) { clitest.Scripts(t, "rgm") }

func TestEveryFlagIsASetting(t *testing.T) { clitest.EveryFlagIsASetting(t, cli.Root) }

func TestSectionsHaveEveryFlag(t *testing.T) { clitest.SectionsHaveEveryFlag(t, cli.Root) }

func TestFirstScreens(t *testing.T) { clitest.FirstScreens(t, cli.Root) }

func TestCommandsInDocs(t *testing.T) { clitest.CommandsInDocs(t, cli.Root) }

func TestCommandsInExamples(t *testing.T) { clitest.CommandsInExamples(t, cli.Root) }
