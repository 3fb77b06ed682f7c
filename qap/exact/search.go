package exact

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
)

// search is the state of a branch and bound. Costs, the negated scores, are
// minimised.
type search struct {
	in         *qap.Instance
	transposed bool // rows are the nodes of graph 2
	watch      qap.Watch
	timeLimit  time.Duration // 0 is none
	bounder    *bounder
	levels     []*node  // memory of the nodes on the path from the root
	path       [][2]int // row and column of each match on that path
	step       float64  // every cost is a multiple of it; 0 if none is known
	tolerance  float64  // what rounding may amount to

	best     qap.Matching
	bestCost float64
	bestNode int // nodes when best was found
	nodes    int
	status   qap.Status // "" while the search goes on
	onBest   func(qap.Incumbent)
}

const (
	nodePasses = 12 // of a node's bound, at most
	rootPasses = 60 // of the bound that is proved before the search
)

// run searches below the root and returns a lower bound on the cost of every
// solution.
func (s *search) run(root *node) float64 {
	least := s.flowBound()
	if least < s.cutoff() {
		least = max(least, s.sparseBound(root))
	}
	if least < s.cutoff() {
		// A root of its own: costs that were moved that far are in a shape from which the
		// bounds of the root's children rise less.
		least = max(least, s.relaxed(rootNode(s.in, s.transposed, s.stopped)))
	}
	if least < s.cutoff() {
		s.levels = append(s.levels, root)
		least = max(least, s.explore(0))
	}
	if s.step > s.tolerance {
		least = s.step * math.Ceil((least-s.rounding())/s.step)
	}
	return min(least, s.bestCost)
}

// flowBound is the bound on costs of flows and distances, −Inf where there are none.
func (s *search) flowBound() float64 {
	score, err := bound.OfFlows(s.in)
	if err != nil {
		return math.Inf(-1)
	}
	return -score
}

// relaxed returns the bound of the whole instance, raised until that no longer pays.
func (s *search) relaxed(root *node) float64 {
	if root == nil {
		return math.Inf(-1)
	}
	for range rootPasses {
		before := root.bound
		s.bounder.pass(root, s.cutoff())
		if s.stopped() || root.bound >= s.cutoff() || root.bound-before < (s.cutoff()-root.bound)/1000 {
			break
		}
	}
	return root.bound
}

// cutoff is the cost from which solutions are no better than the best known.
func (s *search) cutoff() float64 {
	return s.bestCost - max(s.step-s.rounding(), s.tolerance)
}

// rounding is by how much a bound is trusted less than it says.
func (s *search) rounding() float64 { return max(s.tolerance, s.step/1000) }

// explore searches the node at a depth and returns a lower bound on its
// solutions, as far as they are better than the best known.
func (s *search) explore(depth int) float64 {
	t := s.levels[depth]
	m1, m2 := t.size()
	s.nodes++
	if m1 == 0 || m2 == 0 {
		s.offer(t)
		return t.fixed
	}
	if s.stopped() {
		return t.bound
	}
	s.bounder.improve(t, s.cutoff(), nodePasses)
	if t.bound >= s.cutoff() || s.stopped() {
		return t.bound
	}
	s.offer(t)
	proven := math.Inf(1)
	for _, b := range branches(t, s.cutoff()) {
		if b.bound < s.cutoff() && !s.stopped() {
			b.bound = max(b.bound, s.descend(t, depth, b))
		}
		proven = min(proven, b.bound)
	}
	return max(t.bound, proven)
}

// descend explores the child of t that a branch leads to.
func (s *search) descend(t *node, depth int, b branch) float64 {
	if len(s.levels) == depth+1 {
		s.levels = append(s.levels, &node{complete: t.complete})
	}
	child := s.levels[depth+1]
	if !child.match(t, b.row, b.col, s.stopped) {
		return b.bound
	}
	child.bound = max(child.bound, b.bound)
	if b.row >= 0 && b.col >= 0 {
		s.path = append(s.path, [2]int{t.rows[b.row], t.cols[b.col]})
		defer func() { s.path = s.path[:len(s.path)-1] }()
	}
	return s.explore(depth + 1)
}

// stopped looks at the limits and the clock.
func (s *search) stopped() bool {
	if s.status != "" {
		return true
	}
	if status, stop := s.watch.Reached(s.nodes, s.nodes-s.bestNode, -s.bestCost); stop {
		s.status = status
	} else if status, stop := s.watch.Expired(); stop {
		s.status = status
	}
	return s.status != ""
}

// offer makes the matching of the path and of t's guess the best known, if it is.
func (s *search) offer(t *node) {
	m := qap.NewMatching(len(s.best))
	set := func(i, a int) {
		if s.transposed {
			i, a = a, i
		}
		m[i] = a
	}
	for _, match := range s.path {
		set(match[0], match[1])
	}
	if len(t.cols) > 0 {
		for i, row := range t.rows {
			if a := t.guess[i]; a >= 0 {
				set(row, t.cols[a])
			}
		}
	}
	s.accept(m)
}

// accept makes m the best known solution, if it is.
func (s *search) accept(m qap.Matching) {
	if cost := -s.in.Score(m); cost < s.bestCost && s.in.IsSolution(m) {
		s.best, s.bestCost, s.bestNode = m, cost, s.nodes
		if s.onBest != nil {
			s.onBest(qap.NewIncumbent(s.in, m, -cost, s.nodes))
		}
	}
}

// A branch is a child: row and column are matched, or one of them is −1 and the
// other stays unmatched.
type branch struct {
	row, col int
	bound    float64
}

// branches divides a node along the row or column that leaves the least room
// below cutoff. The children come in the order of their bounds.
func branches(t *node, cutoff float64) []branch {
	m1, m2 := t.size()
	least, line := math.Inf(1), 0
	for k := range m1 + m2 {
		room := 0.0
		for b := range t.line(k) {
			room += max(0, cutoff-b.bound)
		}
		if room < least {
			least, line = room, k
		}
	}
	children := slices.Collect(t.line(line))
	slices.SortStableFunc(children, func(x, y branch) int { return cmp.Compare(x.bound, y.bound) })
	return children
}

// line yields the children along row k, or along column k−m1.
func (t *node) line(k int) func(yield func(branch) bool) {
	m1, m2 := t.size()
	return func(yield func(branch) bool) {
		if k < m1 {
			for a := range m2 {
				if p := k*m2 + a; !t.dead[p] && !yield(branch{k, a, t.last + t.slack[p]}) {
					return
				}
			}
			if t.rowMayRest() {
				yield(branch{k, -1, t.last + t.rowSlack[k]})
			}
			return
		}
		a := k - m1
		for i := range m1 {
			if p := i*m2 + a; !t.dead[p] && !yield(branch{i, a, t.last + t.slack[p]}) {
				return
			}
		}
		if t.colMayRest() {
			yield(branch{-1, a, t.last + t.colSlack[a]})
		}
	}
}
