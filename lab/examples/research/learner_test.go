package research

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

// spsa learns by simultaneous perturbation (Spall 1992, doi:10.1109/9.119632): what two networks
// reach that lie on either side of the weights, in a random direction, gives a gradient.
type spsa struct {
	net      train.Trainable
	problems []*train.Problem
	seed     uint64
}

// spsaConfig has the keys of the learner's own.
type spsaConfig struct {
	Width float64 `mapstructure:"spsa_width" want:"above 0"` // of a perturbation
}

func (spsaConfig) Check(*train.Config, *train.Faults) {} // what goes with other keys

func init() {
	train.Register(train.Learner{
		Name: "spsa", Own: spsaConfig{0.05}, Output: func(*train.Config) string { return "preferences" },
		New: func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
			return &spsa{train.NewTrainable(c, network), problems, c.Seed}
		},
	})
}

func (s *spsa) Round(ctx context.Context, progress float64) (out train.Outcome, err error) {
	c, rng := s.net.Config, rand.New(rand.NewPCG(s.seed, uint64(s.net.Adam.Updates)))
	up, down, direction := models.Clone(s.net.Network), models.Clone(s.net.Network), models.NewGradient(s.net.Network)
	width := float32(c.Own.(spsaConfig).Width)
	for k, part := range direction {
		for i := range part {
			part[i] = float32(1 - 2*rng.IntN(2))
			up.Parameters()[k].Data[i] += width * part[i]
			down.Parameters()[k].Data[i] -= width * part[i]
		}
	}
	problem, start, slope, loss := rng.IntN(len(s.problems)), rng.Uint64(), 0.0, 0.0
	p := s.problems[problem]
	for k, n := range []models.Network{up, down} {
		r, err := train.NewTrial(c).Play(ctx, n, p, start)
		if err = errors.Join(err, ctx.Err()); err != nil { // a rollout that is cut short has a result
			return out, err
		}
		gap := p.Gap(p.ResultValue(&r))
		slope, loss = slope+float64(1-2*k)*gap/(2*float64(width)), loss+gap/2
		out.Episodes = append(out.Episodes, train.Episode{Problem: problem, BestValue: p.ResultValue(&r), Total: -gap})
	}
	for _, part := range direction {
		for i := range part {
			part[i] *= float32(slope)
		}
	}
	u := train.Update{Loss: loss}
	u.Norm, err = s.net.Descend(loss, direction, c.Rate(progress))
	out.Updates = append(out.Updates, u)
	return out, err
}

func (s *spsa) Trainable() *train.Trainable { return &s.net }
func (s *spsa) Held() int                   { return 0 }

// The number of updates decides everything, so there is nothing to save beside the network.
func (s *spsa) Save() (any, error)         { return nil, nil }
func (s *spsa) Load(func(any) error) error { return nil }

// TestLearner: what every learner must do, and that it learns.
func TestLearner(t *testing.T) {
	c := traintest.Tiny(t, "spsa")
	c.Episodes, c.ValidationEvery = 80, 10
	traintest.Test(t, c)
	c.Sizes, c.Pool, c.Episodes, c.LearningRate, c.AverageDecay = []int{7}, 20, 600, 0.02, 0.9
	traintest.Learns(t, c)
}
