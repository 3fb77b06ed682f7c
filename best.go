package rgm

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/isomorphism"
	"github.com/rgm-go/rgm/qap/kbest"
)

// What Result.MatchingsAre says of Result.Matchings: that there are no better ones, or that searches came to them.
const (
	MatchingsProved = "proved"
	MatchingsFound  = "found"
)

const (
	rankingShare   = 0.4 // of a time limit: what other matchings there are
	mostTold       = 64  // solutions of the search that are looked at anew
	mostNodesOf    = 64  // of flows and distances whose symmetries count
	triesOfBest    = 16  // searches for matchings besides the k that are wanted
	stepsOfTry     = 20  // a node
	workOfSymmetry = 5_000_000
)

// checkBest returns what is wrong with Options.Best beside others.
func (o *Options) checkBest() error {
	if o.Best == 0 {
		return nil
	}
	for _, other := range []struct {
		name  string
		given bool
	}{
		{"regularize", o.Regularize != ""}, {"affinity", o.Affinity != "" && o.Affinity != AffinityGiven}, {"profile", o.Profile},
		{"irrevocable", o.Irrevocable}, {"method " + o.Method, o.Method == MethodWithin || o.Method == MethodInduced},
	} {
		if other.given {
			return optionError("Best", "ranks matchings by their objective alone, and %s does not: leave one of them out", other.name)
		}
	}
	return nil
}

// ranked searches the problem, and lists the best matchings besides.
func (p *Problem) ranked(ctx context.Context, limit time.Duration, search func(context.Context, time.Duration) (Result, error)) (Result, error) {
	var known []qap.Matching
	tell := p.options.OnBest
	p.options.OnBest = func(i Incumbent) {
		if known = append(known, i.Matching.Clone()); len(known) > mostTold {
			known = known[1:]
		}
		if tell != nil {
			tell(i)
		}
	}
	began := time.Now()
	r, err := search(ctx, limit-time.Duration(rankingShare*float64(limit)))
	p.options.OnBest = tell
	if err != nil {
		return r, err
	}
	slices.Reverse(known)
	known = slices.Insert(known, 0, r.Matching)
	if limit > 0 {
		limit = max(limit-time.Since(began), 1)
	}
	best, proved, err := p.rank(ctx, known, limit)
	if err != nil {
		return r, err
	}
	r.Matchings, r.MatchingsAre = make([]Size, len(best)), MatchingsFound
	for k, b := range best {
		best[k].Score = p.score(b.Matching)
		r.Matchings[k] = Size{b.Matching.Size(), p.objective(best[k].Score), b.Matching}
	}
	slices.SortStableFunc(r.Matchings, func(x, y Size) int { return cmp.Compare(p.objective(y.Objective), p.objective(x.Objective)) })
	if proved {
		r.MatchingsAre = MatchingsProved
	}
	r.Seconds = seconds(time.Since(began))
	if len(best) == 0 || best[0].Score < r.Score-rounding*math.Abs(r.Score) {
		return r, nil
	}
	better := best[0].Score > r.Score+rounding*math.Abs(r.Score)
	if better {
		r.Matching, r.Matched, r.Score, r.Objective, r.FoundBy = best[0].Matching, best[0].Matching.Size(), best[0].Score, p.objective(best[0].Score), "best"
		if p.Alignment != nil {
			p.assess(ctx, &r, max(assessing(limit), limit/leastAssessing))
		}
	}
	if proved && !r.Status.Interrupted() {
		r.Status = qap.Optimal
	}
	return r, nil
}

// score returns that of a matching.
func (p *Problem) score(m qap.Matching) float64 {
	switch {
	case p.Alignment != nil:
		return p.Alignment.Objective(m)
	case p.Nodes != nil:
		return p.Nodes.Objective(m)
	}
	return p.Instance.Score(m)
}

// objective returns a score in the user's sense.
func (p *Problem) objective(score float64) float64 {
	if p.Instance != nil {
		return p.Instance.Objective(score)
	}
	return score
}

// rank returns the best matchings: of small problems those that nothing can be better than, else what searches come to.
func (p *Problem) rank(ctx context.Context, known []qap.Matching, limit time.Duration) (best []kbest.Ranked, proved bool, err error) {
	if p.Nodes != nil { // nodes by themselves have one assignment
		return []kbest.Ranked{{Matching: known[0], Score: p.score(known[0])}}, false, nil
	}
	n1, n2 := p.Size()
	problem, err := p.ofBest(ctx)
	if err != nil {
		return nil, false, err
	}
	if n1*n2 <= kbest.MostPairs {
		limits := qap.Limits{TimeLimit: limit}
		r, err := kbest.Search(ctx, problem, p.options.Best, known, limits)
		return r.Best, r.Proved, err
	}
	if limit > 0 {
		ctx = qap.WithTimeLimit(ctx, limit)
	}
	others, err := p.others(ctx, known[0])
	if err != nil {
		return nil, false, err
	}
	for k, m := range append(known[:1:1], append(others, known[1:]...)...) {
		if k > 0 && p.Alignment == nil && p.Instance.Complete && !p.Instance.IsSolution(m) {
			continue
		}
		score := p.score(m)
		best = kbest.Insert(best, kbest.Ranked{Matching: m, Score: score}, p.options.Best, rounding*math.Abs(score), problem.Same)
	}
	return best, false, nil
}

