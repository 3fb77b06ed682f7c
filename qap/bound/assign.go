package bound

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// assignNodes solves the assignment of nodes by what they are worth, and bounds by it.
func (d *Dual) assignNodes() {
	if d.count > 0 {
		d.assignCount()
	} else {
		d.assignAny()
	}
	bound, size := -d.reward*float64(d.count), math.Abs(d.reward)*float64(d.count)
	for side := range d.price {
		for _, price := range d.price[side] {
			bound += price
			size += math.Abs(price)
		}
	}
	d.last = bound + rounding*size
}

// assignAny leaves nodes without a partner that gain nothing by one.
func (d *Dual) assignAny() {
	for i := range d.n1 {
		for a := range d.n2 {
			p := i*d.n2 + a
			d.gain[p] = max(0, d.node[p]-d.single[0][i]-d.single[1][a])
		}
	}
	d.matched = append(d.matched[:0], d.assign.MaximizeAgain(d.gain, d.n1, d.n2)...)
	rows, columns := d.assign.Duals()
	// Gains are not negative, so the dual values of one side can be raised by what those of
	// the other are above 0.
	shift := 0.
	if d.n1 == d.n2 && d.n1 > 0 {
		shift = columns[0]
		for _, c := range columns {
			shift = min(shift, c)
		}
	}
	for i, r := range rows {
		d.price[0][i] = max(0, r+shift) + d.single[0][i]
		if a := d.matched[i]; a != qap.Unmatched && d.gain[i*d.n2+a] == 0 {
			d.matched[i] = qap.Unmatched
		}
	}
	for a, c := range columns {
		d.price[1][a] = max(0, c-shift) + d.single[1][a]
	}
}

// assignCount makes as many matches as are wanted: nodes that remain are matched with
// nodes that stand for none.
func (d *Dual) assignCount() {
	rows, columns := d.n1+d.n2-d.count, d.n1+d.n2-d.count
	if len(d.gain) < rows*columns {
		d.gain = make([]float64, rows*columns)
	}
	gain := d.gain[:rows*columns]
	largest := 0.
	for i := range d.n1 {
		row := gain[i*columns : (i+1)*columns]
		copy(row, d.node[i*d.n2:(i+1)*d.n2])
		for a := d.n2; a < columns; a++ {
			row[a] = d.single[0][i]
		}
		for _, g := range row {
			if g > -d.never/2 {
				largest = max(largest, math.Abs(g))
			}
		}
	}
	forbidden := -4 * largest * float64(rows)
	for p, out := range d.excluded {
		if out {
			gain[p/d.n2*columns+p%d.n2] = forbidden
		}
	}
	for i := d.n1; i < rows; i++ {
		row := gain[i*columns : (i+1)*columns]
		copy(row, d.single[1])
		for a := d.n2; a < columns; a++ {
			row[a] = forbidden
		}
	}
	assigned := d.assign.MaximizeAgain(gain, rows, columns)
	r, c := d.assign.Duals()
	least := func(values []float64) float64 { // of nodes that stand for none
		if len(values) == 0 {
			return 0
		}
		m := values[0]
		for _, v := range values {
			m = min(m, v)
		}
		return m
	}
	none1, none2 := least(c[d.n2:]), least(r[d.n1:])
	d.reward = none1 + none2
	for i := range d.n1 {
		d.price[0][i] = r[i] + none1
	}
	for a := range d.n2 {
		d.price[1][a] = c[a] + none2
	}
	d.matched = append(d.matched[:0], assigned[:d.n1]...)
	for i, a := range d.matched {
		if a >= d.n2 {
			d.matched[i] = qap.Unmatched
		}
	}
}
