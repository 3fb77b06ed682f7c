package qap

// CopyFrom puts e into the state of another environment of the same instance, at
// the same step of its episode. It allocates nothing.
func (e *Environment) CopyFrom(o *Environment) {
	if e.instance != o.instance {
		panic("qap: CopyFrom an environment of another instance")
	}
	copy(e.match, o.match)
	copy(e.inverse, o.inverse)
	copy(e.gains, o.gains)
	copy(e.best, o.best)
	e.size, e.score, e.steps = o.size, o.score, o.steps
	e.released, e.nReleased = o.released, o.nReleased
	e.added, e.nAdded = o.added, o.nAdded
	e.bestScore, e.bestValue, e.bestStep = o.bestScore, o.bestValue, o.bestStep
	e.forgetChanges()
}
