package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
)

// solveSettings are the settings of rgm solve.
type solveSettings struct {
	Search  rgm.Options     `mapstructure:",squash"`
	Reading inputs.Settings `mapstructure:",squash"`
	Batch   Batch           `mapstructure:",squash"`

	Provider    string `mapstructure:"provider"`
	Recall      string `mapstructure:"recall"`
	Revocable   bool   `mapstructure:"revocable"`
	Initial     string `mapstructure:"initial"`
	InputFormat string `mapstructure:"input-format"`
}

// Solve returns the command rgm solve.
func Solve(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "solve [flags] INSTANCE…",
		Short: "Solve instances: files, folders, names in QAPLIB",
		Long: `Solve instances, several at a time, and print the results in the order of the
inputs. An INSTANCE is a QAPLIB .dat file; an affinity matrix, or a stack of them,
in an .npy or .npz file; a sparse one in an .npz file of SciPy or an .mtx file; a
.dd file; a folder or a pattern of such files; the name of an embedded instance of
QAPLIB (nug30); or - for standard input.

A file manifest.csv beside files says how each is read and searched, by a column file and
columns called like flags (docs/CLI_JSON.md); a cell counts before the flag.`,
		Example: `  rgm solve nug30
  rgm solve --time-limit 1s --format json problems/*.dat > results.jsonl
  rgm solve --time-limit 1s --out results --resume problems
  rgm solve --recursive --shard 2/4 --total-time 1h --out part2 --summary part2.json problems
  rgm solve --order col --n1 10 --n2 12 affinity.npy`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return qaplib.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: settings.Merged(func(cmd *cobra.Command, s solveSettings, args []string) error {
			s.Search.Method = search.MethodOr(&s.Search)
			return solve(cmd, c, &s, args)
		}),
	}
	AddOptions(cmd, "solve", search.MethodNames())
	AddForms(cmd, "revocable", "initial")
	AddProviderFlag(cmd)
	AddRecallFlag(cmd)
	AddReadingFlags(cmd)
	AddBatchFlags(cmd, "instances", "table, json (one object a line), csv or sln (QAPLIB's solution files)", "`folder` for the results; NAME.json as soon as an instance is solved, NAME.error.json where it failed; or a picture of one placement, .svg or .png")
	cmd.Flags().String("input-format", "", "format of standard input: dat, npy, npz, dd or mtx")
	settings.Complete(cmd, "input-format", inputs.Formats()...)
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *solveSettings) check(args []string) error {
	return errors.Join(
		search.Check(&s.Search, s.Provider, search.MethodNames()),
		search.CheckEffect(&s.Search, s.Provider, s.Search.Method),
		s.Batch.Check(report.Table, report.JSON, report.CSV, report.SLN),
		search.CheckFix(s.Search.Fix),
		inputs.CheckStdin(args, s.InputFormat),
		settings.ErrorIf(s.Revocable && s.Search.Start != "", "%w", search.ErrStart),
		settings.ErrorIf(!s.Revocable && !search.StepsFreely(s.Search.Method), "--revocable=false: the method %s takes no steps in the environment", s.Search.Method),
	)
}

// options returns the settings as options of a search.
func (s *solveSettings) options() (o rgm.Options, err error) {
	o = s.Search
	o.Irrevocable = !s.Revocable
	if s.Initial != "" {
		if o.Initial, err = datasets.ReadMatching(s.Initial); err != nil {
			return o, fmt.Errorf("--initial: %w", err)
		}
	}
	return o, nil
}

