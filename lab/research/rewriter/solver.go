// Package rewriter improves a matching by local rewriting with learned pickers: a network
// picks a region, a node of graph 1, and then a rule there, its next partner: a free one, one
// taken over or exchanged with another node, or, where solutions may be partial, none.
//
// Source: Chen, Tian, "Learning to perform local rewriting for combinatorial optimization",
// NeurIPS 2019, arXiv:1810.00337. The inputs (Set), which carry exact changes of
// the score and a fading memory, are ours.
package rewriter

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// stepsPerNode is how long a search is without a limit.
const stepsPerNode = 10

// Solver rewrites Options.Initial, or the empty matching, by a network of the Rewrite set.
// A region is drawn with the probabilities softmax(Q), and its rule is the one of the
// greatest Q. The result is the best matching seen, so it is never worse than the
// first. Without a limit it makes ten rewritings a node.
type Solver struct{ Q qap.QFunction }

// Solve implements qap.Solver.
func (p Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if p.Q == nil || p.Q.Features() != Set {
		return qap.Result{}, fmt.Errorf("rewriter: want a network that takes the features %s", Set)
	}
	n1, n2 := in.Size()
	start := o.Initial
	if start == nil {
		start = qap.NewMatching(n1)
	} else if err := in.CheckMatching(start); err != nil {
		return qap.Result{}, err
	}
	if o.MaxSteps == 0 && o.TimeLimit == 0 {
		o.MaxSteps = stepsPerNode * max(n1, n2)
	}
	watch := o.Watch(ctx, in)
	s := newStateUntil(in, start, watch.Over)
	if s == nil {
		return watch.AtStart(in, local.Completed(in, start)), nil
	}
	pickers, err := newPickers(p.Q, n1, n2)
	if err != nil {
		return qap.Result{}, err
	}
	defer pickers.close()
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	steps, status := 0, qap.Status("")
	for {
		stop := false
		if status, stop = watch.Reached(steps, steps-s.bestStep, s.bestScore); stop {
			break
		}
		if status, stop = watch.Expired(); stop {
			break
		}
		moved, err := pickers.rewrite(s, rng)
		if err != nil {
			return qap.Result{}, err
		}
		if !moved {
			status = qap.Converged
			break
		}
		steps++
	}
	r := qap.NewResult(in, s.best.Clone(), status)
	r.Steps = steps
	return r, nil
}

// pickers evaluate the network for one shape of instances.
type pickers struct {
	regions, rules         qap.QBatch
	openRegions, openRules []bool
}

func newPickers(q qap.QFunction, n1, n2 int) (*pickers, error) {
	p := &pickers{openRegions: make([]bool, n1), openRules: make([]bool, n2)}
	if n1*n2 == 0 {
		return p, nil
	}
	var err error
	if p.regions, err = q.NewBatch(1, 1, n1); err != nil {
		return nil, err
	}
	if p.rules, err = q.NewBatch(1, 1, n2); err != nil {
		p.regions.Close()
		return nil, err
	}
	return p, nil
}

func (p *pickers) close() {
	if p.regions != nil {
		p.regions.Close()
		p.rules.Close()
	}
}

// rewrite makes one rewriting, and reports whether there was any to make.
func (p *pickers) rewrite(s *State, rng *rand.Rand) (bool, error) {
	if s.n1*s.n2 == 0 {
		return false, nil
	}
	s.FillRegions(p.regions.Inputs()[0], p.openRegions)
	q, err := p.regions.Evaluate()
	if err != nil {
		return false, err
	}
	region := Draw(q, p.openRegions, rng)
	if region < 0 {
		return false, nil
	}
	s.FillRules(p.rules.Inputs()[0], region, p.openRules)
	if q, err = p.rules.Evaluate(); err != nil {
		return false, err
	}
	rule := -1
	for a, open := range p.openRules {
		if open && (rule < 0 || q[a] > q[rule]) {
			rule = a
		}
	}
	s.Rewrite(region, rule)
	return true, nil
}

// Draw draws one of the open alternatives with the probabilities softmax(q), −1 if there
// is none.
func Draw(q []float32, open []bool, rng *rand.Rand) int {
	largest, last := math.Inf(-1), -1
	for k, is := range open {
		if is {
			largest, last = max(largest, float64(q[k])), k
		}
	}
	sum := 0.0
	for k, is := range open {
		if is {
			sum += math.Exp(float64(q[k]) - largest)
		}
	}
	left := sum * rng.Float64()
	for k, is := range open {
		if is {
			if left -= math.Exp(float64(q[k]) - largest); left < 0 {
				return k
			}
		}
	}
	return last
}
