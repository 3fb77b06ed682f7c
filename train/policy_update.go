package train

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
)

// piece is some samples of one shape, which one goroutine learns from. Pieces do
// not depend on the machine, so neither do the sums of their gradients.
type piece struct {
	shape    shape
	samples  []*sample
	gradient [][]float32
	update   update // sums over the samples
}

// update takes one step of the optimiser on a batch of samples. A whole segment of a
// large network takes long: where the context ends between two pieces, nothing is
// changed.
func (g *policyGradient) update(ctx context.Context, batch []int, progress float64) (update, error) {
	aims := g.net.config.aims(progress)
	if g.region != nil { // the policy has had its step
		aims.reward, aims.guide = 0, 0
	}
	u, err := g.differentiate(ctx, batch, aims)
	if err != nil {
		return update{}, err
	}
	if g.region != nil {
		g.region.keepCritic(g.sum)
	}
	u.norm, err = g.net.descend(u.loss, g.sum, g.net.config.rate(progress))
	return u, err
}

// differentiate returns the loss of a batch of samples and writes its gradient to sum.
func (g *policyGradient) differentiate(ctx context.Context, batch []int, aims aims) (update, error) {
	pieces := g.split(batch)
	share := 1 / float64(len(batch))
	parallel.For(len(pieces), func(k int) {
		if ctx.Err() == nil {
			g.learn(pieces[k], share, aims)
		}
	})
	if err := ctx.Err(); err != nil {
		return update{}, err
	}
	for _, part := range g.sum {
		clear(part)
	}
	var u update
	for _, p := range pieces {
		u.add(p.update)
		addGradient(g.sum, p.gradient)
	}
	return u, nil
}

func addGradient(sum, gradient [][]float32) {
	for k, part := range gradient {
		for i, d := range part {
			sum[k][i] += d
		}
	}
}

// split groups samples by shape.
func (g *policyGradient) split(batch []int) []*piece {
	byShape := map[shape][]*sample{}
	for _, k := range batch {
		s := &g.segment.Samples[k]
		n1, n2 := g.problems[problemOf(s.State)].instance.Size()
		byShape[shape{n1: n1, n2: n2}] = append(byShape[shape{n1: n1, n2: n2}], s)
	}
	var pieces []*piece
	for of, samples := range byShape {
		for part := range slices.Chunk(samples, chunkSize) {
			of.batch = len(part)
			pieces = append(pieces, &piece{shape: of, samples: part, gradient: models.NewGradient(g.net.network)})
		}
	}
	slices.SortStableFunc(pieces, func(x, y *piece) int { // those of one shape stay in their order
		return cmp.Or(cmp.Compare(x.shape.n1, y.shape.n1), cmp.Compare(x.shape.n2, y.shape.n2))
	})
	return pieces
}

// learn computes loss and gradient of a piece, each sample by a share.
func (g *policyGradient) learn(p *piece, share float64, aims aims) {
	pass := g.passes.get(p.shape)
	defer g.passes.put(p.shape, pass)
	workspaces := g.fill(p, pass)
	vertices := p.shape.n1 * p.shape.n2
	q := pass.Forward()
	dq := make([]float32, len(q))
	policy := policy{temperature: g.net.config.Temperature}
	for j, s := range p.samples {
		own := q[j*vertices : (j+1)*vertices]
		policy.set(workspaces[j].env, own)
		p.update.add(g.net.config.policyLoss(&policy, s, own, dq[j*vertices:(j+1)*vertices], workspaces[j].problem.guide, share, aims))
		workspaces[j].release()
	}
	pass.Backward(dq, p.gradient)
}

// fill writes the inputs of a piece's states, and returns the workspaces that are in them,
// to be released in the end.
func (g *policyGradient) fill(p *piece, pass models.Pass) []*workspace {
	workspaces := make([]*workspace, len(p.samples))
	for j, s := range p.samples {
		workspaces[j] = g.problems[problemOf(s.State)].at(s.State)
		workspaces[j].extractor.Fill(pass.Inputs(), j)
	}
	return workspaces
}

// policyLoss returns what a sample, whose state has the given Q, adds to the loss,
// and adds the gradient to dq. The policy is that of the state.
func (c *Config) policyLoss(p *policy, s *sample, q, dq, guide []float32, share float64, aims aims) update {
	value, entropy := stateValue(q), p.entropy()
	u := update{meanTD: share * math.Abs(value-s.Return), meanQ: share * value, entropy: share * entropy}

	if aims.reward > 0 {
		logarithm := p.logarithm(int(s.Action))
		loss, slope := c.actionLoss(logarithm, s)
		p.addLogarithm(dq, int(s.Action), aims.reward*share*slope)
		p.addEntropy(dq, entropy, -aims.reward*share*c.Entropy)
		u.loss = aims.reward * share * (loss - c.Entropy*entropy)
	}

	miss := value - s.Return
	u.loss += aims.critic * share * c.ValueWeight * miss * miss / 2
	slope := aims.critic * share * c.ValueWeight * miss / float64(len(q))
	for v := range dq {
		dq[v] += float32(slope)
	}
	if guide != nil {
		u.imitation = share * p.addImitation(dq, guide, aims.guide*share)
		u.loss += aims.guide * u.imitation
	}
	return u
}

// actionLoss returns the loss of an action with a log-probability, and its
// derivative by that: −A·log π for A2C, and −A times the ratio of the probabilities now
// and when it was taken for TRPO and, clipped, for PPO.
func (c *Config) actionLoss(logarithm float64, s *sample) (loss, slope float64) {
	if c.Learner == LearnerA2C {
		return -s.Advantage * logarithm, -s.Advantage
	}
	ratio := math.Exp(logarithm - s.Logarithm)
	if c.Learner == LearnerTRPO {
		return -ratio * s.Advantage, -ratio * s.Advantage
	}
	clipped := max(1-c.ClipRatio, min(ratio, 1+c.ClipRatio))
	if clipped*s.Advantage < ratio*s.Advantage {
		return -clipped * s.Advantage, 0
	}
	return -ratio * s.Advantage, -ratio * s.Advantage
}
