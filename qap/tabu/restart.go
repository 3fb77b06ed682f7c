package tabu

// Restarts in Go: the same as kernel_restart.h, on the same memory.

// restartGo begins a search at p, with no swap tabu and the clock at 0.
func (t *search[C, T]) restartGo() {
	s, n, width := t.s, int(t.s.n), int(t.s.width)
	s.cost = t.setPotentials()
	for term := range int(s.terms) {
		clear(t.u[term]) // no swap is pending
		clear(t.wFacility[term])
	}
	for i := range n {
		t.setNear(i, t.near[0])
		t.setDeltaRow(i, t.near[0], false)
		for k := range n {
			t.until[i*width+k], t.untilByLocation[i*width+k], t.pairUntil[i*width+k] = -1, -1, -1
		}
		t.pairUntil[i*width+i] = forever[T]()
		t.oldest[i] = -1
	}
	copy(t.bestP, t.p)
	s.clock, s.best, s.bestStep = 0, s.cost, s.step
}

// setPotentials computes the potentials of p anew, and returns the cost of p.
func (t *search[C, T]) setPotentials() float64 {
	n, width := int(t.s.n), int(t.s.width)
	twice := 0.0 // every pair of facilities counts for both
	for i := range n {
		potential := t.potential[i*width : (i+1)*width]
		if t.linear == nil {
			clear(potential)
		} else {
			copy(potential, t.linear[i*width:])
		}
		for term := range int(t.s.terms) {
			for k := range n {
				if flow := t.flow[term][k*width+i]; flow != 0 {
					d := int(t.p[k])
					addScaled(potential, flow, t.distance[term][d*width:(d+1)*width])
				}
			}
		}
		at := i*width + int(t.p[i])
		t.held[i] = t.potential[at]
		twice += float64(t.held[i])
		if t.linear != nil {
			twice += float64(t.linear[at])
		}
	}
	return twice / 2
}
