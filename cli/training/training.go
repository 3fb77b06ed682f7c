// Package training runs a training that writes into a folder: its configuration, metrics,
// checkpoint, best model and learning curve.
package training

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// The files of a training beside those that package train writes.
const (
	configFile = "config.toml"
	curveFile  = "learning_curve.png"
)

// training is a run of a trainer that writes into a folder.
type training struct {
	console  *console.Console
	dir      string
	limit    time.Duration
	resumed  bool
	updates  int           // after which the run ends; 0 is none
	every    time.Duration // least time between checkpoints
	trainer  *train.Trainer
	verifies bool // whether models can be compared with ONNX Runtime
	lock     io.Closer
}

// New begins a training, or takes one up again, in a folder that no other run
// is writing into. It must be closed. Where it cannot begin, it leaves no empty folder.
func New(ctx context.Context, c *console.Console, s *TrainSettings) (*training, error) {
	if s.Resume == "" && s.Config.Init != "" {
		if _, err := networks.Load(s.Config.Init); err != nil { // an argument that cannot be used
			return nil, fmt.Errorf("init: %w", err)
		}
	}
	t := &training{console: c, dir: s.Out, limit: s.Time, updates: s.Updates, resumed: s.Resume != "", every: s.CheckpointEvery}
	if s.Resume != "" {
		t.dir = s.Resume
	}
	made := results.MissingFolders(t.dir)
	var err error
	if t.lock, err = results.Claim(t.dir); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	if t.verifies, err = networks.Verifies(ctx, c, networks.ModelFile); err == nil {
		err = t.prepare(ctx, s)
	}
	if err == nil {
		err = t.writeConfig()
	}
	if err != nil {
		err = errors.Join(err, t.Close())
		results.RemoveEmpty(made)
		return nil, err
	}
	return t, nil
}

// Close lets other runs use the folder.
func (t *training) Close() error { return t.lock.Close() }

// prepare makes the trainer.
func (t *training) prepare(ctx context.Context, s *TrainSettings) error {
	config := s.Config
	checkpoint := filepath.Join(s.Resume, train.CheckpointFile)
	var err error
	if s.Resume != "" {
		if config, err = train.ReadConfig(checkpoint); err != nil {
			return err
		}
		if _, err := config.WithLearner(config.Learner); err != nil {
			return settings.Usage(err)
		}
		config.Guide = train.GuideNone // the checkpoint holds the guides
	}
	source, err := sources.Open(config, t.console.Warns)
	if err != nil {
		return err
	}
	t.console.Log.Info("preparing instances and their reference solutions")
	if s.Resume != "" {
		t.trainer, err = train.Resume(ctx, checkpoint, source)
	} else {
		t.trainer, err = train.New(ctx, config, source)
	}
	if ctx.Err() != nil {
		return errors.New("train: interrupted before the first step; nothing new is saved")
	}
	return err
}

// writeConfig writes the configuration for --config to read.
func (t *training) writeConfig() error {
	return atomicfile.Write(filepath.Join(t.dir, configFile), func(w io.Writer) error {
		return settings.Write(w, t.trainer.Config().Flat())
	})
}

// Run trains until the budget is spent, the time is up or the context ends, draws
// the learning curve and prints where the results are.
func (t *training) Run(ctx context.Context, out io.Writer) error {
	err := t.trainer.Run(ctx, train.Options{
		Dir: t.dir, TimeLimit: t.limit, Updates: t.updates, CheckpointEvery: t.every, Progress: t.progress(), Metrics: t.noGradient(),
		Improved: func(n models.Network, s train.Summary) error { return t.saveModel(ctx, n, s) },
	})
	t.console.EndBar()
	if err != nil {
		return err
	}
	if err := t.drawCurve(); err != nil {
		return err
	}
	if err := t.printResults(out); err != nil {
		return err
	}
	switch p := t.trainer.Progress(); {
	case ctx.Err() != nil:
		return fmt.Errorf("train: interrupted after %d episodes; all is saved: go on with rgm train --resume %s", p.Episodes, t.dir)
	case t.trainer.Summary().ValidationGap == nil:
		return fmt.Errorf("train: no model: no update has changed the weights, after %d updates in %d episodes: %s", p.Updates, p.Episodes, t.remedy(p))
	case p.Episodes < p.TotalEpisodes:
		t.console.Log.Info("the run has ended before the episodes have: go on with rgm train --resume "+t.dir, "episodes", p.Episodes, "of", p.TotalEpisodes)
	}
	return nil
}

