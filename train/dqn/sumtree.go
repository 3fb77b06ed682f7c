package dqn

// sumTree holds non-negative weights and finds where a running sum of them is
// reached, in O(log capacity). Source: Schaul et al. 2016, arXiv:1511.05952, B.2.1.
type sumTree struct {
	leaves int       // a power of two
	sums   []float64 // a binary heap: the sum of node k is that of 2k and 2k+1
}

func newSumTree(capacity int) *sumTree {
	leaves := 1
	for leaves < capacity {
		leaves *= 2
	}
	return &sumTree{leaves, make([]float64, 2*leaves)}
}

func (t *sumTree) total() float64       { return t.sums[1] }
func (t *sumTree) weight(k int) float64 { return t.sums[t.leaves+k] }

func (t *sumTree) set(k int, weight float64) {
	node := t.leaves + k
	t.sums[node] = weight
	for node /= 2; node >= 1; node /= 2 {
		t.sums[node] = t.sums[2*node] + t.sums[2*node+1]
	}
}

// find returns the leaf k with Σ_{j<k} weight(j) ≤ sum < Σ_{j≤k} weight(j).
func (t *sumTree) find(sum float64) int {
	node := 1
	for node < t.leaves {
		node *= 2
		if left := t.sums[node]; sum >= left && t.sums[node+1] > 0 {
			sum -= left
			node++
		}
	}
	return node - t.leaves
}
