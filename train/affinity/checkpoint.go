package affinity

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// checkpointFormat is that of checkpoint files (package sealed). They hold all of a training
// but the pairs, which are drawn again.
var checkpointFormat = sealed.Format{Magic: "rgm affinity checkpoint\n", Version: 2}

// checkpoint is a training. Sampling and Adam are those of the stage that is under way,
// if one is.
type checkpoint[C, V any] struct {
	Config   C
	State    state[V]
	Network  [][]float32
	Sampling []byte
	Adam     *models.Adam
}

// WriteCheckpoint writes the training to a file, beside its place first. The file that
// was there stays if anything fails.
func (t *training[C, V]) WriteCheckpoint(path string) error {
	c := checkpoint[C, V]{Config: t.config, State: t.state, Network: models.Weights(t.network)}
	if t.present != nil {
		var err error
		if c.Sampling, err = t.present.pcg.MarshalBinary(); err != nil {
			return err
		}
		c.Adam = t.present.fitting.optimiser
	}
	return checkpointFormat.Write(path, c)
}

// Resume takes up the training of a checkpoint, on the source that it was begun with.
// What follows is bit for bit what would have followed then.
func Resume(ctx context.Context, path string, source train.PairSource) (*Trainer, error) {
	return loop.Resume("affinity", path, func(data []byte) (*Trainer, error) {
		return decoded(ctx, data, func(c Config) (*Trainer, error) { return New(c, source) })
	})
}

// decoded takes up the training of the bytes of a checkpoint; begin prepares one of a
// configuration.
func decoded[C, V any](ctx context.Context, data []byte, begin func(C) (*training[C, V], error)) (*training[C, V], error) {
	var c checkpoint[C, V]
	if err := checkpointFormat.Decode(data, &c); err != nil {
		return nil, err
	}
	t, err := begin(c.Config)
	if err != nil {
		return nil, err
	}
	return t, t.restore(ctx, &c)
}

// restore takes up what a checkpoint holds.
func (t *training[C, V]) restore(ctx context.Context, c *checkpoint[C, V]) error {
	if c.State.Stage < 0 || c.State.Stage > len(t.stages) || c.State.Update < 0 || math.IsNaN(c.State.Loss) {
		return fmt.Errorf("%w: update %d of stage %d", sealed.ErrNotWhole, c.State.Update, c.State.Stage)
	}
	t.state = c.State
	if err := sealed.Restore(models.Weights(t.network), c.Network); err != nil {
		return err
	}
	if c.Adam == nil { // between two stages
		return nil
	}
	if t.state.Stage == len(t.stages) || c.Adam.Updates < 0 {
		return fmt.Errorf("%w: an optimiser at the end", sealed.ErrNotWhole)
	}
	s, err := t.enter(ctx)
	if err != nil {
		return err
	}
	if err := sealed.Restore(models.Weights(t.network), c.Network); err != nil { // a stage may begin with weights of its own
		return err
	}
	if err := s.pcg.UnmarshalBinary(c.Sampling); err != nil {
		return fmt.Errorf("%w: %w", sealed.ErrNotWhole, err)
	}
	return loop.RestoreOptimiser(s.fitting.optimiser, c.Adam)
}
