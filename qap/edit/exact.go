package edit

import "math"

// exact searches depth first: nodes of graph 1 in an order in which each is beside those before it, if it can be. At
// each node of the tree one assignment bounds what the others can save: what a match saves by itself and with those
// that are placed, and half of the best matching of its other edges. Its reduced weights bound the children, and it is
// a matching to improve the best by. Of nodes of graph 2 that can be exchanged without a difference one is tried, and
// those of graph 1 take theirs in order.
type exact struct {
	*pair
	order  []int32 // nodes of graph 1
	image  []int32
	trial  []int32
	here   []bool  // nodes of graph 1 that are placed
	taken  []bool  // nodes of graph 2 that are
	cross  []int32 // [i, a] twice what a match saves by itself and with those that are placed, width n2
	ones   census  // edges to those that are not placed
	twos   census
	class  []int32 // of a node of graph 2: the first that can be exchanged for it; none is its own
	before []int32 // the node of graph 1 before one in the order that can be exchanged for it, -1 where there is none

	excluded []bool
	best     int
	found    []int32
	improved bool
	each     func(image []int32) (goOn bool) // told of every image that saves best+1, which stays; nil where one is enough
	visited  int
	most     int // of visited
	over     func() bool
	look     int // how many nodes lie between two calls of over
	work     int // about how many numbers were looked at

	assigner     assigner
	stars        matcher
	weight       []int32
	columns      []int32
	arcs1, arcs2 []arc
	children     []child // of all nodes on the way, one after another
	tried        []int32 // by class: 1 + depth at which one was tried, in children's order
	mark         int32
}

// child is a place for a node, and the most that can be saved by it, twice.
type child struct {
	bound int
	place int32
}

// forbidden is the weight of an excluded match.
const forbidden = -1 << 28

// reset begins a search over a pair.
func (e *exact) reset(p *pair) {
	e.pair, e.excluded, e.each, e.visited, e.work = p, nil, nil, 0, 0
	n1, n2 := p.n1, p.n2
	e.image, e.trial, e.found = resized(e.image, n1), resized(e.trial, n1), resized(e.found, n1)
	e.here, e.taken = resized(e.here, n1), resized(e.taken, n2)
	e.tried = resized(e.tried, n2+1)
	clear(e.tried)
	e.mark = 0
	e.setOrder()
	e.cross = resized(e.cross, n1*n2)
	for i := range n1 {
		for a, saved := range p.node[i*p.width:][:n2] {
			e.cross[i*n2+a] = 2 * saved
		}
	}
	e.setTwins()
}

// setOrder puts next the node with most edges to those before it, then with most edges.
func (e *exact) setOrder() {
	e.order = e.order[:0]
	anchors := resized(e.trial, e.n1)
	clear(anchors)
	clear(e.here)
	for range e.n1 {
		next, most := int32(-1), int32(-1)
		for i, placed := range e.here {
			value := anchors[i]<<16 + int32(e.g1.degree(i))
			if !placed && value > most {
				next, most = int32(i), value
			}
		}
		e.here[next] = true
		e.order = append(e.order, next)
		for _, arc := range e.g1.of(next) {
			anchors[arc.node]++
		}
	}
}

func (e *exact) setTwins() {
	e.class, e.before = resized(e.class, e.n2+1), resized(e.before, e.n1)
	e.class[e.n2] = int32(e.n2)
	for a := range e.n2 {
		e.class[a] = int32(a)
		for b := range a {
			if e.class[b] == int32(b) && e.alike2(a, b) {
				e.class[a] = int32(b)
				break
			}
		}
	}
	for k, i := range e.order {
		e.before[i] = -1
		for back := k - 1; back >= 0; back-- {
			if j := e.order[back]; e.alike1(int(i), int(j)) {
				e.before[i] = j
				break
			}
		}
	}
}

