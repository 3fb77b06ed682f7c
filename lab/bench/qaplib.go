package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

// QAPLIBRow is a row of rgm-lab bench; lab/notes/CLI_JSON.md says what each field means.
type QAPLIBRow struct {
	Method    string   `json:"method"`
	Model     string   `json:"model,omitempty"`
	Provider  string   `json:"provider,omitempty"`
	Source    string   `json:"source"`
	TimeLimit *float64 `json:"time_limit_seconds,omitempty"`
	Clock     string   `json:"clock,omitempty"` // of the time limit, where it is not the wall's

	Irrevocable bool `json:"irrevocable,omitempty"`

	Classes    map[string]float64 `json:"classes"`
	ClassesMin map[string]float64 `json:"classes_min"`
	ClassesMax map[string]float64 `json:"classes_max"`
	Average    float64            `json:"average"`
	AverageSD  *float64           `json:"average_sd,omitempty"`
	Printed    *float64           `json:"printed_average,omitempty"`
	Seeds      int                `json:"seeds,omitempty"`

	CPUSecondsPerInstance *float64 `json:"cpu_seconds_per_instance,omitempty"`
	SecondsPerInstance    *float64 `json:"seconds_per_instance,omitempty"`
	CPUSeconds            *float64 `json:"cpu_seconds,omitempty"`
	Seconds               *float64 `json:"seconds,omitempty"`

	Instances []QAPLIBInstance `json:"instances,omitempty"`
}

// QAPLIBInstance is what a method reached on one instance.
type QAPLIBInstance struct {
	Instance   string    `json:"instance"`
	N          int       `json:"n"`
	BestKnown  float64   `json:"best_known"`
	Objectives []float64 `json:"objectives"`
	GapPercent float64   `json:"gap_percent"`
	Seconds    float64   `json:"seconds"`
}

// The values of QAPLIBRow.Source.
const (
	sourceMeasured = "measured"
	SourcePaper    = "paper"
)

// QAPLIB runs methods on the same instances and seeds.
type QAPLIB struct {
	console   *console.Console
	settings  *QAPLIBSettings
	instances []*qap.Instance
	bar       console.Progress
}

// NewQAPLIB prepares a measurement on the instances of these names.
func NewQAPLIB(c *console.Console, s *QAPLIBSettings, names []string) (*QAPLIB, error) {
	m := &QAPLIB{console: c, settings: s}
	for _, name := range names {
		in, err := qaplib.Open(name)
		if err != nil {
			return nil, err
		}
		m.instances = append(m.instances, in)
	}
	return m, nil
}

// Classes returns the classes of the instances, in the order of the instances.
func (m *QAPLIB) Classes() []string {
	var classes []string
	for _, in := range m.instances {
		if class := qaplib.Class(in.Name); !slices.Contains(classes, class) {
			classes = append(classes, class)
		}
	}
	return classes
}

// trial is one run of an instance.
type trial struct {
	instance *qap.Instance
	seed     int
}

// outcome is what a trial gave.
type outcome struct {
	objective, gap, seconds float64
	model, provider         string // where a network was evaluated
}

