package qap

import "math/rand/v2"

// Unmatched is a Matching's entry for a node without a partner.
const Unmatched = -1

// Matching maps each node of graph 1 to its node of graph 2 (0-based), or to
// Unmatched. No two nodes share a partner.
type Matching []int

// NewMatching returns the empty matching of n1 nodes.
func NewMatching(n1 int) Matching {
	m := make(Matching, n1)
	m.clear()
	return m
}

// RandomMatching returns a uniformly random matching of min(n1, n2) nodes.
func RandomMatching(n1, n2 int, rng *rand.Rand) Matching {
	m := NewMatching(n1)
	m.Randomize(n2, rng, make([]int, max(n1, n2)))
	return m
}

// Randomize makes m what RandomMatching returns. The numbers in scratch, as many as the
// larger graph has nodes, are lost.
func (m Matching) Randomize(n2 int, rng *rand.Rand, scratch []int) {
	n1 := len(m)
	order := scratch[:max(n1, n2)]
	for k := range order { // rand.Rand.Perm, without its allocation
		order[k] = k
	}
	rng.Shuffle(len(order), func(x, y int) { order[x], order[y] = order[y], order[x] })
	if n1 <= n2 {
		copy(m, order[:n1])
		return
	}
	m.clear()
	for a, i := range order[:n2] {
		m[i] = a
	}
}

// Size returns how many nodes are matched.
func (m Matching) Size() int {
	size := 0
	for _, a := range m {
		if a != Unmatched {
			size++
		}
	}
	return size
}

// Right returns how many of the matches the truth has too.
func (m Matching) Right(truth Matching) int {
	right := 0
	for i, a := range m {
		if a != Unmatched && a == truth[i] {
			right++
		}
	}
	return right
}

// F1 returns the harmonic mean of precision and recall against the truth, 0..1: twice
// the right matches over all of both.
func (m Matching) F1(truth Matching) float64 {
	return 2 * float64(m.Right(truth)) / float64(max(m.Size()+truth.Size(), 1))
}

// Clone returns a copy.
func (m Matching) Clone() Matching { return append(Matching(nil), m...) }

func (m Matching) clear() {
	for i := range m {
		m[i] = Unmatched
	}
}