// alike2 reports whether nodes of graph 2 can be exchanged without a difference.
func (e *exact) alike2(a, b int) bool {
	if e.g2.degree(a) != e.g2.degree(b) {
		return false
	}
	ofA, ofB := e.between[a*e.width:][:e.n2], e.between[b*e.width:][:e.n2]
	for c, t := range ofA {
		if t != ofB[c] && c != a && c != b {
			return false
		}
	}
	if ofA[b] != ofB[a] {
		return false
	}
	for i := range e.n1 {
		if e.node[i*e.width+a] != e.node[i*e.width+b] {
			return false
		}
	}
	return true
}

// alike1 is alike2 in graph 1.
func (e *exact) alike1(i, j int) bool {
	if e.g1.degree(i) != e.g1.degree(j) {
		return false
	}
	row := func(of, to int) int32 {
		for _, arc := range e.g1.of(int32(of)) {
			if int(arc.node) == to {
				return arc.row
			}
		}
		return -1
	}
	for _, arc := range e.g1.of(int32(i)) {
		if other := int(arc.node); other == j {
			if row(j, i) != arc.row {
				return false
			}
		} else if row(j, other) != arc.row {
			return false
		}
	}
	ofI, ofJ := e.node[i*e.width:][:e.n2], e.node[j*e.width:][:e.n2]
	for a, saved := range ofI {
		if saved != ofJ[a] {
			return false
		}
	}
	return true
}

// run searches for what saves more than best, visiting so many nodes of the tree at most, until over. It reports
// whether nothing better is left; found holds what it found, where improved.
func (e *exact) run(best, nodes int, over func() bool) (proved bool) {
	e.best, e.improved, e.over, e.most = best, false, over, e.visited+nodes
	e.look = min(nodesPerLook, max(1, pairsPerLook/max(1, e.n1*e.n2)))
	clear(e.here)
	clear(e.taken)
	e.ones.set(&e.g1, e.n1, 0, int32(e.pair.columns))
	e.twos.set(&e.g2, e.n2, 1, 1)
	e.children = e.children[:0]
	return e.visit(0, 0)
}

// The clock is looked at once in so many nodes of the tree, and more often where these take long.
const (
	nodesPerLook = 32
	pairsPerLook = 1 << 15 // of nodes of the two graphs, times nodes of the tree
)

// visit places the node at a depth and those after it, given twice what is saved by those before. It reports false if
// the search is over.
func (e *exact) visit(depth, fixed int) bool {
	if depth == e.n1 && e.each != nil {
		return fixed/2 <= e.best || e.each(e.image)
	}
	if depth == e.n1 {
		e.improve(e.image, fixed/2)
		return true
	}
	if e.visited++; e.visited > e.most || e.visited%e.look == 0 && e.over() {
		return false
	}
	most := fixed + e.bound(depth)
	if most>>1 <= e.best {
		return true
	}
	if e.each == nil {
		e.tryAssigned(depth)
	}
	if most>>1 <= e.best {
		return true
	}
	i := e.order[depth]
	begin := len(e.children)
	e.spread(depth, i, most)
	whole := true
	for k := begin; k < len(e.children) && whole; k++ {
		if c := e.children[k]; c.bound>>1 > e.best {
			own := 0
			if int(c.place) < e.n2 {
				own = int(e.cross[int(i)*e.n2+int(c.place)])
			}
			e.put(i, c.place, 1)
			whole = e.visit(depth+1, fixed+own)
			e.put(i, c.place, -1)
		}
	}
	e.children = e.children[:begin]
	return whole
}

