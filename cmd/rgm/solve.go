package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer"
)

// solveSettings are the settings of rgm solve.
type solveSettings struct {
	Search  searchSettings  `mapstructure:",squash"`
	Reading readingSettings `mapstructure:",squash"`
	Folder  folderSettings  `mapstructure:",squash"`
	Goal    goalSettings    `mapstructure:",squash"`

	Method      string `mapstructure:"method"`
	Target      string `mapstructure:"target"`
	Revocable   bool   `mapstructure:"revocable"`
	Initial     string `mapstructure:"initial"`
	Seed        uint64 `mapstructure:"seed"`
	Workers     int    `mapstructure:"workers"`
	Format      string `mapstructure:"format"`
	InputFormat string `mapstructure:"input-format"`
}

func newSolve(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "solve [flags] INSTANCE…",
		Short: "Solve instances",
		Long: `Solve instances, several at a time, and print the results in the order of the
inputs. An INSTANCE is a QAPLIB .dat file; an affinity matrix, or a stack of them,
in an .npy or .npz file; a .dd file; a folder or a pattern of such files; the name
of an embedded instance of QAPLIB (nug30); or - for standard input.`,
		Example: `  rgm solve nug30
  rgm solve --time-limit 1s --format json problems/*.dat > results.jsonl
  rgm solve --time-limit 1s --out results --resume problems
  rgm solve --order col --n1 10 --n2 12 affinity.npy`,
		Args: arguments(cobra.MinimumNArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return datasets.QAPLIBNames(), cobra.ShellCompDirectiveDefault
		},
		RunE: withSettings(func(cmd *cobra.Command, s solveSettings, args []string) error {
			s.Method = s.Goal.methodOr(s.Method)
			return solve(cmd, c, &s, args)
		}),
	}
	addSearchFlags(cmd)
	addAffinityFlag(cmd)
	addReadingFlags(cmd)
	addFolderFlags(cmd)
	addGoalFlags(cmd)
	flags := cmd.Flags()
	flags.String("method", "", "rgm (the network), or without learning: "+strings.Join(methodNames()[1:], ", ")+" (default rgm, with --profile profile)")
	flags.String("target", "", "objective, a `number`, that is good enough (default none)")
	flags.Bool("revocable", true, "let actions release matches; =false is the paper's \"w/o rev.\"")
	flags.String("initial", "", "`file` of a matching to start from: JSON array or integer .npy, -1 unmatched")
	flags.Uint64("seed", 0, "every random choice comes from it")
	flags.Int("workers", runtime.GOMAXPROCS(0), "instances solved at a time")
	flags.String("format", formatTable, "table, json (one object a line) or csv")
	flags.String("input-format", "", "format of standard input: dat, npy, npz or dd")
	complete(cmd, "method", methodNames()...)
	complete(cmd, "format", formatTable, formatJSON, formatCSV)
	complete(cmd, "input-format", inputFormats()...)
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *solveSettings) check(args []string) error {
	errs := []error{
		s.Search.check(),
		s.Folder.check(),
		s.Goal.check(s.Method, &s.Search),
		oneOf("method", s.Method, methodNames()...),
		atLeast(1, "workers", s.Workers),
		oneOf("format", s.Format, formatTable, formatJSON, formatCSV),
		checkStdin(args, s.InputFormat),
	}
	if !s.Revocable && !stepsFreely(s.Method) {
		errs = append(errs, fmt.Errorf("--revocable=false: the method %s takes no steps in the environment", s.Method))
	}
	if s.Target != "" && !slices.Contains([]string{"", affinityGiven}, s.Search.Affinity) {
		errs = append(errs, fmt.Errorf("--target %s: a search by learned affinities does not know the objective", s.Target))
	}
	if s.Search.Beam > 1 && s.Method != methodRGM {
		errs = append(errs, fmt.Errorf("--beam %d: the method %s has no network", s.Search.Beam, s.Method))
	}
	return errors.Join(errs...)
}

