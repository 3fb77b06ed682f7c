package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/rgm-go/rgm/models"
)

// Trainer is a training in progress. Not for use by several goroutines at once.
type Trainer struct {
	config     Config
	problems   []*problem // to train on
	validation []*problem // to judge by, never trained on
	algorithm  algorithm
	best       models.Network // the network of the best validation

	counters counters
	window   window        // metrics since the last line
	spent    time.Duration // of earlier runs of this training
}

// counters say how far a training is.
type counters struct {
	Updates, Episodes int
	BestGap           float64 // of the best validation, in spreads; NaN before the first
	BestUpdate        int
	MetricsSize       int64 // bytes of metrics.jsonl that belong to this state
}

// Options are what a run of a Trainer needs beside its configuration.
type Options struct {
	Dir             string        // where metrics.jsonl and the checkpoint go
	TimeLimit       time.Duration // wall clock of this run; 0 is none
	CheckpointEvery time.Duration // least time between checkpoints (10 s); they take at most a twentieth of the time
	Progress        func(Progress)
	// Improved is called with the network of a validation better than all before.
	Improved func(n models.Network, s Summary) error
}

// Progress is reported as training goes on.
type Progress struct {
	Updates, Episodes, TotalEpisodes int
	Epsilon, Loss                    float64
	BestGap                          float64 // of the best validation so far, in spreads; NaN before the first
}

// Summary describes a network's training, for its model file.
type Summary struct {
	Seed            uint64   `json:"seed"`
	Updates         int      `json:"updates"`
	Episodes        int      `json:"episodes"`
	ValidationGap   *float64 `json:"validation_gap,omitempty"` // in spreads; absent before the first validation
	Sizes           []int    `json:"sizes"`
	Parameters      int      `json:"parameters"`
	InstancesBySize int      `json:"instances_by_size"`
	Learner         string   `json:"learner"`
	Output          string   `json:"output"` // what the network gives: Q, or logits of a policy
}

// CheckpointFile and MetricsFile are the names of the files in Options.Dir.
const (
	CheckpointFile = "checkpoint.rgm"
	MetricsFile    = "metrics.jsonl"
)

// New prepares a training: it makes the instances, looks for good matchings of
// each as reference, and draws the weights.
func New(ctx context.Context, c Config, source InstanceSource) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	network, err := firstNetwork(&c)
	if err != nil {
		return nil, err
	}
	t := &Trainer{config: c}
	for _, n := range c.Sizes {
		pool, err := newPool(ctx, source, &c, network.Features(), n, c.Pool, false)
		if err != nil {
			return nil, err
		}
		t.problems = append(t.problems, pool...)
		pool, err = newPool(ctx, source, &c, network.Features(), n, c.ValidationPool, true)
		if err != nil {
			return nil, err
		}
		t.validation = append(t.validation, pool...)
	}
	t.assemble(network)
	t.counters.BestGap = math.NaN()
	return t, nil
}

// assemble makes the algorithm once the problems are there.
func (t *Trainer) assemble(network models.Network) {
	t.algorithm = newAlgorithm(&t.config, t.problems, network)
	t.best = models.Clone(network)
}

// Config returns the configuration.
func (t *Trainer) Config() Config { return t.config }

// Best returns the network of the best validation so far, the current average
// before the first validation.
func (t *Trainer) Best() models.Network {
	if math.IsNaN(t.counters.BestGap) {
		return t.algorithm.pupil().average
	}
	return t.best
}

// Summary describes the network that Best returns.
func (t *Trainer) Summary() Summary {
	return summary(&t.config, &t.counters, t.best)
}

func summary(c *Config, n *counters, network models.Network) Summary {
	s := Summary{
		Seed: c.Seed, Learner: c.Learner, Output: c.output(), Updates: n.BestUpdate, Episodes: n.Episodes, Sizes: c.Sizes,
		InstancesBySize: c.Pool, Parameters: models.Count(network),
	}
	if !math.IsNaN(n.BestGap) {
		s.ValidationGap = &n.BestGap
	}
	return s
}

