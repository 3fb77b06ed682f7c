package affinity

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
)

// reportEvery is how many updates there are between two reports.
const reportEvery = 100

// course is what a training with validations V goes through.
type course[V any] struct {
	network  models.Network
	rate     float64 // of learning, at the start of every stage; it falls to 0 as a cosine
	stages   []courseStage
	validate func(context.Context) (V, error)

	file   string        // the checkpoint's name
	format sealed.Format // and what is in it
}

// courseStage is a part of a course.
type courseStage struct {
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
	decay   func(rate float64) // of the weights, after an update
	end     func()             // fits the network to inputs as they are
}

// training is a training in progress, of a configuration C. Not for use by several
// goroutines at once.
type training[C, V any] struct {
	config  C
	course  course[V]
	state   state[V]
	present *stage // nil until Run comes to it
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
type Options struct {
	Dir             string        // where the checkpoint goes; empty writes none
	CheckpointEvery time.Duration // least time between checkpoints (10 s)
	Progress        func(Metrics) // if set, told every hundred updates
}

// Config returns the configuration.
func (t *training[C, V]) Config() C { return t.config }

// Metrics returns what was reported so far.
func (t *training[C, V]) Metrics() []Metrics { return t.state.Lines }

// Validation returns how good the network is, the zero value before the end.
func (t *training[C, V]) Validation() V {
	if t.state.Validation == nil {
		var none V
		return none
	}
	return *t.state.Validation
}

// Run trains to the end, or until the context ends, and leaves a checkpoint; the context's
// error then says that one was written. A training that ended early can be resumed and then goes on as if
// it had not ended.
func (t *training[C, V]) Run(ctx context.Context, o Options) error {
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = 10 * time.Second
	}
	if o.Progress == nil {
		o.Progress = func(Metrics) {}
	}
	err := t.save(o.Dir) // so that there is one to resume from the beginning on
	for err == nil && t.state.Stage < len(t.course.stages) {
		err = t.runStage(ctx, o)
	}
	if err == nil && t.state.Validation == nil {
		var v V
		if v, err = t.course.validate(ctx); err == nil {
			t.state.Validation = &v
		}
	}
	if saveErr := t.save(o.Dir); saveErr != nil {
		return saveErr
	}
	return err
}

// runStage goes on with the present stage to its end.
func (t *training[C, V]) runStage(ctx context.Context, o Options) error {
	s, err := t.enter(ctx)
	if err != nil {
		return err
	}
	saved, n := time.Now(), &t.state
	for n.Update < s.updates {
		if err := ctx.Err(); err != nil {
			return err
		}
		rate := t.course.rate * (1 + math.Cos(math.Pi*float64(n.Update)/float64(s.updates))) / 2
		s.sample()
		n.Loss += s.fitting.update(rate, s.lossOf)
		s.decay(rate)
		if n.Update++; n.Update%reportEvery == 0 {
			line := Metrics{Stage: t.course.stages[n.Stage].name, Update: n.Update, Updates: s.updates, Loss: n.Loss / reportEvery}
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
func (t *training[C, V]) enter(ctx context.Context) (*stage, error) {
	if t.present != nil {
		return t.present, nil
	}
	var err error
	t.present, err = t.course.stages[t.state.Stage].make(ctx)
	if err != nil {
		t.present = nil
	}
	return t.present, err
}

// save writes a checkpoint into a folder, if there is one.
func (t *training[C, V]) save(dir string) error {
	if dir == "" {
		return nil
	}
	if err := t.WriteCheckpoint(filepath.Join(dir, t.course.file)); err != nil {
		return fmt.Errorf("affinity: checkpoint not written, the one before is kept: %w", err)
	}
	return nil
}
