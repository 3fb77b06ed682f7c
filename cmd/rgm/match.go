package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/graphpairs"
	"github.com/rgm-go/rgm/internal/cli/inputs"
	"github.com/rgm-go/rgm/internal/cli/pictures"
	"github.com/rgm-go/rgm/internal/cli/report"
	"github.com/rgm-go/rgm/internal/cli/search"
	"github.com/rgm-go/rgm/internal/cli/settings"
	"github.com/rgm-go/rgm/internal/cli/verbs"
	"github.com/rgm-go/rgm/internal/parallel"
)

// matchSettings are the settings of rgm match.
type matchSettings struct {
	Search search.Settings     `mapstructure:",squash"`
	Goal   search.GoalSettings `mapstructure:",squash"`

	Edges    string `mapstructure:"edges"`
	Kernel   string `mapstructure:"kernel"`
	Scale    string `mapstructure:"scale"`
	Weight   string `mapstructure:"weight"`
	Complete bool   `mapstructure:"complete"`
	Method   string `mapstructure:"method"`
	Seed     uint64 `mapstructure:"seed"`
	Workers  int    `mapstructure:"workers"`
	Format   string `mapstructure:"format"`
	Out      string `mapstructure:"out"`
	YDown    bool   `mapstructure:"y-down"`
}

func newMatch(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "match [flags] A B",
		Short: "Match two graphs or sets of points",
		Long: `Match two graphs or sets of points, or those in two folders whose files have the same
names. What is compared is chosen from what the files have, and told on standard
error: edges that both graphs have, else those that --edges makes of points; by
their features, weights or lengths, on a scale that the data give.

A file is a table of points (.csv, .tsv; a first column of words, or one called
name, has the names of the nodes), an array of points (.npy), arrays points, edges,
features, weights and edge_features (.npz), GraphML or an edge list as networkx
writes them (.graphml, .edgelist, .edges, .txt), or an adjacency matrix of SciPy
(.npz) or MatrixMarket (.mtx).`,
		Example: `  rgm match -o pair.svg left.csv right.csv
  rgm match --edges delaunay --affinity learned --format csv left.csv right.csv
  rgm match --time-limit 1s --format json -o pictures before after > found.jsonl`,
		Args: settings.Arguments(cobra.ExactArgs(2)),
		RunE: settings.Merged(func(cmd *cobra.Command, s matchSettings, args []string) error {
			s.Method = s.Goal.MethodOr(s.Method)
			return match(cmd, c, &s, args[0], args[1])
		}),
	}
	verbs.AddSearchFlags(cmd)
	verbs.AddAffinityFlag(cmd)
	verbs.AddGoalFlags(cmd)
	flags := cmd.Flags()
	flags.Lookup("chooser").Hidden = true // auto has one search here
	flags.Lookup("start").Hidden = true   // rollouts revoke
	flags.String("edges", "auto", "which nodes are joined: given (by the files), complete (all), delaunay, knn:K (the K nearest), or auto (given, else complete, for larger sets delaunay)")
	flags.String("kernel", string(graphs.KernelAuto), "what of two edges is compared: length, direction (with length; for graphs that are not turned), weight, features, binary (nothing: only that there is an edge), or auto (the first that both graphs have of features, weight, length)")
	flags.String("scale", string(graphs.ScaleAuto), "units of lengths: same (in both), free (the mean or median distance of two nodes), or auto (same where these differ by a tenth at most, else what matches better)")
	flags.String("weight", "", "attribute of the edges, a number, by which they are compared as their weight: its `name` (default weight)")
	flags.Bool("complete", false, "match all nodes of the smaller graph")
	verbs.AddMethodFlag(cmd, search.GraphMethodNames(), "up to 20 nodes rgm and profile, above and under a time limit regrow")
	verbs.AddSeedFlag(cmd)
	flags.Int("workers", runtime.GOMAXPROCS(0), "pairs solved at a time")
	flags.String("format", report.Table, "table, json (one object a line) or csv (the pairs of nodes)")
	flags.StringP("out", "o", "", "picture to write, a `file` .svg or .png; of two folders a folder for pictures NAME.svg")
	flags.Bool("y-down", false, "y counts downwards in the picture, as in images")
	settings.Complete(cmd, "edges", "auto", "given", "complete", "delaunay", "knn:8")
	settings.Complete(cmd, "kernel", kernelNames()...)
	settings.Complete(cmd, "scale", string(graphs.ScaleAuto), string(graphs.ScaleSame), string(graphs.ScaleFree))
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV)
	return cmd
}

