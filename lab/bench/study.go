package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// resultFile is where the result of a training of a study is kept, in its folder.
const resultFile = "result.json"

// StudyResult is one training and what its network reaches.
type StudyResult struct {
	Variant       string             `json:"variant"`
	Seed          int                `json:"seed"`
	Config        string             `json:"config"`                // fingerprint of what it was trained and measured with
	Updates       int                `json:"updates"`               // of the whole training
	Stop          string             `json:"stop,omitempty"`        // why it ended there: train.StopEpisodes and others
	Seconds       float64            `json:"seconds"`               // of training
	CPU           float64            `json:"cpu_seconds,omitempty"` // of it, the processor time that the program took
	ValidationGap *float64           `json:"validation_gap"`        // in spreads
	Classes       map[string]float64 `json:"classes"`               // mean gap in percent
	Average       float64            `json:"average"`               // over the classes
}

// studyTask is one training to do.
type studyTask struct {
	variant Variant
	seed    int
	dir     string
	config  train.Config
}

// Run trains and measures.
type Run struct {
	console     *console.Console
	settings    *StudySettings
	Tasks       []studyTask
	Measurement *QAPLIB
}

// NewRun prepares the tasks: every configuration is checked before the first
// is trained.
func NewRun(c *console.Console, s *StudySettings, of *Study, changes, instances []string) (*Run, error) {
	m, err := NewQAPLIB(c, &QAPLIBSettings{Search: s.Search, Seeds: 1, Workers: 1, Revocable: true}, instances)
	if err != nil {
		return nil, err
	}
	preset, err := train.Preset(s.Preset)
	if err != nil {
		return nil, err
	}
	r := &Run{console: c, settings: s, Measurement: m}
	var errs []error
	variants := of.distinct(preset)
	if len(s.Variants) > 0 {
		variants = slices.DeleteFunc(slices.Clone(of.variants), func(v Variant) bool { return !slices.Contains(s.Variants, v.Name) })
	}
	for _, v := range variants {
		config, err := v.config(preset, changes)
		errs = append(errs, err)
		for seed := range s.Seeds {
			config.Seed = uint64(seed)
			dir := filepath.Join(s.Out, folderName(v.Name), fmt.Sprintf("seed-%d", seed))
			r.Tasks = append(r.Tasks, studyTask{v, seed, dir, config})
		}
	}
	// A seed after the other, so that a study that is stopped has all variants.
	slices.SortStableFunc(r.Tasks, func(x, y studyTask) int { return cmp.Compare(x.seed, y.seed) })
	return r, errors.Join(errs...)
}

// config returns the configuration of the variant.
func (v Variant) config(preset train.Config, changes []string) (train.Config, error) {
	c, err := changed(preset, changes)
	if err == nil {
		c, err = changed(c, v.changesFor(c))
	}
	if v.Episodes > 0 {
		c.Episodes = int(v.Episodes * float64(c.Episodes))
	}
	if err == nil {
		err = c.Validate()
	}
	if err != nil {
		return c, fmt.Errorf("variant %q: %w", v.Name, err)
	}
	return c, nil
}

// folderName makes the name of a variant one of a folder.
func folderName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" :'/", r) {
			return '_'
		}
		return r
	}, name)
}

// Results returns what all tasks gave; those before an error are returned with it.
func (r *Run) Results(ctx context.Context) ([]StudyResult, error) {
	ctx, cancel := context.WithCancel(train.WithReferences(ctx, &train.References{})) // variants have problems in common
	defer cancel()
	bar := r.console.StartBar(int64(len(r.Tasks)*len(r.Measurement.instances)), "study", console.WithRate("instances")...)
	type done struct {
		result StudyResult
		err    error
	}
	var results []StudyResult
	var failed error
	for d := range parallel.InOrder(r.settings.Workers, slices.Values(r.Tasks), func(t studyTask) done {
		bar.Describe(fmt.Sprintf("%s, seed %d", t.variant.Name, t.seed))
		result, err := r.result(ctx, t, bar)
		return done{result, err}
	}) {
		if d.err != nil {
			cancel()
			failed = errors.Join(failed, d.err)
			break
		}
		results = append(results, d.result)
	}
	return results, failed
}

// result returns what a task gave before, or does it.
func (r *Run) result(ctx context.Context, t studyTask, bar console.Progress) (StudyResult, error) {
	fingerprint, err := r.fingerprint(t)
	if err != nil {
		return StudyResult{}, err
	}
	path := filepath.Join(t.dir, resultFile)
	if found, err := readStudyResult(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil && found.Config != fingerprint {
			err = fmt.Errorf("bench: %s is the result of other settings: choose another --out, or remove %s", path, t.dir)
		}
		if err != nil || !r.settings.goesOn(found) {
			return found, err
		}
	}
	began, _ := cputime.Taken()
	trainer, err := r.train(ctx, t)
	taken, _ := cputime.Taken()
	if err != nil {
		return StudyResult{}, fmt.Errorf("bench: variant %q, seed %d: %w", t.variant.Name, t.seed, err)
	}
	summary, progress := trainer.Summary(), trainer.Progress()
	result := StudyResult{
		Variant: t.variant.Name, Seed: t.seed, Config: fingerprint, Updates: progress.Updates, Stop: trainer.Stop(r.settings.options(t.dir)),
		Seconds: progress.Spent.Seconds(), CPU: (taken - began).Seconds(), ValidationGap: summary.ValidationGap,
	}
	row, err := r.measure(ctx, t, trainer, bar)
	if err != nil {
		return StudyResult{}, err
	}
	result.Classes, result.Average = row.Classes, row.Average
	return result, atomicfile.Write(path, func(w io.Writer) error { return report.WriteJSON(w, result) })
}

