// Package trpo is trust region policy optimisation as a learner of package train (Schulman,
// Levine, Moritz, Jordan, Abbeel 2015, arXiv:1502.05477): the policy moves against the gradient
// g of the surrogate loss, the mean of −A·π(a|s)/π_old(a|s), in the metric of Fisher's
// information F, that is along −F⁻¹g, found by conjugate gradients on products with F. The step
// is as long as the quadratic model of the mean KL(π_old‖π) allows, and halved until that
// divergence itself keeps the limit and the surrogate has fallen.
package trpo

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// Name is what train.Config.Learner calls it.
const Name = "trpo"

// Config holds what TRPO has beside train.Config.
type Config struct {
	policygradient.Config `mapstructure:",squash"`
	Epochs                int     `mapstructure:"epochs" want:"1.."`        // times that the critic learns from a segment
	KLLimit               float64 `mapstructure:"kl_limit" want:"above 0"`  // of the mean divergence of a step
	ConjugateSteps        int     `mapstructure:"conjugate_steps"`          // of conjugate gradients
	Damping               float64 `mapstructure:"damping" want:"0 or more"` // added to Fisher's information
	FisherShare           float64 `mapstructure:"fisher_share"`             // share of the segment that Fisher's information is taken from
}

func init() {
	own := Config{policygradient.Defaults(), 3, 0.01, 10, 0.1, 0.1}
	policygradient.Register(Name, own, 500, func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
		return newLearner(c, problems, network)
	})
}

// Check implements train.Own.
func (o Config) Check(c *train.Config, f *train.Faults) {
	o.Config.Check(c, f)
	f.Require(o.ConjugateSteps > 0 && o.ConjugateSteps <= 1000, "conjugate_steps is %d: want 1..1000", o.ConjugateSteps)
	f.Require(o.FisherShare > 0 && o.FisherShare <= 1, "fisher_share is %v: want more than 0, at most 1", o.FisherShare)
}

// learner plays as all policy gradients do. The policy moves by one step on the whole segment,
// and then the critic, which shares the embedding with it, learns from the segment in batches,
// by the optimiser, with the weights that serve the state value alone, so that the policy stays
// where the limit allowed it.
type learner struct {
	*policygradient.Learner
	config *train.Config
	own    Config
	critic []bool // by parameter: of the state value alone
	aside  [2]networkAside
}

// networkAside is a network of the same shape, with other weights.
type networkAside struct {
	network models.Network
	passes  *train.MemoryPool[models.Pass]
}

const (
	lineSearch     = 10   // halvings of the step
	differenceStep = 1e-3 // of the weights' norm, to differentiate Q in a direction
)

func newLearner(c *train.Config, problems []*train.Problem, network models.Network) *learner {
	own := c.Own.(Config)
	g := &learner{
		Learner: policygradient.New(c, own.Config, problems, network),
		config:  c, own: own, critic: models.OfStateValue(network),
	}
	g.Loss.Action = policygradient.Surrogate
	for k := range g.aside {
		clone := models.Clone(network)
		g.aside[k] = networkAside{clone, train.NewPassPool(clone)}
	}
	return g
}

// Round implements train.Algorithm.
func (g *learner) Round(ctx context.Context, progress float64) (train.Outcome, error) {
	return g.Learner.Round(ctx, progress, g.plan())
}

func (g *learner) plan() policygradient.Plan {
	if g.Segment.Epoch == 0 {
		return policygradient.Plan{Epochs: 1 + g.own.Epochs, Learn: g.naturalStep}
	}
	return policygradient.Plan{Epochs: 1 + g.own.Epochs, Batch: g.config.Batch, Learn: g.learnCritic}
}

// learnCritic takes a step of the optimiser against the critic's loss of a batch.
func (g *learner) learnCritic(ctx context.Context, batch []int, progress float64) (train.Update, error) {
	u, err := g.Differentiate(ctx, batch, train.Aims{Critic: g.config.Aims(progress).Critic})
	if err != nil {
		return train.Update{}, err
	}
	g.clear(g.Sum, false)
	u.Norm, err = g.Net.Descend(u.Loss, g.Sum, g.config.Rate(progress))
	return u, err
}

// keepPolicy clears what a gradient has of the critic's own weights, where rounding leaves
// some.
func (g *learner) keepPolicy(gradient [][]float32) { g.clear(gradient, true) }

