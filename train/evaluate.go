package train

import (
	"context"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// evaluation is how networks are judged: by rollouts as long as an episode.
type evaluation struct {
	config *Config
	start  rollout.Start
}

func newEvaluation(c *Config) evaluation {
	if c.StartGreedy+c.StartLocal+c.StartRandom == 0 {
		return evaluation{c, rollout.StartEmpty}
	}
	return evaluation{c, rollout.StartRandom}
}

// rollout returns what a network reaches on a problem.
func (e evaluation) rollout(ctx context.Context, n models.Network, p *problem, seed uint64) (score float64, err error) {
	solver := rollout.Solver{Policy: rollout.Learned{Q: models.QFunction(n)}, Start: e.start, Rules: e.config.rules()}
	n1, n2 := p.instance.Size()
	result, err := solver.Solve(ctx, p.instance, qap.Options{
		Seed:   seed,
		Limits: qap.Limits{MaxSteps: max(int(e.config.StepsPerNode*float64(max(n1, n2))), 1)},
	})
	return result.Score, err
}
