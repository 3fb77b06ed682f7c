package rgm

import (
	"context"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/exact"
	"github.com/rgm-go/rgm/qap/multistart"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/regrow"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Methods by their names; Methods returns all.
const (
	MethodRGM        = "rgm"
	MethodGreedy     = "greedy"
	MethodGreedyTabu = "greedy-tabu"
	MethodGreedyAges = "greedy-ages"
	MethodTabu       = "tabu"
	MethodAuto       = "auto"
	MethodPopulation = "population"
	MethodAnneal     = "anneal"
	MethodExact      = "exact"
	MethodProfile    = "profile"
	MethodRegrow     = "regrow"
)

// A Method is a search by name.
type Method struct {
	Name string
	// Search searches an instance within Options.Limits; q is nil but for methods with
	// a network. Result.FoundBy "" is the method's name.
	Search func(ctx context.Context, in *qap.Instance, q qap.QFunction, o Search) (qap.Result, error)

	Network bool // it evaluates one that chooses actions: Options.Model, Beam
	Steps   bool // it steps through the revocable environment: Options.Irrevocable
	Goals   bool // it keeps to Options.Goal
	Reduces bool // a count of inliers releases the weakest matches afterwards

	// Architecture is of methods with Network that evaluate networks of no other one, which choose
	// no actions: there is no Beam, and the default of Options.Model is the model of that name.
	Architecture string

	// MatchesAll is of methods that match all nodes whatever the affinities are, or none where
	// some are negative. Learned affinities release the weakest matches of what they find by
	// the given ones.
	MatchesAll bool
}

// builtin returns the methods of searches on instances.
func builtin() []Method {
	return []Method{
		choosing(),
		{Name: MethodRGM, Network: true, Steps: true, Goals: true,
			Search: func(ctx context.Context, in *qap.Instance, q qap.QFunction, o Search) (qap.Result, error) {
				return infer.Solve(ctx, q, in, o.Options)
			}},
		stepping(MethodGreedy, rollout.Greedy{}),
		stepping(MethodGreedyTabu, rollout.GreedyTabu{}),
		stepping(MethodGreedyAges, rollout.GreedyAges{}),
		reducing(SolverMethod(MethodTabu, func(o *Search) qap.Solver {
			return multistart.Solver{Solver: tabu.Solver{}, Threads: o.Threads}
		})),
		SolverMethod(MethodPopulation, func(o *Search) qap.Solver { return population.Solver{Threads: o.islands()} }),
		SolverMethod(MethodAnneal, func(*Search) qap.Solver { return anneal.Solver{} }),
		reducing(SolverMethod(MethodExact, func(*Search) qap.Solver { return exact.Solver{} })),
		profiling(),
		regrowing(),
	}
}

// choosing returns the method that combines searches by the kind of instance (package auto).
func choosing() Method {
	return Method{Name: MethodAuto, Network: true, Steps: true, Goals: true,
		Search: func(ctx context.Context, in *qap.Instance, q qap.QFunction, o Search) (qap.Result, error) {
			v := auto.Solver{Threads: o.Threads, Goal: o.Goal, Recalled: o.Recalled}
			if q != nil {
				v.Policy = policy{q, o.Options}
			}
			return v.Solve(ctx, in, o.solverOptions())
		}}
}

// policy is the rollouts of a network, within the limits of a part of a search.
type policy struct {
	q qap.QFunction
	o infer.Options
}

func (p policy) Solve(ctx context.Context, in *qap.Instance, part qap.Options) (qap.Result, error) {
	o := p.o
	o.MaxSteps, o.Patience, o.TimeLimit = part.MaxSteps, part.Patience, part.TimeLimit
	o.Initial, o.OnBest = part.Initial, nil
	if part.OnBest != nil {
		o.OnBest = func(found infer.Incumbent) { part.OnBest(found.Incumbent) }
	}
	return infer.Solve(ctx, p.q, in, o)
}

// methodFor returns the method of a search, whose name the result has: MethodRGM in place of
// MethodAuto where an option is for the policy alone.
func (s *Solver) methodFor(in *qap.Instance, o *Options, of *Search) Method {
	m, _ := s.method(o.Method)
	if m.Name != MethodAuto {
		return m
	}
	if o.forPolicy() {
		m, _ = s.method(MethodRGM)
		return m
	}
	m.Network = auto.Evaluates(in, of.Goal, of.Limits())
	return m
}

// stepping returns the method of a policy without a network.
func stepping(name string, policy rollout.Policy) Method {
	return Method{Name: name, Steps: true, Goals: true,
		Search: func(ctx context.Context, in *qap.Instance, _ qap.QFunction, o Search) (qap.Result, error) {
			r, err := infer.SolveWith(ctx, policy, in, o.Options)
			if r.FoundBy == infer.ByPolicy {
				r.FoundBy = name
			}
			return r, err
		}}
}

// islands returns how many populations search side by side: their number would change
// what a number of steps finds.
func (o *Search) islands() int {
	if o.TimeLimit == 0 || o.MaxSteps > 0 || o.Patience > 0 {
		return 1
	}
	return o.Threads
}

// reducing returns a method that meets a count of inliers afterwards.
func reducing(m Method) Method {
	m.Reduces = true
	return m
}

// profiling returns the method that searches all sizes at once.
func profiling() Method {
	m := SolverMethod(MethodProfile, func(o *Search) qap.Solver { return profile.Solver{Goal: o.Goal} })
	m.Goals = true
	return m
}

// regrowing returns the method of ruin and regrowth.
func regrowing() Method {
	m := SolverMethod(MethodRegrow, func(o *Search) qap.Solver {
		return multistart.Solver{Solver: regrow.Solver{Goal: o.Goal}, Threads: o.Threads, Goal: o.Goal}
	})
	m.Goals = true
	return m
}

// SolverMethod returns the method of a solver that knows no goal; solver makes it for
// the options of a search.
func SolverMethod(name string, solver func(o *Search) qap.Solver) Method {
	return Method{Name: name,
		Search: func(ctx context.Context, in *qap.Instance, _ qap.QFunction, o Search) (qap.Result, error) {
			return solver(&o).Solve(ctx, in, o.solverOptions())
		}}
}

// solverOptions returns the options that every solver takes.
func (o *Search) solverOptions() qap.Options {
	all := qap.Options{Limits: o.Limits(), Seed: o.Seed, Initial: o.Initial}
	if o.OnBest != nil {
		all.OnBest = func(found qap.Incumbent) { o.OnBest(infer.Incumbent{Incumbent: found}) }
	}
	return all
}

// A Refinement improves a matching that a method found; it never makes it worse.
type Refinement struct {
	Name   string
	Refine func(ctx context.Context, in *qap.Instance, m qap.Matching, o qap.Options) (qap.Result, error)

	// Learned takes the place of Refine in one that evaluates networks of the architecture with
	// its name: Options.Refine then names the model.
	Learned func(ctx context.Context, q qap.QFunction, in *qap.Instance, m qap.Matching, o qap.Options) (qap.Result, error)
}

// Methods returns the names of the methods, the default first.
func (s *Solver) Methods() []string { return s.methodsThat(func(Method) bool { return true }) }

// Rolls reports whether a method advances Options.Rollouts states at a time.
func (s *Solver) Rolls(method string) bool {
	m, _ := s.method(method)
	return m.Steps
}

func (s *Solver) methodsThat(is func(Method) bool) []string {
	var names []string
	for _, m := range s.methods {
		if is(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Refinements returns the names of the refinements, without RefineNone.
func (s *Solver) Refinements() []string {
	var names []string
	for _, r := range s.config.Refinements {
		if r.Learned == nil {
			names = append(names, r.Name)
		}
	}
	return names
}

// method returns the method of a name, the last of equal ones.
func (s *Solver) method(name string) (found Method, known bool) {
	if name == "" {
		name = MethodAuto
	}
	for _, m := range s.methods {
		if m.Name == name {
			found, known = m, true
		}
	}
	return found, known
}

// refinement returns the refinement of a name, nil if there is none.
func (s *Solver) refinement(name string) *Refinement {
	for k := range s.config.Refinements {
		if r := &s.config.Refinements[k]; r.Name == name && r.Learned == nil {
			return r
		}
	}
	return nil
}
