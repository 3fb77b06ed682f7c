package train

import (
	"context"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// Trial is how networks are judged: by rollouts as long as an episode.
type Trial struct {
	config *Config
	start  rollout.Start
}

// NewTrial returns a trial that begins as the configuration says.
func NewTrial(c *Config) Trial {
	if c.StartGreedy+c.StartLocal+c.StartRandom == 0 {
		return Trial{c, rollout.StartEmpty}
	}
	return Trial{c, rollout.StartRandom}
}

// Play returns what a network reaches on a problem.
func (t Trial) Play(ctx context.Context, n models.Network, p *Problem, seed uint64) (qap.Result, error) {
	solver := rollout.Solver{Policy: rollout.Learned{Q: models.Advantages(n)}, Start: t.start, Rules: p.rules}
	n1, n2 := p.Instance.Size()
	return solver.Solve(ctx, p.Instance, qap.Options{
		Seed:   seed,
		Limits: qap.Limits{MaxSteps: max(int(t.config.StepsPerNode*float64(max(n1, n2))), 1)},
	})
}
