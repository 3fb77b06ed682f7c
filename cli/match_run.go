package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/graphpairs"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// match matches the graphs of two files, or of two folders, and prints the results.
func match(cmd *cobra.Command, c *console.Console, s *matchSettings, a, b string) (err error) {
	pairs, folders, pairsErr := graphpairs.Of(a, b, s.Batch.Folders.Recursive)
	options := s.Search
	options.Fix = nil // by names, which differ from pair to pair
	if err := settings.Usage(s.check(folders), pairsErr, search.OfUse(options.CheckMatch(), options)); err != nil {
		return err
	}
	c.Apply(s.Batch.Log)
	pairs = inputs.Part(&s.Batch.Folders, pairs)
	searcher, err := search.New(cmd.Context(), c, s.Provider, "", options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searcher.Close()) }()
	if err := search.OfUse(searcher.CheckMatch(options), options); err != nil {
		return err
	}
	folder, err := results.Open(c, s.Batch.Folder, *s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	options.Threads = search.ThreadsFor(s.Search.Threads, len(pairs) == 1)
	matcher := matcher{console: c, alone: len(pairs) == 1, searcher: searcher, options: options, folder: folder, settings: s}
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
	options  rgm.Options
	folder   *results.Folder
	settings *matchSettings
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
	ctx = rgm.Started(ctx)
	g1, g2, err := p.Open(graphs.Repeats(r.settings.Repeats))
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
		a, err := r.solve(ctx, p.Name, file, &g1, &g2)
		if err != nil {
			return failure(err)
		}
		return a
	}, failure)
}

// solve matches two graphs within the time limit, which includes reading them, and draws them if that is
// wanted.
func (r *matcher) solve(ctx context.Context, name, file string, g1, g2 *graphs.Graph) (a graphpairs.Answer, err error) {
	if n := max(g1.Nodes, g2.Nodes); r.settings.Batch.Folder.IsPicture() && n > pictures.MostNodes {
		return a, fmt.Errorf("a picture of %d nodes: want at most %d, or a folder for the result as --out", n, pictures.MostNodes)
	}
	o, err := r.named(g1, g2)
	if err != nil {
		return a, err
	}
	o.Name = name
	found, err := r.searcher.Match(ctx, g1, g2, o)
	if err != nil {
		return a, search.OfUse(err, o)
	}
	a = graphpairs.NewAnswer(found, g1, g2)
	return a, r.draw(file, g1, g2, a)
}

// named returns the options with what --fix, --known and --similarity say of nodes by their names.
func (r *matcher) named(g1, g2 *graphs.Graph) (rgm.Options, error) {
	o, s := r.options, r.settings
	if len(s.Search.Fix) == 0 && s.Known == "" && s.Similarity == "" {
		return o, nil // without an index of millions of names
	}
	pairing := graphs.NewPairing(g1, g2)
	known, err := r.fixed(pairing, g1, g2)
	if err == nil && s.Similarity != "" {
		o.Similar, err = pairing.OpenSimilar(s.Similarity)
	}
	seen := map[graphs.Pair]bool{}
	for _, k := range known {
		if !seen[k] {
			seen[k] = true
			o.Fix = append(o.Fix, fmt.Sprintf("%d:%d", k.I, k.J))
		}
	}
	return o, err
}

// fixed returns the matches of --fix and --known.
func (r *matcher) fixed(pairing *graphs.Pairing, g1, g2 *graphs.Graph) (known []graphs.Pair, err error) {
	for _, text := range r.settings.Search.Fix {
		one, err := pairing.Pair(text)
		if err != nil {
			return nil, fmt.Errorf("fixed match: %w", err)
		}
		known = append(known, one)
	}
	if r.settings.Known != "" {
		more, err := pairing.OpenKnown(r.settings.Known)
		if err != nil {
			return nil, err
		}
		known = append(known, more...)
	}
	if err := graphs.CheckPairs(known, g1, g2); err != nil {
		return nil, fmt.Errorf("known pairs: %w", err)
	}
	return known, nil
}

// draw writes the picture of a pair, if one is wanted.
func (r *matcher) draw(file string, g1, g2 *graphs.Graph, a graphpairs.Answer) error {
	path := r.settings.Batch.Folder.Out
	switch {
	case path == "", max(g1.Nodes, g2.Nodes) > pictures.MostNodes:
		return nil
	case !r.settings.Batch.Folder.IsPicture():
		path = filepath.Join(path, strings.TrimSuffix(file, results.Ending)+"."+report.SVG)
	}
	drawn := pictures.Graphs{Graph1: g1, Graph2: g2, Matching: a.Matching, YDown: r.settings.YDown, View: r.settings.View}
	drawn.Sure = a.Sure
	picture := pictures.Matching{Layout: drawn.Layout()}
	return atomicfile.Write(path, func(w io.Writer) error { return picture.Write(w, settings.FileFormat(path)) })
}
