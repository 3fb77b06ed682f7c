package affinity

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// CheckpointFile is the name of the checkpoint in Options.Dir.
const CheckpointFile = "affinity.rgm"

// reportEvery is how many updates there are between two reports.
const reportEvery = 100

// stages are the parts of a training, in their order.
var stages = []struct {
	name string
	make func(context.Context, *Config, *models.Affinity, train.PairSource) (*stage, error)
}{{"edge", newEdgeStage}, {"size", newSizeStage}}

// stage is what one part learns from, and how.
type stage struct {
	fitting *fitting
	pcg     *rand.PCG // what sample draws from
	updates int       // until it is through
	sample  func()    // fills in the inputs of a batch
	lossOf  func(part int, q, dq []float32) float64
	decay   func(rate float64) // of the weights, after an update
	end     func()             // fits the network to inputs as they are
}

// Trainer is a training in progress. Not for use by several goroutines at once.
type Trainer struct {
	config  Config
	source  train.PairSource
	network *models.Affinity
	state   state
	present *stage // nil until Run comes to it
}

// state says how far a training is.
type state struct {
	Stage      int // index in stages; their number when all are through
	Update     int // of the stage
	Loss       float64
	Lines      []Metrics   // reported so far
	Validation *Validation // nil before the end
}

// Options are what a run of a Trainer needs beside its configuration.
type Options struct {
	Dir             string        // where the checkpoint goes; empty writes none
	CheckpointEvery time.Duration // least time between checkpoints (10 s)
	Progress        func(Metrics) // if set, told every hundred updates
}

// New prepares a training.
func New(c Config, source train.PairSource) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	network, err := models.New(models.Config{Architecture: models.ArchitectureAffinity, Hidden: c.Width}, rand.New(rand.NewPCG(c.Seed, streamWeights)))
	if err != nil {
		return nil, err
	}
	return &Trainer{config: c, source: source, network: network.(*models.Affinity)}, nil
}

// Config returns the configuration.
func (t *Trainer) Config() Config { return t.config }

// Network returns the network; it is of use once Run has returned nil.
func (t *Trainer) Network() *models.Affinity { return t.network }

// Metrics returns what was reported so far.
func (t *Trainer) Metrics() []Metrics { return t.state.Lines }

// Validation returns how good the network is, the zero value before the end.
func (t *Trainer) Validation() Validation {
	if t.state.Validation == nil {
		return Validation{}
	}
	return *t.state.Validation
}

// Run trains to the end, or until the context ends, and leaves a checkpoint; the context's
// error then says that one was written. A training that ended early can be resumed and then goes on as if
// it had not ended.
func (t *Trainer) Run(ctx context.Context, o Options) error {
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = 10 * time.Second
	}
	if o.Progress == nil {
		o.Progress = func(Metrics) {}
	}
	err := t.save(o.Dir) // so that there is one to resume from the beginning on
	for err == nil && t.state.Stage < len(stages) {
		err = t.runStage(ctx, o)
	}
	if err == nil && t.state.Validation == nil {
		var v Validation
		if v, err = validate(ctx, &t.config, t.network, t.source); err == nil {
			t.state.Validation = &v
		}
	}
	if saveErr := t.save(o.Dir); saveErr != nil {
		return saveErr
	}
	return err
}

// runStage goes on with the present stage to its end.
func (t *Trainer) runStage(ctx context.Context, o Options) error {
	s, err := t.enter(ctx)
	if err != nil {
		return err
	}
	saved, n := time.Now(), &t.state
	for n.Update < s.updates {
		if err := ctx.Err(); err != nil {
			return err
		}
		rate := t.config.LearningRate * (1 + math.Cos(math.Pi*float64(n.Update)/float64(s.updates))) / 2
		s.sample()
		n.Loss += s.fitting.update(rate, s.lossOf)
		s.decay(rate)
		if n.Update++; n.Update%reportEvery == 0 {
			line := Metrics{Stage: stages[n.Stage].name, Update: n.Update, Updates: s.updates, Loss: n.Loss / reportEvery}
			n.Loss, n.Lines = 0, append(n.Lines, line)
			o.Progress(line)
		}
		if time.Since(saved) >= o.CheckpointEvery {
			if err := t.save(o.Dir); err != nil {
				return err
			}
			saved = time.Now()
		}
	}
	s.end()
	t.present = nil
	n.Stage, n.Update, n.Loss = n.Stage+1, 0, 0
	return nil
}

// enter returns the present stage, made ready where it is not.
func (t *Trainer) enter(ctx context.Context) (*stage, error) {
	if t.present != nil {
		return t.present, nil
	}
	var err error
	t.present, err = stages[t.state.Stage].make(ctx, &t.config, t.network, t.source)
	if err != nil {
		t.present = nil
	}
	return t.present, err
}

// save writes a checkpoint into a folder, if there is one.
func (t *Trainer) save(dir string) error {
	if dir == "" {
		return nil
	}
	if err := t.WriteCheckpoint(filepath.Join(dir, CheckpointFile)); err != nil {
		return fmt.Errorf("affinity: checkpoint not written, the one before is kept: %w", err)
	}
	return nil
}
