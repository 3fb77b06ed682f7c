package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// AlignSettings are the settings of rgm-lab bench align.
type AlignSettings struct {
	Generate  string        `mapstructure:"generate"`
	Nodes     int           `mapstructure:"nodes"`
	Degree    float64       `mapstructure:"degree"`
	Removed   []string      `mapstructure:"removed"`
	Replaced  bool          `mapstructure:"replaced"`
	Gone      float64       `mapstructure:"gone"`
	Methods   []string      `mapstructure:"methods"`
	Peers     []string      `mapstructure:"peer"`
	Starts    []string      `mapstructure:"starts"`
	Model     string        `mapstructure:"model"`
	Against   string        `mapstructure:"against"`
	Known     float64       `mapstructure:"known"`
	Seeds     int           `mapstructure:"seeds"`
	Seed      uint64        `mapstructure:"seed"`
	Threads   int           `mapstructure:"threads"`
	TimeLimit time.Duration `mapstructure:"time-limit"`
	MaxSteps  int           `mapstructure:"max-steps"`
	Clock     string        `mapstructure:"clock"`
	Format    string        `mapstructure:"format"`

	removed []float64
}

// Check returns an error that lists everything the settings have wrong, files among it.
func (s *AlignSettings) Check(files []string) error {
	errs := []error{
		settings.AtLeast(1, "seeds", s.Seeds), settings.AtLeast(1, "threads", s.Threads), settings.AtLeast(0, "max-steps", s.MaxSteps),
		settings.OneOf("clock", s.Clock, ClockWall, ClockCPU),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
	}
	if s.Generate != "" {
		errs = append(errs, settings.OneOf("generate", s.Generate, networks.Kinds()...))
	}
	if (s.Generate == "") == (len(files) == 0) {
		errs = append(errs, errors.New("want files of graphs, or --generate and no files"))
	}
	if s.Against != "" && len(files) != 1 {
		errs = append(errs, errors.New("--against: want one file beside it"))
	}
	for _, text := range s.Removed {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share >= 0 && share < 1) {
			errs = append(errs, fmt.Errorf("--removed %s: want shares from 0 to below 1", text))
		}
		s.removed = append(s.removed, share)
	}
	for _, start := range s.Starts {
		errs = append(errs, settings.OneOf("starts", start, StartNone, StartBP, StartLearned))
	}
	for _, method := range s.Methods {
		errs = append(errs, settings.OneOf("methods", method, alignMethods()...))
	}
	for _, peer := range s.Peers {
		errs = append(errs, checkPeer(peer))
	}
	for name, share := range map[string]float64{"gone": s.Gone, "known": s.Known} {
		if !(share >= 0 && share < 1) {
			errs = append(errs, fmt.Errorf("--%s %v: want a share from 0 to below 1", name, share))
		}
	}
	return errors.Join(errs...)
}

// AlignRow is what was measured of a pair of graphs.
type AlignRow struct {
	Pair    string  `json:"pair"`
	Removed float64 `json:"removed"`
	Nodes   int     `json:"nodes"`
	Truth   int     `json:"truth_edges"`  // edges that the true alignment shares
	Shared  int     `json:"shared_edges"` // edges that the found one shares
	Right   float64 `json:"right"`        // share of the nodes with a true partner that have it
	Sure    int     `json:"sure"`
	Wrong   int     `json:"sure_wrong"`
	Seconds float64 `json:"seconds"`
	Status  string  `json:"status"`
	Seed    uint64  `json:"seed"`
	Method  string  `json:"method"`          // of rgm, or the name of a peer
	Start   string  `json:"start,omitempty"` // what the search has beside its own parts
	FoundBy string  `json:"found_by"`        // what found the best

	label string
}

// Align aligns graphs with noisy copies of them, and calls told with what was measured.
func Align(ctx context.Context, s *AlignSettings, files []string, told func(AlignRow) error) error {
	if s.Clock == ClockCPU {
		ctx = qap.WithClock(ctx, cputime.Clock)
	}
	if s.Generate != "" {
		files = []string{s.Generate}
	}
	for _, file := range files {
		for _, removed := range s.removed {
			for seed := s.Seed; seed < s.Seed+uint64(s.Seeds); seed++ {
				for _, method := range s.methods() {
					row, err := s.align(ctx, file, removed, seed, method)
					if err == nil {
						err = told(row)
					}
					if err = errors.Join(err, ctx.Err()); err != nil {
						return err
					}
				}
			}
			if s.Against != "" {
				break // its noise is real
			}
		}
	}
	return nil
}

