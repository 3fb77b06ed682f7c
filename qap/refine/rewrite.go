package refine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// Rewrite is local rewrite with greedy pickers. A region is a node of graph 1 and
// its match. The region picker takes the region of the greatest promise, which is
// what the node's best vertex would gain over its present one if nothing else
// changed; the rule picker takes the rule that raises the score most, out of
// reassigning the node to a free partner, exchanging partners with another node,
// taking a partner over, and, where solutions may be partial, releasing or adding a
// match. A region without a rule that raises the score is passed over; it ends when
// that holds for all.
//
// The publication learns both pickers.
//
// Source: Chen, Tian, "Learning to Perform Local Rewriting for Combinatorial
// Optimization", NeurIPS 2019, arXiv 1810.00337.
type Rewrite struct{}

// Solve rewrites Options.Initial, or the empty matching (its free nodes matched in
// their order where solutions are complete). A step is a rewriting. It returns an
// error if Options.Initial is not a matching of the instance.
func (Rewrite) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	start := o.Initial
	if start == nil {
		n1, _ := in.Size()
		start = qap.NewMatching(n1)
	} else if err := in.CheckMatching(start); err != nil {
		return qap.Result{}, err
	}
	watch := o.Watch(ctx, in)
	r := newRewriting(in, start, &watch)
	if r == nil {
		return watch.AtStart(in, local.Completed(in, start)), nil
	}
	status, steps := qap.Status(""), 0
	for {
		stop := false
		if status, stop = watch.Reached(steps, 0, r.Score()); stop {
			break
		}
		if status, stop = watch.Expired(); stop {
			break
		}
		if !r.rewrite() {
			status = qap.Converged
			break
		}
		steps++
	}
	result := qap.NewResult(in, r.Matching(), status)
	result.Steps = steps
	return result, nil
}

// rewriting is the state of a run.
type rewriting struct {
	*local.State
	n1, n2  int
	regions []int     // in the order of their promises
	promise []float64 // of each region
	least   float64   // change of score that is more than rounding
}

// newRewriting returns the state of a start, nil where the time is up before it is ready.
func newRewriting(in *qap.Instance, start qap.Matching, watch *qap.Watch) *rewriting {
	n1, n2 := in.Size()
	r := &rewriting{State: local.NewStateUntil(in, start, watch.Over), n1: n1, n2: n2, promise: make([]float64, n1)}
	if r.State == nil {
		return nil
	}
	for i := range n1 {
		r.regions = append(r.regions, i)
	}
	for _, g := range r.Gains() {
		r.least = max(r.least, 1e-12*math.Abs(g))
	}
	return r
}

// rewrite applies one rule; it returns false where none raises the score.
func (r *rewriting) rewrite() bool {
	for i := range r.promise {
		r.promise[i] = r.promiseOf(i)
	}
	slices.SortStableFunc(r.regions, func(i, j int) int { return cmp.Compare(r.promise[j], r.promise[i]) })
	for _, i := range r.regions {
		if m, ok := r.bestRule(i); ok {
			r.Make(m)
			return true
		}
	}
	return false
}

func (r *rewriting) promiseOf(i int) float64 {
	if r.n2 == 0 {
		return 0
	}
	gains := r.Gains()[i*r.n2 : (i+1)*r.n2]
	now := 0.0
	if a := r.Matching()[i]; a != qap.Unmatched {
		now = gains[a]
	}
	return slices.Max(gains) - now
}

// bestRule returns the rule at region i that raises the score most.
func (r *rewriting) bestRule(i int) (best local.Move, ok bool) {
	best.Change = r.least
	for a := range r.n2 {
		if m, legal := r.Assign(i, a); legal && m.Change > best.Change {
			best, ok = m, true
		}
	}
	return best, ok
}
