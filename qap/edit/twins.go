package edit

// twins are classes of nodes that can be exchanged without a difference: they have the same edges to all other nodes, those
// between them are alike, and matches of them save the same. A search need tell only how many of a class go where.
type twins struct {
	of     []int32 // the class of each node
	first  []int32 // of each class in member, and their end
	member []int32 // nodes by class
	size   []int32 // of each class: how many are not placed
	arcs   adjacent
	seen   []int32
}

// count returns how many classes there are.
func (t *twins) count() int { return len(t.size) }

func (t *twins) members(class int32) []int32 { return t.member[t.first[class]:t.first[class+1]] }

// set finds the classes of a graph's nodes, in an order of these, by whether two are alike.
func (t *twins) set(g *adjacent, order []int32, alike func(i, j int) bool) {
	t.of = resized(t.of, len(order))
	t.seen = t.seen[:0] // a node of each class
	for _, i := range order {
		class := 0
		for class < len(t.seen) && !alike(int(i), int(t.seen[class])) {
			class++
		}
		if class == len(t.seen) {
			t.seen = append(t.seen, i)
		}
		t.of[i] = int32(class)
	}
	classes := len(t.seen)
	t.size, t.first, t.member = resized(t.size, classes), resized(t.first, classes+1), resized(t.member, len(order))
	clear(t.size)
	for _, class := range t.of {
		t.size[class]++
	}
	end := int32(0)
	for class, size := range t.size {
		t.first[class] = end
		end += size
	}
	t.first[classes] = end
	t.next(order)
	t.join(g)
}

// next lists the members of each class, in an order of all.
func (t *twins) next(order []int32) {
	at := append(t.seen[:0], t.first[:len(t.size)]...)
	for _, i := range order {
		class := t.of[i]
		t.member[at[class]] = i
		at[class]++
	}
	t.seen = at
}

// join makes arcs between classes, of those that the first member of each has: its own class too, where they are neighbours.
func (t *twins) join(g *adjacent) {
	t.arcs.first, t.arcs.arcs = append(t.arcs.first[:0], 0), t.arcs.arcs[:0]
	seen := t.seen
	for class := range seen {
		seen[class] = -1
	}
	for class := range t.size {
		for _, to := range g.of(t.member[t.first[class]]) {
			if other := t.of[to.node]; seen[other] != int32(class) {
				seen[other] = int32(class)
				t.arcs.arcs = append(t.arcs.arcs, arc{other, to.row})
			}
		}
		t.arcs.first = append(t.arcs.first, int32(len(t.arcs.arcs)))
	}
}

// reset makes all members not placed.
func (t *twins) reset() {
	for class := range t.size {
		t.size[class] = t.first[class+1] - t.first[class]
	}
}

// open appends the arcs that a member which is not placed has to others.
func (t *twins) open(to []arc, class int32) []arc {
	for _, arc := range t.arcs.of(class) {
		others := t.size[arc.node]
		if arc.node == class {
			others--
		}
		for range others {
			to = append(to, arc)
		}
	}
	return to
}
