package rgm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/auto"
)

// Match finds which node of one graph is which of another, as rgm match does. The first of the rules below that
// applies decides how: graphs without attributes, or with many nodes, are aligned by their edges (package qap/align), others are
// compared by attributes, places and edges (package compare). The result says which, and why.
// The time limit holds for all of it. Errors are those of Solve.
func (s *Solver) Match(ctx context.Context, g1, g2 *graphs.Graph, o Options) (Result, error) {
	if ctx == nil {
		return Result{}, infer.ErrNoContext
	}
	if spent(ctx) == 0 {
		ctx = Started(ctx)
	}
	p, err := s.PrepareMatch(ctx, g1, g2, o)
	if err != nil {
		return Result{}, err
	}
	return p.Search(ctx)
}

// A route is a way to match two graphs: what prepares it and what searches it.
type route struct {
	prepare  func(p *pair, ctx context.Context) (*Problem, error)
	search   func(p *Problem, ctx context.Context, limit time.Duration) (Result, error) // 0 is no limit
	assigned bool                                                                       // edges become flows and distances
}

var (
	aligning  = &route{prepare: (*pair).align, search: (*Problem).align}                  // by structure: package align
	assigning = &route{prepare: (*pair).align, search: (*Problem).assign, assigned: true} // by a search over swaps
	comparing = &route{prepare: (*pair).compare, search: (*Problem).compare}              // by affinities
	placing   = &route{prepare: (*pair).place, search: (*Problem).place}                  // by one transform of all points
)

// fewNodes is up to how many nodes graphs with attributes are compared by affinities of all
// pairs of edges, if these are at most fewPairs: more take long to be made.
const fewNodes, fewPairs = 300, 1 << 24

// rules say what Match does with two graphs: the first whose reason is not "". No other place decides it.
var rules = []struct {
	rule   string
	route  *route
	reason func(p *pair, ctx context.Context) string
}{
	{"the method is one that aligns", aligning, func(p *pair, _ context.Context) string {
		return ifTrue(graphMethod(p.o.Method), "the method "+p.o.Method)
	}},
	{"the method searches over swaps, or is FAQ for plain graphs", assigning, func(p *pair, _ context.Context) string { return ifTrue(p.assigns(), "the method "+p.o.Method) }},
	{"the method, or an option, is for affinities", comparing, func(p *pair, _ context.Context) string { return cmp.Or(p.o.Method, strings.Join(p.own, ", ")) }},
	{"one transform takes most points to others", placing, (*pair).transformed},
	{"columns of numbers that are no places, beside words", placing, (*pair).tabled},
	{"points are many, and become graphs of neighbours", aligning, (*pair).neighbours},
	{"nodes have words and numbers, and nothing else that can be compared", placing, (*pair).recorded},
	{"a graph has no edges", comparing, func(p *pair, _ context.Context) string {
		return ifTrue(p.g1.Edges == nil || p.g2.Edges == nil, "a graph has no edges")
	}},
	{"only edges are in both graphs", aligning, (*pair).plain},
	{"the graphs are the same but for the order of their nodes", aligning, (*pair).same},
	{"many nodes", aligning, (*pair).manyNodes},
	{"many pairs of edges, for the time limit if there is one", aligning, (*pair).manyPairs},
	{"all others", comparing, func(*pair, context.Context) string { return "attributes are compared" }},
}

