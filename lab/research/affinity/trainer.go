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

// Trainer is a training of φ and the choice of a size in progress. Not for use by several
// goroutines at once.
type Trainer struct {
	config   Config
	network  *models.Affinity
	stages   []namedStage
	validate func(context.Context) (Validation, error)
	state    state
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
type state struct {
	Stage      int // index in the stages; their number when all are through
	Update     int // of the stage
	Loss       float64
	Lines      []Metrics   // reported so far
	Validation *Validation // nil before the end
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
		config: c, network: n,
		stages: []namedStage{
			{"edge", func(ctx context.Context) (*stage, error) { return newEdgeStage(ctx, &c, n, source) }},
			{"size", func(ctx context.Context) (*stage, error) { return newSizeStage(ctx, &c, n, source) }},
		},
		validate: func(ctx context.Context) (Validation, error) { return validate(ctx, &c, n, source) },
	}, nil
}

// Network returns the network; it is of use once Run has returned nil.
func (t *Trainer) Network() *models.Affinity { return t.network }

// Config returns the configuration.
func (t *Trainer) Config() Config { return t.config }

// Metrics returns what was reported so far.
func (t *Trainer) Metrics() []Metrics { return t.state.Lines }

// Validation returns how good the network is, the zero value before the end.
func (t *Trainer) Validation() Validation { return loop.Measured(t.state.Validation) }

// Run trains to the end, or until the context ends, and leaves a checkpoint; the context's
// error then says that one was written. A training that ended early can be resumed and then goes on as if
// it had not ended.
func (t *Trainer) Run(ctx context.Context, o Options) error {
	return loop.Reported[Metrics, Validation]{
		Package: "affinity", File: CheckpointFile, Lines: &t.state.Lines, Validation: &t.state.Validation,
		Through: func() bool { return t.state.Stage == len(t.stages) },
		Step:    t.step, Validate: t.validate, Write: t.WriteCheckpoint,
	}.Run(ctx, o)
}

// step makes an update of the present stage, which it begins before the first and ends
// after the last.
func (t *Trainer) step(ctx context.Context) (line *Metrics, err error) {
	s, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	n := &t.state
	if n.Update < s.updates { // not so in a checkpoint of before stages ended with their last update
		rate := loop.Rate(t.config.LearningRate, n.Update, s.updates)
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
func (t *Trainer) enter(ctx context.Context) (*stage, error) {
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