func (g *learner) clear(gradient [][]float32, critic bool) {
	for k, part := range gradient {
		if g.critic[k] == critic {
			clear(part)
		}
	}
}

// naturalStep moves the policy. Where the line search finds no step, the policy stays.
func (g *learner) naturalStep(ctx context.Context, batch []int, progress float64) (train.Update, error) {
	c := g.config
	aims := c.Aims(progress)
	aims.Critic = 0
	u, err := g.Differentiate(ctx, batch, aims)
	if err != nil {
		return train.Update{}, err
	}
	g.keepPolicy(g.Sum)
	u.Norm = models.ClipNorm(g.Sum, 0)
	if math.IsNaN(u.Loss+u.Norm) || math.IsInf(u.Loss+u.Norm, 0) {
		return u, fmt.Errorf("%w: the loss is %v, the gradient's norm %v: lower learning_rate", train.ErrNotFinite, u.Loss, u.Norm)
	}
	direction, err := g.naturalDirection(ctx, batch)
	if err != nil {
		return train.Update{}, err
	}
	moved, err := g.searchLine(ctx, batch, aims, direction, u.Loss)
	if moved {
		g.Net.Follow()
	}
	return u, err
}

// naturalDirection returns −F⁻¹g, g being in sum, scaled so that by the quadratic model the
// divergence is the limit; nil if there is none.
func (g *learner) naturalDirection(ctx context.Context, batch []int) ([]float64, error) {
	seen := g.Split(batch[:max(int(g.own.FisherShare*float64(len(batch))), 1)])
	product := func(y, x []float64) error { return g.fisherProduct(ctx, seen, y, x) }
	descent := flattened(g.Sum)
	for k := range descent {
		descent[k] = -descent[k]
	}
	x, err := conjugateGradients(product, descent, g.own.ConjugateSteps)
	if err != nil {
		return nil, err
	}
	fx := make([]float64, len(x))
	if err := product(fx, x); err != nil {
		return nil, err
	}
	curvature := dot(x, fx)
	if !(curvature > 0) || math.IsInf(curvature, 0) {
		return nil, nil
	}
	for k := range x {
		x[k] *= math.Sqrt(2 * g.own.KLLimit / curvature)
	}
	return x, nil
}

// searchLine takes the longest of ever shorter steps that keeps the limit and lowers the
// loss, and reports whether there is one.
func (g *learner) searchLine(ctx context.Context, batch []int, aims train.Aims, direction []float64, loss float64) (moved bool, err error) {
	if direction == nil {
		return false, nil
	}
	old := g.aside[0].network
	models.Copy(old, g.Net.Network)
	share := 1.0
	for range lineSearch {
		setMoved(g.Net.Network, old, direction, share)
		found, divergence, err := g.judgeStep(ctx, batch, aims)
		if err == nil && divergence <= g.own.KLLimit && found < loss { // not where one is NaN
			return true, nil
		}
		if err != nil {
			models.Copy(g.Net.Network, old)
			return false, err
		}
		share /= 2
	}
	models.Copy(g.Net.Network, old)
	return false, nil
}

// judgeStep returns the loss of a batch and the mean divergence from the policy that
// played it, whose network lies aside.
func (g *learner) judgeStep(ctx context.Context, batch []int, aims train.Aims) (loss, divergence float64, err error) {
	c, pieces, share := g.config, g.Split(batch), 1/float64(len(batch))
	divergences := make([]float64, len(pieces))
	err = g.eachPiece(ctx, pieces, 1, func(k int, v *view) {
		p := pieces[k]
		before, now := policygradient.NewPolicy(c.Temperature), policygradient.NewPolicy(c.Temperature)
		for j, s := range p.Samples {
			q := v.q(0, j)
			now.Set(v.workspaces[j].Env, q)
			before.Set(v.workspaces[j].Env, v.q(1, j))
			divergences[k] += share * klDivergence(&before, &now)
			p.Update.Add(g.Loss.Of(&now, s, q, v.dq(j), v.workspaces[j].Problem.Guide, share, aims))
		}
	})
	for k, p := range pieces {
		loss += p.Update.Loss
		divergence += divergences[k]
	}
	return loss, divergence, err
}

// klDivergence returns KL(p‖q) of two policies of one state.
func klDivergence(p, q *policygradient.Policy) float64 {
	sum := 0.0
	for k, l := range p.Logarithms {
		if share := math.Exp(l); share > 0 {
			sum += share * (l - q.Logarithms[k])
		}
	}
	return max(sum, 0) // less is rounding
}