// remedy says what gives a training a model that ended without one.
func (t *training) remedy(p train.Progress) string {
	switch {
	case p.Updates > 0:
		return "look at reward, guide and es_sigma in " + filepath.Join(t.dir, configFile)
	case p.Episodes < p.TotalEpisodes:
		return "give it more time, with rgm train --resume " + t.dir
	}
	return "train for more episodes, or with a smaller warmup"
}

// saveModel writes the model of a network that is better than all before.
func (t *training) saveModel(ctx context.Context, n models.Network, s train.Summary) error {
	t.console.Log.Info("better model", "updates", s.Updates, "episodes", s.Episodes, "validation_gap", gapText(s.ValidationGap))
	path := filepath.Join(t.dir, networks.ModelFile)
	// A signal lets the validation that found the model be kept.
	return networks.Save(context.WithoutCancel(ctx), path, n, networks.TrainingText(s), t.verifies)
}

// progress returns what shows how far the training is, and warns once where its
// schedules will not reach their end.
func (t *training) progress() func(train.Progress) {
	const every, full = 200 * time.Millisecond, 1000
	bar := t.console.StartPlainBar(full, "training", progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false))
	p := newPace(t.trainer.Progress(), t.limit)
	began, warned := time.Now(), t.resumed
	var shown time.Time
	return func(now train.Progress) {
		elapsed := time.Since(began)
		p.observe(elapsed, now)
		if time.Since(shown) < every {
			return
		}
		shown = time.Now()
		bar.Describe(p.text(elapsed, now))
		bar.Set(int64(full * p.share(elapsed, now)))
		if episodes, short := p.fallsShort(elapsed, now); short && !warned {
			warned = true
			t.console.Log.Warn("ε, β and the learning rate follow the episodes, and at this rate they will not be through when the time is up",
				"episodes", now.TotalEpisodes, "expected", episodes, "remedy", fmt.Sprintf("--set episodes=%d", episodes))
		}
	}
}

// noGradient returns what warns once where nothing was learned between two lines of
// metrics.
func (t *training) noGradient() func(train.Line) {
	warned := false
	return func(line train.Line) {
		if warned || line.GradientNorm == nil || *line.GradientNorm != 0 {
			return
		}
		warned = true
		t.console.Log.Warn("nothing is learned: every gradient since the validation before was exactly 0",
			"updates", line.Updates, "remedy", "look at reward, guide and es_sigma in "+filepath.Join(t.dir, configFile))
	}
}

// drawCurve draws the metrics written so far, if there are any.
func (t *training) drawCurve() error {
	lines, err := train.ReadMetrics(filepath.Join(t.dir, train.MetricsFile))
	if err != nil || len(lines) == 0 {
		return err
	}
	run := pictures.Training{Name: filepath.Base(t.dir), Lines: lines}
	return atomicfile.Write(filepath.Join(t.dir, curveFile), func(w io.Writer) error {
		return pictures.LearningCurve(w, report.PNG, []pictures.Training{run}, false)
	})
}

// printResults prints what the run has left.
func (t *training) printResults(out io.Writer) error {
	p := t.trainer.Progress()
	checkpoint := filepath.Join(t.dir, train.CheckpointFile)
	pairs := [][2]string{
		{"episodes", fmt.Sprintf("%d of %d", p.Episodes, p.TotalEpisodes)},
		{"updates", fmt.Sprint(p.Updates)},
		{"checkpoint", checkpoint},
	}
	if s := t.trainer.Summary(); s.ValidationGap != nil {
		unit := "0 is the reference, 1 plain descent"
		if t.trainer.Config().Reward == train.RewardF1 {
			unit = "1 less F1"
		}
		pairs = append(pairs, [2]string{"validation gap", gapText(s.ValidationGap) + " (" + unit + ")"})
		if s.FirstGap != nil {
			pairs = append(pairs, [2]string{"of the first weights", gapText(s.FirstGap)})
			if *s.ValidationGap >= *s.FirstGap {
				t.console.Log.Warn("no validation was better than that of the first weights", "remedy", "keep "+t.trainer.Config().Init+", or train longer, at another learning_rate or on more instances")
			}
		}
		pairs = append(pairs, [2]string{"model", filepath.Join(t.dir, networks.ModelFile)})
	}
	return report.WritePairs(out, pairs)
}

// gapText shows a gap to people, nothing where there is none.
func gapText(gap *float64) string {
	if gap == nil {
		return ""
	}
	return fmt.Sprintf("%.4f", *gap)
}
