package train

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
)

// trustRegion is how trust region policy optimisation moves the policy (TRPO; Schulman,
// Levine, Moritz, Jordan, Abbeel 2015, arXiv:1502.05477): against the gradient g of the
// surrogate loss, the mean of −A·π(a|s)/π_old(a|s), in the metric of Fisher's information
// F, that is along −F⁻¹g, found by conjugate gradients on products with F. The step is as
// long as the quadratic model of the mean KL(π_old‖π) allows, and halved until that
// divergence itself keeps the limit and the surrogate has fallen.
//
// The critic shares the embedding with the policy. It learns after that from the same
// segment, by the optimiser, with the weights that serve the state value alone, so that
// the policy stays where the limit allowed it.
type trustRegion struct {
	critic []bool // by parameter: of the state value alone
	aside  [2]networkAside
}

// networkAside is a network of the same shape, with other weights.
type networkAside struct {
	network models.Network
	passes  *memoryPool[models.Pass]
}

const (
	lineSearch     = 10   // halvings of the step
	differenceStep = 1e-3 // of the weights' norm, to differentiate Q in a direction
)

func newTrustRegion(network models.Network) *trustRegion {
	r := &trustRegion{critic: models.OfStateValue(network)}
	for k := range r.aside {
		twin := models.Clone(network)
		r.aside[k] = networkAside{twin, newPassPool(twin)}
	}
	return r
}

// keepCritic clears what a gradient has of other weights than the critic's own.
func (r *trustRegion) keepCritic(gradient [][]float32) { r.clear(gradient, false) }

// keepPolicy clears what a gradient has of the critic's own weights, of which rounding leaves
// some.
func (r *trustRegion) keepPolicy(gradient [][]float32) { r.clear(gradient, true) }

func (r *trustRegion) clear(gradient [][]float32, critic bool) {
	for k, part := range gradient {
		if r.critic[k] == critic {
			clear(part)
		}
	}
}

// naturalStep moves the policy. Where the line search finds no step, the policy stays.
func (g *policyGradient) naturalStep(ctx context.Context, batch []int, progress float64) (update, error) {
	c := g.net.config
	aims := c.aims(progress)
	aims.critic = 0
	u, err := g.differentiate(ctx, batch, aims)
	if err != nil {
		return update{}, err
	}
	g.region.keepPolicy(g.sum)
	u.norm = models.ClipNorm(g.sum, 0)
	if math.IsNaN(u.loss+u.norm) || math.IsInf(u.loss+u.norm, 0) {
		return u, fmt.Errorf("%w: the loss is %v, the gradient's norm %v: lower learning_rate", ErrNotFinite, u.loss, u.norm)
	}
	direction, err := g.naturalDirection(ctx, batch)
	if err != nil {
		return update{}, err
	}
	moved, err := g.searchLine(ctx, batch, aims, direction, u.loss)
	if moved {
		g.net.follow()
	}
	return u, err
}

// naturalDirection returns −F⁻¹g, g being in sum, scaled so that by the quadratic model the
// divergence is the limit; nil if there is none.
func (g *policyGradient) naturalDirection(ctx context.Context, batch []int) ([]float64, error) {
	c := g.net.config
	seen := g.split(batch[:max(int(c.FisherShare*float64(len(batch))), 1)])
	product := func(y, x []float64) error { return g.fisherProduct(ctx, seen, y, x) }
	descent := flattened(g.sum)
	for k := range descent {
		descent[k] = -descent[k]
	}
	x, err := conjugateGradients(product, descent, c.ConjugateSteps)
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
		x[k] *= math.Sqrt(2 * c.KLLimit / curvature)
	}
	return x, nil
}

// searchLine takes the longest of ever shorter steps that keeps the limit and lowers the
// loss, and tells whether there is one.
func (g *policyGradient) searchLine(ctx context.Context, batch []int, aims aims, direction []float64, loss float64) (moved bool, err error) {
	if direction == nil {
		return false, nil
	}
	old := g.region.aside[0].network
	models.Copy(old, g.net.network)
	share := 1.0
	for range lineSearch {
		setMoved(g.net.network, old, direction, share)
		found, divergence, err := g.judgeStep(ctx, batch, aims)
		if err == nil && divergence <= g.net.config.KLLimit && found < loss { // not where one is NaN
			return true, nil
		}
		if err != nil {
			models.Copy(g.net.network, old)
			return false, err
		}
		share /= 2
	}
	models.Copy(g.net.network, old)
	return false, nil
}