// MeasureAll returns the row of every method and time limit; those before an error are returned
// with it.
func (m *QAPLIB) MeasureAll(ctx context.Context, searchers []*search.Searcher) ([]QAPLIBRow, error) {
	var rows []QAPLIBRow
	for _, s := range searchers {
		for _, search := range m.settings.searches() {
			row, err := m.measure(ctx, s, search)
			if err != nil {
				return rows, fmt.Errorf("bench: %s: %w", s.Method, err)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// measure runs a method on all instances with all seeds.
func (m *QAPLIB) measure(ctx context.Context, s *search.Searcher, search Settings) (QAPLIBRow, error) {
	m.bar = m.console.StartBar(int64(len(m.instances)*m.settings.Seeds), s.Method, console.WithRate("runs")...)
	before, _ := cputime.Taken()
	options := search.Options()
	options.Irrevocable = !m.settings.Revocable
	outcomes, err := m.run(ctx, s, options)
	after, measured := cputime.Taken()
	if err != nil {
		return QAPLIBRow{}, err
	}
	row := m.row(outcomes)
	row.Method, row.Source, row.Irrevocable = s.Method, sourceMeasured, !m.settings.Revocable
	if search.TimeLimit > 0 {
		seconds := search.TimeLimit.Seconds()
		row.TimeLimit = &seconds
		if m.settings.Clock == ClockCPU {
			row.Clock = ClockCPU
		}
	}
	for _, o := range outcomes {
		row.Model, row.Provider = cmp.Or(row.Model, o.model), cmp.Or(row.Provider, o.provider)
	}
	if measured {
		row.CPUSeconds, row.CPUSecondsPerInstance = totalAndMean((after - before).Seconds(), len(outcomes))
	}
	return row, nil
}

// run returns the outcome of every trial: the seeds of the first instance, those
// of the second, and so on.
func (m *QAPLIB) run(ctx context.Context, s *search.Searcher, o rgm.Options) ([]outcome, error) {
	if m.settings.Clock == ClockCPU {
		ctx = qap.WithClock(ctx, cputime.Clock)
	}
	trials := func(yield func(trial) bool) {
		for _, in := range m.instances {
			for seed := range m.settings.Seeds {
				if !yield(trial{in, seed}) {
					return
				}
			}
		}
	}
	return tryAll(ctx, m.settings.Workers, trials, m.bar.Add, func(ctx context.Context, t trial) (outcome, error) { return try(ctx, s, t, o) })
}

// try runs a trial.
func try(ctx context.Context, s *search.Searcher, t trial, o rgm.Options) (outcome, error) {
	o.Seed = uint64(t.seed)
	result, err := solve(ctx, s, t.instance.Name, t.instance, o)
	if err != nil {
		return outcome{}, err
	}
	best, _ := qaplib.BestKnown(t.instance.Name)
	gap, _ := qaplib.Gap(result.Objective, best.Value) // defined on all of qaplib.PaperSet
	return outcome{result.Objective, gap, result.Seconds, result.Model, result.Provider}, nil
}

// row sums outcomes up.
func (m *QAPLIB) row(outcomes []outcome) QAPLIBRow {
	seeds := m.settings.Seeds
	row := QAPLIBRow{
		Seeds: seeds, Classes: map[string]float64{}, ClassesMin: map[string]float64{}, ClassesMax: map[string]float64{},
	}
	averages := make([]float64, seeds) // over the classes, a seed each
	total := 0.0
	for _, class := range m.Classes() {
		gaps := make([][]float64, seeds)
		for k, in := range m.instances {
			if qaplib.Class(in.Name) != class {
				continue
			}
			of := outcomes[k*seeds : (k+1)*seeds]
			for seed, o := range of {
				gaps[seed] = append(gaps[seed], o.gap)
				total += o.seconds
			}
			row.Instances = append(row.Instances, newBenchInstance(in, of))
		}
		for seed := range gaps {
			row.Classes[class] += statistics.Mean(gaps[seed]) / float64(seeds)
			averages[seed] += statistics.Mean(gaps[seed]) / float64(len(m.Classes()))
		}
		every := slices.Concat(gaps...)
		row.ClassesMin[class], row.ClassesMax[class] = slices.Min(every), slices.Max(every)
	}
	row.Average, row.AverageSD = statistics.Mean(averages), known(statistics.Deviation(averages))
	row.Seconds, row.SecondsPerInstance = totalAndMean(total, len(outcomes))
	return row
}

func newBenchInstance(in *qap.Instance, of []outcome) QAPLIBInstance {
	n, _ := in.Size()
	best, _ := qaplib.BestKnown(in.Name)
	b := QAPLIBInstance{Instance: in.Name, N: n, BestKnown: best.Value}
	for _, o := range of {
		b.Objectives = append(b.Objectives, o.objective)
		b.GapPercent += o.gap / float64(len(of))
		b.Seconds += report.RoundSeconds(o.seconds / float64(len(of)))
	}
	return b
}

// totalAndMean returns the seconds of all runs and of one.
func totalAndMean(seconds float64, runs int) (total, each *float64) {
	t, e := report.RoundSeconds(seconds), report.RoundSeconds(seconds/float64(runs))
	return &t, &e
}
