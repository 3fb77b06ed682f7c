package edit

import (
	"math"
	"slices"
)

// exact searches depth first: nodes of graph 1 in an order in which each is beside those before it, if it can be. At
// each node of the tree one assignment bounds what the others can save: what a match saves by itself and with those
// that are placed, and half of the best matching of its other edges. Its reduced weights bound the children, and it is
// a matching to improve the best by.
//
// Nodes that can be exchanged without a difference are classes: one place of a class is tried for a node, those of graph 1
// take theirs in order, and the assignment sends members of classes to classes.
type exact struct {
	*pair
	order  []int32 // nodes of graph 1
	image  []int32
	trial  []int32
	taken  []bool // nodes of graph 2 that are
	class1 twins
	class2 twins
	cross  []int32 // [class, class] twice what a match saves by itself and with those that are placed
	ones   census  // by class: edges to those that are not placed
	twos   census

	excluded []bool // [class, class]
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
	transporter  transporter
	ofRow        []int // duals of the last assignment
	ofColumn     []int
	stars        matcher
	weight       []int32
	rows         []int32 // classes that are not placed, that of the next node first
	columns      []int32
	rowOf        []int32 // of a class, 1 + its place in rows
	places       []int32 // free nodes of each column, next to be used
	members      []int32 // of rows
	spare        []int32 // of columns
	arcs1, arcs2 []arc
	children     []child // of all nodes on the way, one after another
}

// child is a class of places for a node, and the most that can be saved by it, twice.
type child struct {
	bound int
	place int32
}

// forbidden is the weight of an excluded match.
const forbidden = -1 << 28

// reset begins a search over a pair. Where all images are wanted, each is to be told of every one.
func (e *exact) reset(p *pair, each func(image []int32) (goOn bool)) {
	e.pair, e.excluded, e.each, e.visited, e.work = p, e.excluded[:0], each, 0, 0
	e.image, e.trial, e.found = resized(e.image, p.n1), resized(e.trial, p.n1), resized(e.found, p.n1)
	e.taken = resized(e.taken, p.n2)
	e.setOrder()
	e.setTwins()
	c1, c2 := e.class1.count(), e.class2.count()
	e.cross = resized(e.cross, c1*c2)
	for i := range c1 {
		of := e.node[int(e.class1.members(int32(i))[0])*p.width:]
		for a := range c2 {
			e.cross[i*c2+a] = 2 * of[e.class2.members(int32(a))[0]]
		}
	}
}

// exclude leaves out matches, [i, a], that lead to nothing better: nor do those that can be exchanged for them.
func (e *exact) exclude(matches []bool) {
	c2 := e.class2.count()
	e.excluded = resized(e.excluded, e.class1.count()*c2)
	clear(e.excluded)
	for i, one := range e.class1.of {
		row := e.excluded[int(one)*c2:][:c2]
		for a, is := range matches[i*e.n2:][:e.n2] {
			if is {
				row[e.class2.of[a]] = true
			}
		}
	}
}

// setOrder puts next the node with most edges to those before it, then with most edges.
func (e *exact) setOrder() {
	e.order = e.order[:0]
	anchors := resized(e.trial, e.n1)
	clear(anchors)
	for range e.n1 {
		next, most := int32(-1), int32(-1)
		for i, beside := range anchors {
			if beside < 0 {
				continue // it has its place
			}
			if value := beside<<16 + int32(e.g1.degree(i)); value > most {
				next, most = int32(i), value
			}
		}
		anchors[next] = math.MinInt32
		e.order = append(e.order, next)
		for _, arc := range e.g1.of(next) {
			anchors[arc.node]++
		}
	}
}

