package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
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

// modelFile is the network that a training leaves in its folder.
const modelFile = "model.onnx"

// training is a run of a trainer that writes into a folder.
type training struct {
	console  *console
	dir      string
	limit    time.Duration
	resumed  bool
	every    time.Duration // least time between checkpoints
	trainer  *train.Trainer
	verifies bool // whether models can be compared with ONNX Runtime
	lock     io.Closer
}

// newTraining begins a training, or takes one up again, in a folder that no other run
// is writing into. It must be closed. Where it cannot begin, it leaves no empty folder.
func newTraining(ctx context.Context, c *console, s *trainSettings) (*training, error) {
	t := &training{console: c, dir: s.Out, limit: s.Time, resumed: s.Resume != "", every: s.CheckpointEvery}
	if s.Resume != "" {
		t.dir = s.Resume
	}
	made := missingFolders(t.dir)
	var err error
	if t.lock, err = claim(t.dir); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	if err = t.findRuntime(ctx); err == nil {
		err = t.prepare(ctx, s)
	}
	if err == nil {
		err = t.writeConfig()
	}
	if err != nil {
		err = errors.Join(err, t.Close())
		removeEmpty(made)
		return nil, err
	}
	return t, nil
}

// Close lets other runs use the folder.
func (t *training) Close() error { return t.lock.Close() }

// prepare makes the trainer.
func (t *training) prepare(ctx context.Context, s *trainSettings) error {
	config := s.Config
	checkpoint := filepath.Join(s.Resume, train.CheckpointFile)
	var err error
	if s.Resume != "" {
		if config, err = train.ReadConfig(checkpoint); err != nil {
			return err
		}
		config.Guide = train.GuideNone // the checkpoint holds the guides
	}
	source, err := sources.Open(config, t.console.warns)
	if err != nil {
		return err
	}
	t.console.log.Info("preparing instances and their reference solutions")
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

// findRuntime looks for ONNX Runtime now, so that a signal during its installation
// does not cut a validation short.
func (t *training) findRuntime(ctx context.Context) error {
	_, err := loadedVersion(ctx, t.console.session())
	t.console.endBar()
	if errors.Is(err, ortlib.ErrUnavailable) {
		t.console.log.Warn(modelFile+" is written without comparing it with Go: there is no ONNX Runtime", "reason", err)
		return nil
	}
	t.verifies = err == nil
	return err
}

// writeConfig writes the configuration for --config to read.
func (t *training) writeConfig() error {
	return atomicfile.Write(filepath.Join(t.dir, configFile), func(w io.Writer) error {
		return writeSettings(w, t.trainer.Config())
	})
}

// run trains until the budget is spent, the time is up or the context ends, draws
// the learning curve and prints where the results are.
func (t *training) run(ctx context.Context, out io.Writer) error {
	err := t.trainer.Run(ctx, train.Options{
		Dir: t.dir, TimeLimit: t.limit, CheckpointEvery: t.every, Progress: t.progress(), Metrics: t.noGradient(),
		Improved: func(n models.Network, s train.Summary) error { return t.saveModel(ctx, n, s) },
	})
	t.console.endBar()
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
	case p.Episodes < p.TotalEpisodes:
		t.console.log.Info("the time is up before the episodes are: go on with rgm train --resume "+t.dir, "episodes", p.Episodes, "of", p.TotalEpisodes)
	}
	return nil
}

// saveModel writes the model of a network that is better than all before.
func (t *training) saveModel(ctx context.Context, n models.Network, s train.Summary) error {
	t.console.log.Info("better model", "updates", s.Updates, "episodes", s.Episodes, "validation_gap", optionalText(s.ValidationGap))
	path := filepath.Join(t.dir, modelFile)
	if t.verifies {
		// A signal lets the validation that found the model be kept.
		return export.Write(context.WithoutCancel(ctx), path, n, trainingText(s), infer.SessionOptions{})
	}
	data, err := export.Marshal(n, trainingText(s))
	if err != nil {
		return err
	}
	return export.Save(path, data)
}

// progress returns what shows how far the training is, and warns once where its
// schedules will not reach their end.
func (t *training) progress() func(train.Progress) {
	const every, full = 200 * time.Millisecond, 1000
	bar := t.console.startPlainBar(full, "training", progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false))
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
		bar.describe(p.text(elapsed, now))
		bar.set(int64(full * p.share(elapsed, now)))
		if episodes, short := p.fallsShort(elapsed, now); short && !warned {
			warned = true
			t.console.log.Warn("ε, β and the learning rate follow the episodes, and at this rate they will not be through when the time is up",
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
		t.console.log.Warn("nothing is learned: every gradient since the validation before was exactly 0",
			"updates", line.Updates, "remedy", "look at reward, guide and es_sigma in "+filepath.Join(t.dir, configFile))
	}
}

// drawCurve draws the metrics written so far, if there are any.
func (t *training) drawCurve() error {
	lines, err := train.ReadMetrics(filepath.Join(t.dir, train.MetricsFile))
	if err != nil || len(lines) == 0 {
		return err
	}
	run := trainingRun{name: filepath.Base(t.dir), lines: lines}
	return atomicfile.Write(filepath.Join(t.dir, curveFile), func(w io.Writer) error {
		return drawLearningCurve(w, formatPNG, []trainingRun{run}, false)
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
		pairs = append(pairs,
			[2]string{"validation gap", fmt.Sprintf("%.4f", *s.ValidationGap)},
			[2]string{"model", filepath.Join(t.dir, modelFile)},
		)
	} else {
		t.console.log.Warn("no model yet, since no validation of changed weights was reached", "remedy", "rgm export "+checkpoint+" -o model.onnx writes the network as it is")
	}
	return writePairs(out, pairs)
}
