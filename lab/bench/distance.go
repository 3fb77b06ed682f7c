package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/edited"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/qap"
)

// DistanceSettings are the settings of rgm-lab bench distance.
type DistanceSettings struct {
	TimeLimits []time.Duration `mapstructure:"time-limits"`
	MaxSteps   int             `mapstructure:"max-steps"`
	Pairs      int             `mapstructure:"pairs"`
	By         string          `mapstructure:"by"`
	Peers      []string        `mapstructure:"peer"`
	Seed       uint64          `mapstructure:"seed"`
	Clock      string          `mapstructure:"clock"`
	Format     string          `mapstructure:"format"`
}

// The values of DistanceSettings.By.
const (
	ByBin   = "bin"
	ByNodes = "nodes"
)

// Check returns an error that lists everything the settings have wrong.
func (s *DistanceSettings) Check() error {
	errs := []error{
		settings.AtLeast(0, "max-steps", s.MaxSteps), settings.AtLeast(0, "pairs", s.Pairs), settings.OneOf("by", s.By, ByBin, ByNodes),
		settings.OneOf("clock", s.Clock, ClockWall, ClockCPU),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
		settings.ErrorIf(len(s.TimeLimits) == 0, "--time-limits is empty: want one or more, 0 for none"),
	}
	for _, limit := range s.TimeLimits {
		errs = append(errs, settings.ErrorIf(limit < 0, "--time-limits %v: want at least 0", limit))
	}
	for _, peer := range s.Peers {
		errs = append(errs, checkPeer(peer))
	}
	return errors.Join(errs...)
}

// DistanceClaim is what a program says of a pair, recomputed: a line of --format json.
type DistanceClaim struct {
	ID      string   `json:"id"`
	Method  string   `json:"method"`
	Limit   float64  `json:"limit"` // seconds, 0 for none
	Map     []int    `json:"map"`
	Cost    float64  `json:"cost"` // of the edits that Map stands for
	Lower   *float64 `json:"lower,omitempty"`
	Proved  bool     `json:"proved"`
	Seconds float64  `json:"seconds"`

	pair *edited.Pair
}

// Distance measures the pairs of files by rgm and by peers, and calls told with each claim that holds. Those that do not are
// errors, after all others.
func Distance(ctx context.Context, s *DistanceSettings, files []string, told func(DistanceClaim) error) error {
	if s.Clock == ClockCPU {
		ctx = qap.WithClock(ctx, cputime.Clock)
	}
	var all []edited.Pair
	for _, file := range files {
		pairs, err := readKnown(file)
		if err != nil {
			return err
		}
		all = append(all, pairs...)
	}
	all = s.first(all)
	var wrong []error
	take := func(c DistanceClaim) error {
		if err := c.check(); err != nil {
			wrong = append(wrong, fmt.Errorf("%s of %s: %w", c.ID, c.Method, err))
			return nil
		}
		return told(c)
	}
	for _, limit := range s.TimeLimits {
		for k := range all {
			c, err := s.measure(ctx, &all[k], limit)
			if err = errors.Join(err, ctx.Err()); err == nil {
				err = take(c)
			}
			if err != nil {
				return err
			}
		}
		for _, peer := range s.Peers {
			if err := askPeer(ctx, peer, all, limit, take); err != nil {
				return err
			}
		}
	}
	return errors.Join(wrong...)
}

func readKnown(path string) ([]edited.Pair, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := edited.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for k := range all {
		p := &all[k]
		if _, known := editModels[p.Costs]; !known {
			return nil, fmt.Errorf("%s: %s: costs %q: want uniform, chem2 or protein", path, p.ID, p.Costs)
		}
		if p.Map == nil {
			continue
		}
		if cost, err := costOf(p, p.Map); err != nil || !same(cost, p.Best) {
			return nil, errors.Join(err, fmt.Errorf("%s: %s: its map costs %v, best is %v", path, p.ID, cost, p.Best))
		}
	}
	return all, nil
}

// first returns the first pairs of each row, --pairs at most.
func (s *DistanceSettings) first(all []edited.Pair) []edited.Pair {
	if s.Pairs == 0 {
		return all
	}
	count := map[string]int{}
	return slices.DeleteFunc(all, func(p edited.Pair) bool {
		of := s.row(&p)
		count[of]++
		return count[of] > s.Pairs
	})
}

// row returns the row that a pair is counted in.
func (s *DistanceSettings) row(p *edited.Pair) string {
	if s.By == ByBin {
		return p.Bin
	}
	nodes, from := max(len(p.Graph1.Nodes), len(p.Graph2.Nodes)), 1
	for _, to := range []int{10, 20, 30, 50, 100} {
		if nodes <= to {
			return fmt.Sprintf("%3d to %d nodes", from, to)
		}
		from = to + 1
	}
	return fmt.Sprintf("%3d nodes or more", from)
}

