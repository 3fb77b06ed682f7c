package edit

// freeOf returns a member of a class of graph 2 that is not taken.
func (e *exact) freeOf(class int32) int32 {
	members := e.class2.members(class)
	k := 0
	for e.taken[members[k]] {
		k++
	}
	return members[k]
}

// open lists the classes that have members which are not placed.
func (e *exact) open(depth int) {
	e.rows, e.members = e.rows[:0], e.members[:0]
	for _, i := range e.order[depth:] {
		if class := e.class1.of[i]; e.rowOf[class] == 0 {
			e.rows, e.members = append(e.rows, class), append(e.members, e.class1.size[class])
			e.rowOf[class] = int32(len(e.rows))
		}
	}
	for _, class := range e.rows {
		e.rowOf[class] = 0
	}
	e.columns, e.spare = e.columns[:0], e.spare[:0]
	for class, size := range e.class2.size {
		if size > 0 {
			e.columns, e.spare = append(e.columns, int32(class)), append(e.spare, size)
		}
	}
}

// bound assigns the nodes that are not placed, and returns twice what they save at most.
func (e *exact) bound(depth int) int {
	e.open(depth)
	rows, columns := e.rows, e.columns
	e.weight = resized(e.weight, len(rows)*len(columns))
	c2 := e.class2.count()
	for x, i := range rows {
		weight, cross := e.weight[x*len(columns):][:len(columns)], e.cross[int(i)*c2:][:c2]
		switch {
		case !e.levels.two:
			e.arcs1 = e.class1.open(e.arcs1[:0], i)
			for y, a := range columns {
				e.arcs2 = e.class2.open(e.arcs2[:0], a)
				weight[y] = cross[a] + int32(e.stars.types(e.pair, e.arcs1, e.arcs2))
			}
		case e.levels.more == 0:
			degree, low := e.ones.degree[i], int32(e.levels.low)
			for y, a := range columns {
				weight[y] = cross[a] + low*min(degree, e.twos.degree[a])
			}
		default:
			degree, count := e.ones.degree[i], e.ones.of(int(i))
			for y, a := range columns {
				weight[y] = cross[a] + int32(e.levels.star(degree, e.twos.degree[a], count, e.twos.of(int(a))))
			}
		}
		for y, least := 0, e.least(i); y < len(columns) && columns[y] < least; y++ {
			weight[y] = forbidden
		}
		if len(e.excluded) > 0 {
			excluded := e.excluded[int(i)*c2:][:c2]
			for y, a := range columns {
				if excluded[a] {
					weight[y] = forbidden
				}
			}
		}
	}
	e.work += 4 * len(e.weight)
	return e.assign(e.n1 - depth)
}

// least returns the first class of graph 2 that members of a class which are not placed may have: these take theirs in order.
func (e *exact) least(class int32) int32 {
	members := e.class1.members(class)
	placed := len(members) - int(e.class1.size[class])
	switch {
	case placed == 0:
		return 0
	case int(e.image[members[placed-1]]) == e.n2:
		return int32(e.class2.count())
	}
	return e.class2.of[e.image[members[placed-1]]]
}

// assign sends the members of rows, so many, to columns.
func (e *exact) assign(members int) (sum int) {
	if e.single(members) {
		sum = e.assigner.solve(len(e.rows), len(e.columns), e.weight, len(e.columns), e.partial)
		e.ofRow, e.ofColumn = e.assigner.ofRow, e.assigner.ofColumn
		return sum
	}
	sum = e.transporter.solve(e.members, e.spare, e.weight, e.partial)
	e.ofRow, e.ofColumn = e.transporter.ofRow, e.transporter.ofColumn
	return sum
}

// single reports whether no row and no column has more than one member.
func (e *exact) single(members int) bool {
	for _, spare := range e.spare {
		if spare > 1 {
			return false
		}
	}
	return members == len(e.rows)
}

// tryAssigned looks at what is placed and the assignment as a matching.
func (e *exact) tryAssigned(depth int) {
	e.work += len(e.g1.arcs) / 2
	copy(e.trial, e.image)
	for x, class := range e.rows {
		e.rowOf[class] = int32(x)
	}
	single := e.single(e.n1 - depth)
	e.places = e.places[:0]
	if !single {
		for _, class := range e.columns {
			e.places = append(e.places, e.class2.first[class])
		}
	}
	for _, i := range e.order[depth:] {
		x := e.rowOf[e.class1.of[i]]
		if !single {
			e.trial[i] = e.sent(int(x))
			continue
		}
		e.trial[i] = int32(e.n2)
		if y := int(e.assigner.column[x]); y < len(e.columns) {
			e.trial[i] = e.freeOf(e.columns[y])
		}
	}
	for _, class := range e.rows {
		e.rowOf[class] = 0
	}
	if saved := e.saved(e.trial); saved > e.best {
		e.improve(e.trial, saved)
	}
}

// sent takes a member of a row to where the transporter sends one, and returns its image.
func (e *exact) sent(x int) int32 {
	flow := e.transporter.flow[x*len(e.columns):][:len(e.columns)]
	for y := range flow {
		if flow[y] == 0 {
			continue
		}
		flow[y]--
		for e.taken[e.class2.member[e.places[y]]] {
			e.places[y]++
		}
		e.places[y]++
		return e.class2.member[e.places[y]-1]
	}
	return int32(e.n2)
}
