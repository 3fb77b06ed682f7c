package paper

import (
	"cmp"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// The channels of the first tensor: what the paper's embedding (its equation 8)
// takes in, with sums over a vertex's neighbours in the association graph
// divided by their number (n1−1)·(n2−1), and K divided by its unit, the largest
// absolute entry or what variant.matched says.
const (
	solution         = iota // x: 1 where the vertex is matched
	positiveEdges           // mean of max(W, 0) over the neighbours
	negativeEdges           // mean of max(−W, 0) over the neighbours
	neighbourWeights        // mean vertex weight of the neighbours, or what variant.matched says
	channels                // how many there are
)

// staticFeatures returns the Paper set of the empty matching, and the unit of K: the largest
// |K[p,q]| between vertices that share no node, and of vertices themselves, or that of
// variant.matched.
func staticFeatures(in *qap.Instance, matched bool) (static []float32, unit float64) {
	n1, n2 := in.Size()
	n := n1 * n2
	positive, negative, unit := edgeSums(in)
	weights := make([]float64, n)
	in.Affinity.Diagonal(weights)
	for _, w := range weights {
		unit = max(unit, math.Abs(w))
	}
	if unit == 0 {
		unit = 1
	}
	if matched {
		unit = features.Scale(in) / float64(min(n1, n2))
	}
	total, rows, cols := 0.0, make([]float64, n1), make([]float64, n2)
	for p, w := range weights {
		total += w
		rows[p/n2] += w
		cols[p%n2] += w
	}
	scale := 1 / (unit * float64(max((n1-1)*(n2-1), 1)))
	static = make([]float32, n*channels)
	for p, w := range weights {
		f := static[p*channels:]
		f[positiveEdges] = float32(positive[p] * scale)
		f[negativeEdges] = float32(negative[p] * scale)
		if matched {
			f[neighbourWeights] = float32(w / (unit * float64(min(n1, n2))))
			continue
		}
		// Neighbours are the vertices outside p's row and column.
		f[neighbourWeights] = float32((total - rows[p/n2] - cols[p%n2] + w) * scale)
	}
	return static, unit
}

// edgeSums returns, for every vertex p, Σ max(K[p,q], 0) and Σ max(−K[p,q], 0)
// over its neighbours q, and the largest |K[p,q]|.
func edgeSums(in *qap.Instance) (positive, negative []float64, largest float64) {
	n1, n2 := in.Size()
	positive, negative = make([]float64, n1*n2), make([]float64, n1*n2)
	if kb, ok := in.Affinity.(*qap.KoopmansBeckmann); ok && nonNegative(kb.A()) && nonNegative(kb.B()) {
		return productSums(kb, in.Sense)
	}
	row := make([]float64, n1*n2)
	for p := range positive {
		clear(row)
		in.Affinity.AddRow(row, p, 1)
		for _, k := range row {
			positive[p] += max(k, 0)
			negative[p] += max(-k, 0)
			largest = max(largest, math.Abs(k))
		}
	}
	return positive, negative, largest
}

func nonNegative(values []float64) bool {
	for _, v := range values {
		if v < 0 {
			return false
		}
	}
	return true
}

// productSums is edgeSums in O(n²) where A and B have no negative entry: sums of
// products are then products of sums.
func productSums(kb *qap.KoopmansBeckmann, sense qap.Sense) (positive, negative []float64, largest float64) {
	n1, n2 := kb.Size()
	rowA, colA := rowsAndColumns(kb.A(), n1)
	rowB, colB := rowsAndColumns(kb.B(), n2)
	edges := make([]float64, n1*n2)
	for p := range edges {
		i, a := p/n2, p%n2
		edges[p] = (rowA[i]*rowB[a] + colA[i]*colB[a]) / 2
	}
	largest = largestPair(kb)
	none := make([]float64, n1*n2)
	if sense == qap.Minimize {
		return none, edges, largest
	}
	return edges, none, largest
}

func rowsAndColumns(m []float64, n int) (rows, cols []float64) {
	rows, cols = make([]float64, n), make([]float64, n)
	for k, v := range m {
		rows[k/n] += v
		cols[k%n] += v
	}
	return rows, cols
}

// largestPair returns max (A[i,j]·B[a,b] + A[j,i]·B[b,a])/2. The largest is
// attained where no other pair (A[i,j], A[j,i]) exceeds both entries, so only
// the pairs on that frontier are multiplied out.
func largestPair(kb *qap.KoopmansBeckmann) float64 {
	n1, n2 := kb.Size()
	frontA, frontB := frontier(kb.A(), n1), frontier(kb.B(), n2)
	largest := 0.0
	for _, x := range frontA {
		for _, y := range frontB {
			largest = max(largest, (x[0]*y[0]+x[1]*y[1])/2)
		}
	}
	return largest
}

// frontier returns the pairs (m[i,j], m[j,i]), i ≠ j, of an n×n matrix that no
// other pair exceeds in both numbers.
func frontier(m []float64, n int) [][2]float64 {
	var pairs [][2]float64
	for i := range n {
		for j := range n {
			if i != j {
				pairs = append(pairs, [2]float64{m[i*n+j], m[j*n+i]})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y [2]float64) int {
		return cmp.Or(cmp.Compare(y[0], x[0]), cmp.Compare(y[1], x[1]))
	})
	var front [][2]float64
	for _, p := range pairs {
		if len(front) == 0 || p[1] > front[len(front)-1][1] {
			front = append(front, p)
		}
	}
	return front
}
