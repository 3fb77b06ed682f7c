package rigid

import (
	"math"
	"slices"
)

// table holds a row of numbers for each node.
type table struct {
	width int
	of    []float32
}

func newTable(rows, width int) table { return table{width, make([]float32, rows*width)} }

func (t *table) row(i int32) []float32 { return t.of[int(i)*t.width : (int(i)+1)*t.width] }
func (t *table) rows() int             { return len(t.of) / t.width }

var radii = [...]int{2, 3, 4, 6, 9, 13, 18, 25} // of balls

const (
	longestWalk = 8
	own         = 1 + longestWalk - 2 + len(radii) // numbers of a node itself
	width       = 3 * own                          // with the means over neighbours, and theirs
)

// description says how far the surroundings of a node are looked at.
type description struct {
	mostWork int // entries of walks, for each node
	mostBall int // nodes
}

func descriptionOf(n int) description {
	const middling, large = 3000, 20_000
	switch {
	case n <= middling:
		return description{20_000, 600}
	case n <= large:
		return description{3000, 600}
	}
	return description{500, 150}
}

// describe returns what is around every node: its degree, the logarithms of closed walks without backtracking
// of 3 to 8 steps and of the sizes of balls around it, and the means of all this over neighbours, and theirs;
// less the mean of all nodes. It returns false where it was stopped.
func (d description) describe(g *Graph, over func() bool) (table, bool) {
	n := int32(g.nodes())
	t := newTable(int(n), width)
	w, b := newWalker(g), newBaller(g)
	for i := range n {
		if i%64 == 0 && over() {
			return t, false
		}
		row := t.row(i)
		row[0] = float32(g.degree(i))
		w.walks(i, d.mostWork, row[1:longestWalk-1])
		b.balls(i, d.mostBall, row[longestWalk-1:own])
	}
	for hop := range 2 {
		for i := range n {
			into := t.row(i)[(hop+1)*own : (hop+2)*own]
			for _, j := range g.row(i) {
				for k, x := range t.row(j)[hop*own : (hop+1)*own] {
					into[k] += x / float32(g.degree(i))
				}
			}
		}
	}
	t.centre()
	return t, true
}

// centre subtracts the mean row.
func (t *table) centre() {
	mean := make([]float64, t.width)
	for k, x := range t.of {
		mean[k%t.width] += float64(x)
	}
	for k := range mean {
		mean[k] /= float64(max(1, t.rows()))
	}
	for k := range t.of {
		t.of[k] -= float32(mean[k%t.width])
	}
}

// walker counts walks that do not turn back, by the entry that they took last.
type walker struct {
	g          *Graph
	back       []int32 // of each entry: that of the same edge in the row of its other end
	now, next  []float32
	ends, more []int32 // entries with walks
}

func newWalker(g *Graph) *walker {
	w := &walker{g: g, back: make([]int32, len(g.To)), now: make([]float32, len(g.To)), next: make([]float32, len(g.To))}
	for i := range int32(g.nodes()) {
		for x := g.Start[i]; x < g.Start[i+1]; x++ {
			j := g.To[x]
			at, _ := slices.BinarySearch(g.row(j), i)
			w.back[x] = int32(g.Start[j] + at)
		}
	}
	return w
}

// walks fills in the logarithms of one more than the closed walks from a node, of 3 steps on; longer ones count
// as none once the work is done. A walk ends where it is back.
func (w *walker) walks(i int32, mostWork int, into []float32) {
	g := w.g
	w.ends = w.ends[:0]
	for x := g.Start[i]; x < g.Start[i+1]; x++ {
		w.now[x] = 1
		w.ends = append(w.ends, int32(x))
	}
	work := 0
	for step := 2; step <= longestWalk; step++ {
		w.more = w.more[:0]
		if work < mostWork {
			for _, x := range w.ends {
				j := g.To[x]
				if j == i {
					continue
				}
				work += g.degree(j)
				for y := g.Start[j]; y < g.Start[j+1]; y++ {
					if int32(y) == w.back[x] {
						continue
					}
					if w.next[y] == 0 {
						w.more = append(w.more, int32(y))
					}
					w.next[y] += w.now[x]
				}
			}
		}
		for _, x := range w.ends {
			w.now[x] = 0
		}
		w.now, w.next, w.ends, w.more = w.next, w.now, w.more, w.ends
		if step < 3 {
			continue
		}
		closed := float32(0)
		for _, x := range w.ends {
			if g.To[x] == i {
				closed += w.now[x]
			}
		}
		into[step-3] = float32(math.Log1p(float64(closed)))
	}
	for _, x := range w.ends {
		w.now[x] = 0
	}
}

// baller measures balls.
type baller struct {
	g        *Graph
	distance []int32
	queue    []int32
}

func newBaller(g *Graph) *baller {
	b := &baller{g: g, distance: make([]int32, g.nodes())}
	for i := range b.distance {
		b.distance[i] = -1
	}
	return b
}

// balls fills in the logarithms of one more than the nodes nearer than each of the radii, as far as most nodes.
func (b *baller) balls(i int32, most int, into []float32) {
	const farthest = 25
	b.queue = append(b.queue[:0], i)
	b.distance[i] = 0
	var size [farthest + 1]int // nodes nearer than this
	reached, head := 0, 0
	for ; head < len(b.queue); head++ {
		j := b.queue[head]
		d := int(b.distance[j])
		if d == farthest {
			break
		}
		if d > reached {
			size[d], reached = head, d
			if len(b.queue) > most {
				break
			}
		}
		for _, k := range b.g.row(j) {
			if b.distance[k] < 0 {
				b.distance[k] = int32(d + 1)
				b.queue = append(b.queue, k)
			}
		}
	}
	rest := len(b.queue)
	if head < len(b.queue) {
		rest = size[reached]
	}
	for k, r := range radii {
		count := rest
		if r <= reached {
			count = size[r]
		}
		into[k] = float32(math.Log1p(float64(count)))
	}
	for _, j := range b.queue {
		b.distance[j] = -1
	}
}
