package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/rgm-go/rgm/cli"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/internal/version"
)

// manuals returns the manual pages of rgm's verbs and the completions of four shells, as cobra makes them.
func manuals(date time.Time) (files []file, err error) {
	root := cli.Root(console.New(os.Stderr))
	root.DisableAutoGenTag = true // the day on which they were made
	root.InitDefaultHelpFlag()
	page := func(name string, write func(io.Writer) error) {
		var text bytes.Buffer
		if err == nil {
			err = write(&text)
		}
		files = append(files, file{name, text.Bytes(), 0o644})
	}
	for _, verb := range verbs(root) {
		name := strings.ReplaceAll(verb.CommandPath(), " ", "-")
		header := doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Date: &date, Source: "rgm " + version.Number, Manual: "rgm"}
		page("man/man1/"+name+".1", func(w io.Writer) error { return doc.GenMan(verb, &header, w) })
	}
	page("completions/rgm.bash", func(w io.Writer) error { return root.GenBashCompletionV2(w, true) })
	page("completions/_rgm", root.GenZshCompletion)
	page("completions/rgm.fish", func(w io.Writer) error { return root.GenFishCompletion(w, true) })
	page("completions/rgm.ps1", root.GenPowerShellCompletionWithDesc)
	return files, err
}

// verbs returns a command and all below it that its help lists.
func verbs(of *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{of}
	for _, below := range of.Commands() {
		if below.IsAvailableCommand() {
			all = append(all, verbs(below)...)
		}
	}
	return all
}
