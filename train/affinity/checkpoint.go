package affinity

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// checkpointFormat is that of checkpoint files (package sealed). They hold all of a
// training but the pairs, which are drawn again.
var checkpointFormat = sealed.Format{Magic: "rgm affinity checkpoint\n", Version: 1}

// checkpoint is a training. Sampling and Adam are those of the stage that is under way,
// if one is.
type checkpoint struct {
	Config   Config
	State    state
	Network  [][]float32
	Sampling []byte
	Adam     *models.Adam
}

// WriteCheckpoint writes the training to a file, beside its place first. The file that
// was there stays if anything fails.
func (t *Trainer) WriteCheckpoint(path string) error {
	c := checkpoint{Config: t.config, State: t.state}
	for _, p := range t.network.Parameters() {
		c.Network = append(c.Network, p.Data)
	}
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
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("affinity: %w", err)
	}
	t, err := resume(ctx, data, source)
	if err != nil {
		return nil, fmt.Errorf("affinity: %s: %w", path, err)
	}
	return t, nil
}

func resume(ctx context.Context, data []byte, source train.PairSource) (*Trainer, error) {
	var c checkpoint
	if err := checkpointFormat.Decode(data, &c); err != nil {
		return nil, err
	}
	t, err := New(c.Config, source)
	if err != nil {
		return nil, err
	}
	if c.State.Stage < 0 || c.State.Stage > len(stages) || c.State.Update < 0 || math.IsNaN(c.State.Loss) {
		return nil, fmt.Errorf("%w: update %d of stage %d", sealed.ErrNotWhole, c.State.Update, c.State.Stage)
	}
	t.state = c.State
	var own [][]float32
	for _, p := range t.network.Parameters() {
		own = append(own, p.Data)
	}
	if err := setWeights(own, c.Network); err != nil {
		return nil, err
	}
	if c.Adam == nil { // between two stages
		return t, nil
	}
	if t.state.Stage == len(stages) || c.Adam.Updates < 0 {
		return nil, fmt.Errorf("%w: an optimiser at the end", sealed.ErrNotWhole)
	}
	s, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.pcg.UnmarshalBinary(c.Sampling); err != nil {
		return nil, fmt.Errorf("%w: %w", sealed.ErrNotWhole, err)
	}
	optimiser := s.fitting.optimiser
	optimiser.Updates = c.Adam.Updates
	if err := setWeights(optimiser.First, c.Adam.First); err != nil {
		return nil, err
	}
	return t, setWeights(optimiser.Second, c.Adam.Second)
}

// setWeights copies weights, or moments of them, over those of a network.
func setWeights(to, from [][]float32) error {
	same := len(to) == len(from)
	for k := range to {
		same = same && len(to[k]) == len(from[k])
	}
	if !same {
		return fmt.Errorf("%w: weights do not fit the network of its configuration", sealed.ErrNotWhole)
	}
	for k := range to {
		copy(to[k], from[k])
	}
	return nil
}

// Resumable tells whether a folder holds a checkpoint.
func Resumable(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, CheckpointFile))
	return err == nil
}