// Run trains until the budget is spent, the time is up or the context ends, and
// leaves a checkpoint. A training that ends early can be resumed and then goes on
// as if it had not ended.
func (t *Trainer) Run(ctx context.Context, o Options) (err error) {
	metrics, err := openMetrics(filepath.Join(o.Dir, MetricsFile), t.counters.MetricsSize)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := metrics.Close(); err == nil {
			err = closeErr
		}
	}()
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = 10 * time.Second
	}
	start, spentBefore := time.Now(), t.spent
	saved, err := t.save(metrics, o.Dir) // so that there is one to resume from the beginning on
	if err != nil {
		return err
	}
	for !t.finished() && ctx.Err() == nil && (o.TimeLimit == 0 || time.Since(start) < o.TimeLimit) {
		if err := t.round(ctx); err != nil {
			return err
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
		if saved.due(o.CheckpointEvery) {
			if saved, err = t.save(metrics, o.Dir); err != nil {
				return err
			}
		}
	}
	if t.finished() && t.window.Updates > 0 {
		if err := t.validate(ctx, metrics, o); err != nil {
			return err
		}
	}
	_, err = t.save(metrics, o.Dir)
	return err
}

// saving is when the last checkpoint was written and how long that took.
type saving struct {
	at   time.Time
	took time.Duration
}

// due tells whether the next checkpoint may be written.
func (s saving) due(every time.Duration) bool {
	return time.Since(s.at) >= max(every, 20*s.took)
}

func (t *Trainer) finished() bool { return t.counters.Episodes >= t.config.Episodes }

func (t *Trainer) share() float64 {
	return float64(t.counters.Episodes) / float64(t.config.Episodes)
}

// round lets the algorithm act and learn, and counts what it did.
func (t *Trainer) round(ctx context.Context) error {
	out, err := t.algorithm.round(ctx, t.share())
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range out.episodes {
		t.counters.Episodes++
		p := t.problems[e.problem]
		t.window.episode(e.total, p.gap(e.bestScore))
		p.reference = max(p.reference, e.bestScore)
	}
	for _, u := range out.updates {
		t.counters.Updates++
		t.window.update(u)
	}
	return nil
}

// validates tells whether as many updates were made since the last validation.
func (t *Trainer) validates() bool {
	return t.window.Updates > 0 && t.counters.Updates%t.config.ValidationEvery == 0
}

// validate judges the network, writes a line of metrics and keeps the network if
// it is the best so far.
func (t *Trainer) validate(ctx context.Context, metrics *metricsFile, o Options) error {
	gap, err := t.validationGap(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	improved := !(gap >= t.counters.BestGap) // also where there is none
	if improved {
		t.counters.BestGap, t.counters.BestUpdate = gap, t.counters.Updates
		models.Copy(t.best, t.algorithm.pupil().average)
	}
	if err := metrics.write(t.line(gap)); err != nil {
		return err
	}
	t.window = window{}
	if improved && o.Improved != nil {
		return o.Improved(t.best, t.Summary())
	}
	return nil
}

// validationGap is the mean gap, in spreads, of rollouts of the averaged network
// on the validation instances.
func (t *Trainer) validationGap(ctx context.Context) (float64, error) {
	trial, network := newTrial(&t.config), t.algorithm.pupil().average
	runs := t.config.ValidationRuns
	gaps := make([]float64, len(t.validation)*runs)
	errs := make([]error, len(gaps))
	parallel(len(gaps), func(k int) {
		p := t.validation[k/runs]
		score, err := trial.play(ctx, network, p, uint64(k%runs)+1)
		gaps[k], errs[k] = (p.reference-score)/p.spread, err
	})
	total := 0.0
	for k, gap := range gaps {
		if errs[k] != nil {
			return 0, errs[k]
		}
		total += gap / float64(len(gaps))
	}
	return total, nil
}

// Progress tells how far the training is.
func (t *Trainer) Progress() Progress {
	return Progress{
		Updates: t.counters.Updates, Episodes: t.counters.Episodes, TotalEpisodes: t.config.Episodes,
		Epsilon: t.config.epsilon(t.share()), Loss: t.window.mean(t.window.Loss, t.window.Updates),
		BestGap: t.counters.BestGap,
	}
}

// save writes a checkpoint that matches what metrics holds.
func (t *Trainer) save(metrics *metricsFile, dir string) (saving, error) {
	start := time.Now()
	size, err := metrics.sync()
	if err != nil {
		return saving{}, err
	}
	t.counters.MetricsSize = size
	if err := t.WriteCheckpoint(filepath.Join(dir, CheckpointFile)); err != nil {
		return saving{}, fmt.Errorf("train: checkpoint not written, the one before is kept: %w", err)
	}
	return saving{time.Now(), time.Since(start)}, nil
}

// Resumable tells whether a folder holds a checkpoint.
func Resumable(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, CheckpointFile))
	return err == nil
}
