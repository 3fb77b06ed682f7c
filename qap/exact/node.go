package exact

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// node is what is left of an instance once some nodes of both graphs are matched
// or given up. Costs, the negated scores, are minimised:
//
//	fixed + Σ linear[p]·x[p] + Σ quad[p,q]·x[p]·x[q]
//
// over matchings x of the m1 nodes rows and the m2 nodes cols that are left.
// Vertex p = i·m2+a counts these. Only quad[p,q]+quad[q,p] matters, and the bound
// shifts cost between the two.
type node struct {
	complete   bool // min(n1, n2) nodes must be matched, and m1 ≤ m2
	rows, cols []int
	fixed      float64
	linear     []float64 // m1·m2
	quad       []float64 // (m1·m2)², 0 between vertices that conflict
	bound      float64   // no completion costs less

	// Of the last assignment, which bounds by last: no completion that matches p
	// costs less than last+slack[p], none that leaves row i (column a) unmatched less
	// than last+rowSlack[i] (last+colSlack[a]). Dead vertices belong to no completion
	// that is better than the best known.
	last                      float64
	slack, rowSlack, colSlack []float64
	dead                      []bool
	guess                     []int // column of each row in the assignment behind the bound, or −1
}

// resize makes the arrays fit the rows and columns.
func (t *node) resize() {
	m1, m2 := t.size()
	m := m1 * m2
	t.linear, t.quad = resized(t.linear, m), resized(t.quad, m*m)
	t.slack, t.rowSlack, t.colSlack = resized(t.slack, m), resized(t.rowSlack, m1), resized(t.colSlack, m2)
	t.dead, t.guess = resized(t.dead, m), resized(t.guess, m1)
}

// resized returns a slice of n entries, with the memory of old where it suffices.
func resized[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}

// rowsBetweenLooks are the rows of quad that are filled in between two looks at the clock: with
// 50 nodes each, all of them take longer than a search may go over its limit.
const rowsBetweenLooks = 64

// rootNode returns the whole instance, nil if it was stopped on the way; transposed makes
// graph 2 that of the rows.
func rootNode(in *qap.Instance, transposed bool, stopped func() bool) *node {
	n1, n2 := in.Size()
	m1, m2 := n1, n2
	vertex := func(p int) int { return p } // of the instance, to that of the node
	if transposed {
		m1, m2 = n2, n1
		vertex = func(p int) int { return p%n2*n1 + p/n2 }
	}
	root := &node{complete: in.Complete, bound: math.Inf(-1)}
	for i := range m1 {
		root.rows = append(root.rows, i)
	}
	for a := range m2 {
		root.cols = append(root.cols, a)
	}
	root.resize()
	n := n1 * n2
	values := make([]float64, n)
	in.Affinity.Diagonal(values)
	for p, v := range values {
		root.linear[vertex(p)] = -v
	}
	for p := range n {
		if p%rowsBetweenLooks == 0 && stopped() {
			return nil
		}
		clear(values)
		in.Affinity.AddRow(values, p, -1)
		row := root.quad[vertex(p)*n:][:n]
		for q, v := range values {
			row[vertex(q)] = v
		}
	}
	return root
}

func (t *node) size() (m1, m2 int) { return len(t.rows), len(t.cols) }

// square reports whether every row and column must be matched.
func (t *node) square() bool { return t.complete && len(t.rows) == len(t.cols) }

// rowMayRest and colMayRest report whether a row or column may stay unmatched.
func (t *node) rowMayRest() bool { return !t.complete }
func (t *node) colMayRest() bool { return !t.complete || len(t.rows) < len(t.cols) }

// match makes t what is left of parent once row i is matched with column a; one
// of them may be −1, which leaves the other unmatched. It returns false if it was stopped
// on the way.
func (t *node) match(parent *node, i, a int, stopped func() bool) bool {
	t.rows = without(t.rows, parent.rows, i)
	t.cols = without(t.cols, parent.cols, a)
	t.resize()
	pm1, pm2 := parent.size()
	pm := pm1 * pm2
	m1, m2 := t.size()
	m := m1 * m2
	t.fixed, t.bound = parent.fixed, parent.bound
	matched := i >= 0 && a >= 0
	p := i*pm2 + a
	if matched {
		t.fixed += parent.linear[p]
	}
	for r := range m {
		if r%rowsBetweenLooks == rowsBetweenLooks-1 && stopped() {
			return false
		}
		from := parentVertex(r, m2, pm2, i, a)
		t.dead[r] = parent.dead[from]
		t.linear[r] = parent.linear[from]
		if matched {
			t.linear[r] += parent.quad[p*pm+from] + parent.quad[from*pm+p]
		}
		out, in := t.quad[r*m:(r+1)*m], parent.quad[from*pm:(from+1)*pm]
		for j := range m1 {
			k := j
			if i >= 0 && j >= i {
				k++
			}
			copySkipping(out[j*m2:(j+1)*m2], in[k*pm2:(k+1)*pm2], a)
		}
	}
	return true
}

// parentVertex returns the vertex r of a child as its parent, of pm2 columns,
// counts it, where row i and column a (each −1 for none) are gone.
func parentVertex(r, m2, pm2, i, a int) int {
	j, b := r/m2, r%m2
	if i >= 0 && j >= i {
		j++
	}
	if a >= 0 && b >= a {
		b++
	}
	return j*pm2 + b
}

// copySkipping copies src to dst but for entry k; k = −1 skips none.
func copySkipping(dst, src []float64, k int) {
	if k < 0 {
		copy(dst, src)
		return
	}
	copy(dst[:k], src[:k])
	copy(dst[k:], src[k+1:])
}

// without copies src to dst but for entry k; k = −1 skips none.
func without(dst, src []int, k int) []int {
	if k < 0 {
		return append(dst[:0], src...)
	}
	return append(append(dst[:0], src[:k]...), src[k+1:]...)
}
