package selector

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/train/internal/loop"
)

// checkpointFormat is that of checkpoint files (package sealed). They hold all of a
// training, what was recorded too. A round that was under way is made anew.
var checkpointFormat = sealed.Format{Magic: "rgm selector checkpoint\n", Version: 1}

type checkpoint struct {
	Config  Config
	State   state
	Network [][]float32
	Adam    *models.Adam
	First   [][]float32 // weights that training began with, where Config.From gave them
}

// WriteCheckpoint writes the training to a file, beside its place first. The file that
// was there stays if anything fails.
func (t *Trainer) WriteCheckpoint(path string) error {
	return checkpointFormat.Write(path, checkpoint{t.config, t.state, t.weights(), t.adam, weightsOf(t.first)})
}

// Resume takes up the training of a checkpoint. What follows is bit for bit what would
// have followed then.
func Resume(path string) (*Trainer, error) {
	return loop.Resume("selector", path, resume)
}

func resume(data []byte) (*Trainer, error) {
	var c checkpoint
	if err := checkpointFormat.Decode(data, &c); err != nil {
		return nil, err
	}
	if err := c.Config.Validate(); err != nil {
		return nil, err
	}
	t := &Trainer{config: c.Config}
	if err := t.assemble(); err != nil {
		return nil, err
	}
	if err := c.check(t); err != nil {
		return nil, fmt.Errorf("%w: %w", sealed.ErrNotWhole, err)
	}
	t.state, t.adam = c.State, c.Adam
	setWeights(t.network, c.Network)
	return t, errors.Join(t.takeFirst(c.First), t.reopenFiles())
}

// takeFirst takes the weights that training began with.
func (t *Trainer) takeFirst(weights [][]float32) (err error) {
	if t.config.From == "" {
		return nil
	}
	if t.first, err = t.config.network(); err == nil {
		setWeights(t.first, weights)
	}
	return err
}

// reopenFiles reads the instances of files again, if some are still to be recorded.
func (t *Trainer) reopenFiles() (err error) {
	if t.config.Files == "" || t.recorded() {
		return nil
	}
	if t.files, err = openFiles(t.config.Files); err != nil {
		return err
	}
	if !slices.Equal(t.files.sums(), t.state.Sums) {
		return fmt.Errorf("files %s: the instances have changed since the training began: put them back as they were", t.config.Files)
	}
	return nil
}

// check returns an error of what no training of the configuration comes to.
func (c *checkpoint) check(t *Trainer) error {
	s, all := &c.State, c.Config.Instances+c.Config.Validation
	switch {
	case s.Round < 0 || s.Round > c.Config.Rounds || s.Round > 0 && len(s.Records) < all || len(s.Records) > all || len(s.Lines) != s.Round:
		return fmt.Errorf("round %d with %d of %d records", s.Round, len(s.Records), all)
	case c.Adam == nil || c.Adam.Updates != s.Round*c.Config.Updates:
		return fmt.Errorf("another optimiser than after round %d", s.Round)
	}
	own, sets := t.weights(), [][][]float32{c.Network, c.Adam.First, c.Adam.Second}
	if c.Config.From != "" {
		sets = append(sets, c.First)
	}
	for _, set := range sets {
		if err := checkWeights(own, set); err != nil {
			return err
		}
	}
	for k, r := range s.Records {
		if err := c.Config.checkRecord(&r); err != nil {
			return fmt.Errorf("record %d: %w", k, err)
		}
	}
	return nil
}

func checkWeights(own, set [][]float32) error {
	if len(set) != len(own) {
		return fmt.Errorf("%d tensors, want %d", len(set), len(own))
	}
	for k, w := range set {
		if len(w) != len(own[k]) {
			return fmt.Errorf("tensor %d has %d numbers, want %d", k, len(w), len(own[k]))
		}
		for _, v := range w {
			if v != v || math.IsInf(float64(v), 0) {
				return fmt.Errorf("tensor %d has a number that is none", k)
			}
		}
	}
	return nil
}

// mostNodes bounds a graph, as package qap does.
const mostNodes = 1 << 15

func (c *Config) checkRecord(r *Recorded) error {
	if r.Trace == nil || r.Features.N < 2 || r.Features.N > mostNodes || r.Time < leastTime || r.Time > c.MostTime+1 || r.Opening < 0 || r.Opening >= auto.Components {
		return errors.New("no search was recorded")
	}
	for _, curve := range r.Curves {
		if len(curve) == 0 {
			return errors.New("a component is missing")
		}
		for _, p := range curve {
			if p.Cost-p.Cost != 0 {
				return fmt.Errorf("a cost of %v", p.Cost)
			}
		}
	}
	return nil
}
