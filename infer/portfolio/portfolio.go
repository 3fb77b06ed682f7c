// Package portfolio is one call for what rgm solve does: a method by name, the network
// that fits the kind of instance, evaluated by ONNX Runtime or in Go, learned
// affinities, a refinement, goals, and a time limit over all of it.
//
// Open makes a Portfolio, which goroutines may share; Solve searches one instance,
// SolveAll a sequence of them side by side. Networks are opened when one is first
// evaluated. The package prints nothing, keeps nothing outside a Portfolio, and
// fetches nothing unless Config.Session.Install says so.
//
// This package knows the methods that need no more than package infer does. Package
// portfolio/full has the rest of those of rgm solve, which need gonum: the classical
// solvers, their refinements, and the forward pass in Go.
package portfolio

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// Config says what a Portfolio can do. The zero value is ready for use.
type Config struct {
	Provider Provider             // who evaluates networks (ProviderAuto)
	Session  infer.SessionOptions // of ONNX Runtime; Provider above decides on the CPU or CUDA

	// Go evaluates a model file without ONNX Runtime (nobody does). It is models.Load
	// and models.QFunction.
	Go func(model []byte) (qap.QFunction, error)

	// Model returns the file of a model by its name (pretrained.Model).
	Model func(name string) ([]byte, error)

	// Models is how many networks are kept (DefaultModels). Beyond, the one that was asked for
	// longest ago is closed once no search uses it, and read anew when it is asked for again.
	Models int

	Methods     []Method     // besides Builtin
	Refinements []Refinement // by which results can be improved (none)

	// InGo is told, once, that Go evaluates networks and why there is no ONNX Runtime, in
	// place of Log (nobody).
	InGo func(reason error)

	// Log is told what was decided in the user's place, once for every reason: that Go
	// evaluates, or that affinities stay as given (nobody).
	Log *slog.Logger
}

// Portfolio is a set of methods and the networks they use. It must be closed.
type Portfolio struct {
	config  Config
	methods []Method
	told    sync.Map // what was logged

	mutex    sync.Mutex
	networks []*network // the one asked for last is the last
	inGo     bool       // there is no ONNX Runtime
	closed   bool
	running  sync.WaitGroup // searches
}

