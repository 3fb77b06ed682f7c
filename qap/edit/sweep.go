package edit

import "math"

// slacks returns the value of a star, and of each of its places by how much, at least, a matching that has it falls
// short of that.
func (m *matcher) slacks(weight []int32, rows, columns int, slack []int32) int {
	switch {
	case min(rows, columns) > setSize || max(rows, columns) > largeStar:
	case rows < columns:
		return m.slacksBySets(weight, columns, rows, 1, columns, slack)
	default:
		return m.slacksBySets(weight, rows, columns, columns, 1, slack)
	}
	value := m.assigner.solve(rows, columns, weight, columns, true)
	for x := range rows {
		u := m.assigner.ofRow[x]
		for y := range columns {
			slack[x*columns+y] = int32(min(math.MaxInt32>>2, -u-m.assigner.ofColumn[y]-int(weight[x*columns+y])))
		}
	}
	return value
}

// slacksBySets matches one row after another with the columns of each set, from both ends.
func (m *matcher) slacksBySets(weight []int32, rows, columns, nextRow, nextColumn int, slack []int32) int {
	switch {
	case columns <= 2:
		return slacksOfTwo(weight, rows, columns, nextRow, nextColumn, slack)
	case columns == 3 && rows <= largeStar:
		return slacksOfThree(weight, rows, nextRow, nextColumn, slack)
	case columns == 4 && rows == 4:
		return slacksFourByFour(weight, slack)
	}
	size := 1 << columns
	m.after = resized(m.after, (rows+1)*size)
	clear(m.after[rows*size:][:size])
	for x := rows - 1; x >= 0; x-- {
		to := m.after[x*size:][:size]
		copy(to, m.after[(x+1)*size:][:size])
		addRow(to, weight[x*nextRow:], nextColumn)
	}
	value := m.after[size-1]
	best := m.best[:size]
	clear(best)
	for x := range rows {
		row, after := weight[x*nextRow:], m.after[(x+1)*size:][:size]
		for y := range columns {
			most, others := int32(0), (size-1)&^(1<<y)
			for set := others; ; set = (set - 1) & others {
				most = max(most, best[set]+after[others&^set])
				if set == 0 {
					break
				}
			}
			slack[x*nextRow+y*nextColumn] = value - most - row[y*nextColumn]
		}
		addRow(best, row, nextColumn)
	}
	return int(value)
}

// addRow lets a row have a column of each set.
func addRow(best, row []int32, nextColumn int) {
	for set := len(best) - 1; set > 0; set-- {
		value := best[set]
		for y, bit := 0, 1; bit <= set; y, bit = y+1, bit<<1 {
			if set&bit != 0 {
				value = max(value, best[set&^bit]+row[y*nextColumn])
			}
		}
		best[set] = value
	}
}

// slacksOfTwo is slacksBySets of one or two columns: a row goes with the best other one in the other column.
func slacksOfTwo(weight []int32, rows, columns, nextRow, nextColumn int, slack []int32) int {
	var first, second [2]int32 // of a column
	var at [2]int
	for y := range columns {
		for x := range rows {
			if w := weight[x*nextRow+y*nextColumn]; w > first[y] {
				first[y], second[y], at[y] = w, first[y], x
			} else {
				second[y] = max(second[y], w)
			}
		}
	}
	value := first[0] + first[1]
	if at[0] == at[1] {
		value = max(first[0]+second[1], second[0]+first[1])
	}
	for y := range columns {
		for x := range rows {
			other := first[1-y]
			if x == at[1-y] {
				other = second[1-y]
			}
			slack[x*nextRow+y*nextColumn] = value - other - weight[x*nextRow+y*nextColumn]
		}
	}
	return int(value)
}

