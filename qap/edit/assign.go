package edit

import "math"

// assigner maximises the sum of weights over assignments of rows to columns, by shortest augmenting paths, and keeps
// the duals: weight[i,j] + row[i] + column[j] is at most 0, and 0 where i is assigned to j, with columns that are free
// at 0. So -row[i]-column[j]-weight[i,j] is what the sum falls by, at least, where i goes to j. Its memory serves one
// call after another.
//
// Where rows may have no column, which weighs 0, -row[i] is at least 0.
type assigner struct {
	column   []int32 // of each row, none where it has none
	row      []int32 // of each column, free where it has none; super where the last rows are dummies
	ofRow    []int   // duals
	ofColumn []int
	distance []int
	open     []int   // distances of columns that were not scanned, MaxInt of the others
	before   []int32 // the row from which a column was reached
	scanned  []int32 // columns
	todo     []int32

	weight       []int32
	stride       int
	n, m         int
	optional     bool
	none         int32
	super        int32 // a row that stands for all dummies, -1 where there are none
	spare        int32 // dummies without a column
	previousSize [2]int

	few     *places // the columns that rows may have, nil where all
	reached []int32 // columns that are open
}

// places lists, for each row, columns.
type places struct{ first, column []int32 }

func (p *places) of(i int32) []int32 { return p.column[p.first[i]:p.first[i+1]] }

// set lists the matches that are not excluded. It reports whether every row has one.
func (p *places) set(n, m int, excluded []bool) (all bool) {
	p.first, p.column, all = append(p.first[:0], 0), p.column[:0], true
	for i := range n {
		for a, is := range excluded[i*m:][:m] {
			if !is {
				p.column = append(p.column, int32(a))
			}
		}
		all = all && len(p.column) > int(p.first[i])
		p.first = append(p.first, int32(len(p.column)))
	}
	return all
}

const free = -1

// solve assigns n rows to m columns; where optional is false there must be no more rows than columns. A row of weights
// begins every stride.
func (s *assigner) solve(n, m int, weight []int32, stride int, optional bool) (sum int) {
	s.prepare(n, m, weight, stride, optional)
	clear(s.ofColumn)
	s.super, s.few = -1, nil
	for j := range s.row {
		s.row[j] = free
	}
	s.todo = s.todo[:0]
	for i := range n {
		w := s.weights(i)
		best := int32(math.MinInt32)
		for _, x := range w {
			best = max(best, x)
		}
		if optional && best <= 0 {
			s.ofRow[i], s.column[i] = 0, s.none
			continue
		}
		s.ofRow[i], s.column[i] = -int(best), free
		for j, x := range w {
			if x == best && s.row[j] == free {
				s.column[i], s.row[j] = int32(j), int32(i)
				break
			}
		}
		if s.column[i] == free {
			s.todo = append(s.todo, int32(i))
		}
	}
	for _, i := range s.todo {
		s.augment(i)
	}
	return s.sum()
}

func (s *assigner) prepare(n, m int, weight []int32, stride int, optional bool) {
	s.n, s.m, s.weight, s.stride, s.optional, s.none = n, m, weight, stride, optional, int32(m)
	s.column, s.ofRow = resized(s.column, n+1), resized(s.ofRow, n+1)
	s.row, s.ofColumn, s.distance = resized(s.row, m), resized(s.ofColumn, m), resized(s.distance, m)
	s.open, s.before = resized(s.open, m), resized(s.before, m)
	s.previousSize = [2]int{n, m}
}

func (s *assigner) weights(i int) []int32 { return s.weight[i*s.stride:][:s.m] }

func (s *assigner) sum() (sum int) {
	for i, j := range s.column[:s.n] {
		if j != s.none {
			sum += int(s.weight[i*s.stride+int(j)])
		}
	}
	return sum
}

