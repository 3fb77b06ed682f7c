package train

import (
	"context"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// trial is how networks are judged: by rollouts as long as an episode.
type trial struct {
	config *Config
	start  rollout.Start
}

func newTrial(c *Config) trial {
	if c.StartGreedy+c.StartLocal+c.StartRandom == 0 {
		return trial{c, rollout.StartEmpty}
	}
	return trial{c, rollout.StartRandom}
}

// play returns what a network reaches on a problem.
func (t trial) play(ctx context.Context, n models.Network, p *problem, seed uint64) (qap.Result, error) {
	solver := rollout.Solver{Policy: rollout.Learned{Q: models.Advantages(n)}, Start: t.start, Rules: p.rules}
	n1, n2 := p.instance.Size()
	return solver.Solve(ctx, p.instance, qap.Options{
		Seed:   seed,
		Limits: qap.Limits{MaxSteps: max(int(t.config.StepsPerNode*float64(max(n1, n2))), 1)},
	})
}
