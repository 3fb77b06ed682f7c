package drawn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// CheckpointFile is the name of the checkpoint in Options.Dir, by architecture.
func CheckpointFile(architecture string) string { return architecture + ".rgm" }

// reportEvery is how many updates there are between two reports.
const reportEvery = 50

// Metrics is how a training goes.
type Metrics struct {
	Update  int     `json:"update"`
	Updates int     `json:"updates"`
	Loss    float64 `json:"loss"` // mean since the report before
}

// Validation is how good the network is on instances that nothing was learned from.
type Validation struct {
	Pairs int      `json:"pairs"`
	Loss  float64  `json:"loss"`
	F1    *float64 `json:"f1,omitempty"` // mean, 0..1; with LossTruth

	// OverGreedy is by how much the score of learned rewriting is above that of greedy
	// rewriting from the same random matching, in mean changes of a rule there; with
	// LossScore.
	OverGreedy *float64 `json:"over_greedy,omitempty"`
}

// Trainer is a training in progress. Not for use by several goroutines at once.
type Trainer struct {
	config  Config
	source  train.PairSource
	network models.Network
	adam    *models.Adam
	state   state

	parts  []part // of a batch
	passes *train.MemoryPool[models.Pass]
}

// state says how far a training is.
type state struct {
	Update     int
	Loss       float64     // sum since the last line
	Lines      []Metrics   // reported so far
	Validation *Validation // nil before the end
}

// part is what one instance of a batch contributes.
type part struct {
	gradient [][]float32
	loss     float64
	err      error
}

// Options are what a run of a Trainer needs beside its configuration.
type Options = loop.ReportedOptions[Metrics]

// New prepares a training.
func New(c Config, source train.PairSource) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	network, err := models.New(models.Config{Architecture: c.architecture(), Hidden: c.Hidden, Iterations: c.Layers}, rand.New(rand.NewPCG(c.Seed, streamWeights)))
	if err != nil {
		return nil, err
	}
	t := &Trainer{config: c, source: source, network: network, adam: models.NewAdam(network), passes: train.NewPassPool(network)}
	for range c.Batch {
		t.parts = append(t.parts, part{gradient: models.NewGradient(network)})
	}
	return t, nil
}

// Config returns the configuration.
func (t *Trainer) Config() Config { return t.config }

// Network returns the network; it is of use once Run has returned nil.
func (t *Trainer) Network() models.Network { return t.network }

// Metrics returns what was reported so far.
func (t *Trainer) Metrics() []Metrics { return t.state.Lines }

// Validation returns how good the network is, the zero value before the end.
func (t *Trainer) Validation() Validation { return loop.Measured(t.state.Validation) }

// Run trains to the end, or until the context ends, and leaves a checkpoint either way; the
// context's error then says that one was written.
func (t *Trainer) Run(ctx context.Context, o Options) error {
	n := &t.state
	return loop.Reported[Metrics, Validation]{
		Package: "drawn", File: CheckpointFile(t.config.architecture()), Lines: &n.Lines, Validation: &n.Validation,
		Through: func() bool { return n.Update >= t.config.Updates },
		Step:    t.update, Validate: t.validate, Write: t.WriteCheckpoint,
	}.Run(ctx, o)
}

// update draws a batch and takes a step of the optimiser. If the context ends before, nothing
// has changed.
func (t *Trainer) update(ctx context.Context) (line *Metrics, err error) {
	c, n := &t.config, &t.state
	share := 1 / float64(c.Batch)
	parallel.For(c.Batch, func(k int) {
		p := &t.parts[k]
		if p.err = ctx.Err(); p.err != nil {
			return
		}
		for _, g := range p.gradient {
			clear(g)
		}
		x, err := c.draw(t.source, streamTraining, n.Update*c.Batch+k)
		if err == nil {
			p.loss, err = t.learn(ctx, x, p.gradient, share)
		}
		p.err = err
	})
	sum, loss := t.parts[0].gradient, 0.0
	for k, p := range t.parts {
		if p.err != nil {
			return nil, p.err
		}
		loss += share * p.loss
		for j, g := range p.gradient {
			for i, v := range g {
				if k > 0 {
					sum[j][i] += v
				}
			}
		}
	}
	norm := models.ClipNorm(sum, clipNorm)
	if math.IsNaN(loss+norm) || math.IsInf(loss+norm, 0) {
		return nil, fmt.Errorf("drawn: %w after %d updates: lower learning-rate", train.ErrNotFinite, n.Update)
	}
	t.adam.Update(t.network, sum, loop.Rate(c.LearningRate, n.Update, c.Updates))
	n.Loss += loss
	if n.Update++; n.Update%reportEvery == 0 {
		line, n.Loss = &Metrics{n.Update, c.Updates, n.Loss / reportEvery}, 0
	}
	return line, nil
}

// learn returns the loss of an example and adds its gradient, times share; none if gradient
// is nil. Each part takes most of a second at 64 nodes; between them it looks at the context.
func (t *Trainer) learn(ctx context.Context, x example, gradient [][]float32, share float64) (float64, error) {
	if t.config.Loss == LossScore {
		return t.rewrite(x, gradient, share)
	}
	n1, n2 := x.instance.Size()
	pass, giveBack := t.lend(n1, n2)
	defer giveBack()
	if err := errors.Join(soft.Fill(pass.Inputs(), 0, x.instance), ctx.Err()); err != nil {
		return 0, err
	}
	logs, dlogs, loss := pass.Forward(), make([]float32, n1*n2), 0.0
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if t.config.Loss == LossTruth {
		loss = crossEntropy(logs, dlogs, x.truth, n2, share)
	} else {
		loss = objective(logs, dlogs, pass.Inputs(), share)
	}
	if gradient != nil {
		pass.Backward(dlogs, gradient)
	}
	return loss, nil
}

// lend returns a pass that nobody uses, and what gives it back.
func (t *Trainer) lend(n1, n2 int) (models.Pass, func()) {
	shape := train.Shape{Batch: 1, N1: n1, N2: n2}
	pass := t.passes.Get(shape)
	return pass, func() { t.passes.Put(shape, pass) }
}

// validate measures the network on other instances.
func (t *Trainer) validate(ctx context.Context) (Validation, error) {
	count := t.config.ValidationPairs
	losses, f1, over, errs := make([]float64, count), make([]float64, count), make([]float64, count), make([]error, count)
	solver := soft.Solver{Q: models.QFunction(t.network)}
	parallel.For(count, func(k int) {
		if errs[k] = ctx.Err(); errs[k] != nil {
			return
		}
		x, err := t.config.draw(t.source, streamValidation, k)
		if err == nil {
			losses[k], err = t.learn(ctx, x, nil, 1)
		}
		switch {
		case err != nil:
		case t.config.Loss == LossScore:
			over[k], err = t.overGreedy(ctx, x)
		case x.truth != nil:
			var r qap.Result
			r, err = solver.Solve(ctx, x.instance, qap.Options{})
			f1[k] = r.Matching.F1(x.truth)
		}
		errs[k] = err
	})
	v := Validation{Pairs: count}
	mean, above := 0.0, 0.0
	for k, err := range errs {
		if err != nil {
			return Validation{}, err
		}
		v.Loss += losses[k] / float64(count)
		mean += f1[k] / float64(count)
		above += over[k] / float64(count)
	}
	if t.config.Loss == LossTruth {
		v.F1 = &mean
	}
	if t.config.Loss == LossScore {
		v.OverGreedy = &above
	}
	return v, nil
}
