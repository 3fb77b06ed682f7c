package qap

// setGoal prepares what the goal masks.
func (e *Environment) setGoal() {
	goal := e.options.Goal
	if err := goal.Check(e.instance); err != nil {
		panic(err)
	}
	e.least, e.most = goal.Sizes(e.instance)
	for i, a := range goal.Fixed {
		if a != Unmatched {
			e.seed1[i], e.seed2[a] = true, true
		}
	}
}

// Allowed reports whether choosing v is an action in this state.
func (e *Environment) Allowed(v int) bool { return e.AllowedMatch(v/e.n2, v%e.n2) }

// AllowedMatch reports whether choosing the vertex (i,a) is an action in this state.
func (e *Environment) AllowedMatch(i, a int) bool {
	b, k := e.match[i], e.inverse[a]
	switch {
	case e.seed1[i] || e.seed2[a]:
		return false
	case b == a:
		return e.options.Release
	case b == Unmatched && k == Unmatched:
		return e.size < e.most
	}
	return !e.options.Irrevocable
}

// Finished reports whether no action is left.
func (e *Environment) Finished() bool {
	if e.options.Irrevocable && !e.options.Release || e.options.StopAtInliers && e.options.Goal.Inliers > 0 {
		return e.size == e.most
	}
	// The only vertex of a 1×1 instance cannot be chosen twice.
	return e.n1*e.n2 == 0 || e.n1*e.n2 == e.size && !e.options.Release
}

// Bar takes a vertex out of what BestAction considers, or puts it back. What is
// barred stays so through Reset.
func (e *Environment) Bar(v int, barred bool) {
	if e.barred[v] == barred {
		return
	}
	e.barred[v] = barred
	if e.incremental != nil {
		e.incremental.bar(v, barred)
	}
}

// BestAction returns the action with the largest change of value, of those that are
// not barred, and the first of equal ones; ok is false where there is none. On Rows
// without a regularizer it costs what the steps since the last call touched, and
// O(n1), elsewhere O(n1·n2).
func (e *Environment) BestAction() (v int, change float64, ok bool) {
	changes := e.ValueChanges()
	best := -1
	if e.keepsBest() {
		best = e.incremental.bestVertex()
	} else {
		for v, change := range changes {
			if (best < 0 || change > changes[best]) && !e.barred[v] && e.Allowed(v) {
				best = v
			}
		}
	}
	if best < 0 {
		return 0, 0, false
	}
	return best, changes[best], true
}

// keepsBest reports whether the best action is known without a look at all of them:
// where value is the score, and its changes are kept.
func (e *Environment) keepsBest() bool {
	return e.incremental != nil && e.options.Goal.Regularizer.None()
}
