package edit

import "math"

// transporter maximises the sum of weights over ways to send the members of rows to columns, as assigner does where every
// row and every column has one member: by shortest augmenting paths, with duals of the same meaning.
type transporter struct {
	flow     []int32 // [row, column]
	ofRow    []int   // duals
	ofColumn []int

	n, m     int
	weight   []int32
	optional bool
	left     []int32 // members of rows that are not sent
	spare    []int32 // places of columns that are free
	toNone   []int32 // members of rows that have no column
	distance []int   // of columns
	before   []int32 // the row from which a column was reached
	open     []bool  // columns that were not scanned
	at       []int   // distances of rows, -1 where a row was not reached
	by       []int32 // the column from which a row was reached
}

// solve sends so many members of each row; where optional is false columns must have places for all.
func (t *transporter) solve(members, places, weight []int32, optional bool) (sum int) {
	t.n, t.m, t.weight, t.optional = len(members), len(places), weight, optional
	t.flow, t.ofRow, t.ofColumn = resized(t.flow, t.n*t.m), resized(t.ofRow, t.n), resized(t.ofColumn, t.m)
	t.toNone, t.at, t.by = resized(t.toNone, t.n), resized(t.at, t.n), resized(t.by, t.n)
	t.distance, t.before, t.open = resized(t.distance, t.m), resized(t.before, t.m), resized(t.open, t.m)
	t.left, t.spare = append(t.left[:0], members...), append(t.spare[:0], places...)
	clear(t.flow)
	clear(t.ofColumn)
	clear(t.toNone)
	for i := range t.n {
		t.begin(i)
	}
	for i := range t.n {
		for t.left[i] > 0 {
			t.augment(i)
		}
	}
	for k, f := range t.flow {
		sum += int(f) * int(weight[k])
	}
	return sum
}

func (t *transporter) weights(i int) []int32 { return t.weight[i*t.m:][:t.m] }

// begin sends members of a row to where it weighs most.
func (t *transporter) begin(i int) {
	best := int32(math.MinInt32)
	for _, w := range t.weights(i) {
		best = max(best, w)
	}
	if t.optional && best <= 0 {
		t.ofRow[i], t.toNone[i], t.left[i] = 0, t.left[i], 0
		return
	}
	t.ofRow[i] = -int(best)
	for j, w := range t.weights(i) {
		if w == best {
			t.send(i, j, min(t.left[i], t.spare[j]))
		}
	}
}

func (t *transporter) send(i, j int, members int32) {
	t.flow[i*t.m+j] += members
	t.left[i] -= members
	t.spare[j] -= members
}

// augment sends members of a row along a shortest path over reduced weights.
func (t *transporter) augment(start int) {
	for j := range t.m {
		t.distance[j], t.open[j] = math.MaxInt, true
	}
	for i := range t.n {
		t.at[i] = -1
	}
	atNone, rowOfNone := math.MaxInt, start
	reach := func(i, at int) {
		t.at[i] = at
		base := at - t.ofRow[i]
		if t.optional && base < atNone {
			atNone, rowOfNone = base, i
		}
		for j, w := range t.weights(i) {
			if d := base - int(w) - t.ofColumn[j]; d < t.distance[j] {
				t.distance[j], t.before[j] = d, int32(i)
			}
		}
	}
	reach(start, 0)
	end, at := -1, 0
	for end < 0 {
		nearest, place := math.MaxInt, 0
		for j, d := range t.distance {
			if t.open[j] && (d < nearest || d == nearest && t.spare[place] == 0) {
				nearest, place = d, j
			}
		}
		if at = min(atNone, nearest); atNone <= nearest {
			break
		}
		if t.spare[place] > 0 {
			end = place
			break
		}
		t.open[place] = false
		for i := range t.n {
			if t.at[i] < 0 && t.flow[i*t.m+place] > 0 {
				t.by[i] = int32(place)
				reach(i, at)
			}
		}
	}
	for j, open := range t.open {
		if !open {
			t.ofColumn[j] -= at - t.distance[j]
		}
	}
	for i, of := range t.at {
		if of >= 0 {
			t.ofRow[i] += at - of
		}
	}
	t.push(start, end, rowOfNone)
}

// push sends what it can along the path to the column where it ends, or to none from a row.
func (t *transporter) push(start, end, rowOfNone int) {
	members := t.left[start]
	last := rowOfNone
	if end >= 0 {
		members = min(members, t.spare[end])
		last = int(t.before[end])
	}
	for i := last; i != start; i = int(t.before[t.by[i]]) {
		members = min(members, t.flow[i*t.m+int(t.by[i])])
	}
	t.left[start] -= members
	if end >= 0 {
		t.spare[end] -= members
		t.flow[last*t.m+end] += members
	} else {
		t.toNone[last] += members
	}
	for i := last; i != start; {
		from := int(t.by[i])
		t.flow[i*t.m+from] -= members
		i = int(t.before[from])
		t.flow[i*t.m+from] += members
	}
}