// fisherProduct writes (F + damping)·x, F being the mean of Jᵀ(diag π − ππᵀ)J over the
// samples of pieces, and J the derivatives of the logits by the weights: the second
// derivatives of the mean divergence, where the policies are one. J·x is a central
// difference of the network's outputs, the rest is exact.
func (g *learner) fisherProduct(ctx context.Context, pieces []*policygradient.Piece, y, x []float64) error {
	clear(y)
	norm := math.Sqrt(dot(x, x))
	if norm == 0 {
		return nil
	}
	at := flattened(models.Weights(g.Net.Network))
	step := differenceStep * (1 + math.Sqrt(dot(at, at))) / norm
	setMoved(g.aside[0].network, g.Net.Network, x, step)
	setMoved(g.aside[1].network, g.Net.Network, x, -step)
	samples := 0
	for _, p := range pieces {
		samples += len(p.Samples)
		for _, part := range p.Gradient {
			clear(part)
		}
	}
	temperature := g.config.Temperature
	err := g.eachPiece(ctx, pieces, 2, func(k int, v *view) {
		own := policygradient.NewPolicy(temperature)
		for j := range pieces[k].Samples {
			q, up, down, dq := v.q(0, j), v.q(1, j), v.q(2, j), v.dq(j)
			own.Set(v.workspaces[j].Env, q)
			mean := 0.0
			change := func(vertex int) float64 { return float64(up[vertex]-down[vertex]) / (2 * step * temperature) }
			for i, vertex := range own.Actions {
				mean += math.Exp(own.Logarithms[i]) * change(vertex)
			}
			for i, vertex := range own.Actions {
				dq[vertex] = float32(math.Exp(own.Logarithms[i]) * (change(vertex) - mean) / (temperature * float64(samples)))
			}
		}
		v.passes[0].Backward(v.dqs, pieces[k].Gradient)
	})
	if err != nil {
		return err
	}
	for _, p := range pieces {
		g.keepPolicy(p.Gradient)
		at := 0
		for _, part := range p.Gradient {
			for i, d := range part {
				y[at+i] += float64(d)
			}
			at += len(part)
		}
	}
	for k, v := range x {
		y[k] += g.own.Damping * v
	}
	return nil
}

// view is a piece evaluated by the network that learns and by networks aside.
type view struct {
	workspaces []*train.Workspace
	vertices   int
	passes     []models.Pass
	values     [][]float32 // by network
	dqs        []float32
}

// q returns the values of the j-th state by the k-th network.
func (v *view) q(k, j int) []float32 { return v.values[k][j*v.vertices : (j+1)*v.vertices] }
func (v *view) dq(j int) []float32   { return v.dqs[j*v.vertices : (j+1)*v.vertices] }

// eachPiece evaluates pieces by the network and by some aside.
func (g *learner) eachPiece(ctx context.Context, pieces []*policygradient.Piece, aside int, do func(k int, v *view)) error {
	parallel.For(len(pieces), func(k int) {
		if ctx.Err() != nil {
			return
		}
		p := pieces[k]
		pools := []*train.MemoryPool[models.Pass]{g.Passes}
		for _, other := range g.aside[:aside] {
			pools = append(pools, other.passes)
		}
		v := &view{vertices: p.Shape.N1 * p.Shape.N2}
		for i, pool := range pools {
			pass := pool.Get(p.Shape)
			defer pool.Put(p.Shape, pass)
			v.passes = append(v.passes, pass)
			if i == 0 {
				v.workspaces = g.Fill(p, pass)
			}
			for tensor, values := range v.passes[0].Inputs() {
				copy(pass.Inputs()[tensor], values)
			}
			v.values = append(v.values, pass.Forward())
		}
		v.dqs = make([]float32, len(v.values[0]))
		do(k, v)
		for _, w := range v.workspaces {
			w.Release()
		}
	})
	return ctx.Err()
}

// setMoved sets the weights of a network to those of another and a step in a direction.
func setMoved(network, from models.Network, direction []float64, step float64) {
	models.Copy(network, from)
	for _, p := range network.Parameters() {
		for i, d := range direction[:len(p.Data)] {
			p.Data[i] += float32(step * d)
		}
		direction = direction[len(p.Data):]
	}
}

func flattened(parts [][]float32) []float64 {
	var flat []float64
	for _, part := range parts {
		for _, v := range part {
			flat = append(flat, float64(v))
		}
	}
	return flat
}
