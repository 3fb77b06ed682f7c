package drawn

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

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
	return checkpointFormat.Write(path, checkpoint{t.config, t.state, weightsOf(t.network), *t.adam})
}

// Resume takes up the training of a checkpoint. source returns that which a training of
// such a configuration begins with; what follows is bit for bit what would have followed.
func Resume(path string, source func(Config) train.PairSource) (*Trainer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("drawn: %w", err)
	}
	t, err := resume(data, source)
	if err != nil {
		return nil, fmt.Errorf("drawn: %s: %w", path, err)
	}
	return t, nil
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
	t.adam.Updates = c.Adam.Updates
	for _, weights := range []struct{ to, from [][]float32 }{
		{weightsOf(t.network), c.Network}, {t.adam.First, c.Adam.First}, {t.adam.Second, c.Adam.Second},
	} {
		if err := sealed.Restore(weights.to, weights.from); err != nil {
			return nil, err
		}
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

func weightsOf(n models.Network) (all [][]float32) {
	for _, p := range n.Parameters() {
		all = append(all, p.Data)
	}
	return all
}

// Resumable tells whether a folder holds a checkpoint of an architecture.
func Resumable(architecture string) func(dir string) bool {
	return func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, CheckpointFile(architecture)))
		return err == nil
	}
}
