package affinity

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// CheckpointFile is the name of the checkpoint of a Trainer in Options.Dir.
const CheckpointFile = "affinity.rgm"

// reportEvery is how many updates there are between two reports.
const reportEvery = 100

// Trainer is a training of φ and the choice of a size in progress, on pairs that are drawn. Not for
// use by several goroutines at once.
type Trainer = training[Config, Validation]

// training is a training in stages by a configuration C, which ends with a validation V.
type training[C, V any] struct {
	config   C
	file     string  // the name of the checkpoint
	rate     float64 // learning rate at the start of a stage
	network  *models.Affinity
	stages   []namedStage
	validate func(context.Context) (V, error)
	state    state[V]
	present  *stage // nil until Run comes to it
}

// namedStage is a part of the training.
type namedStage struct {
	name string
	make func(context.Context) (*stage, error)
}

// stage is what one part learns from, and how.
type stage struct {
	fitting *fitting
	pcg     *rand.PCG // what sample draws from
	updates int       // until it is through
	sample  func()    // fills in the inputs of a batch
	lossOf  func(part int, q, dq []float32) float64
	decayed []models.Parameter // weights that decay,
	decay   float64            // by so much times the rate
	end     func()             // fits the network to inputs as they are
}

// state says how far a training is.
type state[V any] struct {
	Stage      int // index in the stages; their number when all are through
	Update     int // of the stage
	Loss       float64
	Lines      []Metrics // reported so far
	Validation *V        // nil before the end
}

// Options are what a run of a Trainer needs beside its configuration.
type Options = loop.ReportedOptions[Metrics]

// New prepares a training.
func New(c Config, source train.PairSource) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	made, err := models.New(models.Config{Architecture: models.ArchitectureAffinity, Hidden: c.Width}, rand.New(rand.NewPCG(c.Seed, streamWeights)))
	if err != nil {
		return nil, err
	}
	n := made.(*models.Affinity)
	return &Trainer{
		config: c, file: CheckpointFile, rate: c.LearningRate, network: n,
		stages: []namedStage{
			{"edge", func(ctx context.Context) (*stage, error) { return newEdgeStage(ctx, &c, n, source) }},
			{"size", func(ctx context.Context) (*stage, error) { return newSizeStage(ctx, &c, n, source) }},
		},
		validate: func(ctx context.Context) (Validation, error) { return validate(ctx, &c, n, source) },
	}, nil
}

// Network returns the network; it is of use once Run has returned nil.
func (t *training[C, V]) Network() *models.Affinity { return t.network }

// Config returns the configuration.
func (t *training[C, V]) Config() C { return t.config }

// Metrics returns what was reported so far.
func (t *training[C, V]) Metrics() []Metrics { return t.state.Lines }

// Validation returns how good the network is, the zero value before the end.
func (t *training[C, V]) Validation() V { return loop.Measured(t.state.Validation) }

// Run trains to the end, or until the context ends, and leaves a checkpoint; the context's
// error then says that one was written. A training that ended early can be resumed and then goes on as if
// it had not ended.
func (t *training[C, V]) Run(ctx context.Context, o Options) error {
	return loop.Reported[Metrics, V]{
		Package: "affinity", File: t.file, Lines: &t.state.Lines, Validation: &t.state.Validation,
		Through: func() bool { return t.state.Stage == len(t.stages) },
		Step:    t.step, Validate: t.validate, Write: t.WriteCheckpoint,
	}.Run(ctx, o)
}

// step makes an update of the present stage, which it begins before the first and ends
// after the last.
func (t *training[C, V]) step(ctx context.Context) (line *Metrics, err error) {
	s, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	n := &t.state
	if n.Update < s.updates { // not so in a checkpoint of before stages ended with their last update
		rate := loop.Rate(t.rate, n.Update, s.updates)
		n.Loss += s.update(rate)
		if n.Update++; n.Update%reportEvery == 0 {
			line = &Metrics{Stage: t.stages[n.Stage].name, Update: n.Update, Updates: s.updates, Loss: n.Loss / reportEvery}
			n.Loss = 0
		}
	}
	if n.Update >= s.updates {
		s.end()
		t.present = nil
		n.Stage, n.Update, n.Loss = n.Stage+1, 0, 0
	}
	return line, nil
}

// update draws a batch, learns from it at a rate and returns the loss.
func (s *stage) update(rate float64) float64 {
	s.sample()
	loss := s.fitting.update(rate, s.lossOf)
	loop.Decay(s.decayed, rate*s.decay)
	return loss
}

// enter returns the present stage, made ready where it is not.
func (t *training[C, V]) enter(ctx context.Context) (*stage, error) {
	if t.present != nil {
		return t.present, nil
	}
	var err error
	t.present, err = t.stages[t.state.Stage].make(ctx)
	if err != nil {
		t.present = nil
	}
	return t.present, err
}
