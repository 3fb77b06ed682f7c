package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/graphpairs"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/lists"
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
	matcher := matcher{
		console: c, alone: len(pairs) == 1, searcher: searcher, options: options, goal: goal, design: design, folder: folder, settings: s, learned: learned,
	}
	run := verbs.BatchRun[graphpairs.Pair, graphpairs.Answer]{
		Console: c, Folder: folder, Doing: "matching", Of: "pairs", Expected: len(pairs),
		Name:   func(p graphpairs.Pair) string { return p.Name },
		Inputs: func(context.Context, func()) iter.Seq[graphpairs.Pair] { return slices.Values(pairs) },
		Answer: matcher.answer,
		Tell:   func(a graphpairs.Answer) { tell(c.Log, a) },
		Out:    graphpairs.NewWriter(s.Batch.Format, folders, cmd.OutOrStdout()),
	}
	return run.Do(cmd.Context(), &s.Batch)
}

// matcher matches pairs of graphs.
type matcher struct {
	console  *console.Console
	alone    bool // whether there is one pair, whose search is shown
	searcher *search.Searcher
	options  infer.Options
	goal     search.Goal
	design   graphs.Design
	folder   *results.Folder
	settings *matchSettings
	learned  *propagation.Network // of --model, nil for the pretrained one
}

// tell says on the log what was compared, or what failed.
func tell(log *slog.Logger, a graphpairs.Answer) {
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
func (r *matcher) answer(ctx context.Context, p graphpairs.Pair, file string) graphpairs.Answer {
	failure := func(err error) graphpairs.Answer { return graphpairs.Failure(p.Name, err) }
	if ctx.Err() != nil {
		return failure(report.NotBegun(ctx))
	}
	began := time.Now()
	g1, g2, err := p.Open(r.settings.Weight, graphs.Repeats(r.settings.Repeats))
	if err != nil {
		return results.Keep(r.folder, p.Name, file, nil, func() graphpairs.Answer { return failure(err) }, failure)
	}
	check := func(a graphpairs.Answer) error { return a.CheckAgainst(p.Name, &g1, &g2) }
	return results.Keep(r.folder, p.Name, file, check, func() graphpairs.Answer {
		if r.alone {
			var shown *console.Search
			shown, ctx = r.console.StartSearch(ctx, p.Name, r.options.TimeLimit, r.options.MaxSteps)
			defer shown.End()
			r.options.OnBest = search.Listener(shown)
		}
		a, err := r.solve(ctx, p.Name, file, &g1, &g2, began)
		if err != nil {
			return failure(err)
		}
		return a
	}, failure)
}

// solve matches two graphs within the time limit, which includes reading them and making
// their affinities, and draws them if that is wanted.
func (r *matcher) solve(ctx context.Context, name, file string, g1, g2 *graphs.Graph, began time.Time) (a graphpairs.Answer, err error) {
	if n := max(g1.Nodes, g2.Nodes); r.settings.isPicture() && n > pictures.MostNodes {
		return a, fmt.Errorf("a picture of %d nodes: want at most %d, or a folder for the result as --out", n, pictures.MostNodes)
	}
	design, goal, err := r.named(g1, g2)
	if err != nil {
		return a, err
	}
	if why := r.aligns(g1, g2); why != "" {
		if a, err = r.align(ctx, name, why, design, g1, g2, goal, began); err != nil {
			return a, err
		}
		return a, r.draw(file, g1, g2, a)
	}
	problem, err := r.problem(ctx, design, g1, g2, began)
	if err != nil {
		return a, err
	}
	problem.Instance.Name = name
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
	return a, r.draw(file, g1, g2, a)
}

// left returns what is left of the time limit of a pair, 0 where there is none.
func (r *matcher) left(began time.Time) time.Duration {
	return max(r.options.TimeLimit-time.Since(began), min(r.options.TimeLimit, 1))
}

// aligns returns why two graphs are aligned by their structure, "" where affinities of their
// edges are compared.
func (r *matcher) aligns(g1, g2 *graphs.Graph) string {
	switch method := r.settings.Method; {
	case r.settings.aligns(), r.assigns(g1, g2):
		return "--method " + method
	case r.settings.needsAffinities():
		return ""
	}
	return r.design.Aligns(g1, g2)
}

// assigns reports whether two graphs are aligned with their edges as flows and distances.
func (r *matcher) assigns(g1, g2 *graphs.Graph) bool {
	s := r.settings
	return alignment.Assigns(s.Method, s.Similarity == "" && len(s.ofAffinities()) == 0 && graphs.Plain(g1, g2))
}

// align aligns two graphs; reading them is part of the time limit.
func (r *matcher) align(ctx context.Context, name, why string, d graphs.Design, g1, g2 *graphs.Graph, goal search.Goal, began time.Time) (graphpairs.Answer, error) {
	pairs := lists.Of(goal.Seeds(), func(s [2]int) graphs.Pair { return graphs.Pair{I: s[0], J: s[1]} })
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
	if tell := r.options.OnBest; tell != nil {
		o.OnBest = func(best qap.Incumbent) { tell(infer.Incumbent{Incumbent: best}) }
	}
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
func (r *matcher) problem(ctx context.Context, d graphs.Design, g1, g2 *graphs.Graph, began time.Time) (graphs.Problem, error) {
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
func (r *matcher) named(g1, g2 *graphs.Graph) (graphs.Design, search.Goal, error) {
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
func (r *matcher) fixed(pairing *graphs.Pairing, g1, g2 *graphs.Graph) (search.Goal, error) {
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
	seeds := lists.Of(known, func(k graphs.Pair) [2]int { return [2]int{k.I, k.J} })
	return r.goal.With(seeds), nil
}

// draw writes the picture of a pair, if one is wanted.
func (r *matcher) draw(file string, g1, g2 *graphs.Graph, a graphpairs.Answer) error {
	path := r.settings.Batch.Folder.Out
	switch {
	case path == "", max(g1.Nodes, g2.Nodes) > pictures.MostNodes:
		return nil
	case !r.settings.isPicture():
		path = filepath.Join(path, strings.TrimSuffix(file, results.Ending)+"."+report.SVG)
	}
	drawn := pictures.Graphs{Graph1: g1, Graph2: g2, Matching: a.Matching, YDown: r.settings.YDown}
	if a.Aligned != nil {
		drawn.Sure = a.Sure
	}
	picture := pictures.Matching{Layout: drawn.Layout()}
	return atomicfile.Write(path, func(w io.Writer) error { return picture.Write(w, settings.FileFormat(path)) })
}

// alignMethod returns the method of graphs that are aligned: what --method says, or that of plain ones.
func (r *matcher) alignMethod() string {
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
