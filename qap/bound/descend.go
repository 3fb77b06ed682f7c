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

// step moves the multipliers against the disagreement between the choices of all problems,
// as far as would lower the bound to a score if it were a plane: Polyak's rule. A single step
// may raise the bound; the least counts. It returns false if stopped was true on the way.
func (d *Dual) step(score float64, stopped func() bool) bool {
	d.sum()
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
		d.move(inverse, (value-score)/norm)
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

// move moves the multipliers of all choices that disagree by a step.
func (d *Dual) move(inverse qap.Matching, step float64) {
	k := 0
	for side := range d.view {
		v := &d.view[side]
		partner := [2]qap.Matching{d.matched, inverse}[side]
		for t := range v.tables {
			table := &v.tables[t]
			for end, l := range d.choices[k].label {
				if m := v.labelOf(partner[table.node[end]]); m != l {
					d.charge(table.message[end], l, step)
					d.charge(table.message[end], m, -step)
				}
			}
			k++
		}
	}
	for _, e := range d.touched {
		if s := d.taken[e]; s != 0 {
			d.view[0].value[e] -= step * float64(s)
			d.view[1].value[d.inSecond[e]] = d.weight[e] - d.view[0].value[e]
		}
	}
}

// charge changes what a choice was paid out, unless it is excluded.
func (d *Dual) charge(message []float64, l int32, by float64) {
	if message[l] < d.never/2 {
		message[l] += by
	}
}

// choose returns the best choice of a table and what it is worth.
func (v *view) choose(t *table) (choice, float64) {
	v.maximums(t, int(t.node[0]))
	best, first := math.Inf(-1), int32(0)
	for l, w := range v.out {
		if (l < v.labels || !v.forced) && w > best {
			best, first = w, int32(l)
		}
	}
	c := choice{[2]int32{first, int32(v.top[0])}, -1}
	if int(first) == v.labels {
		return c, best
	}
	other, most := t.message[1], math.Inf(-1)
	for k, o := range v.top {
		if v.held[first]&(1<<k) == 0 && o != int(first) {
			c.label[1], most = int32(o), -other[o]
			break
		}
	}
	for k := t.from; k < t.to; k++ {
		if int32(v.x[k]) == first {
			if w := v.value[k] - other[v.y[k]]; w >= most {
				most, c.label[1], c.affinity = w, int32(v.y[k]), k
			}
		}
	}
	return c, best
}