func ifTrue(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// pair is two graphs, and what is asked of them.
type pair struct {
	solver *Solver
	g1, g2 *graphs.Graph
	o      Options
	design compare.Design
	own    []string // options given that only affinities have

	bijection qap.Matching        // of graphs that are the same, nil elsewhere
	nodes     compare.NodeProblem // of nodes that are matched by what each has
}

// PrepareMatch decides how two graphs are matched, and makes what is searched, within the time limit. It
// ends with ctx, and then returns its error.
func (s *Solver) PrepareMatch(ctx context.Context, g1, g2 *graphs.Graph, o Options) (*Problem, error) {
	if spent(ctx) == 0 {
		ctx = Started(ctx)
	}
	o = o.normal()
	if o.Name == "" {
		o.Name = g1.Name + "-" + g2.Name
	}
	p := &pair{solver: s, g1: g1, g2: g2, o: o}
	var err error
	if p.design, err = o.design(); err != nil {
		return nil, err
	}
	if err := cmp.Or(s.CheckMatch(o), o.checkBest(), o.checkLeaveOut()); err != nil {
		return nil, err
	}
	if err := p.weigh(); err != nil {
		return nil, err
	}
	if err := p.agree(); err != nil {
		return nil, err
	}
	for k, similar := range p.design.Similar {
		if similar.I >= g1.Nodes || similar.J >= g2.Nodes {
			return nil, optionError("Similarity", "row %d: graphs of %d and %d nodes have no nodes %d and %d", k, g1.Nodes, g2.Nodes, similar.I, similar.J)
		}
	}
	unlearned := ""
	if o.Affinity == AffinityLearned {
		if unlearned = p.design.Unlearned(p.g1, p.g2); unlearned != "" {
			o.Affinity, p.o.Affinity = "", ""
		}
	}
	p.own = o.ofAffinities(p.design)
	limits := o.Limits
	p.design.MostPairs = float64(limits.EdgePairs)
	if err := limits.CheckNodes(g1.Nodes, g2.Nodes); err != nil {
		return nil, err
	}
	if err := limits.checkWork("features or points of so many numbers take", comparisons(g1, g2)); err != nil {
		return nil, err
	}
	for _, r := range rules {
		why := r.reason(p, ctx)
		if why == "" {
			continue
		}
		problem, err := r.route.prepare(p, ctx)
		if err != nil {
			return nil, err
		}
		problem.solver, problem.options, problem.route, problem.why = s, o, r.route, why
		problem.spent, problem.unlearned = spent(ctx), unlearned
		return problem, nil
	}
	panic("the last rule is for all")
}

// weigh makes the attribute of Options.Weight the weight of the edges.
func (p *pair) weigh() error {
	if p.o.Weight == "" {
		return nil
	}
	one, two := *p.g1, *p.g2
	for _, g := range []*graphs.Graph{&one, &two} {
		if err := g.Weigh(p.o.Weight); err != nil {
			return optionError("Weight", "%v", withoutPackage(err))
		}
	}
	p.g1, p.g2 = &one, &two
	return nil
}

// NeedsFlows reports whether a method serves flows and distances alone: the searches over swaps.
func NeedsFlows(method string) bool {
	return slices.Contains([]string{MethodTabu, MethodPopulation, MethodAnneal}, method)
}

// assigns reports whether the method takes two graphs with their edges as flows and distances.
func (p *pair) assigns() bool {
	return NeedsFlows(p.o.Method) || p.o.Method == auto.ByFAQ && len(p.own) == 0 && p.design.Similar == nil && compare.Plain(p.g1, p.g2)
}

func (p *pair) plain(context.Context) string {
	return ifTrue(compare.Plain(p.g1, p.g2), "nodes and edges have no attributes that both graphs share")
}

// workOfSame bounds the search for a bijection of graphs with attributes, which tell nodes apart soon, in entries of
// rows: some hundredths of a second.
const workOfSame = 10_000_000

// same looks for a bijection that keeps all that both graphs have, where an alignment compares all of it.
func (p *pair) same(ctx context.Context) string {
	if p.g1.Points != nil && p.g2.Points != nil || p.g1.Relation != nil && p.g2.Relation != nil {
		return ""
	}
	if p.bijection = compare.Same(ctx, p.g1, p.g2, p.design.Agree, workOfSame); p.bijection == nil {
		return ""
	}
	return "the graphs are the same but for the order of their nodes"
}

func (p *pair) manyNodes(context.Context) string {
	n := max(p.g1.Nodes, p.g2.Nodes)
	return ifTrue(n > fewNodes, fmt.Sprintf("%d nodes are more than %d", n, fewNodes))
}

func (p *pair) manyPairs(context.Context) string {
	pairs, most := float64(len(p.g1.Edges))*float64(len(p.g2.Edges)), cmp.Or(float64(p.o.Limits.EdgePairs), fewPairs)
	if pairs > most {
		return fmt.Sprintf("%.3g pairs of edges are more than %.3g", pairs, most)
	}
	limit := p.o.TimeLimit
	return ifTrue(limit > 0 && pairs*pairTime > float64(max(limit, leastMaking)/2), fmt.Sprintf("%.3g pairs of edges are many for a time limit of %v", pairs, limit))
}

// CheckMatch returns an error that lists what is wrong with the options of Match whatever the graphs. It
// reads the models that they name.
func (s *Solver) CheckMatch(o Options) error {
	o = o.normal()
	if err := o.CheckMatch(); err != nil {
		return err
	}
	switch {
	case o.Method == MethodAlign && o.Model != "":
		_, err := s.start(&o)
		return err
	case graphMethod(o.Method) || NeedsFlows(o.Method):
		return nil
	}
	return s.Check(o)
}

// CheckMatch returns an error that lists what of the options of Match is wrong by itself.
func (o Options) CheckMatch() error {
	o = o.normal()
	design, err := o.design()
	if err != nil {
		return err
	}
	if err := o.checkTable(table.Of(optionsType)); err != nil {
		return err
	}
	if _, err := o.regularizer(); err != nil {
		return err
	}
	if !graphMethod(o.Method) && !NeedsFlows(o.Method) {
		return nil
	}
	var errs []error
	for _, own := range o.ofAffinities(design) {
		if own == "Edges" && graphMethod(o.Method) {
			errs = append(errs, optionError(own, "it makes edges of points, and the method %s goes by edges that both graphs have: leave the method out to compare points", o.Method))
			continue
		}
		errs = append(errs, optionError(own, "has no effect on the method %s, which has no affinities: leave one of them out", o.Method))
	}
	return errors.Join(errs...)
}

// ofAffinities returns the options given that say how affinities are made or searched, which alignments
// have none of.
func (o *Options) ofAffinities(d compare.Design) (given []string) {
	for _, option := range []struct {
		name  string
		given bool
	}{
		{"Edges", d.Joins.Rule != compare.JoinAuto && d.Joins.Rule != compare.JoinGiven},
		{"Kernel", d.Kernel != compare.KernelAuto}, {"Scale", d.Scale != compare.ScaleAuto},
		{"Model", o.Model != "" && o.Method != MethodAlign}, {"Beam", o.Beam > 1}, {"Rollouts", o.Rollouts > 0}, {"Refine", o.Refine != ""},
		{"Restarts", o.Restarts > 0 && o.Method != MethodFAQ}, {"Affinity", o.Affinity != ""}, {"Inliers", o.Inliers > 0},
		{"Regularize", o.Regularize != ""}, {"Profile", o.Profile}, {"Initial", o.Initial != nil}, {"Irrevocable", o.Irrevocable},
	} {
		if option.given {
			given = append(given, option.name)
		}
	}
	return given
}

// leastMaking is how long affinities may be weighed against others, however short the time limit is.
const leastMaking = time.Second

// pairTime is about how long it takes to compare two edges, in nanoseconds.
const pairTime = 150

// compare makes the affinities of two graphs. Where the time limit is up while it does, those that it has are as good as
// there will be, and the search has its start.
func (p *pair) compare(ctx context.Context) (*Problem, error) {
	if err := p.o.Limits.checkEdgePairs(p.g1, p.g2, p.design.Joins); err != nil {
		return nil, err
	}
	making := ctx
	if limit := p.o.TimeLimit; limit > 0 {
		making = qap.WithTimeLimit(ctx, max(max(limit, leastMaking)-spent(ctx), 1))
	}
	problem, err := p.design.Problem(making, *p.g1, *p.g2)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, p.refused(err)
	}
	in := problem.Instance
	in.Name = p.o.Name
	if err := p.o.Limits.CheckInstance(in.Size()); err != nil {
		return nil, err
	}
	if _, err := p.solver.searchOf(in, &p.o); err != nil {
		return nil, err
	}
	compared := problem.Compared(p.g1, p.g2)
	return &Problem{Instance: in, Compared: &compared, agree: p.design.Agree, graphs: [2]*graphs.Graph{p.g1, p.g2}}, nil
}

