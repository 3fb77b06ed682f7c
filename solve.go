package rgm

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// Solve searches an instance. A limit, or the end of ctx, ends it with the best
// solution so far and a Status, not an error; an option that cannot be used is an error
// that wraps infer.OptionError, an instance that the method does not serve one that
// wraps qap.ErrUnsupported, and after Close every one is infer.ErrClosed.
//
// Options.TimeLimit holds for all stages together. The clock starts once the networks
// are open.
func (s *Solver) Solve(ctx context.Context, in *qap.Instance, o Options) (Result, error) {
	if ctx == nil {
		return Result{}, infer.ErrNoContext
	}
	p, err := s.Prepare(in, o)
	if err != nil {
		return Result{}, err
	}
	p.spent = spent(ctx)
	return p.Search(ctx)
}

// searchInstance searches an instance within a time limit, 0 for none.
func (s *Solver) searchInstance(ctx context.Context, in *qap.Instance, o Options, limit time.Duration, onBest func(Incumbent)) (Result, error) {
	one, err := s.newSearch(ctx, in, o, limit, onBest)
	defer one.release()
	if err != nil {
		return Result{}, err
	}
	ctx = qap.WithTimeLimit(ctx, one.o.TimeLimit) // over all stages
	if err := one.measureChance(ctx); err != nil {
		return Result{}, err
	}
	if err := one.reweigh(ctx); err != nil {
		return Result{}, err
	}
	if err := one.search(ctx); err != nil {
		return Result{}, err
	}
	if one.refinement != nil && !one.ended() {
		if err := one.refine(ctx); err != nil {
			return Result{}, err
		}
	}
	if one.recalled != nil {
		one.keep(&one.result)
	}
	found := one.toGivenAffinities()
	if one.matchedNothing(&found) {
		o.Affinity = ""
		again, err := s.searchInstance(ctx, in, o, max(share(ctx, 1), limit/leastAgain), onBest)
		again.notLearned(reasonNothing)
		again.Affinity = one.affinity.name
		if !o.Unlogged {
			s.tellDecision(again.Instance, *again.Decision)
		}
		return again, err
	}
	if one.bounds() {
		one.bound(ctx, &found)
	}
	return one.describe(found), nil
}

// solve is the search of an instance.
type solve struct {
	solver     *Solver
	given      *qap.Instance
	in         *qap.Instance // with the affinities that are searched by
	releases   *qap.Instance // learned affinities by which the weakest matches are released afterwards; nil for none
	options    Options
	o          Search
	method     Method
	refinement *Refinement
	policy     *counted // network of the method, if it has one
	affinity   *counted // network that re-weighs, if one is wanted
	held       []*network
	start      time.Time
	decision   *reweigh.Decision
	byChance   bool            // the regularizer null is wanted
	chance     qap.Regularizer // it, once measured
	result     qap.Result
	onBest     func(Incumbent)
	told       told
	recalled   *Recalled // nil where nothing is kept
}

// newSearch opens the networks that will be evaluated, and starts
// the clock. The search must be released, also one with an error.
func (s *Solver) newSearch(ctx context.Context, in *qap.Instance, o Options, limit time.Duration, onBest func(Incumbent)) (*solve, error) {
	in, err := s.inFull(in, &o)
	one := &solve{solver: s, given: in, in: in, options: o, onBest: onBest}
	if err != nil {
		return one, err
	}
	if one.o, err = o.search(in.Size()); err != nil {
		return one, err
	}
	one.byChance = o.Regularize == qap.RegularizeNull.String()
	if one.o.TimeLimit = limit; one.o.Threads == 0 {
		one.o.Threads = runtime.GOMAXPROCS(0)
	}
	one.method = s.methodFor(in, &o, &one.o)
	if err := one.open(ctx); err != nil {
		return one, err
	}
	one.start = time.Now()
	return one, nil
}

