package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/regrow"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// InstanceSource makes the instances that a network is trained on. The same rng
// state must give the same instance.
type InstanceSource interface {
	Instance(n int, rng *rand.Rand) (*qap.Instance, error)
}

// Problem is an instance of a pool with what training needs to know of it.
type Problem struct {
	draw       draw
	Instance   *qap.Instance
	goal       qap.Goal
	truth      qap.Matching // nil where it is not known
	rules      qap.EnvironmentOptions
	inputs     *features.Inputs
	memory     bool         // whether packed states hold the memory of the Gain features
	scale      float64      // features.Scale, regularised as the largest matchings are
	reference  float64      // a good value (see value): the best seen
	spread     float64      // mean shortfall of plain descent from the reference
	greedy     qap.Matching // the greedy start
	Guide      []float32    // soft matching to imitate, or nil
	workspaces sync.Pool    // of *workspace
}

// Workspace is an environment with its extractor, to look at states of one problem.
type Workspace struct {
	Problem        *Problem
	Env            *qap.Environment
	Extractor      features.Extractor
	matching, best qap.Matching // of the state that is unpacked
}

// Workspace returns one that nobody uses, to be released in the end.
func (p *Problem) Workspace() *Workspace { return p.workspaces.Get().(*Workspace) }

// Release lets others use the workspace.
func (w *Workspace) Release() { w.Problem.workspaces.Put(w) }

const (
	referenceSwaps  = 500  // ·n swaps of tabu search give the reference
	mostProfiled    = 24   // nodes of graphs whose best matchings of all sizes are searched for it
	descents        = 8    // random starts that give the spread
	leastSpread     = 1e-3 // ·scale: below it there is nothing to learn
	mostRefused     = 20   // ·wanted instances passed over before giving up
	streamInstances = 1    // streams of Config.Seed
	streamWeights   = 2
	StreamSampling  = 3 // of the transitions that a learner replays

	streamActors = 1 << 32 // + index of the actor
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
func newPool(ctx context.Context, source InstanceSource, c *Config, set string, n, count int, validation bool) ([]*Problem, error) {
	var pool []*Problem
	for drawn := 0; len(pool) < count; {
		if drawn > mostRefused*count {
			return nil, fmt.Errorf("train: of %d instances with %d nodes only %d have local optima of different value: nothing to learn", drawn, n, len(pool))
		}
		batch := make([]*Problem, count-len(pool))
		errs := make([]error, len(batch))
		parallel.For(len(batch), func(k int) {
			batch[k], errs[k] = newProblem(ctx, source, c, set, draw{N: n, Number: drawn + k, Validation: validation})
		})
		for k, p := range batch {
			if errs[k] != nil {
				return nil, errs[k]
			}
			if p.optimaDiffer() {
				pool = append(pool, p)
			}
		}
		drawn += len(batch)
	}
	return pool, nil
}

// newProblem draws an instance and searches it for reference and spread.
func newProblem(ctx context.Context, source InstanceSource, c *Config, set string, d draw) (*Problem, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := drawProblem(source, c, set, d)
	if err != nil {
		return nil, err
	}
	search := p.searchOnce
	if c.Guide != GuideNone { // a guide may be the solution itself
		search = p.search
	}
	found, err := search(ctx)
	if err == nil {
		err = ctx.Err() // a search that was cut short gives another reference
	}
	if err != nil {
		return nil, fmt.Errorf("train: %s: %w", p.Instance.Name, err)
	}
	p.Guide, err = c.guide(source, p, found)
	return p, err
}

// search looks for good solutions, to know reference and spread, and returns one.
func (p *Problem) search(ctx context.Context) (qap.Matching, error) {
	best, err := p.solution(ctx)
	if err != nil {
		return nil, err
	}
	least := p.ResultValue(&best)
	p.reference = least
	for seed := range uint64(descents) {
		result, err := p.descent(ctx, seed)
		if err != nil {
			return nil, err
		}
		found := p.ResultValue(&result)
		p.reference = max(p.reference, found)
		p.spread += (least - found) / descents
	}
	return best.Matching, nil
}

// solution returns what a short search finds best: by tabu search where it serves, else
// the search of the profile, which takes too long on larger graphs.
func (p *Problem) solution(ctx context.Context) (qap.Result, error) {
	var solver qap.Solver = profile.Solver{Goal: p.goal}
	var o qap.Options
	if p.draw.N > mostProfiled {
		solver = regrow.Solver{Goal: p.goal}
	}
	if p.Instance.Complete && tabu.Serves(p.Instance) {
		solver, o.MaxSteps = tabu.Solver{}, referenceSwaps*p.draw.N
	}
	return solver.Solve(ctx, p.Instance, o)
}

// descent takes the largest changes of value from a random matching, whatever the
// policy's rules are, to a local optimum.
func (p *Problem) descent(ctx context.Context, seed uint64) (qap.Result, error) {
	solver := rollout.Solver{
		Policy: rollout.Greedy{}, Start: rollout.StartRandom,
		Rules: qap.EnvironmentOptions{Autofill: true, Release: true, Goal: p.goal},
	}
	return solver.Solve(ctx, p.Instance, qap.Options{Seed: seed})
}

// drawProblem draws an instance and makes it ready for use in training.
func drawProblem(source InstanceSource, c *Config, set string, d draw) (*Problem, error) {
	rng := d.stream(c.Seed)
	drawn, truth, err := d.instance(source, c, rng)
	if err != nil {
		return nil, err
	}
	in, goal, err := c.setGoal(drawn, rng)
	if err != nil {
		return nil, err
	}
	p := &Problem{draw: d, Instance: in, goal: goal, truth: truth, rules: c.rules(goal), memory: set == features.Gain, greedy: rollout.GreedyMatching(in, goal)}
	_, most := goal.Sizes(in)
	p.scale = p.value(features.Scale(in), most)
	if p.inputs, err = features.New(set, in); err != nil {
		return nil, err
	}
	p.workspaces.New = func() any {
		env := qap.NewEnvironment(in, p.rules)
		n1, _ := in.Size()
		return &Workspace{
			Problem: p, Env: env, Extractor: p.inputs.NewExtractor(env, 1),
			matching: qap.NewMatching(n1), best: qap.NewMatching(n1),
		}
	}
	return p, nil
}

// optimaDiffer reports whether local optima differ enough to learn from.
func (p *Problem) optimaDiffer() bool { return p.spread > leastSpread*p.scale }

// At returns a workspace in a packed state of the problem, to be released in the end.
func (p *Problem) At(state []byte) *Workspace {
	w := p.Workspace()
	w.restore(state)
	return w
}

// shortfall is what validation judges a result by: 1 − F1 where that is the reward,
// else the gap, which may be below 0.
func (p *Problem) shortfall(r *qap.Result) float64 {
	if p.truth != nil {
		return 1 - r.Matching.F1(p.truth)
	}
	return (p.reference - p.ResultValue(r)) / p.spread
}

// value is what decides between solutions: the regularised score of m matches.
func (p *Problem) value(score float64, m int) float64 {
	if p.Instance.Complete {
		return score
	}
	return p.goal.Value(p.Instance, score, m)
}

// ResultValue returns the value of a result.
func (p *Problem) ResultValue(r *qap.Result) float64 { return p.value(r.Score, r.Matching.Size()) }

// Gap is how far a value falls short of the reference, in spreads.
func (p *Problem) Gap(value float64) float64 { return max(p.reference-value, 0) / p.spread }
