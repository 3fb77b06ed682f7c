package bound

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// MaxEntries is the greatest number of affinities between edges, each counted once, that
// New takes: it keeps some 40 bytes for each.
const MaxEntries = 1 << 23

// MaxMessages is the greatest number of pairs of nodes with affinities, times the nodes that
// either may be matched with, for which a bound is computed: it takes 64 bytes for each.
const MaxMessages = 1 << 22

// Dual is a Lagrangean dual of an instance: multipliers, and the bound that they prove.
// It may not be shared by goroutines.
type Dual struct {
	n1, n2   int
	node     []float64 // node affinities, with what messages have brought, n1×n2
	given    []float64 // without
	weight   []float64 // of every pair of vertices, twice K
	inSecond []int32   // which entry of the second view each of the first is
	inFirst  []int32   // and the other way round
	view     [2]view
	price    [2][]float64 // of the nodes of both graphs: dual values of the assignment
	single   [2][]float64 // what messages have brought to no partner
	count    int          // matches of a solution, 0 for any number
	reward   float64      // of a match, so that as many are made

	assign  assignment.Solver
	gain    []float64
	matched qap.Matching
	scratch []float64
	bound   float64
	last    float64 // the bound by the present prices

	stepped  int       // since the first step, 0 while sweeps are worth more
	slope    []float64 // of d.node, along the direction
	scale    float64   // of the direction: what is stored is a multiple of it
	length   float64   // of the direction, squared; 0 before the first step
	choices  []choice
	taken    []int8 // of every affinity: 1 where only the first view takes it, −1 the second
	touched  []int32
	partner2 qap.Matching

	excluded []bool  // vertices that are in no solution worth finding
	never    float64 // the price of one
	swept    int
}

// New returns the dual of an instance whose solutions are those of the goal. An error
// that wraps qap.ErrUnsupported says that it has no such bound: the goal regularises or
// has seeds, K is a product of two matrices, or there are more than MaxEntries or
// MaxMessages. Sorting many
// affinities takes long: New asks on the way whether it is stopped, and returns nil then.
func New(in *qap.Instance, goal qap.Goal, stopped func() bool) (*Dual, error) {
	if !goal.Regularizer.None() || goal.Fixed != nil {
		return nil, fmt.Errorf("bound: scores of seeds or with a regularizer: %w", qap.ErrUnsupported)
	}
	entries, err := entriesOf(in, stopped)
	if err != nil || entries == nil {
		return nil, err
	}
	n1, n2 := in.Size()
	d := &Dual{
		n1: n1, n2: n2, node: make([]float64, n1*n2), given: make([]float64, n1*n2), gain: make([]float64, n1*n2),
		bound: math.Inf(1), excluded: make([]bool, n1*n2), partner2: qap.NewMatching(n2),
	}
	d.price = [2][]float64{make([]float64, n1), make([]float64, n2)}
	d.single = [2][]float64{make([]float64, n1), make([]float64, n2)}
	in.Affinity.Diagonal(d.given)
	least, most := goal.Sizes(in)
	if least == most && most > 0 {
		d.count = most
	}
	d.never = price(d.given, entries.weight)
	if !d.arrange(entries, stopped) {
		return nil, nil
	}
	d.taken, d.slope = make([]int8, len(d.weight)), make([]float64, n1*n2)
	d.view[0].forced, d.view[1].forced = d.count == n1 && n1 > 0, d.count == n2 && n2 > 0
	d.sum()
	return d, nil
}

// price returns a price beside which no affinity counts.
func price(node, weight []float64) float64 {
	largest := 0.0
	for _, values := range [2][]float64{node, weight} {
		for _, w := range values {
			largest = max(largest, math.Abs(w))
		}
	}
	return 1e12 * max(largest, math.SmallestNonzeroFloat64*1e30)
}

// Bound returns what no score exceeds of the solutions that are better than those which
// Improve was told of. It never rises. It is +Inf before the first call of Improve, and −Inf
// where no better solution is left.
func (d *Dual) Bound() float64 { return d.bound }

// Closed reports whether no solution has a greater score than this one, but for a relative
// error of 1e-9.
func (d *Dual) Closed(score float64) bool { return d.bound <= score+Tolerance*math.Abs(score) }

// Tolerance is the relative error of a proof.
const Tolerance = 1e-9

// exclude rules out the vertices that are in no solution of a greater score than this one, by
// what the bound would lose by them.
func (d *Dual) exclude(score float64) {
	slack := d.last - score - Tolerance*math.Abs(score)
	for p, out := range d.excluded {
		i, a := p/d.n2, p%d.n2
		if !out && d.price[0][i]+d.price[1][a]-d.node[p]-d.reward >= slack {
			d.ruleOut(i, a)
		}
	}
}

// Excluded reports whether a vertex is in no better solution.
func (d *Dual) Excluded(p int) bool { return d.excluded[p] }

func (d *Dual) ruleOut(i, a int) {
	p := i*d.n2 + a
	d.excluded[p], d.node[p] = true, -d.never
	for side, x := range [2]int{i, a} {
		label := [2]int{a, i}[side]
		for _, t := range d.view[side].of[x] {
			table := &d.view[side].tables[t]
			table.message[table.end(x)][label] = d.never
		}
	}
}

// rounding is the relative error of a bound, whose sums are made afresh in every sweep.
const rounding = 1e-12

// Improve tries to lower the bound, given the score of the best known solution (−Inf for
// none): by a sweep while these pay, then by steps with a sweep now and then. Vertices that
// belong to no better solution are excluded on the way. It costs some passes over all
// affinities, and returns false if stopped, which it asks on the way, was true.
func (d *Dual) Improve(score float64, stopped func() bool) bool {
	if math.IsInf(d.bound, -1) {
		return true
	}
	if d.stepped%stepsASweep != 0 {
		d.stepped++
		return d.step(score, stopped)
	}
	before := d.bound
	if !d.sweep(stopped) {
		return false
	}
	if math.IsInf(score, -1) || math.IsInf(d.bound, -1) {
		return true
	}
	if d.stepped > 0 || before-d.bound < littleGain*(before-score) {
		d.stepped++
	}
	d.exclude(score)
	return true
}

const (
	stepsASweep = 16
	littleGain  = 0.03 // of the gap, by a sweep: from then on steps are worth more
)

// sweep goes over all nodes of both graphs, forth and back. It returns false if stopped was
// true on the way.
func (d *Dual) sweep(stopped func() bool) bool {
	for side := range d.view {
		if d.swept+side > 0 {
			d.lend(1 - side)
		}
		for _, back := range []bool{false, true} {
			if !d.pass(side, back, stopped) {
				return false
			}
		}
		d.sum()
		if stopped() {
			return false
		}
		if math.IsInf(d.bound, -1) {
			return true
		}
		d.assignNodes()
	}
	// Now that all tables were visited, none is worth more than 0: a node has collected it.
	d.bound = min(d.bound, d.last)
	d.swept++
	return true
}
