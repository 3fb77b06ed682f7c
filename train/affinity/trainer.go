package affinity

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// CheckpointFile is the name of the checkpoint of a Trainer in Options.Dir.
const CheckpointFile = "affinity.rgm"

// Trainer is a training of φ and the choice of a size in progress. Not for use by several
// goroutines at once.
type Trainer struct {
	training[Config, Validation]
	network *models.Affinity
}

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
	t := &Trainer{network: n, training: training[Config, Validation]{config: c}}
	t.course = course[Validation]{
		network: n, rate: c.LearningRate,
		stages: []courseStage{
			{"edge", func(ctx context.Context) (*stage, error) { return newEdgeStage(ctx, &c, n, source) }},
			{"size", func(ctx context.Context) (*stage, error) { return newSizeStage(ctx, &c, n, source) }},
		},
		validate: func(ctx context.Context) (Validation, error) { return validate(ctx, &c, n, source) },
		file:     CheckpointFile,
		format:   checkpointFormat,
	}
	return t, nil
}

// Network returns the network; it is of use once Run has returned nil.
func (t *Trainer) Network() *models.Affinity { return t.network }

// Resume takes up the training of a checkpoint, on the source that it was begun with.
// What follows is bit for bit what would have followed then.
func Resume(ctx context.Context, path string, source train.PairSource) (*Trainer, error) {
	return resumed(ctx, path, func(c Config) (*Trainer, *training[Config, Validation], error) {
		t, err := New(c, source)
		if err != nil {
			return nil, nil, err
		}
		return t, &t.training, nil
	}, checkpointFormat)
}
