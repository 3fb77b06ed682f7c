package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/version"
	"github.com/rgm-go/rgm/lab/bench"
)

// benchPageSettings are the settings of rgm-lab bench page.
type benchPageSettings struct {
	Studies []string `mapstructure:"studies"`
	Data    string   `mapstructure:"data"`
	Keep    string   `mapstructure:"keep"`
	Render  bool     `mapstructure:"render"`
}

func newBenchPage(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "page",
		Short: "Measure the page of benchmarks for users",
		Long: `Measure everything that ` + bench.PageFile + ` shows, rgm and the programs beside it one after
the other on one core, in processor time; write it to ` + bench.PageData + `, and its tables into the page. It
runs in the root of the repository, an hour for all studies. What a command printed is kept: after an end of
any kind the same command goes on.

The programs beside it need Debian's python3-scipy and python3-networkx.`,
		Example: `  rgm-lab bench page --data data
  rgm-lab bench page --studies qaplib,policy
  rgm-lab bench page --render                  # measures nothing`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s benchPageSettings, _ []string) error {
			return benchPage(cmd.Context(), c, &s)
		}),
	}
	flags := cmd.Flags()
	flags.StringSlice("studies", nil, "studies to measure (default all): "+strings.Join(bench.PageStudyNames(), ", "))
	flags.String("data", "data", "`folder` of published pairs (lab/notes/MATCHING_RESULTS.md)")
	flags.String("keep", filepath.Join("runs", "page"), "`folder` of what commands printed")
	flags.Bool("render", false, "measure nothing: write the tables of what is measured")
	settings.Complete(cmd, "studies", bench.PageStudyNames()...)
	return cmd
}

// benchPage measures the studies, and renders the page.
func benchPage(ctx context.Context, c *console.Console, s *benchPageSettings) error {
	for _, name := range s.Studies {
		if err := settings.Usage(settings.OneOf("studies", name, bench.PageStudyNames()...)); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(bench.PageFile)
	if err != nil {
		return settings.Usage(fmt.Errorf("want to run in the root of the repository: %w", err))
	}
	if !s.Render {
		p := bench.Page{
			Root: ".", Data: s.Data, Keep: s.Keep, Studies: s.Studies,
			Program: bench.PageStudy{Version: version.Number, Commit: commitHere(ctx), Date: time.Now().Format(time.DateOnly), Machine: "one core of " + processor()},
			Run: func(ctx context.Context, args []string, out io.Writer) error {
				root := newRoot(c)
				root.SetArgs(args)
				root.SetOut(out)
				defer c.EndBar()
				return root.ExecuteContext(ctx)
			},
			Tell: func(command string) { c.Log.Info("runs", "command", command) },
		}
		if err := p.Measure(ctx); err != nil {
			return fmt.Errorf("bench page: %w", err)
		}
	}
	studies, err := bench.ReadPageStudies(".")
	if err != nil {
		return err
	}
	page, err := bench.RenderPage(string(text), studies)
	if err != nil {
		return err
	}
	return atomicfile.Write(bench.PageFile, atomicfile.Bytes([]byte(page)))
}

// commitHere returns the commit of the program, or that of the repository where the program was built without it.
func commitHere(ctx context.Context) string {
	commit, _ := version.Commit()
	if commit == "" {
		out, _ := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
		commit = strings.TrimSpace(string(out))
	}
	return commit
}

// processor names the processor, as far as the system tells.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	_, name, found := strings.Cut(string(text), "model name\t: ")
	if !found {
		return runtime.GOARCH
	}
	name, _, _ = strings.Cut(name, "\n")
	return name
}