// options returns the settings as options of a search.
func (s *solveSettings) options() (infer.Options, error) {
	o := s.Search.options()
	o.Irrevocable, o.Seed = !s.Revocable, s.Seed
	var err error
	if s.Target != "" {
		o.HasTarget = true
		if o.Target, err = strconv.ParseFloat(s.Target, 64); err != nil {
			return o, fmt.Errorf("--target %q: want a number", s.Target)
		}
	}
	if s.Initial != "" {
		if o.Initial, err = datasets.ReadMatching(s.Initial); err != nil {
			return o, fmt.Errorf("--initial: %w", err)
		}
	}
	return o, nil
}

// solve solves the instances that args name and prints the results.
func solve(cmd *cobra.Command, c *console, s *solveSettings, args []string) (err error) {
	reading, readingErr := s.Reading.options(c)
	options, optionsErr := s.options()
	goal, goalErr := s.Goal.goal()
	if err := usable(s.check(args), readingErr, optionsErr, goalErr); err != nil {
		return err
	}
	searcher, err := newSearcher(cmd.Context(), c, s.Method, &s.Search)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searcher.Close()) }()
	folder, err := openResultFolder(c, s.Folder, *s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	named := expand(args, reading, cmd.InOrStdin(), s.InputFormat)
	run := solveRun{
		console: c, searcher: searcher, options: options, goal: goal, profiles: s.Goal.Profile, folder: folder, workers: s.Workers,
	}
	return run.print(cmd.Context(), named, newResultWriter(s.Format, cmd.OutOrStdout()))
}

// solveRun solves instances and prints results.
type solveRun struct {
	console  *console
	searcher *searcher
	options  infer.Options
	goal     goal
	profiles bool // whether answers show theirs
	folder   *resultFolder
	workers  int
}

// print solves all instances of the inputs and prints each result in its turn. An
// input that fails does not stop the others, but it makes the error.
func (r *solveRun) print(ctx context.Context, all []input, out resultWriter) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	bar := r.console.startBar(int64(len(all)), "solving", withRate("instances")...)
	defer r.console.endBar()
	instances := tasks(ctx, all, bar.expect)
	served, failures := 0, 0
	solve := func(t task) answer { return r.answer(ctx, t) }
	for a := range inOrder(r.workers, r.folder.named(instances), func(t task) answer { return r.folder.answer(t, solve) }) {
		if a.err != nil {
			failures++
			r.console.log.Error("no result", "instance", a.Instance, "error", a.err)
		} else {
			served++
		}
		if err := out.Write(a); err != nil {
			cancel() // or the rest would be solved for nobody
			return fmt.Errorf("writing results: %w", err)
		}
		bar.add()
	}
	r.console.endBar()
	if err := out.Close(); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	if failures > 0 {
		return fmt.Errorf("%d of %d instances without a result", failures, failures+served)
	}
	return nil
}

// answer solves an instance.
func (r *solveRun) answer(ctx context.Context, t task) answer {
	if t.err == nil && ctx.Err() != nil {
		t.err = errNotBegun
	}
	if t.err != nil {
		return failure(t.name, t.err)
	}
	options := r.options
	var err error
	if options.Goal, err = r.goal.of(t.instance); err != nil {
		return failure(t.name, err)
	}
	start := time.Now()
	result, decision, err := r.searcher.solve(ctx, t.instance, options)
	seconds := time.Since(start).Seconds()
	if err != nil {
		return failure(t.name, err)
	}
	a := newAnswer(t.instance, result)
	a.Method, a.Seed, a.Seconds = r.searcher.method, r.options.Seed, roundSeconds(seconds)
	if refine := r.searcher.refine; refine != refineNone {
		a.Refine = refine
	}
	if r.searcher.learned != nil {
		a.Affinity, a.AffinityUsed, a.AffinityReason = r.searcher.learned.model, affinityUsed(decision), decision.Reason
		r.searcher.learned.tell(r.console.log, a.Instance, decision)
	}
	if r.profiles {
		a.Profile = profileAnswer(t.instance, result.Profile)
	}
	if n := r.searcher.networkFor(t.instance); n != nil {
		a.Model, a.Provider = n.model, n.evaluator
	}
	return a
}

// newResultWriter returns the writer of a format.
func newResultWriter(format string, out io.Writer) resultWriter {
	switch format {
	case formatJSON:
		return jsonWriter{out}
	case formatCSV:
		return newCSVWriter(out)
	}
	return &tableWriter{out: out}
}
