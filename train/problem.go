package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// InstanceSource makes the instances that a network is trained on. The same rng
// state must give the same instance.
type InstanceSource interface {
	Instance(n int, rng *rand.Rand) (*qap.Instance, error)
}

// problem is an instance of a pool with what training needs to know of it.
type problem struct {
	draw      draw
	instance  *qap.Instance
	inputs    *features.Inputs
	scale     float64      // features.Scale
	reference float64      // a good score: the best seen
	spread    float64      // mean shortfall of plain descent from the reference
	greedy    qap.Matching // the greedy start
	guide     []float32    // soft matching to imitate, or nil
	desks     sync.Pool    // of *desk
}

// desk is an environment with its extractor, to look at states of one problem.
type desk struct {
	problem        *problem
	env            *qap.Environment
	extractor      features.Extractor
	matching, best qap.Matching // of the state that is unpacked
}

// desk returns a desk that nobody uses; it is to leave in the end.
func (p *problem) desk() *desk { return p.desks.Get().(*desk) }

// leave lets others use the desk.
func (d *desk) leave() { d.problem.desks.Put(d) }

const (
	referenceSwaps  = 500  // ·n swaps of tabu search give the reference
	descents        = 8    // random starts that give the spread
	leastSpread     = 1e-3 // ·scale: below it there is nothing to learn
	mostRefused     = 20   // ·wanted instances passed over before giving up
	streamInstances = 1    // streams of Config.Seed
	streamWeights   = 2
	streamSampling  = 3

	streamGenerations = 4
	streamActors      = 1 << 32 // + index of the actor
)

// draw says which instance of a source a problem is: the number-th draw of n
// nodes for a purpose. Each draw has a random stream of its own, so that a
// checkpoint names instances instead of holding them, and pools for training and
// for validation never share a draw.
//
// Of an InstanceList it is the instance of that name and checksum.
type draw struct {
	N, Number  int
	Validation bool
	Name, Sum  string
}

// stream returns the random stream of a draw.
func (d draw) stream(seed uint64) *rand.Rand {
	stream := uint64(streamInstances)<<60 | uint64(d.N)<<40 | uint64(d.Number)<<1
	if d.Validation {
		stream |= 1
	}
	return rand.New(rand.NewPCG(seed, stream))
}

// newPool makes count problems with n nodes. Draws whose local optima are all
// alike are passed over.
func newPool(ctx context.Context, source InstanceSource, c *Config, set string, n, count int, validation bool) ([]*problem, error) {
	var pool []*problem
	for drawn := 0; len(pool) < count; {
		if drawn > mostRefused*count {
			return nil, fmt.Errorf("train: of %d instances with %d nodes only %d have local optima of different value: nothing to learn", drawn, n, len(pool))
		}
		batch := make([]*problem, count-len(pool))
		errs := make([]error, len(batch))
		parallel(len(batch), func(k int) {
			batch[k], errs[k] = newProblem(ctx, source, c, set, draw{N: n, Number: drawn + k, Validation: validation})
		})
		for k, p := range batch {
			if errs[k] != nil {
				return nil, errs[k]
			}
			if p.teaches() {
				pool = append(pool, p)
			}
		}
		drawn += len(batch)
	}
	return pool, nil
}

// newProblem draws an instance and searches it for reference and spread.
func newProblem(ctx context.Context, source InstanceSource, c *Config, set string, d draw) (*problem, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := drawProblem(source, c, set, d)
	if err != nil {
		return nil, err
	}
	found, err := p.search(ctx)
	if err != nil {
		return nil, fmt.Errorf("train: %s: %w", p.instance.Name, err)
	}
	p.guide, err = c.guide(source, p, found)
	return p, err
}

// search looks for good solutions, to know reference and spread, and returns one.
func (p *problem) search(ctx context.Context) (qap.Matching, error) {
	best, err := tabu.Solver{}.Solve(ctx, p.instance, qap.Options{Limits: qap.Limits{MaxSteps: referenceSwaps * p.draw.N}})
	if err != nil {
		return nil, err
	}
	p.reference = best.Score
	descent := rollout.Solver{Policy: rollout.Greedy{}, Start: rollout.StartRandom, Rules: qap.EnvironmentOptions{Autofill: true}}
	for seed := range uint64(descents) {
		found, err := descent.Solve(ctx, p.instance, qap.Options{Seed: seed})
		if err != nil {
			return nil, err
		}
		p.reference = max(p.reference, found.Score)
		p.spread += (best.Score - found.Score) / descents
	}
	return best.Matching, nil
}

// drawProblem draws an instance and makes it ready for use in training.
func drawProblem(source InstanceSource, c *Config, set string, d draw) (*problem, error) {
	in, err := d.instance(source, c.Seed)
	if err != nil {
		return nil, err
	}
	p := &problem{draw: d, instance: in, scale: features.Scale(in), greedy: rollout.GreedyMatching(in)}
	if p.inputs, err = features.New(set, in); err != nil {
		return nil, err
	}
	rules := c.rules()
	p.desks.New = func() any {
		env := qap.NewEnvironment(in, rules)
		n1, _ := in.Size()
		return &desk{
			problem: p, env: env, extractor: p.inputs.NewExtractor(env, 1),
			matching: qap.NewMatching(n1), best: qap.NewMatching(n1),
		}
	}
	return p, nil
}

// teaches tells whether local optima differ enough to learn from.
func (p *problem) teaches() bool { return p.spread > leastSpread*p.scale }

// at returns a desk in a packed state of the problem, to leave in the end.
func (p *problem) at(state []byte) *desk {
	d := p.desk()
	d.restore(state)
	return d
}

// gap is how far a score falls short of the reference, in spreads.
func (p *problem) gap(score float64) float64 { return max(p.reference-score, 0) / p.spread }
