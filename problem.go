package rgm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// A Problem is an instance, or two graphs, with checked options, ready to be searched once. Solve and
// Match make one and search it at once; a queue makes it first, so that what is wrong is known before
// it waits.
type Problem struct {
	Instance  *qap.Instance       // nil where two graphs are aligned
	Alignment *compare.Alignment  // nil where they are not
	Nodes     compare.NodeProblem // of nodes that are matched by what each has: the places of points, or records
	Compared  *compare.Compared   // of two graphs

	solver  *Solver
	options Options
	route   *route
	why     string             // two graphs are aligned
	known   []graphs.Pair      // of two graphs that are aligned
	agree   *compare.Agreement // of two graphs that are compared
	graphs  [2]*graphs.Graph   // the same
	spent   time.Duration      // of the time limit

	unlearned string // why learned affinities that were asked for do not suit the two graphs
}

// InputError is that of two graphs that cannot be matched as they are.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }

// startKey is the key of when a call began in a context.
type startKey struct{}

// Started returns a context for one call whose clock runs already: what is done before the call, such
// as reading files, counts in its time limit.
func Started(ctx context.Context) context.Context {
	return context.WithValue(ctx, startKey{}, time.Now())
}

// spent returns how long ago Started was called, 0 where it was not.
func spent(ctx context.Context) time.Duration {
	if began, started := ctx.Value(startKey{}).(time.Time); started {
		return time.Since(began)
	}
	return 0
}

// Prepare checks an instance and the options of a search.
func (s *Solver) Prepare(in *qap.Instance, o Options) (*Problem, error) {
	o = o.normal()
	if in == nil || in.Affinity == nil {
		return nil, optionError("instance", "there is none")
	}
	if err := o.Limits.CheckInstance(in.Size()); err != nil {
		return nil, err
	}
	switch {
	case graphMethod(o.Method) && o.Method != MethodAlign:
		return nil, fmt.Errorf("rgm: %s aligns two graphs, and the instance is none: %w", o.Method, qap.ErrUnsupported)
	case o.Method == MethodAlign:
		if _, err := align.OfAssignment(in); err != nil {
			return nil, err
		}
	}
	if err := o.checkBest(); err != nil {
		return nil, err
	}
	if o.Complete && !in.Complete {
		whole := *in
		whole.Complete, in = true, &whole
	}
	if _, err := s.searchOf(in, &o); err != nil {
		return nil, err
	}
	return &Problem{Instance: in, solver: s, options: o}, nil
}

// Size returns the nodes of both graphs.
func (p *Problem) Size() (n1, n2 int) {
	switch {
	case p.Alignment != nil:
		return p.Alignment.A.Nodes(), p.Alignment.B.Nodes()
	case p.Nodes != nil:
		return p.Nodes.Size()
	}
	return p.Instance.Size()
}

// Assigned reports whether two graphs are aligned with their edges as flows and distances, which are matrices.
func (p *Problem) Assigned() bool { return p.Alignment != nil && p.route.assigned }

// States returns how many rollouts, or states of a beam, a search of the problem advances together, 0
// where it advances none.
func (p *Problem) States() int {
	o := &p.options
	m, _ := p.solver.method(o.Method)
	if p.Instance == nil || !m.Steps || m.Name == MethodAuto && !o.forPolicy() {
		return 0
	}
	return cmp.Or(max(o.Rollouts, o.Beam), infer.DefaultRollouts)
}

// OnBest has found told of every new best solution, as Options.OnBest.
func (p *Problem) OnBest(found func(Incumbent)) { p.options.OnBest = found }

