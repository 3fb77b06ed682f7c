package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/infer/portfolio/full"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/graphpairs"
	"github.com/rgm-go/rgm/internal/cli/inputs"
	"github.com/rgm-go/rgm/internal/cli/networks"
	"github.com/rgm-go/rgm/internal/cli/pictures"
	"github.com/rgm-go/rgm/internal/cli/report"
	"github.com/rgm-go/rgm/internal/cli/results"
	"github.com/rgm-go/rgm/internal/cli/search"
	"github.com/rgm-go/rgm/internal/cli/settings"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// match matches the graphs of two files, or of two folders, and prints the results.
func match(cmd *cobra.Command, c *console.Console, s *matchSettings, a, b string) (err error) {
	pairs, folders, pairsErr := graphpairs.Of(a, b, s.Batch.Folders.Recursive)
	design, designErr := s.design()
	named := s.Goal
	named.Fix = nil // by names, which differ from pair to pair
	goal, goalErr := named.Goal()
	if err := settings.Usage(s.check(folders), pairsErr, designErr, goalErr); err != nil {
		return err
	}
	c.Apply(s.Batch.Log)
	pairs = inputs.Part(&s.Batch.Folders, pairs)
	learned, err := s.learned()
	if err != nil {
		return err
	}
	searcher, err := search.New(cmd.Context(), c, s.searchMethod(), &s.Search)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searcher.Close()) }()
	kept := s.Batch.Folder
	if s.isPicture() {
		kept = results.Settings{}
	}
	folder, err := results.Open(c, kept, *s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	options := s.Search.Options()
	options.Seed, options.Threads = s.Seed, s.Search.ThreadsFor(len(pairs) == 1)
	run := matchRun{console: c, searcher: searcher, options: options, goal: goal, pairs: pairs, design: design, folder: folder, settings: s, learned: learned}
	ctx, cancel := s.Batch.Context(cmd.Context())
	defer cancel()
	var totals report.Totals
	start := time.Now()
	err = run.print(ctx, graphpairs.NewWriter(s.Batch.Format, folders, cmd.OutOrStdout()), &totals)
	return errors.Join(err, s.Batch.Tell(c, totals, folder, time.Since(start)))
}

// matchRun matches pairs of graphs.
type matchRun struct {
	console  *console.Console
	searcher *search.Searcher
	options  infer.Options
	goal     search.Goal
	pairs    []graphpairs.Pair
	design   graphs.Design
	folder   *results.Folder
	settings *matchSettings
	learned  *propagation.Network // of --model, nil for the pretrained one
}

// filedPair is a pair of graphs, and the file of its result in the folder of results.
type filedPair struct {
	graphpairs.Pair
	file string
}

// filed yields the pairs with the files of their results.
func (r *matchRun) filed() iter.Seq[filedPair] {
	return func(yield func(filedPair) bool) {
		for _, p := range r.pairs {
			if !yield(filedPair{p, r.folder.FileOf(p.Name)}) {
				return
			}
		}
	}
}

// print matches all pairs and prints each result in its turn. A pair that fails does
// not stop the others, but it makes the error.
func (r *matchRun) print(ctx context.Context, out graphpairs.Writer, totals *report.Totals) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	bar := r.console.StartBar(int64(len(r.pairs)), "matching", console.WithRate("pairs")...)
	defer r.console.EndBar()
	work := func(p filedPair) graphpairs.Answer { return r.answer(ctx, p) }
	for a := range parallel.InOrder(r.settings.Batch.Workers, r.filed(), work) {
		r.tell(a)
		totals.Add(a.Answer)
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
	if totals.Without > 0 {
		return fmt.Errorf("%d of %d pairs without a result", totals.Without, len(r.pairs))
	}
	return nil
}

// tell says on the log what was compared, or what failed.
func (r *matchRun) tell(a graphpairs.Answer) {
	log := r.console.Log
	if a.Err != nil {
		log.Error("no result", "pair", a.Instance, "error", a.Err)
		return
	}
	about := []any{"pair", a.Instance}
	if a.AffinityUsed != "" {
		about = append(about, "affinities", a.AffinityUsed)
	}
	if a.Aligned != nil {
		about = append(about, "reason", a.Why)
	}
	log.Info(a.About, about...)
	if len(a.Unused) > 0 {
		log.Info("not compared: "+strings.Join(a.Unused, "; "), "pair", a.Instance)
	}
	for _, warning := range a.Warnings() {
		log.Warn(warning, "pair", a.Instance)
	}
}

