package qap

// setGoal prepares what the goal masks.
func (e *Environment) setGoal() {
	goal := e.options.Goal
	if err := goal.Check(e.instance); err != nil {
		panic(err)
	}
	e.least, e.most = goal.Sizes(e.instance)
	e.seed1, e.seed2 = make([]bool, e.n1), make([]bool, e.n2)
	for i, a := range goal.Fixed {
		if a != Unmatched {
			e.seed1[i], e.seed2[a] = true, true
		}
	}
}

// Allowed tells whether choosing v is an action in this state.
func (e *Environment) Allowed(v int) bool { return e.AllowedMatch(v/e.n2, v%e.n2) }

// AllowedMatch tells whether choosing the vertex (i,a) is an action in this state.
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

// Finished tells whether no action is left.
func (e *Environment) Finished() bool {
	if e.options.Irrevocable && !e.options.Release {
		return e.size == e.most
	}
	// The only vertex of a 1×1 instance cannot be chosen twice.
	return e.n1*e.n2 == 0 || e.n1*e.n2 == e.size && !e.options.Release
}