func (e *exact) setTwins() {
	one, two := e.alike1, e.alike2
	if e.each != nil {
		one = func(_, _ int) bool { return false }
		two = one
	}
	e.class1.set(&e.g1, e.order, one)
	e.places = e.places[:0]
	for a := range e.n2 {
		e.places = append(e.places, int32(a))
	}
	slices.SortStableFunc(e.places, func(a, b int32) int { return e.g2.degree(int(b)) - e.g2.degree(int(a)) })
	e.class2.set(&e.g2, e.places, two)
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
	e.look = min(nodesPerLook, max(1, pairsPerLook/max(1, e.class1.count()*e.class2.count())))
	clear(e.taken)
	e.class1.reset()
	e.class2.reset()
	e.ones.ofTwins(&e.g1, &e.class1, 0, int32(e.pair.columns))
	e.twos.ofTwins(&e.g2, &e.class2, 1, 1)
	e.rowOf = resized(e.rowOf, e.class1.count())
	clear(e.rowOf)
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
	if e.each == nil && e.visited%(1+len(e.g1.arcs)/(8*len(e.weight))) == 0 { // no more work than the bound
		e.tryAssigned(depth)
	}
	if most>>1 <= e.best {
		return true
	}
	i := e.order[depth]
	begin := len(e.children)
	e.spread(most)
	whole := true
	for k := begin; k < len(e.children) && whole; k++ {
		if c := e.children[k]; c.bound>>1 > e.best {
			own, a := 0, int32(e.n2)
			if c2 := e.class2.count(); int(c.place) < c2 {
				own, a = int(e.cross[int(e.class1.of[i])*c2+int(c.place)]), e.freeOf(c.place)
			}
			e.put(i, a, 1)
			whole = e.visit(depth+1, fixed+own)
			e.put(i, a, -1)
		}
	}
	e.children = e.children[:begin]
	return whole
}

func (e *exact) improve(image []int32, saved int) {
	if saved > e.best {
		e.best, e.improved = saved, true
		copy(e.found, image)
	}
}

// spread appends the children of a node, the best bound first.
func (e *exact) spread(most int) {
	begin := len(e.children)
	none := int32(e.class2.count())
	add := func(bound int, place int32) {
		if bound>>1 <= e.best {
			return
		}
		e.children = append(e.children, child{bound, place})
		for k := len(e.children) - 1; k > begin && e.children[k-1].bound < bound; k-- {
			e.children[k], e.children[k-1] = e.children[k-1], e.children[k]
		}
	}
	dual := e.ofRow[0]
	for y, a := range e.columns {
		if e.weight[y] > forbidden/2 {
			add(most+dual+e.ofColumn[y]+int(e.weight[y]), a)
		}
	}
	if e.partial {
		add(most+dual, none)
	}
}

// put places i at a, or takes it back with the sign -1.
func (e *exact) put(i, a, sign int32) {
	e.image[i] = a
	ones, twos := &e.class1, &e.class2
	one := ones.of[i]
	if sign > 0 {
		ones.size[one]--
	}
	for _, to := range ones.arcs.of(one) {
		if ones.size[to.node] > 0 {
			e.ones.drop(to.node, e.g1.turned[int(to.row)/e.pair.columns], sign)
		}
	}
	if int(a) < e.n2 {
		e.taken[a] = sign > 0
		two := twos.of[a]
		if sign > 0 {
			twos.size[two]--
		}
		e.join(one, two, sign)
		if sign < 0 {
			twos.size[two]++
		}
	}
	if sign < 0 {
		ones.size[one]++
	}
}

// join lets what is not placed save with a match of members of two classes.
func (e *exact) join(one, two, sign int32) {
	places := e.class2.arcs.of(two)
	for _, place := range places {
		if e.class2.size[place.node] > 0 {
			e.twos.drop(place.node, e.g2.turned[place.row-1], sign)
		}
	}
	c2 := e.class2.count()
	for _, to := range e.class1.arcs.of(one) {
		if e.class1.size[to.node] == 0 {
			continue
		}
		cross := e.cross[int(to.node)*c2:][:c2]
		for _, place := range places {
			if e.class2.size[place.node] > 0 {
				cross[place.node] += 2 * sign * e.edge[to.row+place.row]
			}
		}
	}
}

// drop takes an edge of a type from a class's nodes, or gives it back with the sign -1.
func (c *census) drop(class, of, sign int32) {
	c.degree[class] -= sign
	c.count[int(class)*c.types+int(of)] -= sign
}
