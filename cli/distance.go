package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// distanceSettings are the settings of rgm distance.
type distanceSettings struct {
	Log console.Settings `mapstructure:",squash"`

	Search request.DistanceOptions `mapstructure:",squash"`

	All     bool   `mapstructure:"all"`
	Nearest int    `mapstructure:"nearest"`
	Workers int    `mapstructure:"workers"`
	Format  string `mapstructure:"format"`
	Out     string `mapstructure:"out"`
	Resume  bool   `mapstructure:"resume"`
	View    string `mapstructure:"view"`

	NATS    string        `mapstructure:"nats"`
	Silence time.Duration `mapstructure:"silence"`
	Keep    time.Duration `mapstructure:"keep"`
}

// newDistance returns the verb; open opens durable queues, where the program has them.
func newDistance(c *console.Console, open service.QueueOpener) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "distance [flags] A B | A FOLDER --nearest K | --all FOLDER",
		Short: "Measure how far graphs are from each other by edits",
		Long: `Measure the edit distance of two graphs: the least cost of nodes and edges deleted,
inserted and substituted that turn A into B, with a lower bound; where they meet, the
distance is proved (status optimal). --all measures all pairs of a collection, --nearest
finds the graphs of one that are nearest to A, certified by bounds.

Graphs are files as rgm match reads them. A collection is a folder of them, a .jsonl
file with a graph of nodes and links a line, a .sdf file of molecules, or a .cxl list of
GXL files. By default every edit costs 1, and nothing where all words of two nodes or edges are equal;
--costs names a model (` + strings.Join(costs.Names(), ", ") + `) or a TOML file:

  [nodes]
  delete = 2.75
  insert = 2.75
  [[nodes.attributes]]
  name = ["symbol"]          # measure: equal, difference, distance, levenshtein, multiset
  weight = 5.5               # also scale, cap, and apart: the whole cost where values differ`,
		Example: `  rgm distance --path ethanol.gxl ethylamine.gxl
  rgm distance --costs chem2 --time-limit 1s -o pair.svg a.gxl b.gxl
  rgm distance --nearest 10 query.gxl molecules
  rgm distance --all --time-limit 10ms -o distances.csv --resume molecules`,
		Args: settings.Arguments(cobra.RangeArgs(1, 2)),
		RunE: settings.Merged(func(cmd *cobra.Command, s distanceSettings, args []string) error {
			return distance(cmd, c, open, &s, args)
		}),
	}
	flags := cmd.Flags()
	verbs.AddOptions(cmd, "distance", nil, "costs", "path", "within", "time-limit", "max-steps", "seed")
	flags.Lookup("time-limit").Usage = "wall clock for a pair (default none: until the distance is proved)"
	flags.Bool("all", false, "all pairs of one collection")
	flags.Int("nearest", 0, "the `K` graphs of a collection that are nearest to A")
	flags.Int("workers", runtime.GOMAXPROCS(0), "pairs searched at a time")
	flags.String("format", report.Table, "table, json or csv; csv has the edits of a pair, or of a collection first, second, distance, lower_bound and status")
	flags.StringP("out", "o", "", "picture of a pair to write, .svg or .png; with --all a `file` .csv of all pairs, or .npy with the matrix, whose lower bounds are beside it (.lower.npy)")
	verbs.AddViewFlag(cmd)
	flags.Bool("resume", false, "with --all and --out, go on where a run of the same was ended")
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV)
	verbs.AddLogFlags(cmd)
	service.AddQueueFlags(flags)
	flags.Lookup("nats").Usage = "with --all, `address` of the NATS server whose queue rgm-cluster worker measures; several of a cluster, with commas"
	flags.Duration("keep", 24*time.Hour, "how long results stay in the queue")
	if open == nil { // rgm says where they are
		for _, name := range []string{"nats", "silence", "keep"} {
			flags.Lookup(name).Hidden = true
		}
	}
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *distanceSettings) check(args []string) error {
	many := s.All || s.Nearest > 0
	errs := []error{
		s.Log.Check(),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV),
		settings.OneOf("view", s.View, pictures.Views...),
		settings.AtLeast(1, "workers", s.Workers), settings.AtLeast(0, "nearest", s.Nearest),
		search.CheckDistance((*rgm.Options)(&s.Search)),
		settings.ErrorIf(s.Search.Threads > 1, "threads %d: a pair is searched on one processor; --workers says how many pairs at a time", s.Search.Threads),
		settings.ErrorIf(s.All && s.Nearest > 0, "--all and --nearest: want one of them"),
		settings.ErrorIf(s.All && len(args) != 1, "--all: want one collection, have %d arguments", len(args)),
		settings.ErrorIf(!s.All && len(args) != 2, "want two graphs; of one collection --all measures all pairs"),
		settings.ErrorIf(many && s.Search.Path, "--path: it is for two graphs"),
		settings.ErrorIf(s.Resume && (!s.All || s.Out == ""), "--resume: it is for --all with --out"),
		settings.ErrorIf(s.Nearest > 0 && s.Out != "", "--out: it is for pairs and --all"),
		settings.ErrorIf(s.NATS != "" && !s.All, "--nats: it is for --all"),
		settings.ErrorIf(strings.HasPrefix(s.NATS, "embedded:"), "--nats embedded: it is for rgm-cluster serve alone; want the address of a NATS server"),
	}
	if s.Out != "" && s.Nearest == 0 {
		formats := []string{report.SVG, report.PNG}
		if s.All {
			formats = []string{report.CSV, "npy"}
		}
		errs = append(errs, settings.CheckOutput("out", s.Out, formats...))
	}
	return errors.Join(errs...)
}

