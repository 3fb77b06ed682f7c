package bound

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// choice is what a table chooses: labels of its two nodes, the last for no partner, and the
// affinity between them, −1 for none.
type choice struct {
	label    [2]int32
	affinity int32
}

// direction is what steps change, one number for each of a view: the shares of affinities,
// what choices were paid out, and what that brings to no partner.
type direction struct{ value, message, single []float64 }

// step moves the multipliers against the disagreement between the choices of all problems,
// in the mean with the steps before, as far as would lower the bound to a score if it were a
// plane: Polyak's rule. A single step may raise the bound; the least counts. It returns
// false if stopped was true on the way.
func (d *Dual) step(score float64, stopped func() bool) bool {
	if stopped() {
		return false
	}
	d.assignNodes()
	inverse := d.inverse()
	value, norm := d.last, 0.0
	d.choices = d.choices[:0]
	for side := range d.view {
		v := &d.view[side]
		partner := [2]qap.Matching{d.matched, inverse}[side]
		for t := range v.tables {
			c, worth := v.choose(&v.tables[t])
			d.choices = append(d.choices, c)
			value += worth
			for end, x := range v.tables[t].node {
				if v.labelOf(partner[x]) != c.label[end] {
					norm += 2
				}
			}
		}
		if stopped() {
			d.choices = d.choices[:0]
			return false
		}
	}
	norm += d.split()
	d.bound = min(d.bound, value+rounding*math.Abs(value))
	if norm > 0 && value > score {
		d.turn(inverse, norm)
		d.move((value - score) / d.length)
	}
	for _, e := range d.touched {
		d.taken[e] = 0
	}
	return true
}

// inverse returns the partners of the nodes of graph 2.
func (d *Dual) inverse() qap.Matching {
	inverse := d.partner2
	for a := range inverse {
		inverse[a] = qap.Unmatched
	}
	for i, a := range d.matched {
		if a != qap.Unmatched {
			inverse[a] = i
		}
	}
	return inverse
}

// labelOf returns the label of a partner.
func (v *view) labelOf(partner int) int32 {
	if partner == qap.Unmatched {
		return int32(v.labels)
	}
	return int32(partner)
}

// split counts the affinities that only one side takes, and notes which one does.
func (d *Dual) split() (norm float64) {
	d.touched = d.touched[:0]
	for k, c := range d.choices {
		if e := c.affinity; e >= 0 {
			side := int8(1)
			if k >= len(d.view[0].tables) {
				side, e = -1, d.inFirst[e]
			}
			d.taken[e] += side
			d.touched = append(d.touched, e)
		}
	}
	for _, e := range d.touched {
		if d.taken[e] != 0 {
			norm++
		}
	}
	return norm
}

// turn makes the direction the sum of what disagrees, whose squared length is norm, and
// of the direction before at the same length.
func (d *Dual) turn(inverse qap.Matching, norm float64) {
	if d.length > 0 {
		d.scale *= math.Sqrt(norm / d.length)
	}
	if d.length == 0 || d.scale < 1e-100 || d.scale > 1e100 {
		d.forgetDirection()
	}
	k, unit, product := 0, 1/d.scale, 0.0
	for side := range d.view {
		v := &d.view[side]
		partner := [2]qap.Matching{d.matched, inverse}[side]
		for t := range v.tables {
			for end, l := range d.choices[k].label {
				if m := v.labelOf(partner[v.tables[t].node[end]]); m != l {
					product += d.charge(side, t, end, l, unit)
					product -= d.charge(side, t, end, m, -unit)
				}
			}
			k++
		}
	}
	first, second := d.view[0].direction.value, d.view[1].direction.value
	for _, e := range d.touched {
		if s := float64(d.taken[e]); s != 0 {
			product -= s * first[e]
			first[e] -= s * unit
			second[d.inSecond[e]] += s * unit
		}
	}
	before := norm // squared length of the earlier part
	if d.length == 0 {
		before = 0
	}
	d.length = max(norm+before+2*product*d.scale, norm/100)
}

// charge adds to the direction of what a table was paid out for a choice, and returns what
// that was before.
func (d *Dual) charge(side, table, end int, l int32, by float64) float64 {
	v := &d.view[side]
	at := &v.direction.message[(2*table+end)*(v.labels+1)+int(l)]
	before, x := *at, int(v.tables[table].node[end])
	*at += by
	if int(l) == v.labels {
		v.direction.single[x] += by
	} else {
		step, first := d.steps(side, x)
		d.slope[first+step*int(l)] += by
	}
	return before
}

// forgetDirection lets the next step take only what disagrees then.
func (d *Dual) forgetDirection() {
	clear(d.slope)
	for side := range d.view {
		clear(d.view[side].direction.value)
		clear(d.view[side].direction.message)
		clear(d.view[side].direction.single)
	}
	d.scale, d.length = 1, 0
}

// move moves the multipliers along the direction. What is excluded stays so.
func (d *Dual) move(step float64) {
	step *= d.scale
	for side := range d.view {
		v := &d.view[side]
		limit := d.never / 2
		for k, x := range v.direction.message {
			if x != 0 && v.message[k] < limit {
				v.message[k] += step * x
			}
		}
		for e, x := range v.direction.value {
			v.value[e] += step * x
		}
		for i, x := range v.direction.single {
			d.single[side][i] += step * x
		}
	}
	for p, x := range d.slope {
		if !d.excluded[p] {
			d.node[p] += step * x
		}
	}
}
