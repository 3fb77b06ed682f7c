package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// ModelsSettings are the settings of rgm bench models.
type ModelsSettings struct {
	Preset   string `mapstructure:"preset"`
	Seed     uint64 `mapstructure:"seed"`
	Rollouts int    `mapstructure:"rollouts"`
	Format   string `mapstructure:"format"`
}

// Check returns an error that lists everything the settings have wrong.
func (s *ModelsSettings) Check() error {
	return errors.Join(
		settings.OneOf("preset", s.Preset, train.Presets()...),
		settings.AtLeast(1, "rollouts", s.Rollouts),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
	)
}

// ModelRow is how far a model, or a policy without one, falls short of the references
// of held-out instances, in spreads.
type ModelRow struct {
	Model     string             `json:"model"`
	Instances int                `json:"instances"`
	Gap       float64            `json:"gap"`
	GapError  *float64           `json:"gap_standard_error"` // over the instances
	Less      float64            `json:"less_first"`         // gap less that of the first model, instance by instance
	LessError *float64           `json:"less_first_standard_error"`
	BySize    map[string]float64 `json:"gap_by_size"` // by nodes of the larger graph
}

// unlearned are the policies that need no model.
var unlearned = map[string]rollout.Policy{
	"greedy": rollout.Greedy{}, "greedy-tabu": rollout.GreedyTabu{}, "greedy-ages": rollout.GreedyAges{},
}

// policyOf returns the policy of a model or of an unlearned method.
func policyOf(name string) (rollout.Policy, error) {
	if policy, ok := unlearned[name]; ok {
		return policy, nil
	}
	loaded, err := networks.Load(name)
	if err != nil {
		return nil, err
	}
	return rollout.Learned{Q: models.QFunction(loaded.Network)}, nil
}

// Models measures models on instances of a configuration that no training has seen.
func Models(ctx context.Context, c *console.Console, s *ModelsSettings, changes, names []string) ([]ModelRow, error) {
	preset, err := train.Preset(s.Preset)
	if err != nil {
		return nil, err
	}
	preset.Seed = s.Seed
	config, err := settings.Changed(preset, changes)
	if err == nil {
		err = config.Validate()
	}
	if err != nil {
		return nil, settings.Usage(err)
	}
	policies := make([]rollout.Policy, len(names))
	for k, name := range names {
		if policies[k], err = policyOf(name); err != nil {
			return nil, err
		}
	}
	source, err := sources.Open(config, c.Warns)
	if err != nil {
		return nil, err
	}
	c.Log.Info("drawing instances and their reference solutions")
	held, err := train.NewHeldOut(ctx, config, source)
	if err != nil {
		return nil, err
	}
	bar := c.StartBar(int64(len(names)), "models")
	defer c.EndBar()
	var rows []ModelRow
	var first []float64
	for k, policy := range policies {
		bar.Describe(names[k])
		gaps, err := held.Gaps(ctx, policy, s.Rollouts)
		if err != nil {
			return nil, fmt.Errorf("bench: %s: %w", names[k], err)
		}
		if k == 0 {
			first = gaps
		}
		rows = append(rows, modelRow(names[k], gaps, first, held.Sizes()))
		bar.Add()
	}
	return rows, nil
}

// modelRow sums the gaps of instances up.
func modelRow(name string, gaps, first []float64, sizes []int) ModelRow {
	less, bySize := make([]float64, len(gaps)), map[string][]float64{}
	for k, gap := range gaps {
		less[k] = gap - first[k]
		size := strconv.Itoa(sizes[k])
		bySize[size] = append(bySize[size], gap)
	}
	row := ModelRow{
		Model: name, Instances: len(gaps), Gap: statistics.Mean(gaps), GapError: report.Known(statistics.ErrorOfMean(gaps)),
		Less: statistics.Mean(less), LessError: report.Known(statistics.ErrorOfMean(less)), BySize: map[string]float64{},
	}
	for size, of := range bySize {
		row.BySize[size] = statistics.Mean(of)
	}
	return row
}

// PrintModels prints a line for each model.
func PrintModels(out io.Writer, format string, rows []ModelRow) error {
	if format == report.JSON {
		return report.WriteJSON(out, rows...)
	}
	sizes := map[int]bool{}
	for _, row := range rows {
		for size := range row.BySize {
			n, _ := strconv.Atoi(size)
			sizes[n] = true
		}
	}
	header := []string{"model", "instances", "gap", "±", "less first", "±"}
	columns := make([]int, 0, len(sizes))
	for n := range sizes {
		columns = append(columns, n)
	}
	slices.Sort(columns)
	for _, n := range columns {
		header = append(header, "n = "+strconv.Itoa(n))
	}
	var lines [][]string
	for _, row := range rows {
		line := []string{row.Model, strconv.Itoa(row.Instances), gapText(&row.Gap), gapText(row.GapError), gapText(&row.Less), gapText(row.LessError)}
		for _, n := range columns {
			gap := row.BySize[strconv.Itoa(n)]
			line = append(line, gapText(&gap))
		}
		lines = append(lines, line)
	}
	switch format {
	case report.CSV:
		return report.WriteCSV(out, header, lines)
	case report.Markdown:
		return report.WriteMarkdown(out, header, lines)
	}
	return report.WriteTable(out, header, lines)
}

// gapText writes a number of spreads.
func gapText(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', 4, 64)
}
