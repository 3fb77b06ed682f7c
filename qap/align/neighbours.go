package align

import "math"

// tree finds the nearest of many points: a k-d tree (Bentley, doi:10.1145/361002.361007)
// whose searches look at a bounded number of leaves.
type tree struct {
	points table
	order  []int32 // the points, those of a leaf side by side
	nodes  []treeNode
	over   func() bool // nodes are not split further once it is
}

// treeNode covers order[low:high]; a leaf has no children.
type treeNode struct {
	low, high   int32
	left, right int32 // 0 of a leaf
	axis        int32
	cut         float32
}

const leafSize = 16

func newTree(points table, over func() bool) *tree {
	t := &tree{points: points, order: make([]int32, points.rows()), over: over}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	t.split(0, len(t.order))
	return t
}

// split makes the node of order[low:high], halved along its widest axis, and returns it.
func (t *tree) split(low, high int) int32 {
	me := len(t.nodes)
	t.nodes = append(t.nodes, treeNode{low: int32(low), high: int32(high)})
	if high-low <= leafSize || high-low >= nodesBetweenLooks && t.over() {
		return int32(me)
	}
	axis := t.widest(low, high)
	middle := (low + high) / 2
	t.partition(low, high, middle, axis)
	cut := t.at(middle, axis)
	left := t.split(low, middle)
	right := t.split(middle, high)
	n := &t.nodes[me]
	n.left, n.right, n.axis, n.cut = left, right, int32(axis), cut
	return int32(me)
}

func (t *tree) at(k, axis int) float32 {
	return t.points.data[int(t.order[k])*t.points.width+axis]
}

func (t *tree) widest(low, high int) int {
	axis, most := 0, float32(-1)
	for r := range t.points.width {
		least, greatest := float32(math.Inf(1)), float32(math.Inf(-1))
		for k := low; k < high; k++ {
			v := t.at(k, r)
			least, greatest = min(least, v), max(greatest, v)
		}
		if greatest-least > most {
			axis, most = r, greatest-least
		}
	}
	return axis
}

// partition puts the point of rank k on an axis at its place, what is less before it
// (quickselect, median of three).
func (t *tree) partition(low, high, k, axis int) {
	o := t.order
	for high-low > 1 {
		x, y, z := t.at(low, axis), t.at((low+high)/2, axis), t.at(high-1, axis)
		pivot := max(min(x, y), min(max(x, y), z))
		i, j := low, high-1
		for i <= j {
			for t.at(i, axis) < pivot {
				i++
			}
			for t.at(j, axis) > pivot {
				j--
			}
			if i <= j {
				o[i], o[j] = o[j], o[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j + 1
		case k >= i:
			low = i
		default:
			return
		}
	}
}

// found is a point and its squared distance, or a node and how far it is at least.
type found struct {
	distance float32
	id       int32
}

// query holds what a search needs.
type query struct {
	nearest []found // the greatest distance on top while it searches, then sorted
	waiting []found // nodes of the tree, the least distance on top
}

// search fills q.nearest with the k nearest of x in so many leaves, the nearest first.
func (t *tree) search(x []float32, k, leaves int, q *query) {
	q.nearest, q.waiting = q.nearest[:0], append(q.waiting[:0], found{0, 0})
	for ; len(q.waiting) > 0 && leaves > 0; leaves-- {
		top := q.waiting[0]
		q.waiting = popLeast(q.waiting)
		if len(q.nearest) == k && top.distance >= q.nearest[0].distance {
			break
		}
		n := &t.nodes[top.id]
		for n.left != 0 {
			d := x[n.axis] - n.cut
			near, far := n.left, n.right
			if d >= 0 {
				near, far = far, near
			}
			q.waiting = pushLeast(q.waiting, found{max(top.distance, d*d), far})
			n = &t.nodes[near]
		}
		for _, id := range t.order[n.low:n.high] {
			d := squared(x, t.points.row(int(id)))
			switch {
			case len(q.nearest) < k:
				q.nearest = append(q.nearest, found{d, id})
				riseGreatest(q.nearest)
			case d < q.nearest[0].distance:
				q.nearest[0] = found{d, id}
				sinkGreatest(q.nearest)
			}
		}
	}
	for end := len(q.nearest) - 1; end > 0; end-- {
		q.nearest[0], q.nearest[end] = q.nearest[end], q.nearest[0]
		sinkGreatest(q.nearest[:end])
	}
}

func squared(x, y []float32) float32 {
	var s float32
	y = y[:len(x)]
	for r, v := range x {
		d := v - y[r]
		s += d * d
	}
	return s
}

// The heaps are written out, since container/heap would allocate for every push.

func pushLeast(h []found, f found) []found {
	h = append(h, f)
	for k := len(h) - 1; k > 0; {
		parent := (k - 1) / 2
		if h[parent].distance <= h[k].distance {
			break
		}
		h[parent], h[k] = h[k], h[parent]
		k = parent
	}
	return h
}

func popLeast(h []found) []found {
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for k := 0; ; {
		child := 2*k + 1
		if child >= last {
			return h
		}
		if child+1 < last && h[child+1].distance < h[child].distance {
			child++
		}
		if h[k].distance <= h[child].distance {
			return h
		}
		h[k], h[child] = h[child], h[k]
		k = child
	}
}

func riseGreatest(h []found) {
	for k := len(h) - 1; k > 0; {
		parent := (k - 1) / 2
		if h[parent].distance >= h[k].distance {
			return
		}
		h[parent], h[k] = h[k], h[parent]
		k = parent
	}
}

func sinkGreatest(h []found) {
	for k := 0; ; {
		child := 2*k + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].distance > h[child].distance {
			child++
		}
		if h[k].distance >= h[child].distance {
			return
		}
		h[k], h[child] = h[child], h[k]
		k = child
	}
}