// slacksOfThree is slacksBySets of three columns.
func slacksOfThree(weight []int32, rows, nextRow, nextColumn int, slack []int32) int {
	var after [largeStar + 1][6]int32 // of columns 0, 1, 2, 0 and 1, 0 and 2, 1 and 2
	for k := rows - 1; k >= 0; k-- {
		x, y, z := weight[k*nextRow], weight[k*nextRow+nextColumn], weight[k*nextRow+2*nextColumn]
		after[k] = threeMore(after[k+1], x, y, z)
	}
	x, y, z := weight[0], weight[nextColumn], weight[2*nextColumn]
	rest := &after[1]
	value := max(threeSets(weight[nextRow:], rows-1, nextRow, nextColumn), int(x+rest[5]), int(y+rest[4]), int(z+rest[3]))
	var before [6]int32
	for k := range rows {
		at := k * nextRow
		a, b := &before, &after[k+1]
		x, y, z := weight[at], weight[at+nextColumn], weight[at+2*nextColumn]
		slack[at] = int32(value) - x - max(a[5], b[5], a[1]+b[2], a[2]+b[1])
		slack[at+nextColumn] = int32(value) - y - max(a[4], b[4], a[0]+b[2], a[2]+b[0])
		slack[at+2*nextColumn] = int32(value) - z - max(a[3], b[3], a[0]+b[1], a[1]+b[0])
		before = threeMore(before, x, y, z)
	}
	return value
}

// threeMore lets a row have one of three columns.
func threeMore(b [6]int32, x, y, z int32) [6]int32 {
	return [6]int32{max(b[0], x), max(b[1], y), max(b[2], z), max(b[3], b[0]+y, b[1]+x), max(b[4], b[0]+z, b[2]+x), max(b[5], b[1]+z, b[2]+y)}
}

// slacksFourByFour is slacksBySets of four rows and columns: see fourByFour.
func slacksFourByFour(weight, slack []int32) int {
	var w [16]int32
	for k := range w {
		w[k] = max(weight[k], 0)
	}
	value := int32(fourByFour(weight))
	for half := 0; half < 16; half += 8 {
		here, there := w[half:half+8], w[8-half:16-half]
		for y := range 4 {
			a, b, c := (y+1)&3, (y+2)&3, (y+3)&3
			ab := max(there[a]+there[4+b], there[b]+there[4+a])
			ac := max(there[a]+there[4+c], there[c]+there[4+a])
			bc := max(there[b]+there[4+c], there[c]+there[4+b])
			slack[half+y] = value - weight[half+y] - max(here[4+a]+bc, here[4+b]+ac, here[4+c]+ab)
			slack[half+4+y] = value - weight[half+4+y] - max(here[a]+bc, here[b]+ac, here[c]+ab)
		}
	}
	return int(value)
}

// sweep goes over all stars, and gives each a half of what it could have more without a change of the bound, at the
// cost of its mates, whose matches weigh less then: the assignment after it may. Matches, and pairs of matches along
// edges, that are in nothing that saves more than best are ruled out on the way.
func (d *dual) sweep(best int, back bool) {
	d.sweeps++
	spare := d.assigned - (best+1)*d.unit // what may be lost
	n := d.n1 * d.n2
	for match := range n {
		if back {
			match = n - 1 - match
		}
		begin, end := d.first[match], d.first[match+1]
		if d.excluded[match] || begin == end {
			continue
		}
		i, a := match/d.n2, match%d.n2
		rows, columns := d.g1.degree(i), d.g2.degree(a)
		split := d.split[begin:end]
		d.slack = resized(d.slack, len(split))
		value := d.stars.slacks(split, rows, columns, d.slack)
		free := max(0, -d.assigner.ofRow[i]-d.assigner.ofColumn[a]-int(d.node[i*d.width+a])*d.unit-value)
		if free > spare {
			d.drop(match)
			continue
		}
		shares := int32(2 * min(rows, columns))
		for k, slack := range d.slack {
			id := begin + int32(k)
			mate := d.mate[id]
			if split[k] == ruledOut {
				continue
			}
			if slack += int32(free); int(slack) > spare {
				split[k], d.split[mate] = ruledOut, ruledOut
				continue
			}
			by := slack / shares
			split[k] += by
			d.split[mate] -= by
			if id < mate {
				d.part[id] = float64(split[k])
			} else {
				d.part[mate] = float64(d.split[mate])
			}
		}
		d.work += 4 * len(split)
	}
	for match := range n {
		if !d.excluded[match] {
			d.weigh(match)
		}
	}
}
