package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/networks"
	"github.com/rgm-go/rgm/internal/cli/report"
	"github.com/rgm-go/rgm/internal/cli/search"
	"github.com/rgm-go/rgm/internal/cli/settings"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/train/selector"
)

// ChoosersSettings are the settings of rgm-lab bench choosers.
type ChoosersSettings struct {
	Choosers   []string `mapstructure:"choosers"`
	Families   []string `mapstructure:"families"`
	Sizes      []int    `mapstructure:"sizes"`
	Count      int      `mapstructure:"count"`
	BestKnown  string   `mapstructure:"best-known"`
	Times      []string `mapstructure:"times"` // durations
	Seeds      int      `mapstructure:"seeds"`
	Recordings string   `mapstructure:"recordings"`
	Format     string   `mapstructure:"format"`
}

// oracle is the row of the component that is best in hindsight.
const oracle = "oracle"

// ChooserNames are the values of --choosers beside model files.
func ChooserNames() []string { return append([]string{search.ChooserLearned}, auto.Names()...) }

// Check returns an error that lists everything the settings have wrong.
func (s *ChoosersSettings) Check() error {
	errs := []error{
		settings.AtLeast(1, "seeds", s.Seeds), settings.AtLeast(1, "count", s.Count),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
	}
	if _, err := s.times(); err != nil {
		errs = append(errs, err)
	}
	if len(s.Choosers) == 0 {
		errs = append(errs, errors.New("--choosers is empty: want one or more"))
	}
	for _, name := range s.Choosers {
		if !networks.IsFile(name) {
			errs = append(errs, settings.OneOf("choosers", name, append(ChooserNames(), "FILE.onnx")...))
		}
	}
	for _, name := range s.Families {
		errs = append(errs, settings.OneOf("families", name, datasets.Families()...))
	}
	return errors.Join(errs...)
}

// times returns the durations of --times, sorted.
func (s *ChoosersSettings) times() ([]time.Duration, error) {
	var all []time.Duration
	for _, text := range s.Times {
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Millisecond {
			return nil, fmt.Errorf("--times %q: want durations of 1ms or more, such as 100ms,1s", text)
		}
		all = append(all, d)
	}
	if len(all) == 0 {
		return nil, errors.New("--times is empty: want one or more")
	}
	slices.Sort(all)
	return all, nil
}

// ChooserRow is what a chooser leaves on a set of instances after a time.
type ChooserRow struct {
	Set       string   `json:"set"`
	Instances int      `json:"instances"`
	Seconds   float64  `json:"seconds"`
	Chooser   string   `json:"chooser"`
	Gap       float64  `json:"gap_percent"`
	LogGap    float64  `json:"log_gap"`
	Error     *float64 `json:"log_gap_standard_error"`
	Less      float64  `json:"less_first"` // log-gap less that of the first chooser
	LessError *float64 `json:"less_first_standard_error"`
	Rank      float64  `json:"rank"`
	RankError *float64 `json:"rank_standard_error"`
}

// recordings are what the components bring to instances; traces are by instance, then
// by seed.
type recordings struct {
	Sets   []string
	Best   []float64 // cost, the best known or the best of all that was recorded
	Traces [][]*auto.Trace
	Time   time.Duration
}

var recordingsFormat = sealed.Format{Magic: "rgm recordings of choosers\n", Version: 1}

