// Package kdtree finds the nearest of many points.
package kdtree

import "math"

// Tree is a k-d tree (Bentley, doi:10.1145/361002.361007) whose searches look at a bounded number of
// leaves. It may be searched by goroutines side by side.
type Tree struct {
	width int
	data  []float32 // the points, one after the other
	order []int32   // the points, those of a leaf side by side
	nodes []treeNode
	over  func() bool // nodes are not split further once it is
}

// All is a number of leaves that no search reaches, which makes it exact.
const All = math.MaxInt

// treeNode covers order[low:high]; a leaf has no children.
type treeNode struct {
	low, high   int32
	left, right int32 // 0 of a leaf
	axis        int32
	cut         float32
}

const leafSize = 16

// betweenLooks is how many points are split between two looks at the clock.
const betweenLooks = 4096

// New returns the tree of points of so many coordinates each, which stay the caller's and may not change.
// It is made no further once it is over: then searches take longer.
func New(data []float32, width int, over func() bool) *Tree {
	t := &Tree{width: width, data: data, order: make([]int32, len(data)/max(1, width)), over: over}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	t.split(0, len(t.order))
	return t
}

// split makes the node of order[low:high], halved along its widest axis, and returns it.
func (t *Tree) split(low, high int) int32 {
	me := len(t.nodes)
	t.nodes = append(t.nodes, treeNode{low: int32(low), high: int32(high)})
	if high-low <= leafSize || high-low >= betweenLooks && t.over() {
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

// Row returns a point.
func (t *Tree) Row(i int) []float32 { return t.data[i*t.width : (i+1)*t.width] }

func (t *Tree) at(k, axis int) float32 {
	return t.data[int(t.order[k])*t.width+axis]
}

func (t *Tree) widest(low, high int) int {
	axis, most := 0, float32(-1)
	for r := range t.width {
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
func (t *Tree) partition(low, high, k, axis int) {
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

// Found is a point and its squared distance; while a search goes on also a node and how far it is at least.
type Found struct {
	Distance float32
	ID       int32
}

// Query holds what a search needs, and what it found.
type Query struct {
	Nearest []Found // the greatest distance on top while it searches, then sorted
	waiting []Found // nodes of the tree, the least distance on top
}

// Search fills q.Nearest with the k nearest of x in so many leaves, the nearest first.
func (t *Tree) Search(x []float32, k, leaves int, q *Query) {
	q.Nearest, q.waiting = q.Nearest[:0], append(q.waiting[:0], Found{0, 0})
	for ; len(q.waiting) > 0 && leaves > 0; leaves-- {
		top := q.waiting[0]
		q.waiting = popLeast(q.waiting)
		if len(q.Nearest) == k && top.Distance >= q.Nearest[0].Distance {
			break
		}
		n := &t.nodes[top.ID]
		for n.left != 0 {
			d := x[n.axis] - n.cut
			near, far := n.left, n.right
			if d >= 0 {
				near, far = far, near
			}
			q.waiting = pushLeast(q.waiting, Found{max(top.Distance, d*d), far})
			n = &t.nodes[near]
		}
		for _, id := range t.order[n.low:n.high] {
			d := Squared(x, t.Row(int(id)))
			switch {
			case len(q.Nearest) < k:
				q.Nearest = append(q.Nearest, Found{d, id})
				riseGreatest(q.Nearest)
			case d < q.Nearest[0].Distance:
				q.Nearest[0] = Found{d, id}
				sinkGreatest(q.Nearest)
			}
		}
	}
	for end := len(q.Nearest) - 1; end > 0; end-- {
		q.Nearest[0], q.Nearest[end] = q.Nearest[end], q.Nearest[0]
		sinkGreatest(q.Nearest[:end])
	}
}

// Squared returns the squared distance of two points.
func Squared(x, y []float32) float32 {
	var s float32
	y = y[:len(x)]
	for r, v := range x {
		d := v - y[r]
		s += d * d
	}
	return s
}

// The heaps are written out, since container/heap would allocate for every push.

func pushLeast(h []Found, f Found) []Found {
	h = append(h, f)
	for k := len(h) - 1; k > 0; {
		parent := (k - 1) / 2
		if h[parent].Distance <= h[k].Distance {
			break
		}
		h[parent], h[k] = h[k], h[parent]
		k = parent
	}
	return h
}

func popLeast(h []Found) []Found {
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for k := 0; ; {
		child := 2*k + 1
		if child >= last {
			return h
		}
		if child+1 < last && h[child+1].Distance < h[child].Distance {
			child++
		}
		if h[k].Distance <= h[child].Distance {
			return h
		}
		h[k], h[child] = h[child], h[k]
		k = child
	}
}

func riseGreatest(h []Found) {
	for k := len(h) - 1; k > 0; {
		parent := (k - 1) / 2
		if h[parent].Distance >= h[k].Distance {
			return
		}
		h[parent], h[k] = h[k], h[parent]
		k = parent
	}
}

func sinkGreatest(h []Found) {
	for k := 0; ; {
		child := 2*k + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].Distance > h[child].Distance {
			child++
		}
		if h[k].Distance >= h[child].Distance {
			return
		}
		h[k], h[child] = h[child], h[k]
		k = child
	}
}
