// Package exact solves small instances to proven optimality, by branch and bound.
//
// A node of the search tree is what is left of the instance once some nodes are
// matched or given up. Its bound is that of Gilmore and Lawler, raised by the dual
// ascent of Hahn and Grant (see bounder); it divides along one row or column of
// the association graph, one child a partner and, where solutions may be partial,
// one without a partner. The search is depth first, the most promising child
// first. Reduced costs rule vertices out, and where all affinities are integers,
// so does the greatest number that divides every score.
//
// Larger instances that are no products of matrices are first bounded by package bound, which
// rules vertices out.
//
// Every form of affinity is served, complete and partial matchings, graphs of
// unequal size and both signs. Expect proofs up to n = 14 within seconds; beyond, the
// bound that was reached says how far the result is from the optimum at most.
package exact

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
)

// MaxVertices is the greatest n1·n2 that Solve takes: it holds a few arrays of
// (n1·n2)² numbers.
const MaxVertices = 2500

// relativeTolerance is how close to the optimum, in units of the size of the
// scores, a proof comes where affinities are not integers.
const relativeTolerance = 1e-11

// Solver is branch and bound; its zero value is ready for use. Limits.MaxSteps
// counts nodes of the search tree. No limit is set by default.
type Solver struct{}

// Solve returns the optimum, with Status qap.Optimal, or, at a limit, the best
// solution so far. Result.Bound is what was proved about the objective of every
// solution. It returns an error wrapping qap.ErrUnsupported where n1·n2 exceeds
// MaxVertices, and an error if Options.Initial is not a matching.
func (Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n1, n2 := in.Size()
	if n1*n2 > MaxVertices {
		return qap.Result{}, fmt.Errorf("exact: graphs of %d and %d nodes: branch and bound takes n1·n2 up to %d: %w", n1, n2, MaxVertices, qap.ErrUnsupported)
	}
	if o.Initial != nil {
		if err := in.CheckMatching(o.Initial); err != nil {
			return qap.Result{}, err
		}
	}
	s := newSearch(in, o.Watch(ctx, in))
	s.timeLimit, s.onBest = o.TimeLimit, o.OnBest
	root := rootNode(in, s.transposed, s.stopped)
	if root != nil {
		s.prepare(root)
	}
	if err := s.findIncumbent(ctx, o.Initial, o.Seed); err != nil {
		return qap.Result{}, err
	}
	least := math.Inf(-1)
	if root != nil {
		least = s.run(root)
	}
	status := s.status
	if status == "" {
		status = qap.Optimal
	}
	result := qap.NewResult(in, s.best, status)
	result.Steps = s.nodes
	result.Bound, result.HasBound = in.Objective(-least), !math.IsInf(least, 0)
	return result, nil
}

// Bound returns what no solution of flows and distances scores more than, given the score of the
// best one that is known: bound.OfFlows, raised by the dual ascent of the tree's root until that no
// longer pays or the limits are reached. It returns an error wrapping qap.ErrUnsupported for other
// forms and graphs of two sizes.
func Bound(ctx context.Context, in *qap.Instance, known float64, l qap.Limits) (float64, error) {
	watch := l.Watch(ctx, in)
	score, err := bound.OfFlows(in)
	n, _ := in.Size()
	if err != nil || score <= known || n*n > MaxVertices {
		return max(score, known), err
	}
	if left, limited := watch.Remaining(); limited && left < passes*ascentPass*time.Duration(n*n*n*n) {
		return score, nil
	}
	s := newSearch(in, watch)
	s.bestCost = -known
	root := rootNode(in, false, s.stopped)
	if root == nil {
		return score, nil
	}
	size := magnitude(root)
	s.tolerance = relativeTolerance * size
	s.bounder = newBounder(n, n, largeCost(size), s.stopped)
	return max(min(score, bound.Reachable(in, s.tolerance-s.relaxed(root))), known), nil
}

// ascentPass is how long a pass of the dual ascent takes at most, for each product of two nodes of
// both graphs; with less time than for some passes there is none.
const (
	ascentPass = 50 * time.Nanosecond
	passes     = 3
)

func newSearch(in *qap.Instance, watch qap.Watch) *search {
	n1, n2 := in.Size()
	return &search{in: in, transposed: n1 > n2, watch: watch, best: qap.NewMatching(n1), bestCost: math.Inf(1)}
}

// prepare sets what the search needs to know of the whole instance.
func (s *search) prepare(root *node) {
	size := magnitude(root)
	s.tolerance = relativeTolerance * size
	s.step = commonDivisor(root, s.stopped)
	s.bounder = newBounder(len(root.rows), len(root.cols), largeCost(size), s.stopped)
}

// magnitude bounds the absolute cost of every matching.
func magnitude(root *node) float64 {
	m1, m2 := root.size()
	m := m1 * m2
	size := 0.0
	for i := range m1 {
		largest := 0.0 // of the vertices of row i
		for p := i * m2; p < (i+1)*m2; p++ {
			sum := math.Abs(root.linear[p])
			for j := range m1 {
				most := 0.0
				for _, c := range root.quad[p*m+j*m2:][:m2] {
					most = max(most, math.Abs(c))
				}
				sum += most
			}
			largest = max(largest, sum)
		}
		size += largest
	}
	return size
}

// largeCost is what marks a vertex as dead, given the magnitude of costs.
func largeCost(size float64) float64 {
	if size == 0 {
		return 1
	}
	return 1e3 * size
}

// commonDivisor returns the greatest integer that divides the cost of every
// matching, or 0 if some affinity is not an integer, all are 0, or it was stopped.
func commonDivisor(root *node, stopped func() bool) float64 {
	divisor := 0.0
	m := len(root.linear)
	for p, c := range root.linear {
		if p%rowsBetweenLooks == 0 && stopped() {
			return 0
		}
		if divisor = gcd(divisor, math.Abs(c)); divisor < 0 {
			return 0
		}
		for q, c := range root.quad[p*m : (p+1)*m] {
			if divisor = gcd(divisor, math.Abs(c+root.quad[q*m+p])); divisor < 0 {
				return 0
			}
		}
	}
	return divisor
}

// gcd returns the greatest common divisor of two numbers ≥ 0, or −1 if y is no
// integer that a float64 holds exactly.
func gcd(x, y float64) float64 {
	if y != math.Trunc(y) || y >= 1<<53 {
		return -1
	}
	for y != 0 {
		x, y = y, math.Mod(x, y)
	}
	return x
}