// judgeStep returns the loss of a batch and the mean divergence from the policy that
// played it, whose network lies aside.
func (g *policyGradient) judgeStep(ctx context.Context, batch []int, aims aims) (loss, divergence float64, err error) {
	c, pieces, share := g.net.config, g.split(batch), 1/float64(len(batch))
	divergences := make([]float64, len(pieces))
	err = g.eachPiece(ctx, pieces, 1, func(k int, v *view) {
		p := pieces[k]
		before, now := policy{temperature: c.Temperature}, policy{temperature: c.Temperature}
		for j, s := range p.samples {
			q := v.q(0, j)
			now.set(v.workspaces[j].env, q)
			before.set(v.workspaces[j].env, v.q(1, j))
			divergences[k] += share * before.divergence(&now)
			p.update.add(c.policyLoss(&now, s, q, v.dq(j), v.workspaces[j].problem.guide, share, aims))
		}
	})
	for k, p := range pieces {
		loss += p.update.loss
		divergence += divergences[k]
	}
	return loss, divergence, err
}

// divergence returns KL(p‖q) of two policies of one state.
func (p *policy) divergence(q *policy) float64 {
	sum := 0.0
	for k, l := range p.logarithms {
		if share := math.Exp(l); share > 0 {
			sum += share * (l - q.logarithms[k])
		}
	}
	return max(sum, 0) // less is rounding
}

// fisherProduct writes (F + damping)·x, F being the mean of Jᵀ(diag π − ππᵀ)J over the
// samples of pieces, and J the derivatives of the logits by the weights: the second
// derivatives of the mean divergence, where the policies are one. J·x is a central
// difference of the network's outputs, the rest is exact.
func (g *policyGradient) fisherProduct(ctx context.Context, pieces []*piece, y, x []float64) error {
	clear(y)
	norm := math.Sqrt(dot(x, x))
	if norm == 0 {
		return nil
	}
	at := flattened(models.Weights(g.net.network))
	step := differenceStep * (1 + math.Sqrt(dot(at, at))) / norm
	setMoved(g.region.aside[0].network, g.net.network, x, step)
	setMoved(g.region.aside[1].network, g.net.network, x, -step)
	samples := 0
	for _, p := range pieces {
		samples += len(p.samples)
		for _, part := range p.gradient {
			clear(part)
		}
	}
	temperature := g.net.config.Temperature
	err := g.eachPiece(ctx, pieces, 2, func(k int, v *view) {
		own := policy{temperature: temperature}
		for j := range pieces[k].samples {
			q, up, down, dq := v.q(0, j), v.q(1, j), v.q(2, j), v.dq(j)
			own.set(v.workspaces[j].env, q)
			mean := 0.0
			change := func(vertex int) float64 { return float64(up[vertex]-down[vertex]) / (2 * step * temperature) }
			for i, vertex := range own.actions {
				mean += math.Exp(own.logarithms[i]) * change(vertex)
			}
			for i, vertex := range own.actions {
				dq[vertex] = float32(math.Exp(own.logarithms[i]) * (change(vertex) - mean) / (temperature * float64(samples)))
			}
		}
		v.passes[0].Backward(v.dqs, pieces[k].gradient)
	})
	if err != nil {
		return err
	}
	for _, p := range pieces {
		g.region.keepPolicy(p.gradient)
		at := 0
		for _, part := range p.gradient {
			for i, d := range part {
				y[at+i] += float64(d)
			}
			at += len(part)
		}
	}
	for k, v := range x {
		y[k] += g.net.config.Damping * v
	}
	return nil
}

// view is a piece evaluated by the network that learns and by networks aside.
type view struct {
	workspaces []*workspace
	vertices   int
	passes     []models.Pass
	values     [][]float32 // by network
	dqs        []float32
}

// q returns the values of the j-th state by the k-th network.
func (v *view) q(k, j int) []float32 { return v.values[k][j*v.vertices : (j+1)*v.vertices] }
func (v *view) dq(j int) []float32   { return v.dqs[j*v.vertices : (j+1)*v.vertices] }

// eachPiece evaluates pieces by the network and by some aside.
func (g *policyGradient) eachPiece(ctx context.Context, pieces []*piece, aside int, do func(k int, v *view)) error {
	parallel.For(len(pieces), func(k int) {
		if ctx.Err() != nil {
			return
		}
		p := pieces[k]
		pools := []*memoryPool[models.Pass]{g.passes}
		for _, other := range g.region.aside[:aside] {
			pools = append(pools, other.passes)
		}
		v := &view{vertices: p.shape.n1 * p.shape.n2}
		for i, pool := range pools {
			pass := pool.get(p.shape)
			defer pool.put(p.shape, pass)
			v.passes = append(v.passes, pass)
			if i == 0 {
				v.workspaces = g.fill(p, pass)
			}
			for tensor, values := range v.passes[0].Inputs() {
				copy(pass.Inputs()[tensor], values)
			}
			v.values = append(v.values, pass.Forward())
		}
		v.dqs = make([]float32, len(v.values[0]))
		do(k, v)
		for _, w := range v.workspaces {
			w.release()
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
