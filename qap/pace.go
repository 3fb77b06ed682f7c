package qap

// Interruptible is an affinity whose products with vectors, which take long on large graphs,
// can be stopped on the way: all forms of this package are.
type Interruptible interface {
	Affinity
	// MultiplyUntil is Multiply, and asks over every so often whether to stop. Where it
	// did, it returns false, and dst is of no use. A nil over never stops.
	MultiplyUntil(dst, x []float64, over func() bool) (whole bool)
}

// pace asks whether to stop once so much work is done: a fraction of a millisecond.
type pace struct {
	over func() bool
	done int // multiplications since it was asked last
}

// workBetweenLooks is in multiplications.
const workBetweenLooks = 1 << 16

// stops counts work, and reports whether to stop.
func (p *pace) stops(work int) bool {
	if p.over == nil {
		return false
	}
	if p.done += work; p.done < workBetweenLooks {
		return false
	}
	p.done = 0
	return p.over()
}