// searchOf returns how an instance is searched, or an error that lists what is wrong with the options.
func (s *Solver) searchOf(in *qap.Instance, o *Options) (Search, error) {
	if in == nil || in.Affinity == nil {
		return Search{}, optionError("instance", "there is none")
	}
	if err := o.checkTable(table.Of(optionsType)); err != nil {
		return Search{}, err
	}
	search, err := o.search(in.Size())
	if err != nil {
		return search, err
	}
	if err := search.Validate(in); err != nil {
		return search, named(err)
	}
	return search, s.Check(*o)
}

// open opens the networks that will be evaluated: of the refinement, the method, the
// affinities and the choice among searches.
func (s *solve) open(ctx context.Context) (err error) {
	p, o := s.solver, &s.options
	if s.refinement = p.refinement(o.Refine); s.refinement == nil && o.Refine != "" {
		var q *counted
		if s.refinement, q, err = p.learnedRefinement(o.Refine); err == nil {
			err = s.hold(ctx, q)
		}
		if err != nil {
			return modelError("Refine", err)
		}
	}
	if s.method.Network {
		if s.policy, err = p.policy(o.modelFor(s.method, s.in), s.method); err != nil {
			return err
		}
		if err := s.hold(ctx, s.policy); err != nil {
			return err
		}
	}
	if name := o.affinityModel(); name != "" {
		if s.affinity, err = p.reweigher(name); err != nil {
			return err
		}
		if err := s.hold(ctx, s.affinity); err != nil {
			return err
		}
	}
	return nil
}

// The shares of the time left that the stages before the last take at most.
const (
	reweighingShare = 0.5
	searchShare     = 0.5 // where a refinement follows
)

// ReasonReleases is the reason of a Decision for a method that matches all nodes, which has
// no use for affinities that speak against matches.
const ReasonReleases = "the method matches all nodes: it searches by the given affinities, and learned ones release its weakest matches"

// reweigh puts learned affinities in place of the given ones, if they are wanted.
func (s *solve) reweigh(ctx context.Context) error {
	if s.affinity == nil {
		return nil
	}
	if s.o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, share(ctx, reweighingShare))
		defer cancel()
	}
	learner, err := reweigh.New(s.affinity)
	if err != nil {
		return err
	}
	in, decision, err := learner.TrainedBy(s.affinity.training).Reweigh(ctx, s.given, s.o.Goal, s.method.Goals && s.refinement == nil)
	if err != nil {
		return err
	}
	if s.method.MatchesAll && decision.Learned && !s.given.Complete {
		s.releases, in = in, s.given
		decision.Reason = cmp.Or(decision.Reason, ReasonReleases)
	}
	s.in, s.decision = in, &decision
	if !decision.Regularizer.None() {
		s.o.Goal.Regularizer = decision.Regularizer
	}
	if decision.Inliers > 0 { // the regularizer has decided, by the given affinities
		s.o.Goal.Inliers, s.o.Goal.Regularizer = decision.Inliers, qap.Regularizer{}
	}
	if !s.options.Unlogged {
		s.solver.tellDecision(s.given.Name, decision)
	}
	return nil
}

// search runs the method.
func (s *solve) search(ctx context.Context) (err error) {
	if s.recalls() {
		s.recall(ctx)
	}
	o := s.o
	whole := 1.0
	if s.o.TimeLimit > 0 && s.bounds() {
		whole -= boundShare
	}
	o.TimeLimit = share(ctx, whole)
	if s.refinement != nil {
		o.TimeLimit = share(ctx, searchShare*whole)
	}
	o.OnBest = s.listener()
	var q qap.QFunction
	if s.policy != nil {
		q = s.policy
	}
	s.result, err = s.method.Search(ctx, s.in, q, o)
	if s.result.FoundBy == "" {
		s.result.FoundBy = s.method.Name
	}
	if err == nil {
		s.tell(s.result, o.OnBest)
	}
	return err
}

