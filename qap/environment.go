package qap

import "math"

// EnvironmentOptions choose the rules of an Environment. The zero value is the
// paper's revocable environment (§4.2).
type EnvironmentOptions struct {
	// Irrevocable restricts actions to the available set, vertices that
	// conflict with no match (paper, equation 2; its "w/o rev.").
	Irrevocable bool
	// Release makes choosing a matched vertex an action: it releases that
	// match. Otherwise matched vertices are masked. It applies to instances
	// whose solutions need not be complete.
	Release bool
	// Autofill matches the last free node of graph 1 to the last free node of
	// graph 2 in the step that leaves just these, since nothing else is left to
	// choose: on a complete assignment a step is then a swap. It applies to
	// instances whose solutions are complete.
	Autofill bool
	// Goal says which matchings are solutions and which is the best. Its seeds are
	// matched from the start and masked, as is what would release them. With a
	// count of inliers, what would exceed it is masked and Release is off. Its
	// regularizer applies to instances whose solutions need not be complete.
	Goal Goal
	// StopAtInliers ends an episode at the count of inliers, as the paper does (§4.3.1):
	// nothing is left to choose there. Otherwise it goes on among matchings of that size.
	StopAtInliers bool
	// Form says how ValueChanges reckons with the regularizer (RegularizedExact).
	Form RegularizedForm
}

// Environment is the revocable decision process over one instance: a state is a
// matching, an action is a vertex of the association graph. It keeps exact
// gains, so that the change of score of every action costs O(n1·n2) altogether.
// A step allocates nothing. Not for use by several goroutines at once.
type Environment struct {
	instance *Instance
	affinity Affinity
	kb       *KoopmansBeckmann // affinity, where it has this form
	options  EnvironmentOptions
	n1, n2   int
	least    int    // matches of a solution, at least
	most     int    // and at most
	seed1    []bool // nodes of graph 1 in seeds
	seed2    []bool // nodes of graph 2 in seeds

	match   []int     // node of graph 1 → node of graph 2, or Unmatched
	inverse []int     // node of graph 2 → node of graph 1, or Unmatched
	size    int       // matches
	score   float64   // J of the matching
	gains   []float64 // per vertex, see Gains
	steps   int

	released, added [2]int // vertices of the last step
	nReleased       int
	nAdded          int

	best        Matching
	bestScore   float64
	bestValue   float64 // Goal.Value of it; −Inf before the first solution
	bestStep    int
	changes     []float64 // ValueChanges of the current state
	value       float64
	changesLive bool
	sums        freeSums
	incremental *incremental // keeps changes of score, nil where they are computed anew
	barred      []bool       // per vertex, see Bar
}

// NewEnvironment returns the environment of an instance, at the empty matching or
// the seeds. It panics if the goal is none of the instance (see Goal.Check).
func NewEnvironment(in *Instance, options EnvironmentOptions) *Environment {
	e := &Environment{}
	e.Renew(in, options)
	return e
}

// Renew makes e what NewEnvironment returns, in the memory that e has: it allocates only
// where that is too little. The zero value may be renewed.
func (e *Environment) Renew(in *Instance, options EnvironmentOptions) {
	n1, n2 := in.Size()
	old := *e
	*e = Environment{
		instance: in, affinity: in.Affinity, options: options, n1: n1, n2: n2,
		seed1: zeros(old.seed1, n1), seed2: zeros(old.seed2, n2),
		match: zeros(old.match, n1), inverse: zeros(old.inverse, n2),
		gains: zeros(old.gains, n1*n2), changes: zeros(old.changes, n1*n2), barred: zeros(old.barred, n1*n2),
		best: zeros(old.best, n1), sums: old.sums,
	}
	e.best.clear()
	e.options.Autofill = options.Autofill && in.Complete
	e.options.Release = options.Release && !in.Complete && options.Goal.Inliers == 0
	if in.Complete {
		e.options.Goal.Regularizer = Regularizer{}
	}
	e.setGoal()
	if kb, ok := in.Affinity.(*KoopmansBeckmann); ok {
		e.kb = kb
		e.sums.renew(n1, n2)
	}
	// Where Autofill makes matches of its own, a change depends on more than it touches.
	if rows, ok := in.Affinity.(Rows); ok && !(e.options.Autofill && n1 == n2) {
		e.incremental = old.incremental.renewed(e, rows)
	}
	e.Reset(nil)
}

