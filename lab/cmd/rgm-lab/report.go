package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/version"
	"github.com/rgm-go/rgm/lab/paper"
)

// reportSettings are the settings of rgm-lab report.
type reportSettings struct {
	Full  bool     `mapstructure:"full"`
	Quick bool     `mapstructure:"quick"`
	Data  string   `mapstructure:"data"`
	Parts []string `mapstructure:"parts"`
	Pages bool     `mapstructure:"pages"`
}

func newReport(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report [FOLDER]",
		Short: "Measure the paper's tables and figures, in one page",
		Long: `Run everything that the paper's tables and figures need, beside the paper's numbers, and
write a page that needs nothing else, report.html, and the same as Markdown, report.md
with its pictures. Each result is a file of the folder (default runs/report) as soon as it
is there: after an end of any kind, the same command goes on.

--quick takes ten minutes on two cores: few pairs, trainings of seconds. --full takes
hours, its trainings 30,000 updates each with four seeds, of which each takes one to three
minutes of a core. Without --data it uses what is in the program and generated pairs.

The parts are:
` + strings.TrimRight(paper.Help(), "\n"),
		Example: `  rgm-lab report
  rgm-lab report --full --data data --parts table1,table4 runs/full
  rgm-lab report --full --parts figure11 runs/full`,
		Args: settings.Arguments(cobra.MaximumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s reportSettings, args []string) error {
			dir := filepath.Join("runs", "report")
			if len(args) > 0 {
				dir = args[0]
			}
			return makeReport(cmd.Context(), c, &s, dir, cmd.OutOrStdout())
		}),
	}
	flags := cmd.Flags()
	flags.Bool("quick", false, "a run of minutes (the default)")
	flags.Bool("full", false, "a run of hours")
	flags.String("data", "", "`folder` of the sets that are not part of the program (lab/notes/MATCHING_RESULTS.md)")
	flags.StringSlice("parts", nil, "parts to make (default all); the pages keep those of earlier runs")
	flags.Bool("pages", false, "run nothing: write the pages of the results that are there")
	settings.Complete(cmd, "parts", paper.IDs()...)
	return cmd
}

// makeReport runs what is missing and prints where the pages are.
func makeReport(ctx context.Context, c *console.Console, s *reportSettings, dir string, out io.Writer) error {
	if s.Quick && s.Full {
		return settings.Usage(errors.New("--quick and --full: want one of them"))
	}
	o := paper.Options{Dir: dir, Data: s.Data, Full: s.Full, Only: s.Parts, PagesOnly: s.Pages}
	if err := settings.Usage(o.Check()); err != nil {
		return err
	}
	lock, err := results.Claim(dir)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer lock.Close()
	run := func(ctx context.Context, args []string, out io.Writer) error {
		root := newRoot(c)
		root.SetArgs(args)
		root.SetOut(out)
		defer c.EndBar()
		return root.ExecuteContext(ctx)
	}
	tell := func(done, of int, unit, event string) {
		c.Log.Info(unit+" "+event, "done", fmt.Sprintf("%d of %d", done, of))
	}
	commit, changed := version.Commit()
	program := paper.Program{Version: version.Number, Commit: commit, Changed: changed, Go: runtime.Version(), System: paper.System()}
	err = paper.Run(ctx, o, program, run, tell)
	for _, file := range []string{paper.HTMLFile, paper.MarkdownFile} {
		if _, missing := os.Stat(filepath.Join(dir, file)); missing == nil {
			fmt.Fprintln(out, filepath.Join(dir, file))
		}
	}
	return err
}
