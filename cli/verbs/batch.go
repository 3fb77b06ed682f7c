package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// Batch are the settings of a verb that serves many inputs.
type Batch struct {
	Folder  results.Settings      `mapstructure:",squash"`
	Folders inputs.FolderSettings `mapstructure:",squash"`
	Log     console.Settings      `mapstructure:",squash"`

	Workers   int           `mapstructure:"workers"`
	Format    string        `mapstructure:"format"`
	Summary   string        `mapstructure:"summary"`
	TotalTime time.Duration `mapstructure:"total-time"`
}

// AddBatchFlags adds the flags of Batch. of are the inputs in words, format and out say what
// --format and --out are.
func AddBatchFlags(cmd *cobra.Command, of, format, out string) {
	flags := cmd.Flags()
	flags.StringP("out", "o", "", out)
	flags.Bool("resume", false, "with --out, take the results that are there; solve what failed, was interrupted or is missing")
	flags.Bool("recursive", false, "also read the folders in a folder (links to folders are not followed)")
	flags.String("shard", "", "`I/N`: of all "+of+" only the I-th of N parts, every N-th from the I-th on; a stack is in one part")
	flags.Duration("total-time", 0, "wall clock of the whole run: what is being searched then ends with its best, what has not begun fails (default none)")
	flags.String("summary", "", "`file` for how many were solved, failed, skipped and cancelled, and in how many seconds, as JSON (default standard error)")
	flags.Int("workers", runtime.GOMAXPROCS(0), of+" solved at a time")
	flags.String("format", report.Table, format)
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV)
	AddLogFlags(cmd)
}

// Check returns an error that lists everything the settings have wrong.
func (b *Batch) Check(formats ...string) error {
	errs := []error{
		b.Folder.Check(), b.Folders.Check(), b.Log.Check(),
		settings.AtLeast(1, "workers", b.Workers),
		settings.OneOf("format", b.Format, formats...),
	}
	if b.Summary != "" {
		errs = append(errs, settings.CheckFolder("summary", b.Summary))
	}
	return errors.Join(append(errs, settings.ErrorIf(b.TotalTime < 0, "--total-time %v: want 0 (none) or more", b.TotalTime))...)
}

// context returns the context of a run, which ends with --total-time.
func (b *Batch) context(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.TotalTime > 0 {
		return context.WithTimeout(ctx, b.TotalTime)
	}
	return context.WithCancel(ctx)
}

// tell writes how a run went to --summary, or else, where there was more than one input, to
// standard error: with --format json as JSON, otherwise as a line of the log.
func (b *Batch) tell(c *console.Console, t report.Totals, folder *results.Folder, took time.Duration) error {
	t.Seconds = report.RoundSeconds(took.Seconds())
	t.SetSkipped(folder.Taken())
	asJSON := func(w io.Writer) error { return report.WriteJSON(w, t) }
	switch {
	case b.Summary != "":
		if err := atomicfile.Write(b.Summary, asJSON); err != nil {
			return fmt.Errorf("--summary: %w", err)
		}
	case b.Log.Quiet, t.All() < 2:
	case b.Format == report.JSON:
		return asJSON(c)
	default:
		c.Log.Info("done", "solved", t.Solved, "failed", t.Failed, "skipped", t.Skipped, "cancelled", t.Cancelled, "seconds", t.Seconds)
	}
	return nil
}
