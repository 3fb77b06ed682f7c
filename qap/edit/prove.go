package edit

import "math"

// tree searches depth first with the dual bound: a node of graph 1 with few places left goes to each of them, and the
// splits that it inherits are improved by a few iterations. What a node of the tree rules out holds below it.
type tree struct {
	*dual
	frames []frame
	depth  int     // of the frames that are in use
	class  []int32 // of nodes of graph 2: see twins
	taken  []bool  // nodes of graph 2 that have been given
	root   progress
}

// frame is a node of the tree: the dual as it was left, and the children that are to be tried.
type frame struct {
	node     int
	places   []int32
	lost     []int32 // places that lead to nothing
	split    []int32
	weight   []int32
	excluded []bool
	left     int
	column   []int32
	ofColumn []int
}

const (
	iterationsOfNode = 24      // of the dual
	sweepsOfNode     = 2       // of these, the first
	mostFrames       = 1 << 22 // places in all frames,
	leastFrames      = 16      // of which there can be so many
)

// begin opens the root where the dual stands; false where no node has a choice: the dual's assignment is what is left.
func (t *tree) begin(d *dual, alike *twins) bool {
	t.dual, t.depth, t.root = d, 0, d.progress
	t.class = append(t.class[:0], alike.of...)
	for range d.n2 - d.real {
		t.class = append(t.class, int32(alike.count()))
	}
	t.taken = resized(t.taken, d.n2)
	clear(t.taken)
	return t.open()
}

// fits reports whether frames of the dual take little memory.
func (t *tree) fits(d *dual) bool { return leastFrames*len(d.split) <= mostFrames }

// full reports whether no deeper frame may be made.
func (t *tree) full() bool { return (t.depth+1)*len(t.split) > mostFrames }

// open makes a frame of the dual as it is; false where no node of graph 1 has a choice.
func (t *tree) open() bool {
	node, fewest := -1, math.MaxInt
	for i := range t.n1 {
		count := 0
		for _, excluded := range t.excluded[i*t.n2:][:t.n2] {
			if !excluded {
				count++
			}
		}
		if count > 1 && (count < fewest || count == fewest && t.g1.degree(i) > t.g1.degree(node)) {
			node, fewest = i, count
		}
	}
	if node < 0 {
		t.iterate() // what is left
		return false
	}
	if t.depth == len(t.frames) {
		t.frames = append(t.frames, frame{})
	}
	f := &t.frames[t.depth]
	t.depth++
	f.node, f.places, f.lost = node, f.places[:0], f.lost[:0]
	for a := range t.n2 {
		if !t.excluded[node*t.n2+a] && !t.hasTwin(a) {
			f.places = append(f.places, int32(a))
		}
	}
	f.save(t.dual)
	return true
}

// hasTwin reports whether a place can be exchanged for one before it that is tried or ruled out.
func (t *tree) hasTwin(a int) bool {
	for b, class := range t.class[:a] {
		if class == t.class[a] && !t.taken[b] {
			return true
		}
	}
	return false
}

func (f *frame) save(d *dual) {
	f.split = append(f.split[:0], d.split...)
	f.weight, f.excluded = append(f.weight[:0], d.weight...), append(f.excluded[:0], d.excluded...)
	f.column, f.ofColumn = append(f.column[:0], d.assigner.column[:d.n1]...), append(f.ofColumn[:0], d.assigner.ofColumn...)
	f.left = d.left
	d.work += len(d.split)
}

func (f *frame) restore(d *dual) {
	copy(d.split, f.split)
	for id, split := range f.split {
		d.part[id] = float64(split)
	}
	copy(d.weight, f.weight)
	copy(d.excluded, f.excluded)
	copy(d.assigner.column, f.column)
	copy(d.assigner.ofColumn, f.ofColumn)
	d.left, d.listed = f.left, false
	d.work += len(d.split)
}

// next tries one child, or leaves a frame whose children are done. It reports whether nothing is left that saves more
// than best.
func (t *tree) next(best int) (done bool) {
	f := &t.frames[t.depth-1]
	if len(f.places) > 0 {
		a := f.places[len(f.places)-1]
		f.restore(t.dual)
		t.give(f.node, int(a))
		t.taken[a] = true
		if !t.attempt(best) && t.open() {
			return false
		}
	} else if t.depth--; t.depth == 0 {
		return true
	}
	f = &t.frames[t.depth-1]
	last := len(f.places) - 1
	t.taken[f.places[last]] = false
	f.lost = append(f.lost, f.places[last])
	f.places = f.places[:last]
	return false
}

// give sends a node to a place: all others are excluded for it, and all other nodes from there.
func (t *tree) give(node, a int) {
	for b := range t.n2 {
		if b != a {
			t.leaveOut(node*t.n2 + b)
		}
	}
	for i := range t.n1 {
		if i != node {
			t.leaveOut(i*t.n2 + a)
		}
	}
	t.refresh()
}

// attempt improves the bound of a node of the tree by a few iterations.
func (t *tree) attempt(best int) (proved bool) {
	t.forget()
	t.progress = progress{bound: math.Inf(1), reference: math.Inf(1), lambda: 1, iterations: sweepsFirst - sweepsOfNode}
	return t.improve(iterationsOfNode, best)
}

// abandon goes back to the root, without the places there that were found to lead to nothing.
func (t *tree) abandon() {
	f := &t.frames[0]
	f.restore(t.dual)
	t.forget()
	t.progress, t.depth = t.root, 0
	for _, a := range f.lost {
		t.leaveOut(f.node*t.n2 + int(a))
	}
	t.refresh()
}
