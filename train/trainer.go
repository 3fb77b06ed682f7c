package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/models"
)

// Trainer is a training in progress. Not for use by several goroutines at once.
type Trainer struct {
	config     Config
	problems   []*Problem // to train on
	validation []*Problem // to judge by, never trained on
	algorithm  Algorithm
	best       models.Network // the network of the best validation

	counters counters
	window   window        // metrics since the last line
	spent    time.Duration // of earlier runs of this training
}

// counters say how far a training is.
type counters struct {
	Updates, Episodes int
	Moved             bool    // whether an update has changed the weights
	BestGap           float64 // of the best validation of changed weights, in spreads; NaN before the first
	BestUpdate        int     // when that was
	BestEpisode       int
	FirstGap          *float64 // of the weights that Config.Init gave, before any update; nil without
	MetricsSize       int64    // bytes of metrics.jsonl that belong to this state
}

// Options are what a run of a Trainer needs beside its configuration.
type Options struct {
	Dir             string        // where metrics.jsonl and the checkpoint go
	TimeLimit       time.Duration // wall clock of this run; 0 is none
	CheckpointEvery time.Duration // least time between checkpoints (10 s); they take at most a twentieth of the time
	Updates         int           // after which the run ends, a multiple of Config.ValidationEvery; 0 is no limit
	Still           float64       // the run ends once validation has stood still for this share of all updates, 0..1; 0 is never
	Stored          bool          // checkpoints are not compressed but for the last: three times as large, in half of the time
	Progress        func(Progress)
	// Metrics is called with each line of metrics.jsonl once it is written.
	Metrics func(Line)
	// Improved is called with the network of a validation better than all before,
	// never with weights that no update has changed.
	Improved func(n models.Network, s Summary) error
}

// Progress is reported as training goes on.
type Progress struct {
	Updates, Episodes, TotalEpisodes int
	Epsilon, Loss                    float64
	BestGap                          float64       // of the best validation of changed weights, in spreads; NaN before the first
	Spent                            time.Duration // on training, by all runs of it
}

// Summary describes a network's training, for its model file.
type Summary struct {
	Seed            uint64   `json:"seed"`
	Updates         int      `json:"updates"`                  // that made the network
	Episodes        int      `json:"episodes"`                 // that had ended by then
	ValidationGap   *float64 `json:"validation_gap,omitempty"` // in spreads; absent before the first validation
	FirstGap        *float64 `json:"first_gap,omitempty"`      // the same of the weights that Config.Init gave; absent without
	Sizes           []int    `json:"sizes"`
	Parameters      int      `json:"parameters"`
	Instances       string   `json:"instances"`                   // Config.Instances
	InstancesBySize int      `json:"instances_by_size,omitempty"` // where they are generated
	Learner         string   `json:"learner"`
	Output          string   `json:"output"` // what the network gives: Q, or logits of a policy
}

// CheckpointFile and MetricsFile are the names of the files in Options.Dir.
const (
	CheckpointFile = "checkpoint.rgm"
	MetricsFile    = "metrics.jsonl"
)

// ErrNotFinite is wrapped by the errors of a training whose loss or weights are not
// finite numbers any more.
var ErrNotFinite = errors.New("train: the weights or the loss are not finite")

// New prepares a training: it makes the instances, looks for good matchings of
// each as reference, and draws the weights.
func New(ctx context.Context, c Config, source InstanceSource) (*Trainer, error) {
	c.takeSizes(source)
	if err := c.Validate(); err != nil {
		return nil, err
	}
	network, err := firstNetwork(&c)
	if err != nil {
		return nil, err
	}
	t := &Trainer{config: c}
	if t.problems, err = newProblems(ctx, source, &t.config, network.Features(), false); err != nil {
		return nil, err
	}
	if t.validation, err = newProblems(ctx, source, &t.config, network.Features(), true); err != nil {
		return nil, err
	}
	t.assemble(network)
	t.counters.BestGap = math.NaN()
	if c.Init != "" {
		j, err := t.judge(ctx)
		if err != nil {
			return nil, err
		}
		t.counters.FirstGap = &j.gap
	}
	return t, nil
}