// solve solves the instances that args name and prints the results.
func solve(cmd *cobra.Command, c *console.Console, s *solveSettings, args []string) (err error) {
	_, readingErr := s.Reading.Options(c)
	options, optionsErr := s.options()
	if err := settings.Usage(s.check(args), readingErr, optionsErr); err != nil {
		return err
	}
	c.Apply(s.Batch.Log)
	reader := inputs.Reader{
		Reading: s.Reading, Folders: s.Batch.Folders, Stdin: cmd.InOrStdin(), StdinFormat: s.InputFormat, Console: c, SearchOf: s.searchOf,
	}
	named, passedOver, err := reader.Expand(args)
	if err != nil {
		return err
	}
	formats := inputs.FormatsOf(named)
	if err := settings.Usage(s.Reading.CheckEffect(formats), inputs.CheckQAPLIB(formats, search.ForPartial(&s.Search)...)); err != nil {
		return err
	}
	if s.Batch.Folder.IsPicture() && len(named) != 1 {
		return settings.Usage(fmt.Errorf("--out %s: want a folder for the results of %d inputs", s.Batch.Folder.Out, len(named)))
	}
	searcher, err := search.New(cmd.Context(), c, s.Provider, s.Recall, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searcher.Close()) }()
	folder, err := results.Open(c, s.Batch.Folder, *s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	solver := solver{console: c, searcher: searcher, options: options}
	if s.Batch.Folder.IsPicture() {
		solver.picture = s.Batch.Folder.Out
	}
	run := BatchRun[inputs.Task, report.Answer]{
		Console: c, Folder: folder, Doing: "solving", Of: "instances", Expected: len(named), PassedOver: passedOver,
		Name: func(t inputs.Task) string { return t.Name },
		Inputs: func(ctx context.Context, found func()) iter.Seq[inputs.Task] {
			tasks := inputs.Tasks(ctx, named, found)
			if len(named) == 1 { // it may be a stack
				tasks, solver.alone = inputs.Alone(tasks)
			}
			solver.threads = search.ThreadsFor(s.Search.Threads, solver.alone)
			return tasks
		},
		Answer: func(ctx context.Context, t inputs.Task, file string) report.Answer {
			return folder.Answer(t, file, func() report.Answer { return solver.answer(ctx, t) })
		},
		Tell: func(a report.Answer) {
			if a.Err != nil {
				c.Log.Error("no result", "instance", a.Instance, "error", a.Err)
			}
		},
		Out: report.NewWriter(s.Batch.Format, cmd.OutOrStdout()),
	}
	return run.Do(cmd.Context(), &s.Batch)
}

// searchOf returns what a row of a manifest says of the search.
func (s *solveSettings) searchOf(pairs []string) (any, error) {
	own, err := settings.Changed(*s, pairs)
	if err != nil {
		return nil, err
	}
	options, optionsErr := own.options()
	return options, errors.Join(search.Check(&own.Search, own.Provider, search.MethodNames()), search.CheckFix(own.Search.Fix), optionsErr)
}

// solver solves instances.
type solver struct {
	console  *console.Console
	searcher *search.Searcher
	options  rgm.Options // of all instances but those that a row of a manifest is about
	threads  int         // of an instance
	alone    bool        // whether there is one instance, whose search is shown
	picture  string      // of it to be written, if any
}

// answer solves an instance.
func (r *solver) answer(ctx context.Context, t inputs.Task) report.Answer {
	if t.Err == nil && ctx.Err() != nil {
		t.Err = report.NotBegun(ctx)
	}
	if t.Err != nil {
		return report.Failure(t.Name, t.Err)
	}
	o, ofRow := t.Search.(rgm.Options)
	if !ofRow {
		o = r.options
	}
	o.Threads = r.threads
	if r.alone {
		var shown *console.Search
		shown, ctx = r.console.StartSearch(ctx, t.Name, o.TimeLimit, o.MaxSteps)
		defer shown.End()
		o.OnBest = search.Listener(shown)
	}
	if r.picture == "" {
		return r.searcher.Answer(ctx, t.Instance, o)
	}
	a, err := r.drawn(ctx, t.Instance, o)
	if err != nil {
		return report.Failure(t.Name, err)
	}
	return a
}

// drawn solves an instance and draws what is found.
func (r *solver) drawn(ctx context.Context, in *qap.Instance, o rgm.Options) (report.Answer, error) {
	if !r.alone {
		return report.Answer{}, fmt.Errorf("--out %s: a picture is of one instance: want a folder", r.picture)
	}
	picture, err := pictures.NewPlacement(in)
	if err != nil {
		return report.Answer{}, fmt.Errorf("--out %s: %w", r.picture, err)
	}
	a := r.searcher.Answer(ctx, in, o)
	if a.Err != nil {
		return a, nil
	}
	picture.Matching, picture.Title = a.Matching, in.Name+": "+report.NumberText(a.Objective)
	if a.BestKnown != nil {
		picture.Title += ", best known " + report.NumberText(*a.BestKnown)
	}
	return a, atomicfile.Write(r.picture, func(w io.Writer) error { return picture.Write(w, settings.FileFormat(r.picture)) })
}
