package affinity

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train/internal/loop"
)

// The formats of checkpoint files (package sealed). They hold all of a training but the
// pairs, which are drawn again.
var (
	checkpointFormat     = sealed.Format{Magic: "rgm affinity checkpoint\n", Version: 2}
	gateCheckpointFormat = sealed.Format{Magic: "rgm gate checkpoint\n", Version: 1}
)

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
	c := checkpoint[C, V]{Config: t.config, State: t.state, Network: models.Weights(t.course.network)}
	if t.present != nil {
		var err error
		if c.Sampling, err = t.present.pcg.MarshalBinary(); err != nil {
			return err
		}
		c.Adam = t.present.fitting.optimiser
	}
	return t.course.format.Write(path, c)
}

// resumed takes up the training of a checkpoint file; begin prepares one of a
// configuration, and returns what it is within T.
func resumed[T, C, V any](ctx context.Context, path string, begin func(C) (*T, *training[C, V], error), format sealed.Format) (*T, error) {
	return loop.Resume("affinity", path, func(data []byte) (*T, error) { return decoded(ctx, data, begin, format) })
}

// decoded takes up the training of the bytes of a checkpoint.
func decoded[T, C, V any](ctx context.Context, data []byte, begin func(C) (*T, *training[C, V], error), format sealed.Format) (*T, error) {
	var c checkpoint[C, V]
	if err := format.Decode(data, &c); err != nil {
		return nil, err
	}
	whole, part, err := begin(c.Config)
	if err != nil {
		return nil, err
	}
	return whole, part.goOn(ctx, &c)
}

// goOn takes up what a checkpoint holds.
func (t *training[C, V]) goOn(ctx context.Context, c *checkpoint[C, V]) error {
	if c.State.Stage < 0 || c.State.Stage > len(t.course.stages) || c.State.Update < 0 || math.IsNaN(c.State.Loss) {
		return fmt.Errorf("%w: update %d of stage %d", sealed.ErrNotWhole, c.State.Update, c.State.Stage)
	}
	t.state = c.State
	if err := sealed.Restore(models.Weights(t.course.network), c.Network); err != nil {
		return err
	}
	if c.Adam == nil { // between two stages
		return nil
	}
	if t.state.Stage == len(t.course.stages) || c.Adam.Updates < 0 {
		return fmt.Errorf("%w: an optimiser at the end", sealed.ErrNotWhole)
	}
	s, err := t.enter(ctx)
	if err != nil {
		return err
	}
	if err := s.pcg.UnmarshalBinary(c.Sampling); err != nil {
		return fmt.Errorf("%w: %w", sealed.ErrNotWhole, err)
	}
	return loop.RestoreOptimiser(s.fitting.optimiser, c.Adam)
}