// again is solve from the duals and the assignment of the call before, which had as many rows and columns, all of them
// needed. As many dummies of weight 0 as there are columns too many take these, so that any duals of columns serve.
// The weights of columns that few leaves out are forbidden: they are not looked at where there is a way without them.
func (s *assigner) again(n, m int, weight []int32, stride int, few *places) (sum int) {
	if s.previousSize != [2]int{n, m} {
		return s.solve(n, m, weight, stride, false)
	}
	s.prepare(n, m, weight, stride, false)
	s.super, s.spare, s.few = int32(n), int32(m-n), few
	for j := range s.row {
		s.row[j] = free
	}
	s.todo = s.todo[:0]
	for i := range n {
		best := s.bestOf(i)
		s.ofRow[i] = -best
		if j := s.column[i]; int(s.weights(i)[j])+s.ofColumn[j] == best && s.row[j] == free {
			s.row[j] = int32(i)
		} else {
			s.todo = append(s.todo, int32(i))
		}
	}
	kept := s.todo[:0]
	for _, i := range s.todo {
		if s.column[i] = s.freeBest(i); s.column[i] == free {
			kept = append(kept, i)
		} else {
			s.row[s.column[i]] = i
		}
	}
	s.todo = kept
	s.placeDummies()
	for _, i := range s.todo {
		s.augment(i)
	}
	for s.spare > 0 {
		s.spare--
		s.augment(s.super)
	}
	if shift := -s.ofRow[n]; m > n { // columns that are free have the dual 0
		for i := range n {
			s.ofRow[i] += shift
		}
		for j := range m {
			s.ofColumn[j] -= shift
		}
	}
	return s.sum()
}

// bestOf returns the most that a row has in any column, with the column's dual.
func (s *assigner) bestOf(i int) int {
	best, w := math.MinInt, s.weights(i)
	if s.few == nil {
		for j, x := range w {
			best = max(best, int(x)+s.ofColumn[j])
		}
		return best
	}
	for _, j := range s.few.of(int32(i)) {
		best = max(best, int(w[j])+s.ofColumn[j])
	}
	return best
}

// freeBest returns a column without a row that is the best for one.
func (s *assigner) freeBest(i int32) int32 {
	w, best := s.weights(int(i)), -s.ofRow[i]
	if s.few == nil {
		for j, v := range s.ofColumn {
			if s.row[j] == free && int(w[j])+v == best {
				return int32(j)
			}
		}
		return free
	}
	for _, j := range s.few.of(i) {
		if s.row[j] == free && int(w[j])+s.ofColumn[j] == best {
			return j
		}
	}
	return free
}

func (s *assigner) placeDummies() {
	if s.spare == 0 {
		return
	}
	most := math.MinInt
	for _, v := range s.ofColumn {
		most = max(most, v)
	}
	s.ofRow[s.super] = -most
	for j, v := range s.ofColumn {
		if v == most && s.row[j] == free && s.spare > 0 {
			s.row[j] = s.super
			s.spare--
		}
	}
}

// augment gives a row without a column one, by the shortest path over reduced weights.
func (s *assigner) augment(start int32) {
	for j := range s.distance {
		s.distance[j], s.open[j] = math.MaxInt, math.MaxInt
	}
	s.scanned, s.reached = s.scanned[:0], s.reached[:0]
	at, from := 0, start // at: the distance of the row that is scanned
	atNone, rowOfNone := math.MaxInt, start
	entered, atSuper, known := start == s.super, 0, false
	end := s.none
	for {
		var nearest, place int
		switch {
		case s.few != nil:
			if !known {
				s.relaxFew(from, at)
			}
			if nearest, place = s.nearestReached(); nearest == math.MaxInt { // no way without what is left out
				s.few = nil // nor is one looked for after that
				s.augment(start)
				return
			}
		case known:
			nearest, place = s.nearest()
		default:
			nearest, place = s.relax(from, at)
		}
		if s.optional && at-s.ofRow[from] < atNone {
			atNone, rowOfNone = at-s.ofRow[from], from
		}
		if atNone <= nearest {
			at = atNone
			break
		}
		j := int32(place)
		at, from = nearest, s.row[j]
		if from == free {
			end = j
			break
		}
		s.open[j] = math.MaxInt
		s.scanned = append(s.scanned, j)
		known = from == s.super && entered // a second column of a dummy leads to nothing new
		if from == s.super && !entered {
			entered, atSuper = true, at
			s.column[from] = j
		}
	}
	s.turn(start, at, entered, atSuper)
	s.flip(start, end, rowOfNone)
}