// answer reads a pair and matches it, unless its result is there.
func (r *matchRun) answer(ctx context.Context, p filedPair) graphpairs.Answer {
	failure := func(err error) graphpairs.Answer { return graphpairs.Failure(p.Name, err) }
	if ctx.Err() != nil {
		return failure(report.NotBegun(ctx))
	}
	began := time.Now()
	g1, g2, err := p.Open(r.settings.Weight, graphs.Repeats(r.settings.Repeats))
	if err != nil {
		return results.Keep(r.folder, p.Name, p.file, nil, func() graphpairs.Answer { return failure(err) }, failure)
	}
	check := func(a graphpairs.Answer) error { return a.CheckAgainst(p.Name, &g1, &g2) }
	return results.Keep(r.folder, p.Name, p.file, check, func() graphpairs.Answer {
		a, err := r.solve(ctx, p, &g1, &g2, began)
		if err != nil {
			return failure(err)
		}
		return a
	}, failure)
}

// solve matches two graphs within the time limit, of which reading them and making their
// affinities is a part, and draws them if that is wanted.
func (r *matchRun) solve(ctx context.Context, p filedPair, g1, g2 *graphs.Graph, began time.Time) (a graphpairs.Answer, err error) {
	if n := max(g1.Nodes, g2.Nodes); r.settings.isPicture() && n > pictures.MostNodes {
		return a, fmt.Errorf("a picture of %d nodes: want at most %d, or a folder for the result as --out", n, pictures.MostNodes)
	}
	design, goal, err := r.named(g1, g2)
	if err != nil {
		return a, err
	}
	if why := r.aligns(g1, g2); why != "" {
		if a, err = r.align(ctx, p.Name, why, design, g1, g2, goal, began); err != nil {
			return a, err
		}
		return a, r.draw(p, g1, g2, a)
	}
	problem, err := r.problem(ctx, design, g1, g2, began)
	if err != nil {
		return a, err
	}
	problem.Instance.Name = p.Name
	options := r.options
	if options.Goal, err = goal.Of(problem.Instance); err != nil {
		return a, err
	}
	options.TimeLimit = r.left(began)
	solved := r.searcher.Answer(ctx, problem.Instance, options, r.settings.Goal.Profile)
	if solved.Err != nil {
		return a, solved.Err
	}
	a = graphpairs.NewAnswer(solved, *g1, *g2, problem)
	return a, r.draw(p, g1, g2, a)
}

// left returns what is left of the time limit of a pair, 0 where there is none.
func (r *matchRun) left(began time.Time) time.Duration {
	return max(r.options.TimeLimit-time.Since(began), min(r.options.TimeLimit, 1))
}

// aligns returns why two graphs are aligned by their structure, "" where affinities of their
// edges are compared.
func (r *matchRun) aligns(g1, g2 *graphs.Graph) string {
	switch method := r.settings.Method; {
	case r.settings.aligns(), r.assigns(g1, g2):
		return "--method " + method
	case r.settings.needsAffinities():
		return ""
	}
	return r.design.Aligns(g1, g2)
}

// assigns reports whether two graphs are aligned with their edges as flows and distances.
func (r *matchRun) assigns(g1, g2 *graphs.Graph) bool {
	s := r.settings
	return search.NeedsFlows(s.Method) ||
		s.Method == full.MethodFAQ && s.Similarity == "" && len(s.ofAffinities()) == 0 && graphs.Plain(g1, g2)
}

// align aligns two graphs; reading them is part of the time limit.
func (r *matchRun) align(ctx context.Context, name, why string, d graphs.Design, g1, g2 *graphs.Graph, goal search.Goal, began time.Time) (graphpairs.Answer, error) {
	var pairs []graphs.Pair
	for _, s := range goal.Seeds() {
		pairs = append(pairs, graphs.Pair{I: s[0], J: s[1]})
	}
	options := r.options
	problem, err := d.Alignment(qap.WithTimeLimit(ctx, r.left(began)), *g1, *g2, pairs)
	if err != nil {
		return graphpairs.Answer{}, err
	}
	options.TimeLimit = r.left(began)
	if r.assigns(g1, g2) {
		record, known, err := r.searcher.Assign(ctx, name, why, &problem, options)
		if errors.Is(err, qap.ErrUnsupported) {
			err = fmt.Errorf("%w; use --method %s", err, alignment.Method)
		}
		if err != nil {
			return graphpairs.Answer{}, err
		}
		return graphpairs.NewAlignedAnswer(record, known, g1, g2, &problem), nil
	}
	limits := options.Limits()
	if perNode := r.settings.Search.PerNode; perNode > 0 {
		limits.MaxSteps = min(perNode, math.MaxInt32) * max(g1.Nodes, g2.Nodes)
	}
	o := align.Options{Limits: limits, Seed: r.options.Seed, Threads: r.options.Threads, Complete: d.Complete}
	if r.learned != nil {
		o.Starts = []align.Start{r.learned.Start()}
	}
	record, known, err := alignment.Align(ctx, r.alignMethod(), name, why, &problem, o)
	if err != nil {
		return graphpairs.Answer{}, err
	}
	return graphpairs.NewAlignedAnswer(record, known, g1, g2, &problem), nil
}

