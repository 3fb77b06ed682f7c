package train

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train/traintest/instances"
)

// drift is a learner for tests of what all share: it acts at random, and every act moves the
// weights at random.
type drift struct {
	net    Trainable
	groups []*Group
	acts   int
	pcg    *rand.PCG
	rng    *rand.Rand
	step   [][]float32
}

// driftConfig is its configuration.
type driftConfig struct {
	Drift float64 `mapstructure:"drift" want:"0 or more"` // deviation of a step
}

func (driftConfig) Check(*Config, *Faults) {}

func init() {
	Register(Learner{
		Name: "drift", Own: driftConfig{1}, Output: func(*Config) string { return "nothing" },
		Presets: map[string]func() Config{"drift": func() Config { c, _ := Base().WithLearner("drift"); return c }},
		New: func(c *Config, problems []*Problem, network models.Network) Algorithm {
			pcg := rand.NewPCG(c.Seed, StreamSampling)
			return &drift{net: NewTrainable(c, network), groups: NewGroups(c, problems, network, 0), pcg: pcg, rng: rand.New(pcg), step: models.NewGradient(network)}
		},
	})
}

func (d *drift) Trainable() *Trainable { return &d.net }
func (d *drift) Held() int             { return 0 }

func (d *drift) Round(ctx context.Context, progress float64) (out Outcome, err error) {
	if err := ctx.Err(); err != nil {
		return out, err
	}
	g := d.groups[d.acts%len(d.groups)]
	d.acts++
	for _, b := range g.Batches {
		b.Act(1)
	}
	for _, a := range g.Actors {
		if a.Ended != nil {
			out.Episodes = append(out.Episodes, *a.Ended)
		}
	}
	for _, part := range d.step {
		for i := range part {
			part[i] = float32(d.net.Config.Own.(driftConfig).Drift * d.rng.NormFloat64())
		}
	}
	var u Update
	u.Norm, err = d.net.Descend(0, d.step, d.net.Config.Rate(progress))
	out.Updates = append(out.Updates, u)
	return out, err
}

// driftState is what a checkpoint holds of it.
type driftState struct {
	Acts     int
	Sampling []byte
	Actors   []SavedActor
}

func (d *drift) Save() (any, error) {
	sampling, samplingErr := d.pcg.MarshalBinary()
	actors, err := SaveActors(d.groups)
	return driftState{d.acts, sampling, actors}, errors.Join(samplingErr, err)
}

func (d *drift) Load(read func(any) error) error {
	var s driftState
	if err := read(&s); err != nil {
		return err
	}
	d.acts = s.Acts
	return errors.Join(d.pcg.UnmarshalBinary(s.Sampling), LoadActors(d.groups, s.Actors))
}

// randomSource makes assignment problems, affinitySource pairs of graphs.
type (
	randomSource   = instances.Assignments
	affinitySource = instances.Pairs
)

func tinyConfig(t testing.TB) Config {
	t.Helper()
	c := must.Get(Preset("drift"))(t)
	c.Sizes, c.Pool, c.Episodes, c.Environments = []int{4, 5}, 4, 60, 3
	c.Warmup, c.Replay, c.Batch = 40, 200, 16
	c.ValidationEvery, c.ValidationPool, c.ValidationRuns = 20, 2, 1
	return c
}