// Forget drops the instance, and keeps the memory for Renew, which must come next.
func (e *Environment) Forget() {
	e.instance, e.affinity, e.kb, e.options = nil, nil, nil, EnvironmentOptions{}
	if e.incremental != nil {
		e.incremental.rows = nil
	}
}

// zeros returns n zeros, in the memory of s where that is enough.
func zeros[S ~[]E, E any](s S, n int) S {
	if s == nil || cap(s) < n {
		return make(S, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Reset returns to step 0 of a new episode that starts from a matching; nil is
// the empty one. Seeds replace the matches that conflict with them, and matches
// beyond the count of inliers are left out. It panics if initial is not a matching
// of the instance (see Instance.CheckMatching).
func (e *Environment) Reset(initial Matching) { e.ResetUntil(initial, nil) }

// ResetUntil is Reset that asks over, if it is not nil, whether to stop before each match: on
// graphs of a thousand nodes all of them take most of a second. Where it did, it returns false,
// and the episode starts from the matches made until then.
func (e *Environment) ResetUntil(initial Matching, over func() bool) (whole bool) {
	for i := range e.match {
		e.match[i] = Unmatched
	}
	for a := range e.inverse {
		e.inverse[a] = Unmatched
	}
	whole = true
	e.size, e.score, e.steps = 0, 0, 0
	e.affinity.Diagonal(e.gains)
	e.forgetChanges()
	for i, a := range e.options.Goal.Fixed {
		if a != Unmatched {
			e.add(i, a)
		}
	}
	for i, a := range initial {
		if a == Unmatched || e.seed1[i] || e.seed2[a] || e.size == e.most {
			continue
		}
		if e.match[i] != Unmatched || e.inverse[a] != Unmatched {
			panic("qap: Reset with a matching that uses a node twice")
		}
		if whole = over == nil || !over(); !whole {
			break
		}
		e.add(i, a)
	}
	e.nReleased, e.nAdded = 0, 0
	e.bestValue, e.bestStep = math.Inf(-1), 0
	e.afterChange()
	return whole
}

// Step matches vertex v after releasing the at most two matches that conflict
// with it (paper §4.2), and returns the change of the score. If v is matched
// already it is released where the options say so, and otherwise nothing
// changes. With Autofill a forced last match is made in the same step.
func (e *Environment) Step(v int) float64 {
	before := e.score
	i, a := v/e.n2, v%e.n2
	e.steps++
	e.nReleased, e.nAdded = 0, 0
	switch {
	case e.match[i] != a && e.kb != nil && e.options.Autofill && e.swaps():
		e.swap(i, e.inverse[a])
	case e.match[i] != a:
		if b := e.match[i]; b != Unmatched {
			e.release(i, b)
		}
		if j := e.inverse[a]; j != Unmatched {
			e.release(j, a)
		}
		e.add(i, a)
		if j, b, forced := e.forced(); forced && e.options.Autofill {
			e.add(j, b)
		}
	case e.options.Release:
		e.release(i, a)
	}
	e.afterChange()
	return e.score - before
}

// forced returns the only vertex left to choose, if one node of each graph is
// free.
func (e *Environment) forced() (i, a int, ok bool) {
	if e.n1 != e.n2 || e.size != e.n1-1 {
		return 0, 0, false
	}
	for i = range e.match {
		if e.match[i] == Unmatched {
			break
		}
	}
	for a = range e.inverse {
		if e.inverse[a] == Unmatched {
			break
		}
	}
	return i, a, true
}

func (e *Environment) add(i, a int) {
	v := i*e.n2 + a
	e.score += e.gains[v]
	if e.incremental != nil {
		e.incremental.match(v, i, a)
	} else {
		e.affinity.AddRow(e.gains, v, 2)
	}
	e.match[i], e.inverse[a] = a, i
	e.size++
	if e.nAdded < len(e.added) {
		e.added[e.nAdded] = v
		e.nAdded++
	}
}

func (e *Environment) release(i, a int) {
	v := i*e.n2 + a
	if e.incremental != nil {
		e.incremental.release(v, i, a)
	} else {
		e.affinity.AddRow(e.gains, v, -2)
	}
	e.score -= e.gains[v]
	e.match[i], e.inverse[a] = Unmatched, Unmatched
	e.size--
	e.released[e.nReleased] = v
	e.nReleased++
}

// afterChange keeps the best solution and forgets what was computed for the
// state before.
func (e *Environment) afterChange() {
	e.changesLive = false
	score, size := e.score, e.size
	i, a, forced := 0, 0, false
	if !e.AtSolution() {
		if i, a, forced = e.forced(); !forced {
			return
		}
		score += e.gains[i*e.n2+a]
		size++
	}
	value := e.options.Goal.Value(e.instance, score, size)
	if !e.improves(value) {
		return
	}
	e.bestScore, e.bestValue, e.bestStep = score, value, e.steps
	copy(e.best, e.match)
	if forced {
		e.best[i] = a
	}
}

// rounding is the relative error that sums of gains may gather.
const rounding = 1e-12

// improves reports whether a value beats the best by more than rounding.
func (e *Environment) improves(value float64) bool {
	return !e.HasBest() || value > e.bestValue+rounding*math.Abs(e.bestValue)
}

// Instance returns the instance.
func (e *Environment) Instance() *Instance { return e.instance }

// Options returns the rules in force.
func (e *Environment) Options() EnvironmentOptions { return e.options }

// Size returns the numbers of nodes of the two graphs.
func (e *Environment) Size() (n1, n2 int) { return e.n1, e.n2 }

// Steps returns the number of steps since Reset.
func (e *Environment) Steps() int { return e.steps }

// Matched returns how many matches the state has.
func (e *Environment) Matched() int { return e.size }

// Remaining returns how many more matches the largest solution has.
func (e *Environment) Remaining() int { return e.most - e.size }

// Match returns the partner of node i of graph 1, or Unmatched.
func (e *Environment) Match(i int) int { return e.match[i] }

// Inverse returns the partner of node a of graph 2, or Unmatched.
func (e *Environment) Inverse(a int) int { return e.inverse[a] }

// Matching returns a copy of the current matching.
func (e *Environment) Matching() Matching { return append(Matching(nil), e.match...) }

// AtSolution reports whether the current matching is a solution.
func (e *Environment) AtSolution() bool {
	return e.size >= e.least && e.size <= e.most
}

// Score returns J of the current matching.
func (e *Environment) Score() float64 { return e.score }

// Gains returns, for every vertex p, K[p,p] + 2·Σ K[p,q] over the matched
// vertices q: what a match p adds to the score beside those that do not conflict
// with it. The slice belongs to the environment and holds until the next step.
func (e *Environment) Gains() []float64 { return e.gains }

// Released returns the vertices that the last step released; Added those that it
// matched. The slices belong to the environment and hold until the next step.
func (e *Environment) Released() []int { return e.released[:e.nReleased] }

// Added returns the vertices that the last step matched (see Released).
func (e *Environment) Added() []int { return e.added[:e.nAdded] }

// Best returns the best solution since Reset and its score, if there is one. One
// that lacks only a forced match counts as if it were made. The slice belongs to
// the environment and holds until the next step.
func (e *Environment) Best() (Matching, float64) { return e.best, e.bestScore }

// BestValue returns what makes the best solution the best, its regularised score;
// −Inf before there is one.
func (e *Environment) BestValue() float64 { return e.bestValue }

// HasBest reports whether a solution was seen since Reset.
func (e *Environment) HasBest() bool { return !math.IsInf(e.bestValue, -1) }

// BestStep returns the step at which the best solution was found.
func (e *Environment) BestStep() int { return e.bestStep }

// Needed returns the change of value above which an action makes a new best
// solution (see ValueChanges), +Inf before the first one.
func (e *Environment) Needed() float64 {
	if !e.HasBest() {
		return math.Inf(1)
	}
	return e.bestValue + rounding*math.Abs(e.bestValue) - e.Value()
}
