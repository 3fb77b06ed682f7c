package selector

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train/internal/loop"
)

// CheckpointFile is the name of the checkpoint in Options.Dir.
const CheckpointFile = "selector.rgm"

// Metrics is how a round went.
type Metrics struct {
	Round    int     `json:"round"`
	Rounds   int     `json:"rounds"`
	Examples int     `json:"examples"`
	Loss     float64 `json:"loss"`    // mean square of what the answers miss, in log-gap
	LogGap   float64 `json:"log_gap"` // mean of the network's searches on the validation's instances
}

// Trainer is a training in progress. Not for use by several goroutines at once.
type Trainer struct {
	config  Config
	files   *files           // nil where instances are generated, or all are recorded
	first   *models.Selector // the network that training began with, nil where its weights were random
	network *models.Selector
	adam    *models.Adam
	state   state
}

// state says how far a training is.
type state struct {
	Records    []Recorded // so far, in their order
	Sums       []string   // of the instances of files, by which a resumed training notices a change
	Round      int
	Lines      []Metrics   // reported so far
	Validation *Validation // nil before the end
}

// Options are what a run of a Trainer needs beside its configuration.
type Options struct {
	Dir             string        // where the checkpoint goes; empty writes none
	CheckpointEvery time.Duration // least time between checkpoints (10 s)

	Recording func(done, of int) // if set, told of the instances recorded
	Progress  func(Metrics)      // if set, told of every round
}

// New prepares a training: it reads the files and the model that the configuration names.
func New(c Config) (*Trainer, error) {
	t := &Trainer{config: c}
	if c.From != "" {
		var err error
		if t.first, err = readSelector(c.From); err != nil {
			return nil, fmt.Errorf("selector: from %s: %w", c.From, err)
		}
		t.config.Width = models.HeaderOf(t.first, "").Hidden
	}
	if err := t.config.Validate(); err != nil {
		return nil, err
	}
	if c.Files != "" {
		var err error
		if t.files, err = openFiles(c.Files); err != nil {
			return nil, err
		}
		t.state.Sums = t.files.sums()
	}
	return t, t.assemble()
}

// assemble makes the network with its first weights.
func (t *Trainer) assemble() error {
	n, err := t.config.network()
	if err != nil {
		return err
	}
	t.network = n
	if t.first != nil {
		models.Copy(n, t.first)
	}
	t.adam = models.NewAdam(n)
	return nil
}

// network returns a network with random weights.
func (c *Config) network() (*models.Selector, error) {
	n, err := models.New(models.Config{Architecture: models.ArchitectureSelector, Hidden: c.Width}, rand.New(rand.NewPCG(c.Seed, streamWeights)))
	if err != nil {
		return nil, err
	}
	return n.(*models.Selector), nil
}

// Config returns the configuration.
func (t *Trainer) Config() Config { return t.config }

// Network returns the network; it is of use once Run has returned nil.
func (t *Trainer) Network() *models.Selector { return t.network }

// Metrics returns what was reported so far.
func (t *Trainer) Metrics() []Metrics { return t.state.Lines }

// Validation returns how good the network is, the zero value before the end.
func (t *Trainer) Validation() Validation { return loop.Measured(t.state.Validation) }

// Run trains to the end, or until the context ends, and leaves a checkpoint. A training
// that ended early can be resumed and then goes on as if it had not ended.
func (t *Trainer) Run(ctx context.Context, o Options) error {
	return loop.Training[Metrics, Validation]{
		Package: "selector", File: CheckpointFile, Lines: &t.state.Lines, Validation: &t.state.Validation,
		Through: func() bool { return t.recorded() && t.state.Round == t.config.Rounds },
		Step: func(ctx context.Context) (*Metrics, error) {
			if t.recorded() {
				return t.round(ctx)
			}
			return nil, t.record(ctx, o.Recording)
		},
		Validate: t.validate, Write: t.WriteCheckpoint,
	}.Run(ctx, loop.Options[Metrics]{Dir: o.Dir, CheckpointEvery: o.CheckpointEvery, Progress: o.Progress})
}

// recorded tells whether all instances are.
func (t *Trainer) recorded() bool {
	return len(t.state.Records) >= t.config.Instances+t.config.Validation
}

// recordedTogether is how many instances are recorded before a checkpoint can be written.
const recordedTogether = 8

// record records the next instances.
func (t *Trainer) record(ctx context.Context, tell func(done, of int)) error {
	done, all := len(t.state.Records), t.config.Instances+t.config.Validation
	some, errs := make([]Recorded, min(recordedTogether, all-done)), make([]error, recordedTogether)
	parallel.For(len(some), func(k int) { some[k], errs[k] = t.config.record(ctx, t.files, done+k) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	t.state.Records = append(t.state.Records, some...)
	if tell != nil {
		tell(len(t.state.Records), all)
	}
	return nil
}

// held are the records that nothing is learned from.
func (t *Trainer) held() []Recorded { return t.state.Records[t.config.Instances:] }

// round draws searches and learns from them. If the context ends before, nothing has
// changed.
func (t *Trainer) round(ctx context.Context) (*Metrics, error) {
	s := &t.state
	examples, err := draw(ctx, &t.config, s.Records[:t.config.Instances], Forward(t.network), s.Round)
	if err != nil {
		return nil, err
	}
	weights, adam := t.weights(), t.adam.Clone()
	line := &Metrics{Round: s.Round + 1, Rounds: t.config.Rounds, Examples: len(examples)}
	if line.Loss, err = fit(ctx, &t.config, t.network, t.adam, examples, s.Round); err == nil {
		line.LogGap = meanLogGap(ctx, t.held(), ChooserOf(Forward(t.network)))
		err = ctx.Err()
	}
	if err != nil {
		setWeights(t.network, weights)
		t.adam = adam
		return nil, err
	}
	s.Round++
	return line, nil
}

// validate measures the network, and that which training began with.
func (t *Trainer) validate(ctx context.Context) (Validation, error) {
	v, err := validate(ctx, t.held(), Forward(t.network))
	if err == nil && t.first != nil {
		first := meanLogGap(ctx, t.held(), ChooserOf(Forward(t.first)))
		v.First, err = &first, ctx.Err()
	}
	return v, err
}

// weights returns a copy of those of the network.
func (t *Trainer) weights() [][]float32 { return weightsOf(t.network) }

// weightsOf returns a copy of the weights of a network, nil of none.
func weightsOf(n *models.Selector) [][]float32 {
	if n == nil {
		return nil
	}
	var all [][]float32
	for _, p := range n.Parameters() {
		all = append(all, slices.Clone(p.Data))
	}
	return all
}

func setWeights(n *models.Selector, weights [][]float32) {
	for k, p := range n.Parameters() {
		copy(p.Data, weights[k])
	}
}
