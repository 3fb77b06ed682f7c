package learners

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/research/learners/acer"
	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/lab/research/learners/trpo"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/dqn"
	"github.com/rgm-go/rgm/train/evolution"
	"github.com/rgm-go/rgm/train/sources"
)

// shrunk returns a preset whose first updates take moments. Its budget is so large that
// they are in the first share of the training, which a guide would have for itself.
func shrunk(t *testing.T, preset string) train.Config {
	t.Helper()
	c := must.Get(train.Preset(preset))(t)
	c.Model.Hidden, c.Model.Head = 4, 4
	c.Pool, c.Environments, c.Episodes = 2, 2, 1<<24
	c.Batch, c.Warmup = 4, 8
	switch own := c.Own.(type) {
	case policygradient.Config:
		own.Segment = 3
		c.Own = own
	case policygradient.PPOConfig:
		own.Segment = 3
		c.Own = own
	case trpo.Config:
		own.Segment = 3
		c.Own = own
	case acer.Config:
		own.Segment = 3
		c.Own = own
	case evolution.Config:
		own.ESPairs, own.ESInstances = 2, 2
		c.Own = own
	}
	c.ValidationPool, c.ValidationRuns, c.ValidationEvery = 1, 1, 3
	if c.Sizes = []int{4, 6}; c.Instances == train.InstancesQAPLIBSmall {
		c.Instances = train.InstancesQAPLIBSmall + ":had"
	}
	return c
}

// firstUpdates trains until the first line of metrics and returns it, with the weights
// before and after. The best network before the first validation is the latest average;
// the first validation of changed weights is the best.
func firstUpdates(t *testing.T, c train.Config) (line train.Line, before, after models.Network) {
	t.Helper()
	trainer := must.Get(train.New(t.Context(), c, open(t, c)))(t)
	before = models.Clone(trainer.Best())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := trainer.Run(ctx, train.Options{Dir: t.TempDir(), Metrics: func(l train.Line) { line = l; cancel() }})
	if err != nil {
		t.Fatal(err)
	}
	return line, before, trainer.Best()
}

func sameWeights(a, b models.Network) bool {
	x, y := a.Parameters(), b.Parameters()
	for k := range x {
		if !slices.Equal(x[k].Data, y[k].Data) {
			return false
		}
	}
	return true
}

// TestEveryPresetLearnsFromTheFirstUpdate: a preset of every learner has no guide, so
// its first updates have a loss and a gradient and change the weights, and they are the
// same whatever share of the training a guide would have had.
func TestEveryPresetLearnsFromTheFirstUpdate(t *testing.T) {
	learners := map[string]bool{}
	for _, preset := range train.Presets() {
		c := shrunk(t, preset)
		learners[c.Learner] = true
		line, before, after := firstUpdates(t, c)
		loss, norm := *line.Loss, *line.GradientNorm
		if loss == 0 || c.Learner == dqn.Name && loss < 0 || !(norm > 0) || math.IsInf(norm, 0) {
			t.Errorf("%s: after %d updates loss %v, gradient %v", preset, line.Updates, loss, norm)
		}
		if sameWeights(before, after) {
			t.Errorf("%s: %d updates leave the weights as they were", preset, line.Updates)
		}
		c.GuideShare = 0
		if _, _, unguided := firstUpdates(t, c); !sameWeights(after, unguided) {
			t.Errorf("%s: guide = %s, and yet guide_share counts", preset, c.Guide)
		}
	}
	for _, learner := range train.Learners() {
		if !learners[learner] {
			t.Errorf("no preset of learner %s", learner)
		}
	}
}

// TestModelFileIsOfOneMoment: the updates and episodes that a checkpoint says of its
// best network are those of that network's validation, however long training went on.
func TestModelFileIsOfOneMoment(t *testing.T) {
	c := shrunk(t, "smoke")
	c.Episodes, c.ValidationEvery = 60, 5
	trainer := must.Get(train.New(t.Context(), c, open(t, c)))(t)
	dir := t.TempDir()
	var best train.Summary
	var last train.Line
	err := trainer.Run(t.Context(), train.Options{
		Dir:      dir,
		Metrics:  func(l train.Line) { last = l },
		Improved: func(_ models.Network, s train.Summary) error { best = s; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if best.Updates == last.Updates || best.Episodes == last.Episodes {
		t.Fatalf("the best network, of update %d and episode %d, is the last: nothing is tested", best.Updates, best.Episodes)
	}
	loaded := must.Get(train.Load(filepath.Join(dir, train.CheckpointFile)))(t)
	for name, s := range map[string]train.Summary{"trainer": trainer.Summary(), "checkpoint": loaded.Summary} {
		if s.Updates != best.Updates || s.Episodes != best.Episodes {
			t.Errorf("%s: updates %d, episodes %d, want %d and %d", name, s.Updates, s.Episodes, best.Updates, best.Episodes)
		}
	}
}

func open(t *testing.T, c train.Config) train.InstanceSource {
	t.Helper()
	return must.Get(sources.Open(c, nil))(t)
}