// bound assigns the nodes that are not placed, and returns twice what they save at most.
func (e *exact) bound(depth int) int {
	e.columns = e.columns[:0]
	for a, taken := range e.taken {
		if !taken {
			e.columns = append(e.columns, int32(a))
		}
	}
	rows, columns := e.order[depth:], e.columns
	e.weight = resized(e.weight, len(rows)*len(columns))
	for x, i := range rows {
		weight, cross := e.weight[x*len(columns):][:len(columns)], e.cross[int(i)*e.n2:][:e.n2]
		switch {
		case !e.levels.two:
			e.arcs1 = e.open(e.arcs1[:0], e.g1.of(i), e.here)
			for y, a := range columns {
				e.arcs2 = e.open(e.arcs2[:0], e.g2.of(a), e.taken)
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
		if e.excluded != nil {
			excluded := e.excluded[int(i)*e.n2:][:e.n2]
			for y, a := range columns {
				if excluded[a] {
					weight[y] = forbidden
				}
			}
		}
	}
	e.work += 4 * len(e.weight)
	return e.assigner.solve(len(rows), len(columns), e.weight, len(columns), e.partial)
}

// open appends the arcs that lead to nodes that are not placed.
func (e *exact) open(to, arcs []arc, placed []bool) []arc {
	for _, arc := range arcs {
		if !placed[arc.node] {
			to = append(to, arc)
		}
	}
	return to
}

// tryAssigned looks at what is placed and the assignment as a matching.
func (e *exact) tryAssigned(depth int) {
	copy(e.trial, e.image)
	for x, i := range e.order[depth:] {
		e.trial[i] = int32(e.n2)
		if y := e.assigner.column[x]; int(y) < len(e.columns) {
			e.trial[i] = e.columns[y]
		}
	}
	if saved := e.saved(e.trial); saved > e.best {
		e.improve(e.trial, saved)
	}
}

func (e *exact) improve(image []int32, saved int) {
	if saved > e.best {
		e.best, e.improved = saved, true
		copy(e.found, image)
	}
}

// spread appends the children of a node, the best bound first.
func (e *exact) spread(depth int, i int32, most int) {
	begin := len(e.children)
	least := int32(-1)
	if twin := e.before[i]; twin >= 0 && e.each == nil {
		least = e.class[e.image[twin]]
	}
	add := func(bound int, place int32) {
		if bound>>1 <= e.best || e.class[place] < least {
			return
		}
		e.children = append(e.children, child{bound, place})
		for k := len(e.children) - 1; k > begin && e.children[k-1].bound < bound; k-- {
			e.children[k], e.children[k-1] = e.children[k-1], e.children[k]
		}
	}
	dual := e.assigner.ofRow[0]
	for y, a := range e.columns {
		if e.weight[y] > forbidden/2 {
			add(most+dual+e.assigner.ofColumn[y]+int(e.weight[y]), a)
		}
	}
	if e.partial {
		add(most+dual, int32(e.n2))
	}
	if e.each != nil {
		return
	}
	if e.mark++; e.mark == math.MaxInt32 {
		e.mark = 1
		clear(e.tried)
	}
	kept := e.children[:begin]
	for _, c := range e.children[begin:] {
		if class := e.class[c.place]; e.tried[class] != e.mark {
			e.tried[class] = e.mark
			kept = append(kept, c)
		}
	}
	e.children = kept
}

// put places i at a, or takes it back with the sign -1.
func (e *exact) put(i, a, sign int32) {
	e.image[i] = a
	e.here[i] = sign > 0
	for _, to := range e.g1.of(i) {
		if !e.here[to.node] {
			e.ones.drop(to.node, e.g1.turned[int(to.row)/e.pair.columns], sign)
		}
	}
	if int(a) == e.n2 {
		return
	}
	e.taken[a] = sign > 0
	for _, place := range e.g2.of(a) {
		if !e.taken[place.node] {
			e.twos.drop(place.node, e.g2.turned[place.row-1], sign)
		}
	}
	for _, to := range e.g1.of(i) {
		if e.here[to.node] {
			continue
		}
		cross := e.cross[int(to.node)*e.n2:][:e.n2]
		for _, place := range e.g2.of(a) {
			if !e.taken[place.node] {
				cross[place.node] += 2 * sign * e.edge[to.row+place.row]
			}
		}
	}
}

// drop takes an edge of a type from a node's, or gives it back with the sign -1.
func (c *census) drop(node, of, sign int32) {
	c.degree[node] -= sign
	c.count[int(node)*c.types+int(of)] -= sign
}