func readStudyResult(path string) (StudyResult, error) {
	var r StudyResult
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return r, fmt.Errorf("bench: result %s: %w", path, err)
	}
	return r, nil
}

// measure measures the network of a task, as the model file it leaves.
func (r *Run) measure(ctx context.Context, t studyTask, trainer *train.Trainer, bar console.Progress) (row QAPLIBRow, err error) {
	chosen := r.settings.Search
	chosen.Model = filepath.Join(t.dir, networks.ModelFile)
	if err := networks.Save(ctx, chosen.Model, trainer.Best(), networks.TrainingText(trainer.Summary()), false); err != nil {
		return row, err
	}
	options := chosen.Options()
	options.Method = search.MethodRGM
	s, err := search.New(ctx, r.console, chosen.Provider, "", options)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	m := *r.Measurement
	m.bar = bar
	options.Irrevocable = !t.config.Revocable // as it was trained
	outcomes, err := m.run(ctx, s, options)
	if err != nil {
		return row, err
	}
	return m.row(outcomes), nil
}

// train trains the network of a task, or goes on where an earlier run stopped.
func (r *Run) train(ctx context.Context, t studyTask) (*train.Trainer, error) {
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return nil, err
	}
	source, err := sources.Open(t.config, r.console.Warns)
	if err != nil {
		return nil, err
	}
	var trainer *train.Trainer
	if train.Resumable(t.dir) {
		trainer, err = train.Resume(ctx, filepath.Join(t.dir, train.CheckpointFile), source)
	} else {
		trainer, err = train.New(ctx, t.config, source)
	}
	if err != nil {
		return nil, err
	}
	want, have := t.config, trainer.Config()
	if _, ok := source.(train.InstanceList); ok { // they come from the instances
		want.Sizes = have.Sizes
	}
	if fmt.Sprint(have) != fmt.Sprint(want) { // a list may be empty or nil
		return nil, fmt.Errorf("%s holds a training by other settings: choose another --out, or remove it", t.dir)
	}
	if err := trainer.Run(ctx, r.settings.options(t.dir)); err != nil {
		return nil, err
	}
	return trainer, ctx.Err()
}

// fingerprint tells apart what results were made with.
func (r *Run) fingerprint(t studyTask) (string, error) {
	var names []string
	for _, in := range r.Measurement.instances {
		names = append(names, in.Name)
	}
	data, err := json.Marshal(struct {
		Config    train.Config
		Search    Settings
		Instances []string
	}{t.config, r.settings.Search, names})
	return fmt.Sprintf("%x", sha256.Sum256(data))[:16], err
}

// StudySettings are the settings of rgm-lab bench training.
type StudySettings struct {
	Search Settings `mapstructure:",squash"`

	Preset   string   `mapstructure:"preset"`
	Variants []string `mapstructure:"variants"`
	Seeds    int      `mapstructure:"seeds"`
	MinN     int      `mapstructure:"min-n"`
	MaxN     int      `mapstructure:"max-n"`
	Out      string   `mapstructure:"out"`
	Plot     string   `mapstructure:"plot"`
	Workers  int      `mapstructure:"workers"`
	Updates  int      `mapstructure:"updates"`
	Still    float64  `mapstructure:"still"`
	Format   string   `mapstructure:"format"`
}

// goesOn reports whether a training that has a result is to make more updates.
func (s *StudySettings) goesOn(r StudyResult) bool {
	switch r.Stop {
	case train.StopUpdates:
		return s.Updates == 0 || s.Updates > r.Updates
	case train.StopStill:
		return s.Still == 0 && (s.Updates == 0 || s.Updates > r.Updates)
	}
	return false
}

// options are those of a training in a folder.
func (s *StudySettings) options(dir string) train.Options {
	return train.Options{Dir: dir, CheckpointEvery: time.Minute, Stored: true, Updates: s.Updates, Still: s.Still}
}

// Check returns an error that lists everything the settings have wrong.
func (s *StudySettings) Check(of *Study) error {
	errs := []error{
		s.Search.Check(),
		s.Search.CheckEffect(search.MethodRGM),
		settings.AtLeast(1, "seeds", s.Seeds),
		settings.AtLeast(1, "workers", s.Workers),
		settings.AtLeast(0, "updates", s.Updates),
		settings.ErrorIf(!(s.Still >= 0 && s.Still <= 1), "--still %v: want a share in 0..1", s.Still),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
	}
	if s.Search.Model != "" {
		errs = append(errs, fmt.Errorf("--model %s: a study measures the networks that it trains: leave it out", s.Search.Model))
	}
	if s.Plot != "" {
		errs = append(errs, settings.CheckOutput("plot", s.Plot, report.SVG, report.PNG))
	}
	if s.Search.Start != "" {
		errs = append(errs, fmt.Errorf("--start %s: a study begins where its variants do: leave it out", s.Search.Start))
	}
	for _, name := range s.Variants {
		errs = append(errs, settings.OneOf("variants", name, of.names()...))
	}
	return errors.Join(errs...)
}

// changed returns a configuration with pairs key=value changed. Where they choose another
// learner, it begins with what that has by itself; what only other learners have is passed over.
func changed(c train.Config, pairs []string) (train.Config, error) {
	for _, pair := range pairs {
		if name, chosen := strings.CutPrefix(pair, "learner="); chosen && name != c.Learner {
			var err error
			if c, err = c.WithLearner(name); err != nil {
				return c, err
			}
		}
	}
	own := settings.Keys(c.Flat())
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(pair string) bool {
		key, _, _ := strings.Cut(pair, "=")
		return !slices.Contains(own, key) && slices.Contains(training.HyperParameters(), key)
	})
	values, err := settings.Changed(c.Flat(), pairs)
	if err == nil {
		c.SetFlat(values)
	}
	return c, err
}
