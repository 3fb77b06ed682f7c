package qap

// Value returns what a policy should raise in the current state.
//
// Where the affinity has Koopmans–Beckmann form and solutions are complete, it
// is the potential V: the expected score of a uniformly random completion of the
// matching, since the score of a partial assignment says little. Elsewhere it is
// the score, regularised where the goal says so.
func (e *Environment) Value() float64 {
	e.refresh()
	return e.value
}

// ValueChanges returns the exact change of Value that Step would make, for every
// vertex (of a regularised one in the form that the options name, see
// RegularizedChanges); 0 for vertices that are masked because they are matched. It costs
// O(n1·n2) once a state. The slice belongs to the environment and holds until
// the next step.
func (e *Environment) ValueChanges() []float64 {
	e.refresh()
	if e.keepsBest() {
		return e.incremental.changes
	}
	return e.changes
}

func (e *Environment) refresh() {
	if e.changesLive {
		return
	}
	e.changesLive = true
	switch {
	case e.swaps():
		e.value = e.score
		e.swapChanges()
	case e.kb != nil && e.instance.Complete:
		e.potentialChanges()
	case e.keepsBest():
		e.value = e.score
		e.incremental.refresh()
	default:
		goal := &e.options.Goal
		e.value = goal.Value(e.instance, e.score, e.size)
		e.RegularizedChanges(e.changes, goal.Regularizer, e.options.Form)
	}
}

// ScoreChanges writes into dst the exact change of score that Step would return
// for every vertex, one number a vertex, and returns dst; 0 for matched
// vertices unless they can be released.
func (e *Environment) ScoreChanges(dst []float64) []float64 {
	dst = dst[:e.n1*e.n2]
	e.scoreChanges(dst)
	return dst
}

// forgetChanges makes the changes of score be computed afresh.
func (e *Environment) forgetChanges() {
	e.changesLive = false
	if e.incremental != nil {
		e.incremental.stale = true
	}
}

func (e *Environment) scoreChanges(dst []float64) {
	if e.incremental != nil {
		e.incremental.refresh()
		copy(dst, e.incremental.changes)
		return
	}
	n2 := e.n2
	for i, b := range e.match {
		gains := e.gains[i*n2 : (i+1)*n2]
		out := dst[i*n2 : (i+1)*n2]
		for a, k := range e.inverse {
			switch {
			case b == Unmatched && k == Unmatched:
				out[a] = gains[a]
			case b == Unmatched:
				out[a] = gains[a] - e.gains[k*n2+a]
			case k == Unmatched:
				out[a] = gains[a] - gains[b]
			case k == i:
				out[a] = 0
				if e.options.Release {
					out[a] = -gains[a]
				}
			default:
				out[a] = gains[a] - gains[b] - e.gains[k*n2+a] + 2*e.affinity.At(i*n2+b, k*n2+a)
			}
		}
	}
	if e.options.Autofill && e.n1 == e.n2 && e.size >= e.n1-2 {
		e.addForced(dst)
	}
}

// addForced adds to each change of score what the match that Autofill makes
// after the action brings.
func (e *Environment) addForced(dst []float64) {
	n2 := e.n2
	for p := range dst {
		i, a := p/n2, p%n2
		b, k := e.match[i], e.inverse[a]
		conflicts := 0
		if b == a {
			continue
		}
		if b != Unmatched {
			conflicts++
		}
		if k != Unmatched {
			conflicts++
		}
		if e.size-conflicts+1 != e.n1-1 {
			continue
		}
		// The node of each graph that is free once p is matched.
		j, c := k, b
		if k == Unmatched {
			j = e.freeNode(e.match, i)
		}
		if b == Unmatched {
			c = e.freeNode(e.inverse, a)
		}
		r := j*n2 + c
		// What is released conflicts with r, so r's gain does not hold it.
		dst[p] += e.gains[r] + 2*e.affinity.At(r, p)
	}
}

// freeNode returns the free node other than except.
func (e *Environment) freeNode(partners []int, except int) int {
	for i, a := range partners {
		if a == Unmatched && i != except {
			return i
		}
	}
	return except
}