// assemble makes the algorithm once the problems are there.
func (t *Trainer) assemble(network models.Network) {
	t.algorithm = learners[t.config.Learner].New(&t.config, t.problems, network)
	t.best = models.Clone(network)
}

// Config returns the configuration.
func (t *Trainer) Config() Config { return t.config }

// Best returns the network of the best validation so far, the current average
// before the first validation of changed weights.
func (t *Trainer) Best() models.Network {
	if math.IsNaN(t.counters.BestGap) {
		return t.algorithm.Trainable().Average
	}
	return t.best
}

// Summary describes the network that Best returns.
func (t *Trainer) Summary() Summary {
	return summary(&t.config, &t.counters, t.best)
}

func summary(c *Config, n *counters, network models.Network) Summary {
	s := Summary{
		Seed: c.Seed, Learner: c.Learner, Output: c.output(), Updates: n.Updates, Episodes: n.Episodes, Sizes: c.Sizes, FirstGap: n.FirstGap,
		Instances: cmp.Or(c.Instances, InstancesGenerated), Parameters: models.Count(network),
	}
	if c.generates() {
		s.InstancesBySize = c.Pool
	}
	if !math.IsNaN(n.BestGap) {
		s.Updates, s.Episodes, s.ValidationGap = n.BestUpdate, n.BestEpisode, &n.BestGap
	}
	return s
}

// Run trains until the budget is spent, the time is up or the context ends, and
// leaves a checkpoint. A training that ends early can be resumed and then goes on
// as if it had not ended.
func (t *Trainer) Run(ctx context.Context, o Options) error {
	if err := removeLeftovers(o.Dir); err != nil {
		return err
	}
	metrics, err := openMetrics(o.Dir, t.counters.MetricsSize)
	if err != nil {
		return err
	}
	return errors.Join(t.run(ctx, metrics, o), metrics.Close())
}

func (t *Trainer) run(ctx context.Context, metrics *metricsFile, o Options) error {
	if o.Updates%t.config.ValidationEvery != 0 || o.Updates < 0 || !(o.Still >= 0 && o.Still <= 1) {
		return fmt.Errorf("train: an end after %d updates, or where validation stands still for a share of %v: want a multiple of validation_every, %d, and a share in 0..1", o.Updates, o.Still, t.config.ValidationEvery)
	}
	start, spentBefore, saved := time.Now(), t.spent, 0
	save := func(write func(path string, value any) error) func(path string) error {
		return func(path string) error {
			saved = t.counters.Updates
			return t.save(metrics, path, write)
		}
	}
	interim := checkpointFormat.Write
	if o.Stored {
		interim = checkpointFormat.WriteStored
	}
	err := loop.Training{
		Package: "train", File: CheckpointFile, Through: func() bool { return t.Stop(o) != "" },
		Step: func(ctx context.Context) error {
			if t.validates() { // a signal came in between
				return t.validate(ctx, metrics, o)
			}
			if err := t.round(ctx); err != nil {
				return fmt.Errorf("%w; %s is kept as of update %d", err, CheckpointFile, saved)
			}
			t.spent = spentBefore + time.Since(start)
			if t.validates() {
				if err := t.validate(ctx, metrics, o); err != nil {
					return err
				}
			}
			if o.Progress != nil {
				o.Progress(t.Progress())
			}
			return nil
		},
		End: func(ctx context.Context) error {
			if t.window.Updates == 0 {
				return nil
			}
			return t.validate(ctx, metrics, o)
		},
		Write: save(checkpointFormat.Write), Interim: save(interim),
	}.Run(ctx, loop.Options{Dir: o.Dir, CheckpointEvery: o.CheckpointEvery, TimeLimit: o.TimeLimit})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) { // all is saved
		return nil
	}
	if err != nil || !t.counters.Moved || !math.IsNaN(t.counters.BestGap) {
		return err
	}
	// The time was up before the first validation. This one gives a model, and a training that
	// is resumed from the checkpoint goes on as if it had not been.
	return t.validate(ctx, metrics, o)
}

// The reasons why a training has ended.
const (
	StopEpisodes = "episodes" // the budget is spent
	StopUpdates  = "updates"  // Options.Updates
	StopStill    = "still"    // Options.Still
)