// Choosers measures choosers on instances of files and generated ones, all on the same
// recordings of the components.
func Choosers(ctx context.Context, c *console.Console, s *ChoosersSettings, files []string) ([]ChooserRow, error) {
	choosers := map[string]func() auto.Chooser{}
	for _, name := range s.Choosers {
		chooser, err := chooserOf(name)
		if err != nil {
			return nil, err
		}
		choosers[name] = chooser
	}
	times, _ := s.times() // checked before
	r, err := s.recorded(ctx, c, files, times[len(times)-1])
	if err != nil {
		return nil, err
	}
	sets := slices.Compact(slices.Sorted(slices.Values(r.Sets)))
	if len(sets) > 1 {
		sets = append(sets, allSets)
	}
	var rows []ChooserRow
	for _, d := range times {
		gaps, err := r.measure(ctx, s.Choosers, choosers, d)
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			for _, row := range r.rows(set, append(slices.Clone(s.Choosers), oracle), gaps) {
				row.Seconds = d.Seconds()
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// allSets names the rows over the instances of all sets.
const allSets = "all"

// chooserOf returns what makes choosers of a name.
func chooserOf(name string) (func() auto.Chooser, error) {
	if chooser := auto.Named(name); chooser != nil {
		return chooser, nil
	}
	if name == search.ChooserLearned {
		name = portfolio.ModelSelector
	}
	loaded, err := networks.Load(name)
	if err != nil {
		return nil, err
	}
	network, ok := loaded.Network.(*models.Selector)
	if !ok {
		return nil, settings.Usage(fmt.Errorf("--choosers %s: the architecture %s does not choose among searches", name, loaded.Network.Architecture()))
	}
	return selector.ChooserOf(selector.Forward(network)), nil
}

// recorded reads the recordings, or makes and writes them.
func (s *ChoosersSettings) recorded(ctx context.Context, c *console.Console, files []string, d time.Duration) (*recordings, error) {
	var r recordings
	if s.Recordings != "" {
		data, err := os.ReadFile(s.Recordings)
		if err == nil {
			err = recordingsFormat.Decode(data, &r)
		}
		if err == nil && r.Time < d {
			err = fmt.Errorf("recorded for %v, not for the %v of --times", r.Time, d)
		}
		if !errors.Is(err, os.ErrNotExist) {
			if err != nil {
				err = fmt.Errorf("--recordings %s: %w", s.Recordings, err)
			}
			return &r, err
		}
	}
	instances, sets, err := s.instances(files)
	if err != nil {
		return nil, err
	}
	known, err := bestKnown(s.BestKnown)
	if err != nil {
		return nil, err
	}
	r = recordings{Sets: sets, Time: d}
	bar := c.StartBar(int64(len(instances)*s.Seeds), "recording", console.WithRate("runs")...)
	defer c.EndBar()
	for _, in := range instances {
		traces, best := make([]*auto.Trace, s.Seeds), math.Inf(1)
		o := qap.Options{}
		if v, ok := known(in); ok {
			best = -in.ScoreOf(v)
			o.Limits = qap.Limits{Target: v, HasTarget: true}
		}
		for seed := range traces {
			o.Seed = uint64(seed)
			if traces[seed], err = auto.Record(ctx, in, d, o); err != nil {
				return nil, fmt.Errorf("bench: %s: %w", in.Name, err)
			}
			best = min(best, traces[seed].Best())
			bar.Add()
		}
		r.Traces, r.Best = append(r.Traces, traces), append(r.Best, best)
	}
	if s.Recordings != "" {
		err = recordingsFormat.Write(s.Recordings, r)
	}
	return &r, err
}

// instances returns those of files, by class, and the generated ones, by family.
func (s *ChoosersSettings) instances(files []string) (all []*qap.Instance, sets []string, err error) {
	inputs, err := datasets.Expansion{}.Expand(files)
	if err != nil {
		return nil, nil, err
	}
	for _, input := range inputs {
		for in, err := range input.Instances(datasets.Options{}) {
			if err != nil {
				return nil, nil, err
			}
			all, sets = append(all, in), append(sets, datasets.Class(in.Name))
		}
	}
	for _, family := range s.Families {
		for _, n := range s.Sizes {
			for k := range s.Count {
				in, err := datasets.Generate(family, n, rand.New(rand.NewPCG(judgingSeed, uint64(n<<16+k))))
				if err != nil {
					return nil, nil, err
				}
				all, sets = append(all, in), append(sets, family)
			}
		}
	}
	if len(all) == 0 {
		err = settings.Usage(errors.New("no instances: name files, or --families"))
	}
	return all, sets, err
}

// judgingSeed draws instances that no training draws.
const judgingSeed = 0x0dd5

// chooserGap is what a chooser left on an instance, the mean over the seeds.
type chooserGap struct{ gap, logGap, rank float64 }

// measure returns the gaps of every chooser, and of the oracle after them, by instance.
func (r *recordings) measure(ctx context.Context, names []string, choosers map[string]func() auto.Chooser, d time.Duration) ([][]chooserGap, error) {
	all := make([][]chooserGap, len(names)+1)
	for k := range all {
		all[k] = make([]chooserGap, len(r.Traces))
	}
	parallel.For(len(r.Traces), func(i int) {
		share := 1 / float64(len(r.Traces[i]))
		for _, t := range r.Traces[i] {
			if ctx.Err() != nil {
				return
			}
			costs := make([]float64, len(names), len(names)+1)
			for k, name := range names {
				costs[k] = t.Replay(choosers[name](), d).BestCost
			}
			for k, rank := range ranks(costs) {
				all[k][i].rank += share * rank
			}
			best := math.Inf(1)
			for k := range auto.Component(auto.Components) {
				best = min(best, t.Replay(auto.Fixed(k), d).BestCost)
			}
			for k, cost := range append(costs, best) {
				logGap := selector.LogGap(&t.Features, cost, r.Best[i])
				all[k][i].logGap += share * logGap
				all[k][i].gap += share * (math.Pow(10, logGap) - selector.LeastGap)
			}
		}
	})
	return all, ctx.Err()
}

// ranks returns the place of each cost, from 1; equal ones share theirs.
func ranks(costs []float64) []float64 {
	all := make([]float64, len(costs))
	for k, cost := range costs {
		all[k] = 1
		for j, other := range costs {
			if other < cost {
				all[k]++
			} else if other == cost && j != k {
				all[k] += 0.5
			}
		}
	}
	return all
}

// rows sums the gaps on a set up.
func (r *recordings) rows(set string, names []string, gaps [][]chooserGap) []ChooserRow {
	var rows []ChooserRow
	for k, name := range names {
		var gap, logGap, less, rank []float64
		for i, of := range r.Sets {
			if of == set || set == allSets {
				v := gaps[k][i]
				gap, logGap, rank = append(gap, v.gap), append(logGap, v.logGap), append(rank, v.rank)
				less = append(less, v.logGap-gaps[0][i].logGap)
			}
		}
		rows = append(rows, ChooserRow{
			Set: set, Instances: len(gap), Chooser: name, Gap: statistics.Mean(gap),
			LogGap: statistics.Mean(logGap), Error: report.Known(statistics.ErrorOfMean(logGap)),
			Less: statistics.Mean(less), LessError: report.Known(statistics.ErrorOfMean(less)),
			Rank: statistics.Mean(rank), RankError: report.Known(statistics.ErrorOfMean(rank)),
		})
	}
	return rows
}

// PrintChoosers prints a line for each chooser, set and time.
func PrintChoosers(out io.Writer, format string, rows []ChooserRow) error {
	if format == report.JSON {
		return report.WriteJSON(out, rows...)
	}
	header := []string{"set", "instances", "seconds", "chooser", "gap %", "log-gap", "±", "less first", "±", "rank", "±"}
	var lines [][]string
	for _, r := range rows {
		rank := []string{digits(&r.Rank), digits(r.RankError)}
		if r.Chooser == oracle {
			rank = make([]string, 2)
		}
		lines = append(lines, append([]string{
			r.Set, strconv.Itoa(r.Instances), report.ExactText(r.Seconds), r.Chooser, digits(&r.Gap),
			digits(&r.LogGap), digits(r.Error), digits(&r.Less), digits(r.LessError),
		}, rank...))
	}
	return report.WriteRows(out, format, header, lines)
}

func digits(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', 3, 64)
}
