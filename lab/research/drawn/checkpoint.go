package drawn

import (
	"errors"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// checkpointFormat is that of checkpoint files (package sealed). They hold all of a
// training: the instances are drawn again by their numbers.
var checkpointFormat = sealed.Format{Magic: "rgm ngm checkpoint\n", Version: 1}

type checkpoint struct {
	Config  Config
	State   state
	Network [][]float32
	Adam    models.Adam
}

// WriteCheckpoint writes the training to a file, beside its place first. The file that was
// there stays if anything fails.
func (t *Trainer) WriteCheckpoint(path string) error {
	return checkpointFormat.Write(path, checkpoint{t.config, t.state, models.Weights(t.network), *t.adam})
}

// Resume takes up the training of a checkpoint. source returns that which a training of
// such a configuration begins with; what follows is bit for bit what would have followed.
func Resume(path string, source func(Config) train.PairSource) (*Trainer, error) {
	return loop.Resume("drawn", path, func(data []byte) (*Trainer, error) { return resume(data, source) })
}

func resume(data []byte, source func(Config) train.PairSource) (*Trainer, error) {
	c, err := decode(data)
	if err != nil {
		return nil, err
	}
	t, err := New(c.Config, source(c.Config))
	if err != nil {
		return nil, err
	}
	t.state = c.State
	if err := errors.Join(sealed.Restore(models.Weights(t.network), c.Network), loop.RestoreOptimiser(t.adam, &c.Adam)); err != nil {
		return nil, err
	}
	return t, nil
}

func decode(data []byte) (*checkpoint, error) {
	var c checkpoint
	if err := checkpointFormat.Decode(data, &c); err != nil {
		return nil, err
	}
	if n := c.State; n.Update < 0 || n.Update > c.Config.Updates || c.Adam.Updates != n.Update || math.IsNaN(n.Loss) {
		return nil, fmt.Errorf("%w: update %d of %d, %d steps of the optimiser", sealed.ErrNotWhole, n.Update, c.Config.Updates, c.Adam.Updates)
	}
	return &c, nil
}
