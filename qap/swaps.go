package qap

// AtSwaps reports whether the actions are the swaps of a complete assignment, all of
// them: i goes to the node a that k holds, and k to i's old node b. Two vertices, (i,a)
// and (k,b), name each swap and have the same change of value; matched vertices are
// masked.
func (e *Environment) AtSwaps() bool {
	return e.swaps() && !e.options.Irrevocable && e.options.Goal.Fixed == nil
}

// swaps reports whether value is the score and an action changes it as a swap does: on a
// complete assignment where Autofill makes the swap's second match, or V reckons with
// it since it is forced.
func (e *Environment) swaps() bool {
	return e.n1 == e.n2 && e.size == e.n1 && (e.options.Autofill || e.kb != nil && e.instance.Complete)
}

// swapChanges writes the change of score of every swap. Source of the formula for A
// and B: Burkard, Rendl, European J. Operational Research 17 (1984),
// doi:10.1016/0377-2217(84)90231-5.
func (e *Environment) swapChanges() {
	n, kb := e.n1, e.kb
	for i, b := range e.match {
		e.changes[i*n+b] = 0
		gains := e.gains[i*n : (i+1)*n]
		for k := range i {
			a := e.match[k]
			change := gains[a] + e.gains[k*n+b] - gains[b] - e.gains[k*n+a]
			if kb != nil {
				change += kb.sign * kb.as[i*n+k] * kb.bs[a*n+b]
			} else {
				change += 2 * (e.affinity.At(i*n+b, k*n+a) + e.affinity.At(i*n+a, k*n+b))
			}
			e.changes[i*n+a], e.changes[k*n+b] = change, change
		}
	}
}

// swap takes the step of two releases and two matches on a complete assignment of
// Koopmans–Beckmann form at once: gains change in one pass, not in four.
func (e *Environment) swap(i, k int) {
	n, kb := e.n1, e.kb
	b, a := e.match[i], e.match[k]
	e.score += e.gains[i*n+a] + e.gains[k*n+b] - e.gains[i*n+b] - e.gains[k*n+a] +
		kb.sign*kb.as[i*n+k]*kb.bs[a*n+b]
	kb.addSwap(e.gains, i, k, a, b, 2)
	e.match[i], e.match[k] = a, b
	e.inverse[a], e.inverse[b] = i, k
	e.released, e.nReleased = [2]int{i*n + b, k*n + a}, 2
	e.added, e.nAdded = [2]int{i*n + a, k*n + b}, 2
}