func kernelNames() []string {
	var names []string
	for _, k := range graphs.Kernels() {
		names = append(names, string(k))
	}
	return names
}

// check returns an error that lists everything the settings have wrong.
func (s *matchSettings) check(folders bool) error {
	errs := []error{
		s.Search.Check(),
		s.Search.CheckEffect(s.Method),
		s.Goal.Check(s.Method, &s.Search),
		settings.OneOf("method", s.Method, search.GraphMethodNames()...),
		settings.AtLeast(1, "workers", s.Workers),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV),
	}
	if c := s.Search.Chooser; c != "" && c != portfolio.ChooserRule {
		errs = append(errs, fmt.Errorf("--chooser %s has no effect on pairs of graphs: it is for quadratic assignment", c))
	}
	if s.Search.Start != "" {
		errs = append(errs, fmt.Errorf("--start %s has no effect on pairs of graphs: their rollouts may revoke", s.Search.Start))
	}
	if s.Search.Refine == portfolio.MethodTabu {
		errs = append(errs, fmt.Errorf("--refine %s: it is for quadratic assignment; want rewrite, ipfp or a model of rgm train rewrite", s.Search.Refine))
	}
	if s.Goal.Inliers > 0 && s.Complete {
		errs = append(errs, fmt.Errorf("--inliers %d and --complete: want one of them; --complete matches all nodes of the smaller graph", s.Goal.Inliers))
	}
	if s.Out != "" && !folders {
		errs = append(errs, settings.CheckOutput("out", s.Out, report.SVG, report.PNG))
	}
	return errors.Join(errs...)
}

// design returns how affinities are made.
func (s *matchSettings) design() (d graphs.Design, err error) {
	joins, joinsErr := graphs.ParseJoins(s.Edges)
	if joinsErr != nil {
		joinsErr = fmt.Errorf("--edges: %w", joinsErr)
	}
	kernel, kernelErr := graphs.ParseKernel(s.Kernel)
	if kernelErr != nil {
		kernelErr = fmt.Errorf("--kernel: %w", kernelErr)
	}
	scale, scaleErr := graphs.ParseScale(s.Scale)
	if scaleErr != nil {
		scaleErr = fmt.Errorf("--scale: %w", scaleErr)
	}
	return graphs.Design{Joins: joins, Kernel: kernel, Scale: scale, Complete: s.Complete}, errors.Join(joinsErr, kernelErr, scaleErr)
}

// match matches the graphs of two files, or of two folders, and prints the results.
func match(cmd *cobra.Command, c *console.Console, s *matchSettings, a, b string) (err error) {
	pairs, folders, pairsErr := graphpairs.Of(a, b)
	design, designErr := s.design()
	goal, goalErr := s.Goal.Goal()
	if err := settings.Usage(s.check(folders), pairsErr, designErr, goalErr); err != nil {
		return err
	}
	if folders && s.Out != "" {
		if err := os.MkdirAll(s.Out, 0o755); err != nil {
			return fmt.Errorf("--out: the folder of the pictures: %w", err)
		}
	}
	searcher, err := search.New(cmd.Context(), c, s.Method, &s.Search)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searcher.Close()) }()
	options := s.Search.Options()
	options.Seed, options.Threads = s.Seed, s.Search.ThreadsFor(len(pairs) == 1)
	run := matchRun{console: c, searcher: searcher, options: options, goal: goal, pairs: pairs, folders: folders, design: design, settings: s}
	return run.print(cmd.Context(), graphpairs.NewWriter(s.Format, folders, cmd.OutOrStdout()))
}

