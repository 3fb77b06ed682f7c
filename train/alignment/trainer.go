package alignment

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/propagation"
)

// CheckpointFile is the name of the checkpoint of a Trainer in Options.Dir.
const CheckpointFile = "align.rgm"

// reportEvery is how many updates there are between two reports.
const reportEvery = 20

// Trainer is a training in progress. Not for use by several goroutines at once.
type Trainer struct {
	config  Config
	network *propagation.Network
	adam    *models.Adam
	state   state
}

// state says how far a training is.
type state struct {
	Update         int // of both stages
	Loss, Accuracy float64
	Samples        int
	Lines          []Metrics   // reported so far
	Validation     *Validation // nil before the end
}

// Options are what a run of a Trainer needs beside its configuration.
type Options = loop.ReportedOptions[Metrics]

// New prepares a training.
func New(c Config) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	t := &Trainer{config: c, network: propagation.New(rand.New(rand.NewPCG(c.Seed, streamWeights)))}
	t.adam = models.NewAdam(weights{of: t.network.First.Parameters()})
	return t, nil
}

// weights are what the optimiser asks of a network.
type weights struct {
	models.Network
	of []models.Parameter
}

func (w weights) Parameters() []models.Parameter { return w.of }

// Network returns the network; it is of use once Run has returned nil.
func (t *Trainer) Network() *propagation.Network { return t.network }

// Config returns the configuration.
func (t *Trainer) Config() Config { return t.config }

// Metrics returns what was reported so far.
func (t *Trainer) Metrics() []Metrics { return t.state.Lines }

// Validation returns how good the network is, the zero value before the end.
func (t *Trainer) Validation() Validation { return loop.Measured(t.state.Validation) }

// Run trains to the end, or until the context ends, and leaves a checkpoint; the context's error
// then says that one was written. A training that ended early can be resumed and then goes on as
// if it had not ended.
func (t *Trainer) Run(ctx context.Context, o Options) error {
	return loop.Reported[Metrics, Validation]{
		Package: "alignment", File: CheckpointFile, Lines: &t.state.Lines, Validation: &t.state.Validation,
		Through: func() bool { return t.state.Update == t.config.Updates+t.config.AgainUpdates },
		Step:    t.step, Validate: t.validate, Write: t.WriteCheckpoint,
	}.Run(ctx, o)
}

// sizes are those of graphs in a part of a stage, as shares of the way from the least nodes to the most.
var sizes = []struct{ until, least, most float64 }{{0.45, 0, 0.25}, {0.75, 0.25, 0.57}, {1, 0.57, 1}}

// drawing returns that of a part of a stage.
func (c *Config) drawing(progress float64) drawing {
	d := drawing{noise: c.Noise}
	span := float64(c.MostNodes - c.LeastNodes)
	for _, s := range sizes {
		d.least, d.most = c.LeastNodes+int(s.least*span), c.LeastNodes+int(s.most*span)
		if progress < s.until {
			break
		}
	}
	return d
}

// step makes an update. Its samples are drawn from a stream of its own.
func (t *Trainer) step(context.Context) (*Metrics, error) {
	c, s := &t.config, &t.state
	name, stage, update, updates := "first", t.network.First, s.Update, c.Updates
	stream, rate, steps := uint64(streamFirst), c.LearningRate, c.Steps
	if again := s.Update - c.Updates; again >= 0 {
		name, stage, update, updates = "again", t.network.Again, again, c.AgainUpdates
		stream, rate, steps = streamAgain, 0.4*c.LearningRate, c.AgainSteps
		if again == 0 {
			t.network.Widen()
			t.adam = models.NewAdam(weights{of: stage.Parameters()})
		}
	}
	rng := rand.New(rand.NewPCG(c.Seed, stream<<32|uint64(update)))
	d := c.drawing(float64(update) / float64(updates))
	var batch []sample
	for pairs := 0; pairs < c.Pairs; {
		x := d.draw(rng)
		batch = append(batch, x)
		pairs += x.pair.Size()
	}
	w := weights{of: stage.Parameters()}
	gradient := models.NewGradient(w)
	for k := range batch {
		var clues []float32
		if name == "again" {
			clues = t.clues(&batch[k], rng)
		}
		loss, accuracy := learn(stage, &batch[k], clues, steps, 1/float64(len(batch)), gradient)
		s.Loss += loss * float64(len(batch))
		s.Accuracy += accuracy
		s.Samples++
	}
	warm := min(1, float64(update+1)/20)
	if norm := models.ClipNorm(gradient, c.ClipNorm); !math.IsNaN(norm) && !math.IsInf(norm, 0) {
		t.adam.Update(w, gradient, warm*loop.Rate(rate, update, updates))
	}
	s.Update++
	if (update+1)%reportEvery != 0 {
		return nil, nil
	}
	n := float64(s.Samples)
	line := Metrics{Stage: name, Update: update + 1, Updates: updates, Loss: s.Loss / n, Accuracy: s.Accuracy / n}
	s.Loss, s.Accuracy, s.Samples = 0, 0, 0
	return &line, nil
}

const mostLoops = 2 // of the second stage before it learns from what it then sees

// clues makes the second stage's inputs of a matching that the network makes now.
func (t *Trainer) clues(x *sample, rng *rand.Rand) []float32 {
	improved := func(s []float32) []int {
		m := x.pair.Match(s)
		if rng.Float64() < 0.7 {
			m = x.pair.Sharpen(m)
		}
		return m
	}
	s := t.network.Believe(x.pair, t.config.Steps)
	m := improved(s)
	for range rng.IntN(mostLoops + 1) {
		s = t.network.Doubt(x.pair, s, m, t.config.AgainSteps)
		m = improved(s)
	}
	return propagation.Clues(x.pair, s, m)
}