func (s *AlignSettings) align(ctx context.Context, file string, removed float64, seed uint64, method alignMethod) (row AlignRow, err error) {
	var g, copied graphs.Graph
	var truth qap.Matching
	if s.Generate != "" {
		g, err = networks.Generate(s.Generate, s.Nodes, s.Degree, seed)
	} else {
		g, err = graphs.Open(file)
	}
	if err != nil {
		return row, err
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if s.Against != "" {
		copied, truth, err = s.other(&g, seed)
		name += "-" + strings.TrimSuffix(filepath.Base(s.Against), filepath.Ext(s.Against))
		removed = 0
	} else {
		copied, truth = networks.Noise{Removed: removed, Replaced: s.Replaced, Gone: s.Gone, Seed: seed}.Copy(g)
	}
	if err != nil {
		return row, err
	}
	var p align.Problem
	if p.A, err = compare.Structure(&g); err == nil {
		p.B, err = compare.Structure(&copied)
	}
	if err != nil {
		return row, err
	}
	p.Known = s.known(truth)
	begin := s.now()
	r, seconds, err := s.search(ctx, method, &p, seed)
	if err != nil {
		return row, fmt.Errorf("%s by %s: %w", name, method, err)
	}
	row = AlignRow{
		Pair: name, Removed: removed, Nodes: g.Nodes, Truth: p.SharedEdges(truth), Shared: r.Shared,
		Right:   float64(r.Matching.Right(truth)) / float64(max(1, truth.Size())),
		Seconds: report.RoundSeconds(cmp.Or(seconds, s.now().Sub(begin).Seconds())), Status: string(r.Status), Seed: seed,
		Method: method.name, Start: method.start, FoundBy: r.FoundBy, label: method.String(),
	}
	for i, m := range align.Assess(ctx, &p, r.Matching).Matches {
		if m.Sure() {
			row.Sure++
			if r.Matching[i] != truth[i] {
				row.Wrong++
			}
		}
	}
	return row, nil
}

func (s *AlignSettings) now() time.Time {
	if s.Clock == ClockCPU {
		return cputime.Clock()
	}
	return time.Now()
}

// other returns the graph of --against with its nodes in another order, and which is which by
// their names, or their numbers where the files have none.
func (s *AlignSettings) other(g *graphs.Graph, seed uint64) (graphs.Graph, qap.Matching, error) {
	h, err := graphs.Open(s.Against)
	if err != nil {
		return h, nil, err
	}
	shuffled, order := networks.Noise{Seed: seed}.Copy(h)
	truth := qap.NewMatching(g.Nodes)
	for i := range truth {
		j := i
		if h.Names != nil {
			j = slices.Index(h.Names, g.NodeName(i))
		}
		if j >= 0 && j < h.Nodes {
			truth[i] = order[j]
		}
	}
	return shuffled, truth, nil
}

// known returns every so many nodes with their true partners.
func (s *AlignSettings) known(truth qap.Matching) []align.Pair {
	if s.Known == 0 {
		return nil
	}
	var known []align.Pair
	for i := 0; i < len(truth); i += max(1, int(1/s.Known)) {
		if truth[i] != qap.Unmatched {
			known = append(known, align.Pair{I: i, J: truth[i]})
		}
	}
	return known
}

// PrintAlign prints rows in a format.
func PrintAlign(out io.Writer, format string, rows []AlignRow) error {
	if format == report.JSON {
		return report.WriteJSON(out, rows...)
	}
	var cells [][]string
	for _, r := range rows {
		cells = append(cells, []string{
			r.Pair, r.label, strconv.FormatFloat(100*r.Removed, 'g', 3, 64), strconv.Itoa(r.Truth), strconv.Itoa(r.Shared),
			fmt.Sprintf("%.1f", 100*r.Right), fmt.Sprintf("%d (%d wrong)", r.Sure, r.Wrong), fmt.Sprintf("%.2f", r.Seconds),
		})
	}
	return writeRows(out, format, []string{"pair", "method", "removed %", "truth's edges", "shared edges", "right %", "sure", "seconds"}, cells)
}