func distance(cmd *cobra.Command, c *console.Console, open service.QueueOpener, s *distanceSettings, args []string) error {
	model, modelErr := costs.Open(s.Search.Costs)
	if modelErr != nil {
		modelErr = fmt.Errorf("--costs: %w", modelErr)
	}
	if err := settings.Usage(s.check(args), modelErr); err != nil {
		return err
	}
	c.Apply(s.Log)
	switch {
	case s.All:
		return s.all(cmd, c, open, model, args[0])
	case s.Nearest > 0:
		return s.nearest(cmd, c, model, args[0], args[1])
	}
	return s.pair(cmd, c, model, args[0], args[1])
}

// pair measures the distance of two files.
func (s *distanceSettings) pair(cmd *cobra.Command, c *console.Console, model costs.Model, a, b string) error {
	began := time.Now()
	for _, path := range []string{a, b} {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return settings.Usage(fmt.Errorf("%s is a folder: want --nearest K for the graphs nearest to A, or --all for all pairs of one collection", path))
		}
	}
	g1, err1 := graphs.Open(a)
	g2, err2 := graphs.Open(b)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for _, g := range []*graphs.Graph{&g1, &g2} {
		for _, notice := range g.Notices {
			c.Log.Info(notice, "graph", g.Name)
		}
	}
	o := rgm.Options(s.Search)
	o.CostModel, o.Name, o.Path = &model, graphs.PairName(a, b), o.Path || s.Format == report.CSV || s.Out != ""
	if o.TimeLimit > 0 {
		o.TimeLimit = max(o.TimeLimit-time.Since(began), 1)
	}
	r, err := rgm.Distance(cmd.Context(), &g1, &g2, o)
	if err != nil {
		return err
	}
	if s.Out != "" {
		if err := s.draw(&g1, &g2, &r); err != nil {
			return err
		}
	}
	if !s.Search.Path && s.Format != report.CSV {
		r.Path = nil
	}
	if err := writeDistance(cmd.OutOrStdout(), s.Format, &r); err != nil {
		return err
	}
	if r.Status.Interrupted() {
		return verbs.ErrCutShort
	}
	return nil
}

// draw writes a picture of both graphs, and of what the edits do.
func (s *distanceSettings) draw(g1, g2 *graphs.Graph, r *rgm.DistanceResult) error {
	if most := max(g1.Nodes, g2.Nodes); most > pictures.MostNodes {
		return settings.Usage(fmt.Errorf("--out: a graph of %d nodes: pictures have at most %d", most, pictures.MostNodes))
	}
	title := "distance " + report.NumberText(r.Distance)
	if r.Lower < r.Distance {
		title += ", at least " + report.NumberText(r.Lower)
	}
	edits := &pictures.Edits{Title: title + " by " + r.Costs}
	for _, e := range r.Path { // of graph 1's nodes and edges in their order
		switch changed := e.Edit == "substitute" && !e.Kept(); {
		case e.Edit == "insert":
		case e.What == "node":
			edits.ChangedNodes = append(edits.ChangedNodes, changed)
		default:
			edits.KeptEdges, edits.ChangedEdges = append(edits.KeptEdges, e.Edit != "delete"), append(edits.ChangedEdges, changed)
		}
	}
	drawn := pictures.Graphs{Graph1: g1, Graph2: g2, Matching: r.Matching, Edits: edits, View: s.View}
	picture := pictures.Matching{Layout: drawn.Layout()}
	return atomicfile.Write(s.Out, func(w io.Writer) error { return picture.Write(w, settings.FileFormat(s.Out)) })
}

func writeDistance(out io.Writer, format string, r *rgm.DistanceResult) error {
	switch format {
	case report.JSON:
		return report.WriteJSON(out, *r)
	case report.CSV:
		var rows [][]string
		for _, e := range r.Path {
			rows = append(rows, []string{e.Edit, e.What, strings.Join(e.A, " "), strings.Join(e.B, " "), report.ExactText(e.Cost)})
		}
		return report.WriteCSV(out, []string{"edit", "what", "a", "b", "cost"}, rows)
	}
	pairs := [][2]string{
		{"graphs", fmt.Sprintf("%s, %d and %d nodes", r.Instance, r.N1, r.N2)}, {"costs", r.Costs},
		{"distance", report.NumberText(r.Distance)}, {"lower bound", report.NumberText(r.Lower)}, {"status", string(r.Status)},
		{"similarity", fmt.Sprintf("%.4f", r.Similarity)}, {"seconds", fmt.Sprintf("%.6f", r.Seconds)},
	}
	if r.Within != nil {
		pairs = slices.Insert(pairs, 4, [2]string{"within", map[bool]string{true: "yes", false: "no"}[*r.Within]})
	}
	if err := report.WritePairs(out, pairs); err != nil || r.Path == nil {
		return err
	}
	rows := [][]string{{"", "", "A", "B", "cost"}}
	for _, e := range r.Path {
		if !e.Kept() {
			rows = append(rows, []string{e.Edit, e.What, strings.Join(e.A, " – "), strings.Join(e.B, " – "), report.NumberText(e.Cost)})
		}
	}
	fmt.Fprintln(out)
	return report.WriteColumns(out, rows)
}