// refused returns the error of graphs whose edges are too many to compare: where an option asks for that,
// the error of the option.
func (p *pair) refused(err error) error {
	var many *compare.TooManyPairs
	if !errors.As(err, &many) || !many.Given || p.design.Kernel != compare.KernelAuto || p.design.Joins.Rule != compare.JoinAuto {
		return &InputError{err}
	}
	option, others := "Method", p.own
	if len(p.own) > 0 {
		option, others = p.own[0], p.own[1:]
	}
	if p.o.Method != "" && len(p.own) > 0 {
		others = append(slices.Clip(others), "Method")
	}
	without := "without it"
	if len(others) > 0 {
		names := lists.Of(others, func(name string) string {
			k := slices.IndexFunc(OptionTable(), func(f table.Field) bool { return f.GoName == name })
			return OptionTable()[k].Name
		})
		without += " and " + strings.Join(names, ", ")
	}
	return optionError(option, "it compares pairs of edges, and graphs of %d and %d nodes have %.3g of them, too many: %s they are aligned by their edges", many.N1, many.N2, many.Pairs, without)
}

// align makes the alignment of two graphs.
func (p *pair) align(ctx context.Context) (*Problem, error) {
	for _, g := range []*graphs.Graph{p.g1, p.g2} {
		if err := p.o.Limits.checkWork(g.Name+" has so many edges that its nodes take", ways(g)); err != nil {
			return nil, err
		}
		if g.Edges == nil { // which only who asks for it gets
			err := fmt.Errorf("%s has no edges: an alignment goes by them; leave the method %s out to compare points", cmp.Or(g.Name, "a graph"), p.o.Method)
			return nil, &OptionError{Option: "Method", Reason: err.Error(), Err: err}
		}
	}
	known, err := p.o.fixed(p.g1.Nodes, p.g2.Nodes)
	if err != nil {
		return nil, err
	}
	limited := ctx
	if limit := p.o.TimeLimit; limit > 0 {
		limited = qap.WithTimeLimit(ctx, max(limit-spent(ctx), 1))
	}
	a, err := p.design.Alignment(limited, *p.g1, *p.g2, known)
	if p.bijection != nil {
		a.Begin = p.bijection
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		err = a.Check()
	}
	if err != nil {
		return nil, &InputError{err}
	}
	if p.assigns() {
		if err := a.Assignable(); err != nil {
			return nil, fmt.Errorf("%w; use the method %s", err, MethodAlign)
		}
	}
	compared := a.Compared(p.g1, p.g2)
	return &Problem{Alignment: &a, Compared: &compared, known: known}, nil
}