// Open returns a Portfolio. Nothing is loaded yet.
func Open(c Config) (*Portfolio, error) {
	if c.Model == nil {
		c.Model = pretrained.Model
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Models == 0 {
		c.Models = DefaultModels
	}
	p := &Portfolio{config: c, methods: append(Builtin(), c.Methods...)}
	return p, c.check()
}

// Result is what a search found, and how.
type Result struct {
	qap.Result
	Method      string
	Refine      string            // the refinement, "" for none
	Model       string            // the network whose actions were followed, "" where none was evaluated
	Provider    string            // who evaluated networks: onnxruntime-cpu, onnxruntime-cuda:N or go; "" where none was
	Evaluations int               // forward passes of all networks; each is of all rollouts that advance together
	Affinity    string            // the network that re-weighs affinities, "" where given ones were wanted
	OverChance  float64           // how many times the score that chance alone is found to give as many matches; 0 where Goal's regularizer is not null
	Decision    *reweigh.Decision // which affinities were searched by, nil where given ones were wanted
	Seed        uint64
	Elapsed     time.Duration // wall clock, without the opening of networks
}

// Solve searches an instance. A limit, or the end of ctx, ends it with the best
// solution so far and a Status, not an error; an option that cannot be used is an error
// that wraps infer.OptionError, an instance that the method does not serve one that
// wraps qap.ErrUnsupported, and after Close every one is infer.ErrClosed.
//
// Options.TimeLimit holds for all stages together. The clock starts once the networks
// are open.
func (p *Portfolio) Solve(ctx context.Context, in *qap.Instance, o Options) (Result, error) {
	if ctx == nil {
		return Result{}, infer.ErrNoContext
	}
	if err := p.begin(); err != nil {
		return Result{}, err
	}
	defer p.running.Done()
	s, err := p.newSolve(ctx, in, o)
	defer s.release()
	if err != nil {
		return Result{}, err
	}
	ctx = qap.WithTimeLimit(ctx, s.o.TimeLimit) // over all stages
	if err := s.measureChance(ctx); err != nil {
		return Result{}, err
	}
	if err := s.reweigh(ctx); err != nil {
		return Result{}, err
	}
	if err := s.search(ctx); err != nil {
		return Result{}, err
	}
	if s.refinement != nil && !s.ended() {
		if err := s.refine(ctx); err != nil {
			return Result{}, err
		}
	}
	result := s.inOwnTerms()
	if s.bounds() {
		s.bound(ctx, &result.Result)
		result.Elapsed = time.Since(s.start)
	}
	return result, nil
}

// solve is the search of an instance.
type solve struct {
	portfolio  *Portfolio
	given      *qap.Instance
	in         *qap.Instance // with the affinities that are searched by
	releases   *qap.Instance // learned affinities by which the weakest matches are released afterwards; nil for none
	o          Options
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
	told       told
}

// newSolve checks the options, opens the networks that will be evaluated, and starts
// the clock. The search must be released, also one with an error.
func (p *Portfolio) newSolve(ctx context.Context, in *qap.Instance, o Options) (*solve, error) {
	in, err := p.inFull(in, &o)
	s := &solve{portfolio: p, given: in, in: in}
	if err != nil {
		return s, err
	}
	if s.byChance = o.Goal.Regularizer.Unknown(); s.byChance {
		o.Goal.Regularizer = unmeasured
	}
	if err := o.Validate(in); err != nil {
		return s, err
	}
	if err := p.Check(o); err != nil {
		return s, err
	}
	s.o = o.forSize(in)
	if s.o.Threads == 0 {
		s.o.Threads = runtime.GOMAXPROCS(0)
	}
	s.method = p.methodFor(in, &s.o)
	if err := s.open(ctx); err != nil {
		return s, err
	}
	s.start = time.Now()
	return s, nil
}

// open opens the networks that will be evaluated: of the refinement, the method, the
// affinities and the choice among searches.
func (s *solve) open(ctx context.Context) (err error) {
	p, o := s.portfolio, &s.o
	if s.refinement = p.refinement(o.Refine); s.refinement == nil && o.refine() != "" {
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
	in, decision, err := learner.Reweigh(ctx, s.given, s.o.Goal, s.method.Goals && s.refinement == nil)
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
	if !s.o.Untold {
		s.portfolio.tellDecision(s.given.Name, decision)
	}
	return nil
}

// search runs the method.
func (s *solve) search(ctx context.Context) (err error) {
	o := s.o
	whole := 1.0
	if s.o.TimeLimit > 0 && s.bounds() {
		whole -= boundShare
	}
	o.TimeLimit = share(ctx, whole)
	if s.refinement != nil {
		o.TimeLimit = share(ctx, searchShare*whole)
	}
	o.OnBest = s.listener(o.OnBest)
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
	s.tell(s.result, s.listener(s.o.OnBest))
	return nil
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

// inOwnTerms returns the result in terms of the given affinities, without the matches that
// are released afterwards.
func (s *solve) inOwnTerms() Result {
	r := s.result
	if s.decision != nil && !s.decision.AsGiven() && s.releases == nil {
		found := r.FoundBy
		r = reweigh.Given(s.given, r)
		r.FoundBy = found
	}
	if s.reduces() {
		found := r.FoundBy
		r = s.given.Reduced(r, s.reduced(r.Matching), s.o.Goal.Inliers > 0)
		r.FoundBy = found
	}
	full := Result{Result: r, OverChance: s.overChance(&r), Method: s.method.Name, Refine: s.o.refine(), Seed: s.o.Seed, Elapsed: time.Since(s.start), Decision: s.decision}
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

// begin counts a search that begins: Close waits for it.
func (p *Portfolio) begin() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return infer.ErrClosed
	}
	p.running.Add(1)
	return nil
}

// Close waits until the searches that run have ended, and frees the networks. Searches
// that begin later fail with infer.ErrClosed. Options.OnBest must not call it.
func (p *Portfolio) Close() error {
	p.mutex.Lock()
	p.closed = true
	p.mutex.Unlock()
	p.running.Wait()
	p.mutex.Lock()
	open := p.networks
	p.networks = nil
	p.mutex.Unlock()
	return errors.Join(lists.Of(open, (*network).close)...)
}
