package rgm

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// MethodAlign and the other methods that two graphs have and instances do not: alignment by structure, the
// same begun by belief propagation by hand, GRAMPA, and the smaller graph sought in the larger one, with all its
// edges, or induced, with no others between its nodes.
const (
	MethodAlign             = "align"
	MethodBeliefPropagation = "bp"
	MethodGrampa            = "grampa"
	MethodWithin            = align.ByWithin
	MethodInduced           = align.ByInduced
)

// GraphMethods returns the methods that align two graphs.
func GraphMethods() []string {
	return append([]string{MethodAlign}, GraphMethodsAlone()...)
}

// GraphMethodsAlone returns those of them that no instance has.
func GraphMethodsAlone() []string {
	return []string{MethodBeliefPropagation, MethodGrampa, MethodWithin, MethodInduced}
}

// graphMethod reports whether a method is one of GraphMethods.
func graphMethod(method string) bool { return slices.Contains(GraphMethods(), method) }

// propagated is the pretrained belief propagation.
var propagated = sync.OnceValues(func() (*propagation.Network, error) {
	data, err := pretrained.Model(pretrained.Align)
	if err != nil {
		return nil, err
	}
	return propagation.Load(data)
})

// start returns what begins an alignment anew where the searches share few edges: the pretrained belief
// propagation, or that of the option Model.
func (s *Solver) start(o *Options) (align.Start, error) {
	network, err := propagated()
	if o.Model != "" {
		var data []byte
		if data, err = s.config.Model(o.Model); err == nil {
			network, err = propagation.Load(data)
		}
		if err != nil {
			return align.Start{}, optionError("Model", "%v", err)
		}
	}
	if err != nil {
		return align.Start{}, err
	}
	return network.Start(), nil
}

// align aligns two graphs by one of GraphMethods.
func (p *Problem) align(ctx context.Context, limit time.Duration) (Result, error) {
	o, a := &p.options, p.Alignment
	search, err := o.search(p.Size())
	if err != nil {
		return Result{}, err
	}
	limits := search.Limits()
	limits.TimeLimit = limit - assessing(limit)
	began := time.Now()
	how := align.Options{Limits: limits, Seed: o.Seed, Threads: o.Threads, Complete: o.Complete}
	if tell := o.OnBest; tell != nil {
		how.OnBest = func(i qap.Incumbent) {
			tell(Incumbent{Objective: i.Objective, Elapsed: time.Since(began).Seconds(), Steps: i.Steps, FoundBy: i.FoundBy, Matching: i.Matching, Score: i.Score})
		}
	}
	solve, method := align.Solve, o.Method
	switch method {
	case MethodGrampa:
		solve = align.Grampa
	case MethodWithin, MethodInduced:
		solve = func(ctx context.Context, of *align.Problem, how align.Options) (align.Result, error) {
			return align.Within(ctx, of, how, method == MethodInduced)
		}
	case MethodBeliefPropagation:
		how.Starts = []align.Start{belief.Start()}
	default:
		method = MethodAlign
		start, err := p.solver.start(o)
		if err != nil {
			return Result{}, err
		}
		how.Starts = []align.Start{start}
	}
	r, err := solve(ctx, &a.Problem, how)
	if err != nil {
		return Result{}, err
	}
	n1, n2 := p.Size()
	result := Result{
		Instance: o.Name, N1: n1, N2: n2, Sense: qap.Maximize.String(), Objective: r.Objective, Score: r.Objective,
		Matched: r.Matching.Size(), Matching: r.Matching, Method: method, FoundBy: r.FoundBy,
		Rollouts: 1, Steps: r.Steps, Seconds: seconds(time.Since(began)), Status: r.Status, Seed: o.Seed,
	}
	p.assess(ctx, &result, p.leftToLook(limit, began))
	if r.Reason != "" {
		result.Aligned.Why += "; " + r.Reason
	}
	return result, nil
}

// assign aligns two graphs by a method for flows and distances.
func (p *Problem) assign(ctx context.Context, limit time.Duration) (Result, error) {
	o, a := p.options, p.Alignment
	in, err := a.Assignment()
	if err != nil {
		return Result{}, err
	}
	in.Name = o.Name
	tell := o.OnBest
	if tell != nil {
		o.OnBest = func(i Incumbent) {
			i.Matching = a.Assigned(i.Matching)
			i.Objective = a.Objective(i.Matching)
			tell(i)
		}
	}
	if a.Counts() {
		target := float64(a.Sides() * a.Bound())
		o.Target = &target
	}
	if _, err := p.solver.searchOf(in, &o); err != nil {
		return Result{}, err
	}
	began := time.Now()
	result, err := p.solver.searchInstance(ctx, in, o, limit-assessing(limit), o.OnBest)
	if err != nil {
		return Result{}, err
	}
	m := a.Assigned(result.Matching)
	result.N1, result.N2 = p.Size()
	result.Matching, result.Matched = m, m.Size()
	result.Objective, result.Bound, result.BoundGap = a.Objective(m), nil, nil
	p.assess(ctx, &result, p.leftToLook(limit, began))
	if known := result.Aligned; a.Counts() && known.SharedEdges == known.SharedBound {
		result.Status = qap.Optimal
	}
	return result, nil
}

// assessing is the part of a time limit that is kept for a look at the matching, 0 without one.
func assessing(limit time.Duration) time.Duration { return limit / 10 }

// leastAssessing is the part of a time limit that the look may take in any case.
const leastAssessing = 20

// leftToLook is what a search that began then leaves of its limit for a look at the matching, 0 for any time.
func (p *Problem) leftToLook(limit time.Duration, began time.Time) time.Duration {
	if limit == 0 {
		return 0
	}
	return max(limit-time.Since(began), p.options.TimeLimit/leastAssessing, 1)
}

// assess adds to a result what is known of its matching, looking at it within a limit, 0 for none; for a
// second where the search was interrupted.
func (p *Problem) assess(ctx context.Context, r *Result, limit time.Duration) {
	if ctx.Err() != nil {
		ctx, limit = context.WithoutCancel(ctx), time.Second
	}
	if limit > 0 {
		ctx = qap.WithTimeLimit(ctx, limit)
	}
	known, m, out := p.Alignment.Assess(ctx, p.why, r.Matching, p.options.LeaveOut && r.Status != qap.Optimal)
	r.Aligned, r.Confidence, r.Ask = &known, known.Confidence, known.Ask
	if out > 0 {
		r.Matching, r.Matched, r.LeftOut = m, m.Size(), out
		r.Objective = p.Alignment.Objective(m)
		r.Score = r.Objective
	}
	if p.Alignment.Counts() {
		most := float64(known.SharedBound)
		r.Bound = &most
	}
}