// leastMaking is how long affinities may take to be made, however short the time limit is.
const leastMaking = time.Second

// problem makes the affinities of two graphs.
func (r *matchRun) problem(ctx context.Context, d graphs.Design, g1, g2 *graphs.Graph, began time.Time) (graphs.Problem, error) {
	limit := r.options.TimeLimit
	if limit == 0 {
		return d.Problem(ctx, *g1, *g2)
	}
	making, cancel := context.WithDeadline(ctx, began.Add(max(limit, leastMaking)))
	defer cancel()
	problem, err := d.Problem(making, *g1, *g2)
	if err != nil && making.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("the time limit of %v was up while affinities were made: give more time, or compare fewer edges", limit)
	}
	return problem, err
}

// named returns the design and the goal with what --fix, --known and --similarity say of
// nodes by their names.
func (r *matchRun) named(g1, g2 *graphs.Graph) (graphs.Design, search.Goal, error) {
	design, s := r.design, r.settings
	if len(s.Goal.Fix) == 0 && s.Known == "" && s.Similarity == "" {
		return design, r.goal, nil // without an index of millions of names
	}
	pairing := graphs.NewPairing(g1, g2)
	goal, err := r.fixed(pairing, g1, g2)
	if err == nil && s.Similarity != "" {
		design.Similar, err = pairing.OpenSimilar(s.Similarity)
	}
	return design, goal, err
}

// fixed returns the goal with the matches of --fix and --known.
func (r *matchRun) fixed(pairing *graphs.Pairing, g1, g2 *graphs.Graph) (search.Goal, error) {
	var known []graphs.Pair
	for _, text := range r.settings.Goal.Fix {
		one, err := pairing.Pair(text)
		if err != nil {
			return r.goal, fmt.Errorf("fixed match: %w", err)
		}
		known = append(known, one)
	}
	if r.settings.Known != "" {
		more, err := pairing.OpenKnown(r.settings.Known)
		if err != nil {
			return r.goal, err
		}
		known = append(known, more...)
	}
	if err := graphs.CheckPairs(known, g1, g2); err != nil {
		return r.goal, fmt.Errorf("known pairs: %w", err)
	}
	var seeds [][2]int
	for _, k := range known {
		seeds = append(seeds, [2]int{k.I, k.J})
	}
	return r.goal.With(seeds), nil
}

// draw writes the picture of a pair, if one is wanted.
func (r *matchRun) draw(p filedPair, g1, g2 *graphs.Graph, a graphpairs.Answer) error {
	path := r.settings.Batch.Folder.Out
	switch {
	case path == "", max(g1.Nodes, g2.Nodes) > pictures.MostNodes:
		return nil
	case !r.settings.isPicture():
		path = filepath.Join(path, strings.TrimSuffix(p.file, results.Ending)+"."+report.SVG)
	}
	picture := pictures.Matching{Layout: pictures.LayoutGraphs(*g1, *g2, a.Matching, r.settings.YDown)}
	return atomicfile.Write(path, func(w io.Writer) error { return picture.Write(w, settings.FileFormat(path)) })
}

// alignMethod returns the method of graphs that are aligned: what --method says, or that of plain ones.
func (r *matchRun) alignMethod() string {
	if r.settings.aligns() {
		return r.settings.Method
	}
	return alignment.Method
}

// learned returns the belief propagation of --model, nil for the pretrained one, and leaves nothing
// of the flag to searches over affinities.
func (s *matchSettings) learned() (*propagation.Network, error) {
	file := s.Search.Model
	if s.Method != alignment.Method || file == "" {
		return nil, nil
	}
	s.Search.Model = ""
	data, err := networks.Read(file)
	if err != nil {
		return nil, err
	}
	n, err := propagation.Load(data)
	if err != nil {
		return nil, settings.Usage(fmt.Errorf("--model %s: %w", file, err))
	}
	return n, nil
}
