package alignment

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
)

// checkpointFormat is that of checkpoint files (package sealed). They hold all of a training but
// the pairs, which are drawn again.
var checkpointFormat = sealed.Format{Magic: "rgm align checkpoint\n", Version: 1}

type checkpoint struct {
	Config  Config
	State   state
	Network [][]float32
	Adam    *models.Adam
}

// WriteCheckpoint writes the training to a file, beside its place first. The file that was there
// stays if anything fails.
func (t *Trainer) WriteCheckpoint(path string) error {
	return checkpointFormat.Write(path, checkpoint{Config: t.config, State: t.state, Network: models.Weights(weights{of: t.network.Parameters()}), Adam: t.adam})
}

// Resume takes up the training of a checkpoint. What follows is bit for bit what would have
// followed then.
func Resume(path string) (*Trainer, error) { return loop.Resume("alignment", path, decoded) }

func decoded(data []byte) (*Trainer, error) {
	var c checkpoint
	if err := checkpointFormat.Decode(data, &c); err != nil {
		return nil, err
	}
	t, err := New(c.Config)
	if err != nil {
		return nil, err
	}
	s := &c.State
	if s.Update < 0 || s.Update > c.Config.Updates+c.Config.AgainUpdates || s.Samples < 0 || math.IsNaN(s.Loss) || c.Adam == nil || c.Adam.Updates < 0 {
		return nil, fmt.Errorf("%w: update %d", sealed.ErrNotWhole, s.Update)
	}
	t.state = *s
	if err := sealed.Restore(models.Weights(weights{of: t.network.Parameters()}), c.Network); err != nil {
		return nil, err
	}
	if s.Update > c.Config.Updates {
		t.adam = models.NewAdam(weights{of: t.network.Again.Parameters()})
	}
	return t, loop.RestoreOptimiser(t.adam, c.Adam)
}