// refine improves the result.
func (s *solve) refine(ctx context.Context) error {
	limits := qap.Limits{Target: s.o.Target, HasTarget: s.o.HasTarget, TimeLimit: share(ctx, 1)}
	if s.o.TimeLimit > 0 && s.bounds() {
		limits.TimeLimit = max(1, limits.TimeLimit-s.boundTime())
	}
	refined, err := s.refinement.Refine(ctx, s.in, s.result.Matching, qap.Options{Limits: limits, Seed: s.o.Seed})
	if err != nil {
		return err
	}
	if !slices.Equal(refined.Matching, s.result.Matching) {
		s.result.FoundBy = s.refinement.Name
	}
	s.result.Matching, s.result.Score, s.result.Objective = refined.Matching, refined.Score, refined.Objective
	s.result.Steps, s.result.Status = s.result.Steps+refined.Steps, refined.Status
	s.tell(s.result, s.listener())
	return nil
}

// reasonNothing is that of a search by given affinities after one by learned ones, and leastAgain the part
// of the time limit that it has at least.
const reasonNothing, leastAgain = "no match is worth anything by the learned ones", 20

// matchedNothing reports whether learned affinities left nothing to match, though the search was not cut short.
func (s *solve) matchedNothing(r *qap.Result) bool {
	return s.decision != nil && s.decision.Learned && r.Matching.Size() == 0 && !r.Status.Interrupted()
}

// ended reports whether no further stage is to follow the search.
func (s *solve) ended() bool {
	status := s.result.Status
	return status.Interrupted() || status == qap.Optimal || status == qap.Target
}

// reduces reports whether the weakest matches are released once the method has matched all
// nodes: to a count of inliers, or as learned affinities want it.
func (s *solve) reduces() bool {
	return s.releases != nil || s.o.Goal.Inliers > 0 && s.method.Reduces
}

// reduced returns a matching without its weakest matches.
func (s *solve) reduced(m qap.Matching) qap.Matching {
	switch count := s.o.Goal.Inliers; {
	case s.releases == nil:
		return s.given.Reduce(m, count)
	case count > 0:
		return s.releases.Reduce(m, count)
	}
	return s.releases.ReduceToBest(m)
}

// toGivenAffinities returns the result in terms of the given affinities, without the matches that
// are released afterwards.
func (s *solve) toGivenAffinities() qap.Result {
	r := s.result
	if s.decision != nil && !s.decision.AsGiven() && s.releases == nil {
		r = reweigh.Given(s.given, r)
	}
	if s.reduces() {
		r = s.given.Reduced(r, s.reduced(r.Matching), s.o.Goal.Inliers > 0)
	}
	r.FoundBy = s.result.FoundBy
	return r
}

// describe returns a result with all that is known of the search.
func (s *solve) describe(r qap.Result) Result {
	full := newResult(s.given, r)
	full.OverChance = s.overChance(&r)
	full.Method, full.Refine, full.Seed = s.method.Name, s.options.Refine, s.o.Seed
	full.Seconds = seconds(time.Since(s.start))
	if s.options.Profile {
		full.Profile = Sizes(s.given, r.Profile)
	}
	full.Recalled = s.recalled
	if s.decision != nil {
		full.Decision, full.AffinityUsed, full.AffinityReason = s.decision, AffinityUsed(*s.decision), s.decision.Reason
	}
	if s.affinity != nil {
		full.Affinity = s.affinity.name
	}
	s.policy.credit(&full, true)
	s.affinity.credit(&full, false)
	return full
}

// share returns a share of the time left, 0 without a limit.
func share(ctx context.Context, share float64) time.Duration {
	left, limited := qap.Remaining(ctx)
	if !limited {
		return 0
	}
	if share < 1 { // the longest there is would not survive a float64
		left = time.Duration(share * float64(left))
	}
	return max(left, 1)
}
