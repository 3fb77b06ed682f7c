package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// ModelsSettings are the settings of rgm-lab bench models.
type ModelsSettings struct {
	Preset    string `mapstructure:"preset"`
	Instances string `mapstructure:"instances"`
	BestKnown string `mapstructure:"best-known"`
	By        string `mapstructure:"by"`
	Seed      uint64 `mapstructure:"seed"`
	Rollouts  int    `mapstructure:"rollouts"`
	Format    string `mapstructure:"format"`
}

// The values of ModelsSettings.By.
const (
	BySize   = "size"
	ByFamily = "family"
)

// allSets names the rows over the instances of all sets.
const allSets = "all"

// Check returns an error that lists everything the settings have wrong.
func (s *ModelsSettings) Check() error {
	return errors.Join(
		settings.OneOf("preset", s.Preset, train.Presets()...),
		settings.OneOf("by", s.By, BySize, ByFamily),
		settings.AtLeast(1, "rollouts", s.Rollouts),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
	)
}

// ModelRow is how far a model, or a policy without one, falls short on a set of held-out
// instances: of the references, in spreads, or of the best known objectives, in percent.
type ModelRow struct {
	Set       string             `json:"set,omitempty"` // a family, or all, where rows are by family
	Percent   bool               `json:"percent,omitempty"`
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
	config, err := changed(preset, changes)
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
	held, err := s.heldOut(ctx, c, config)
	if err != nil {
		return nil, err
	}
	sets := []string{""}
	if s.By == ByFamily {
		sets = append(slices.Compact(slices.Sorted(slices.Values(held.Families()))), allSets)
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
		rows = append(rows, s.rows(sets, names[k], gaps, first, held)...)
		bar.Add()
	}
	slices.SortStableFunc(rows, func(x, y ModelRow) int { // the models of a set together
		return cmp.Compare(slices.Index(sets, x.Set), slices.Index(sets, y.Set))
	})
	return rows, nil
}

// heldOut returns the instances to judge on, with what gaps are measured from.
func (s *ModelsSettings) heldOut(ctx context.Context, c *console.Console, config train.Config) (*train.HeldOut, error) {
	known, err := bestKnown(s.BestKnown)
	if err != nil {
		return nil, err
	}
	var source train.InstanceSource
	if s.Instances != "" {
		config.Instances = s.Instances
		source, err = sources.All(s.Instances, config.Reading, c.Warns)
	} else {
		source, err = sources.Open(config, c.Warns)
	}
	if err != nil {
		return nil, err
	}
	c.Log.Info("preparing instances and their reference solutions")
	held, err := train.NewHeldOut(ctx, config, source)
	if err == nil && s.BestKnown != "" {
		err = held.InPercent(known)
	}
	return held, err
}

// rows returns the rows of a model: one for each set, which is a family or all.
func (s *ModelsSettings) rows(sets []string, name string, gaps, first []float64, held *train.HeldOut) []ModelRow {
	sizes, families := held.Sizes(), held.Families()
	var rows []ModelRow
	for _, set := range sets {
		var own, ofFirst []float64
		var n []int
		for k, family := range families {
			if set == "" || set == allSets || set == family {
				own, ofFirst, n = append(own, gaps[k]), append(ofFirst, first[k]), append(n, sizes[k])
			}
		}
		row := modelRow(name, own, ofFirst, n)
		row.Set, row.Percent = set, s.BestKnown != ""
		rows = append(rows, row)
	}
	return rows
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
		Model: name, Instances: len(gaps), Gap: statistics.Mean(gaps), GapError: known(statistics.ErrorOfMean(gaps)),
		Less: statistics.Mean(less), LessError: known(statistics.ErrorOfMean(less)), BySize: map[string]float64{},
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
	header, lines := linesBySize(rows)
	if len(rows) > 0 && rows[0].Set != "" {
		header, lines = linesBySet(rows)
	}
	return writeRows(out, format, header, lines)
}

// linesBySet returns a line for each set and model.
func linesBySet(rows []ModelRow) (header []string, lines [][]string) {
	header = append([]string{"set"}, headerOf(rows)...)
	for _, row := range rows {
		lines = append(lines, append([]string{row.Set}, row.line()...))
	}
	return header, lines
}

// linesBySize returns a line for each model, with a column for each number of nodes.
func linesBySize(rows []ModelRow) (header []string, lines [][]string) {
	sizes := map[int]bool{}
	for _, row := range rows {
		for size := range row.BySize {
			n, _ := strconv.Atoi(size)
			sizes[n] = true
		}
	}
	columns := slices.Sorted(maps.Keys(sizes))
	header = headerOf(rows)
	for _, n := range columns {
		header = append(header, "n = "+strconv.Itoa(n))
	}
	for _, row := range rows {
		line := row.line()
		for _, n := range columns {
			gap := row.BySize[strconv.Itoa(n)]
			line = append(line, gapText(&gap))
		}
		lines = append(lines, line)
	}
	return header, lines
}

// headerOf returns the header of the lines of rows.
func headerOf(rows []ModelRow) []string {
	gap := "gap"
	if len(rows) > 0 && rows[0].Percent {
		gap = "gap %"
	}
	return []string{"model", "instances", gap, "±", "less first", "±"}
}

func (r *ModelRow) line() []string {
	return []string{r.Model, strconv.Itoa(r.Instances), gapText(&r.Gap), gapText(r.GapError), gapText(&r.Less), gapText(r.LessError)}
}

// gapText writes a number of spreads or percent.
func gapText(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', 4, 64)
}