// matchRun matches pairs of graphs.
type matchRun struct {
	console  *console.Console
	searcher *search.Searcher
	options  infer.Options
	goal     search.Goal
	pairs    []graphpairs.Pair
	folders  bool
	design   graphs.Design
	settings *matchSettings
}

// print matches all pairs and prints each result in its turn. A pair that fails does
// not stop the others, but it makes the error.
func (r *matchRun) print(ctx context.Context, out graphpairs.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	log := r.console.Log
	bar := r.console.StartBar(int64(len(r.pairs)), "matching", console.WithRate("pairs")...)
	defer r.console.EndBar()
	failures := 0
	work := func(p graphpairs.Pair) graphpairs.Answer { return r.answer(ctx, p) }
	for a := range parallel.InOrder(r.settings.Workers, slices.Values(r.pairs), work) {
		if a.Err != nil {
			failures++
			log.Error("no result", "pair", a.Instance, "error", a.Err)
		} else {
			log.Info(a.About, told(a)...)
			if len(a.Unused) > 0 {
				log.Info("not compared: "+strings.Join(a.Unused, "; "), "pair", a.Instance)
			}
			for _, warning := range a.Ambiguous() {
				log.Warn(warning, "pair", a.Instance)
			}
		}
		if err := out.Write(a); err != nil {
			cancel() // or the rest would be matched for nobody
			return fmt.Errorf("writing results: %w", err)
		}
		bar.Add()
	}
	r.console.EndBar()
	if err := out.Close(); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	if failures > 0 {
		return fmt.Errorf("%d of %d pairs without a result", failures, len(r.pairs))
	}
	return nil
}

// told is what the log says of an answer: the pair and, where learned affinities were
// asked for, which were used.
func told(a graphpairs.Answer) []any {
	about := []any{"pair", a.Instance}
	if a.AffinityUsed != "" {
		about = append(about, "affinities", a.AffinityUsed)
	}
	return about
}

// answer reads a pair, matches it, and draws it if that is wanted.
func (r *matchRun) answer(ctx context.Context, p graphpairs.Pair) graphpairs.Answer {
	if ctx.Err() != nil {
		return graphpairs.Failure(p.Name, inputs.ErrNotBegun)
	}
	g1, g2, err := p.Open(r.settings.Weight)
	if err != nil {
		return graphpairs.Failure(p.Name, err)
	}
	problem, err := r.design.Problem(ctx, g1, g2)
	if err != nil {
		return graphpairs.Failure(p.Name, err)
	}
	problem.Instance.Name = p.Name
	options := r.options
	if options.Goal, err = r.goal.Of(problem.Instance); err != nil {
		return graphpairs.Failure(p.Name, err)
	}
	solved := r.searcher.Answer(ctx, problem.Instance, options, r.settings.Goal.Profile)
	if solved.Err != nil {
		return graphpairs.Answer{Answer: solved}
	}
	if path := r.picture(p.Name); path != "" {
		picture := pictures.Matching{Layout: pictures.LayoutGraphs(g1, g2, solved.Matching, r.settings.YDown)}
		err := atomicfile.Write(path, func(w io.Writer) error { return picture.Write(w, settings.FileFormat(path)) })
		if err != nil {
			return graphpairs.Failure(p.Name, err)
		}
	}
	return graphpairs.NewAnswer(solved, g1, g2, problem)
}

// picture returns the file for the picture of a pair, "" for none.
func (r *matchRun) picture(name string) string {
	if r.settings.Out == "" || !r.folders {
		return r.settings.Out
	}
	return filepath.Join(r.settings.Out, name+"."+report.SVG)
}