// others returns matchings that further searches end with.
func (p *Problem) others(ctx context.Context, m qap.Matching) (found []qap.Matching, err error) {
	tries, o := p.options.Best+triesOfBest, p.options
	if p.Alignment != nil {
		return p.Alignment.Others(ctx, m, tries, o.Seed, o.Complete), nil
	}
	n1, n2 := p.Size()
	o.MaxSteps, o.StepsPerNode, o.OnBest, o.Unlogged = stepsOfTry*max(n1, n2), 0, nil, true
	o.Model, o.Rollouts, o.Beam, o.Refine, o.Method = "", 0, 0, "", MethodRegrow
	if _, flows := p.Instance.Affinity.(*qap.KoopmansBeckmann); flows && n1 == n2 && len(p.options.Fix) == 0 && o.Inliers == 0 {
		o.Method, o.MaxSteps = MethodTabu, stepsOfTry*n1
	}
	for k := range tries {
		limit := time.Duration(0)
		if left, limited := qap.Remaining(ctx); limited {
			if limit = left / time.Duration(tries-k); left <= 0 {
				break
			}
		}
		if ctx.Err() != nil {
			break
		}
		o.Seed++
		r, err := p.solver.searchInstance(ctx, p.Instance, o, limit, nil)
		if err != nil {
			return nil, err
		}
		if p.agree != nil {
			r.Matching = p.agreeing(r.Matching)
		}
		found = append(found, r.Matching)
	}
	return found, nil
}

// ofBest returns what is ranked.
func (p *Problem) ofBest(ctx context.Context) (*kbest.Problem, error) {
	n1, n2 := p.Size()
	fixed, err := p.options.fixed(n1, n2)
	if err != nil {
		return nil, err
	}
	k := &kbest.Problem{N1: n1, N2: n2, Matches: p.options.Inliers}
	if len(fixed) > 0 {
		k.Fixed = qap.NewMatching(n1)
		for _, f := range fixed {
			k.Fixed[f.I] = f.J
		}
	}
	symmetry := isomorphism.Options{MaxWork: workOfSymmetry}
	if p.Alignment != nil {
		a := &p.Alignment.Problem
		k.Node, k.Pair = a.Terms()
		k.May = a.May
		k.Same = func(m, other qap.Matching) bool { return a.Equivalent(ctx, m, other, symmetry) }
		if p.options.Complete {
			k.Matches = a.Most()
		}
		return k, nil
	}
	in := p.Instance
	k.Node = func(i, a int) float64 { return in.Affinity.At(i*n2+a, i*n2+a) }
	k.Pair = func(i, a, j, b int) float64 { return 2 * in.Affinity.At(i*n2+a, j*n2+b) }
	if in.Complete {
		k.Matches = min(n1, n2)
	}
	if p.agree != nil {
		k.May = p.agree.May
		if k.Matches > 0 {
			k.Matches = min(k.Matches, p.agree.Most(n1, n2))
		}
	}
	if len(fixed) > 0 {
		return k, nil // of which symmetries know nothing
	}
	if p.route != nil {
		k.Same = compare.Equivalent(ctx, p.graphs[0], p.graphs[1], p.agree, symmetry)
	} else if kb, flows := in.Affinity.(*qap.KoopmansBeckmann); flows && max(n1, n2) <= mostNodesOf {
		k.Same = equivalentFlows(ctx, kb, symmetry)
	}
	return k, nil
}

// equivalentFlows says whether symmetries of flows and distances take one matching to another, nil where a linear term has a say.
func equivalentFlows(ctx context.Context, kb *qap.KoopmansBeckmann, o isomorphism.Options) func(m, other qap.Matching) bool {
	if slices.ContainsFunc(kb.Linear(), func(v float64) bool { return v != 0 }) {
		return nil
	}
	n1, n2 := kb.Size()
	var both [2]*isomorphism.Graph
	for side, of := range [][]float64{kb.A(), kb.B()} {
		n := []int{n1, n2}[side]
		colours := make([]uint64, n*n)
		for k, v := range of {
			colours[k] = math.Float64bits(v + 0)
		}
		g, err := isomorphism.NewGraph(n, n*n, func(k int) (i, j int) { return k / n, k % n }, true, nil, colours)
		if err != nil {
			return nil
		}
		both[side] = g
	}
	return func(m, other qap.Matching) bool { return isomorphism.Equivalent(ctx, both[0], both[1], m, other, o) }
}
