package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
)

// benchRow is a row of rgm bench; docs/CLI_JSON.md says what each field means.
type benchRow struct {
	Method     string             `json:"method"`
	Model      string             `json:"model,omitempty"`
	Provider   string             `json:"provider,omitempty"`
	Source     string             `json:"source"`
	TimeLimit  *float64           `json:"time_limit_seconds,omitempty"`
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

	Instances []benchInstance `json:"instances,omitempty"`
}

// benchInstance is what a method reached on one instance.
type benchInstance struct {
	Instance   string    `json:"instance"`
	N          int       `json:"n"`
	BestKnown  float64   `json:"best_known"`
	Objectives []float64 `json:"objectives"`
	GapPercent float64   `json:"gap_percent"`
	Seconds    float64   `json:"seconds"`
}

// The values of benchRow.Source.
const (
	sourceMeasured = "measured"
	sourcePaper    = "paper"
)

// measurement runs methods on the same instances and seeds.
type measurement struct {
	console   *console
	settings  *benchSettings
	instances []*qap.Instance
	bar       progress
}

func newMeasurement(c *console, s *benchSettings, names []string) (*measurement, error) {
	m := &measurement{console: c, settings: s}
	for _, name := range names {
		in, err := datasets.QAPLIB(name)
		if err != nil {
			return nil, err
		}
		m.instances = append(m.instances, in)
	}
	return m, nil
}

// classes returns the classes of the instances, in the order of the instances.
func (m *measurement) classes() []string {
	var classes []string
	for _, in := range m.instances {
		if class := datasets.Class(in.Name); !slices.Contains(classes, class) {
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
	err                     error
}

// measureAll returns the row of every method and time limit; those before an error are returned
// with it.
func (m *measurement) measureAll(ctx context.Context, searchers []*searcher) ([]benchRow, error) {
	var rows []benchRow
	for _, s := range searchers {
		for _, search := range m.settings.searches() {
			row, err := m.measure(ctx, s, search)
			if err != nil {
				return rows, fmt.Errorf("bench: %s: %w", s.method, err)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// measure runs a method on all instances with all seeds.
func (m *measurement) measure(ctx context.Context, s *searcher, search searchSettings) (benchRow, error) {
	m.bar = m.console.startBar(int64(len(m.instances)*m.settings.Seeds), s.method, withRate("runs")...)
	before, _ := cpuTime()
	outcomes, err := m.run(ctx, s, search.options())
	after, measured := cpuTime()
	if err != nil {
		return benchRow{}, err
	}
	row := m.row(outcomes)
	row.Method, row.Source = s.method, sourceMeasured
	if search.TimeLimit > 0 {
		seconds := search.TimeLimit.Seconds()
		row.TimeLimit = &seconds
	}
	if s.network != nil {
		row.Model, row.Provider = s.network.model, s.network.evaluator
	}
	if measured {
		row.CPUSeconds, row.CPUSecondsPerInstance = totalAndMean((after - before).Seconds(), len(outcomes))
	}
	return row, nil
}

// run returns the outcome of every trial: the seeds of the first instance, those
// of the second, and so on.
func (m *measurement) run(ctx context.Context, s *searcher, o infer.Options) ([]outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	trials := func(yield func(trial) bool) {
		for _, in := range m.instances {
			for seed := range m.settings.Seeds {
				if !yield(trial{in, seed}) {
					return
				}
			}
		}
	}
	var outcomes []outcome
	for o := range inOrder(m.settings.Workers, trials, func(t trial) outcome { return try(ctx, s, t, o) }) {
		if o.err != nil {
			cancel()
			return nil, o.err
		}
		outcomes = append(outcomes, o)
		m.bar.add()
	}
	return outcomes, nil
}

// try runs a trial.
func try(ctx context.Context, s *searcher, t trial, o infer.Options) outcome {
	o.Seed = uint64(t.seed)
	start := time.Now()
	result, _, err := s.solve(ctx, t.instance, o)
	seconds := time.Since(start).Seconds()
	if err == nil && result.Status == qap.Cancelled {
		err = errors.New("cancelled")
	}
	if err != nil {
		return outcome{err: fmt.Errorf("%s: %w", t.instance.Name, err)}
	}
	best, _ := datasets.BestKnown(t.instance.Name)
	gap, _ := datasets.Gap(result.Objective, best.Value) // defined on all of datasets.PaperSet
	return outcome{result.Objective, gap, seconds, nil}
}

// row sums outcomes up.
func (m *measurement) row(outcomes []outcome) benchRow {
	seeds := m.settings.Seeds
	row := benchRow{
		Seeds: seeds, Classes: map[string]float64{}, ClassesMin: map[string]float64{}, ClassesMax: map[string]float64{},
	}
	averages := make([]float64, seeds) // over the classes, a seed each
	total := 0.0
	for _, class := range m.classes() {
		gaps := make([][]float64, seeds)
		for k, in := range m.instances {
			if datasets.Class(in.Name) != class {
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
			row.Classes[class] += mean(gaps[seed]) / float64(seeds)
			averages[seed] += mean(gaps[seed]) / float64(len(m.classes()))
		}
		every := slices.Concat(gaps...)
		row.ClassesMin[class], row.ClassesMax[class] = slices.Min(every), slices.Max(every)
	}
	row.Average, row.AverageSD = mean(averages), standardDeviation(averages)
	row.Seconds, row.SecondsPerInstance = totalAndMean(total, len(outcomes))
	return row
}

func newBenchInstance(in *qap.Instance, of []outcome) benchInstance {
	n, _ := in.Size()
	best, _ := datasets.BestKnown(in.Name)
	b := benchInstance{Instance: in.Name, N: n, BestKnown: best.Value}
	for _, o := range of {
		b.Objectives = append(b.Objectives, o.objective)
		b.GapPercent += o.gap / float64(len(of))
		b.Seconds += roundSeconds(o.seconds / float64(len(of)))
	}
	return b
}

// standardDeviation returns that of a sample, nil of less than two values.
func standardDeviation(values []float64) *float64 {
	if len(values) < 2 {
		return nil
	}
	centre, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - centre) * (v - centre)
	}
	sd := math.Sqrt(sum / float64(len(values)-1))
	return &sd
}

// totalAndMean returns the seconds of all runs and of one.
func totalAndMean(seconds float64, runs int) (total, each *float64) {
	t, e := roundSeconds(seconds), roundSeconds(seconds/float64(runs))
	return &t, &e
}

// mean returns the mean of values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