// relax looks at all columns from a row at a distance and returns the nearest that was not scanned.
func (s *assigner) relax(from int32, at int) (nearest, place int) {
	base := at - s.ofRow[from]
	v := s.ofColumn
	distance, open, before := s.distance[:len(v)], s.open[:len(v)], s.before[:len(v)]
	nearest = math.MaxInt
	if from == s.super {
		for j, v := range v {
			if d := base - v; d < distance[j] {
				distance[j], open[j], before[j] = d, d, from
			}
			if open[j] < nearest {
				nearest, place = open[j], j
			}
		}
		return nearest, place
	}
	w, row := s.weights(int(from))[:len(v)], s.row[:len(v)]
	for j, v := range v {
		if d := base - int(w[j]) - v; d < distance[j] { // not so where j was scanned
			distance[j], open[j], before[j] = d, d, from
		}
		if known := open[j]; known < nearest || known == nearest && row[j] == free {
			nearest, place = known, j
		}
	}
	return nearest, place
}

// relaxFew looks at the columns that a row at a distance may have.
func (s *assigner) relaxFew(from int32, at int) {
	base := at - s.ofRow[from]
	reach := func(j int32, d int) {
		if d < s.distance[j] {
			if s.distance[j] == math.MaxInt {
				s.reached = append(s.reached, j)
			}
			s.distance[j], s.open[j], s.before[j] = d, d, from
		}
	}
	if from == s.super {
		for j, v := range s.ofColumn {
			reach(int32(j), base-v)
		}
		return
	}
	w := s.weights(int(from))
	for _, j := range s.few.of(from) {
		reach(j, base-int(w[j])-s.ofColumn[j])
	}
}

// nearestReached takes the nearest column that was not scanned out of those that were reached.
func (s *assigner) nearestReached() (nearest, place int) {
	nearest = math.MaxInt
	at := 0
	for k, j := range s.reached {
		if d := s.open[j]; d < nearest || d == nearest && s.row[j] == free {
			nearest, place, at = d, int(j), k
		}
	}
	if last := len(s.reached) - 1; last >= 0 {
		s.reached[at], s.reached = s.reached[last], s.reached[:last]
	}
	return nearest, place
}

// nearest returns the nearest column that was not scanned.
func (s *assigner) nearest() (nearest, place int) {
	nearest = math.MaxInt
	for j, d := range s.open {
		if d < nearest {
			nearest, place = d, j
		}
	}
	return nearest, place
}

// turn moves the duals of what was scanned at less than a distance.
func (s *assigner) turn(start int32, at int, entered bool, atSuper int) {
	if entered {
		s.ofRow[s.super] += at - atSuper
	}
	for _, j := range s.scanned {
		by := at - s.distance[j]
		s.ofColumn[j] -= by
		if i := s.row[j]; i != s.super {
			s.ofRow[i] += by
		}
	}
	if start != s.super {
		s.ofRow[start] += at
	}
}

// flip exchanges what is assigned along the path to the column where it ends, or to none from a row.
func (s *assigner) flip(start, end, rowOfNone int32) {
	if end == s.none {
		end = s.column[rowOfNone]
		s.column[rowOfNone] = s.none
		if rowOfNone == start {
			return
		}
	}
	for j := end; ; {
		i := s.before[j]
		next := s.column[i]
		s.row[j] = i
		s.column[i] = j
		if i == start {
			return
		}
		j = next
	}
}