// Search searches the problem within what is left of its time limit.
func (p *Problem) Search(ctx context.Context) (Result, error) {
	s, o := p.solver, p.options
	if err := s.begin(); err != nil {
		return Result{}, err
	}
	defer s.running.Done()
	if o.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Deadline)
		defer cancel()
	}
	limit := o.TimeLimit
	if limit > 0 {
		limit = max(limit-p.spent-p.looking(limit), 1)
	}
	search := func(ctx context.Context, limit time.Duration) (Result, error) {
		if p.route == nil {
			return s.searchInstance(ctx, p.Instance, p.options, limit, p.options.OnBest)
		}
		return p.route.search(p, ctx, limit)
	}
	var result Result
	var err error
	if o.Best > 0 {
		result, err = p.ranked(ctx, limit, search)
	} else {
		result, err = search(ctx, limit)
	}
	if err != nil {
		return result, err
	}
	if p.Instance != nil {
		p.tell(ctx, &result)
	}
	result.tellSure()
	if p.route == nil {
		return result, nil
	}
	result.Compared = p.Compared
	if p.unlearned != "" {
		result.notLearned(p.unlearned)
		s.tellDecision(result.Instance, reweigh.Decision{Reason: p.unlearned})
	}
	return result, nil
}

// An Evaluation is what a matching is worth.
type Evaluation struct {
	Instance   string   `json:"instance"`
	N1         int      `json:"n1"`
	N2         int      `json:"n2"`
	Sense      string   `json:"sense" enum:"min,max"`
	Valid      bool     `json:"valid" doc:"whether it is a solution: without conflicts, and complete where the instance wants that"`
	Matched    int      `json:"matched"`
	Objective  *float64 `json:"objective,omitempty" doc:"of a matching without conflicts"`
	BestKnown  *float64 `json:"best_known,omitempty"`
	GapPercent *float64 `json:"gap_percent,omitempty"`
	Conflicts  []string `json:"conflicts" doc:"what is wrong with it"`
}

// Evaluate recomputes the objective of a matching of an instance, or lists what is wrong with it. m has an
// entry for each node of graph 1.
func Evaluate(in *qap.Instance, m qap.Matching) (Evaluation, error) {
	return (&Problem{Instance: in}).Evaluate(m)
}

// Evaluate recomputes the objective of a matching, or lists what is wrong with it. m has an entry for each
// node of graph 1.
func (p *Problem) Evaluate(m qap.Matching) (Evaluation, error) {
	n1, n2 := p.Size()
	if len(m) != n1 {
		return Evaluation{}, optionError("matching", "%d entries: want %d, one a node of graph 1", len(m), n1)
	}
	e := Evaluation{Instance: p.options.Name, N1: n1, N2: n2, Sense: qap.Maximize.String(), Matched: m.Size(), Conflicts: conflicts(m, n2)}
	if p.Instance != nil {
		e.Instance, e.Sense = p.Instance.Name, p.Instance.Sense.String()
	}
	if len(e.Conflicts) > 0 {
		return e, nil
	}
	objective, solution := 0.0, !p.options.Complete
	switch {
	case p.Alignment != nil:
		objective = p.Alignment.Objective(m)
	case p.Nodes != nil:
		objective = p.Nodes.Objective(m)
	default:
		objective, solution = p.Instance.Objective(p.Instance.Score(m)), p.Instance.IsSolution(m)
	}
	e.Objective = &objective
	if most := min(n1, n2); !solution && e.Matched < most {
		e.Conflicts = append(e.Conflicts, fmt.Sprintf("%d of %d matches: solutions are complete", e.Matched, most))
	}
	e.Valid = len(e.Conflicts) == 0
	return e, nil
}

// conflicts lists the entries that no matching has.
func conflicts(m qap.Matching, n2 int) []string {
	found := []string{}
	owner := map[int]int{}
	for i, a := range m {
		first, taken := owner[a]
		switch {
		case a == qap.Unmatched:
		case a < 0 || a >= n2:
			found = append(found, fmt.Sprintf("node %d: graph 2 has no node %d", i, a))
		case taken:
			found = append(found, fmt.Sprintf("nodes %d and %d are both matched to node %d", first, i, a))
		default:
			owner[a] = i
		}
	}
	return slices.Clip(found)
}