// Stop returns why no step is left by options, "" where one is. A run with greater ones goes on.
func (t *Trainer) Stop(o Options) string {
	const fewest = 5 // validations before one can tell that they stand still
	n := &t.counters
	validated := t.window.Updates == 0 && n.Updates >= fewest*t.config.ValidationEvery && !math.IsNaN(n.BestGap)
	switch {
	case t.finished():
		return StopEpisodes
	case o.Updates > 0 && n.Updates >= o.Updates:
		return StopUpdates
	case o.Still > 0 && validated && float64(n.Updates-n.BestUpdate) >= o.Still*float64(n.Updates):
		return StopStill
	}
	return ""
}

func (t *Trainer) finished() bool { return t.counters.Episodes >= t.config.Episodes }

func (t *Trainer) share() float64 {
	return float64(t.counters.Episodes) / float64(t.config.Episodes)
}

// round lets the algorithm act and learn, and counts what it did.
func (t *Trainer) round(ctx context.Context) error {
	out, err := t.algorithm.Round(ctx, t.share())
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w (after %d updates)", err, t.counters.Updates)
	}
	for _, e := range out.Episodes {
		t.counters.Episodes++
		p := t.problems[e.Problem]
		t.window.episode(e.Total, p.Gap(e.BestValue))
		p.reference = max(p.reference, e.BestValue)
	}
	for _, u := range out.Updates {
		t.counters.Updates++
		t.counters.Moved = t.counters.Moved || u.Norm > 0
		t.window.update(u)
	}
	return nil
}

// validates reports whether as many updates were made since the last validation.
func (t *Trainer) validates() bool {
	return t.window.Updates > 0 && t.counters.Updates%t.config.ValidationEvery == 0
}

// validate judges the network, writes a line of metrics and keeps the network if
// it is the best so far and has learned at all.
func (t *Trainer) validate(ctx context.Context, metrics *metricsFile, o Options) error {
	if err := t.checkWeights(); err != nil {
		return err
	}
	j, err := t.judge(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	improved := t.counters.Moved && !(j.gap >= t.counters.BestGap) // also where there is none
	if improved {
		n := &t.counters
		n.BestGap, n.BestUpdate, n.BestEpisode = j.gap, n.Updates, n.Episodes
		models.Copy(t.best, t.algorithm.Trainable().Average)
	}
	line := t.line(j)
	if err := metrics.write(line); err != nil {
		return err
	}
	t.window = window{}
	if o.Metrics != nil {
		o.Metrics(line)
	}
	if improved && o.Improved != nil {
		return o.Improved(t.best, t.Summary())
	}
	return nil
}

// Progress tells how far the training is.
func (t *Trainer) Progress() Progress {
	return Progress{
		Updates: t.counters.Updates, Episodes: t.counters.Episodes, TotalEpisodes: t.config.Episodes,
		Epsilon: t.config.Epsilon(t.share()), Loss: t.window.mean(t.window.Loss, t.window.Updates),
		BestGap: t.counters.BestGap, Spent: t.spent,
	}
}

// save writes a checkpoint that matches what metrics holds.
func (t *Trainer) save(metrics *metricsFile, path string, write func(path string, value any) error) error {
	if err := t.checkWeights(); err != nil {
		return err
	}
	size, err := metrics.sync()
	if err != nil {
		return err
	}
	t.counters.MetricsSize = size
	return t.writeCheckpoint(path, write)
}

// removeLeftovers removes what a run that was killed was about to write.
func removeLeftovers(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	for _, entry := range entries {
		if entry.Type().IsRegular() && atomicfile.IsLeftover(entry.Name()) {
			if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil {
				return fmt.Errorf("train: %w", err)
			}
		}
	}
	return nil
}

// checkWeights refuses weights that are not to be saved, nor measured.
func (t *Trainer) checkWeights() error {
	if finiteWeights(t.algorithm.Trainable().Network) {
		return nil
	}
	return fmt.Errorf("%w after %d updates: lower learning_rate; the last %s is kept", ErrNotFinite, t.counters.Updates, CheckpointFile)
}

func finiteWeights(n models.Network) bool {
	for _, p := range n.Parameters() {
		for _, w := range p.Data {
			if math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
				return false
			}
		}
	}
	return true
}

// Resumable reports whether a folder holds a checkpoint.
func Resumable(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, CheckpointFile))
	return err == nil
}