// measure is rgm's claim of a pair.
func (s *DistanceSettings) measure(ctx context.Context, p *edited.Pair, limit time.Duration) (DistanceClaim, error) {
	g1, err1 := p.Graph1.Measured(p.Costs)
	g2, err2 := p.Graph2.Measured(p.Costs)
	if err := errors.Join(err1, err2); err != nil {
		return DistanceClaim{}, fmt.Errorf("%s: %w", p.ID, err)
	}
	o := rgm.Options{Costs: p.Costs, TimeLimit: limit, MaxSteps: s.MaxSteps, Seed: s.Seed, Path: true}
	now := time.Now
	if s.Clock == ClockCPU {
		now = cputime.Clock
	}
	begin := now()
	r, err := rgm.Distance(ctx, g1, g2, o)
	seconds := now().Sub(begin).Seconds()
	if err != nil {
		return DistanceClaim{}, fmt.Errorf("%s: %w", p.ID, err)
	}
	path := 0.0
	for _, e := range r.Path {
		path += e.Cost
	}
	if !same(path, r.Distance) {
		return DistanceClaim{}, fmt.Errorf("%s: the path costs %v, the distance is %v", p.ID, path, r.Distance)
	}
	return DistanceClaim{p.ID, "rgm", limit.Seconds(), r.Matching, r.Distance, &r.Lower, r.Status == qap.Optimal, seconds, p}, nil
}

const tolerance = 1e-6 // values of published files are rounded

func same(x, y float64) bool { return math.Abs(x-y) <= tolerance*max(1, x, y) }

// check returns an error unless the edits cost what is claimed, and nothing is claimed that the best known contradicts.
func (c *DistanceClaim) check() error {
	cost, err := costOf(c.pair, c.Map)
	best := c.pair.Best
	switch {
	case err != nil:
		return err
	case !same(cost, c.Cost):
		return fmt.Errorf("the edits cost %v, claimed are %v", cost, c.Cost)
	case c.pair.Proved && cost < best && !same(cost, best):
		return fmt.Errorf("the edits cost %v, less than the proved optimum %v", cost, best)
	case c.Lower != nil && *c.Lower > min(best, cost)+tolerance*max(1, best):
		return fmt.Errorf("the lower bound is %v, but edits cost %v", *c.Lower, min(best, cost))
	case c.Proved && cost > best && !same(cost, best):
		return fmt.Errorf("%v is claimed to be proved, but edits cost %v", cost, best)
	}
	return nil
}

// distanceRow is what was measured of pairs.
type distanceRow struct {
	method, row                             string
	limit                                   float64
	pairs, best, below, proved, bounds      int
	excess, gap, lower, seconds, mostSecond float64
}

func (r *distanceRow) add(c *DistanceClaim) {
	best := c.pair.Best
	relative := func(x float64) float64 {
		switch {
		case best > 0:
			return x / best
		case x > tolerance:
			return 1
		}
		return 0
	}
	r.pairs++
	if c.Cost <= best || same(c.Cost, best) {
		r.best++
	}
	if c.Cost < best && !same(c.Cost, best) {
		r.below++
	}
	if c.Proved {
		r.proved++
	}
	r.excess += c.Cost - best
	r.gap += relative(c.Cost - best)
	if c.Lower != nil {
		r.bounds++
		r.lower += relative(best - *c.Lower)
	}
	r.seconds += c.Seconds
	r.mostSecond = max(r.mostSecond, c.Seconds)
}

// PrintDistance prints claims in a format: in JSON one a line, else a row for each method, limit and kind of pairs.
func (s *DistanceSettings) PrintDistance(out io.Writer, claims []DistanceClaim) error {
	if s.Format == report.JSON {
		return report.WriteJSON(out, claims...)
	}
	var rows []*distanceRow
	row := func(c *DistanceClaim, name string) *distanceRow {
		for _, r := range rows {
			if r.method == c.Method && r.limit == c.Limit && r.row == name {
				return r
			}
		}
		rows = append(rows, &distanceRow{method: c.Method, limit: c.Limit, row: name})
		return rows[len(rows)-1]
	}
	for k := range claims {
		row(&claims[k], s.row(claims[k].pair)).add(&claims[k])
		row(&claims[k], "~all").add(&claims[k]) // the last
	}
	slices.SortStableFunc(rows, func(x, y *distanceRow) int { return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.limit, y.limit)) })
	var cells [][]string
	for _, r := range rows {
		cells = append(cells, r.cells())
	}
	return writeRows(out, s.Format, []string{"pairs", "method", "best %", "excess", "gap %", "lower %", "proved %", "ms: mean, most"}, cells)
}

func (r *distanceRow) cells() []string {
	n := float64(r.pairs)
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	method, lower, name := r.method, "", r.row
	if r.limit > 0 {
		method += " " + time.Duration(r.limit*float64(time.Second)).String()
	}
	if r.bounds > 0 {
		lower = text(100 * r.lower / float64(r.bounds))
	}
	if name == "~all" {
		name = "all"
	}
	best := fmt.Sprintf("%.2f", 100*float64(r.best)/n)
	if r.below > 0 {
		best += fmt.Sprintf(" (%d better)", r.below)
	}
	return []string{
		fmt.Sprintf("%s (%d)", name, r.pairs), method, best, text(r.excess / n), text(100 * r.gap / n), lower,
		fmt.Sprintf("%.1f", 100*float64(r.proved)/n), text(1000*r.seconds/n) + ", " + text(1000*r.mostSecond),
	}
}
