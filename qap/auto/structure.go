package auto

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Features are what is known of an instance. Pairs are of its two matrices A and B.
type Features struct {
	N         int
	Likeness  [2]float64 // see likeness
	Neighbors [2]float64 // entries of a row that are not 0, in the mean
	Isolated  [2]bool    // some nodes have none
	Copies    bool       // see copies
	OneWay    bool       // neither matrix is symmetric
}

// structure measures what tells which searches suit an instance.
func structure(in *qap.Instance) Features {
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	n, _ := in.Size()
	_, _, symmetricA, symmetricB := kb.Transposed()
	f := Features{N: n, Copies: copies(in, kb, n), OneWay: !symmetricA && !symmetricB}
	for k, m := range [2][]float64{kb.A(), kb.B()} {
		f.Neighbors[k], f.Isolated[k] = neighbors(m, n)
		if !f.Copies { // which begin without further ado
			f.Likeness[k] = likeness(m, n)
		}
	}
	return f
}

// copies reports whether the instance asks to lay one graph on another that may be a noisy copy
// of it: large entries belong on large ones, and the sums of rows, in their order, differ by
// little.
func copies(in *qap.Instance, kb *qap.KoopmansBeckmann, n int) bool {
	a, b := sortedSums(kb.A(), n, 1), sortedSums(kb.B(), n, in.ScoreOf(1))
	totalA, totalB := 0.0, 0.0
	for i := range n {
		totalA, totalB = totalA+a[i], totalB+b[i]
	}
	if totalA*totalB <= 0 {
		return false
	}
	apart := 0.0
	for i := range n {
		apart += math.Abs(a[i]/totalA - b[i]/totalB)
	}
	return apart < copiesBelow
}

// sortedSums returns the sums of a matrix's rows and columns times a factor, in their order.
func sortedSums(m []float64, n int, factor float64) []float64 {
	sums := make([]float64, n)
	for i := range n {
		for j, v := range m[i*n : (i+1)*n] {
			sums[i] += factor * v
			sums[j] += factor * v
		}
	}
	slices.Sort(sums)
	return sums
}

// blocks reports whether the nodes of both matrices come in blocks, which of copies is not known. Rows with
// few entries are alike because they are empty, which says nothing of blocks.
func (f *Features) blocks() bool {
	return !f.Copies && !f.sparse() && max(f.Likeness[0], f.Likeness[1]) < blocksBelow
}

// structured reports whether either matrix has any structure.
func (f *Features) structured() bool { return min(f.Likeness[0], f.Likeness[1]) <= unstructured }

// grows reports whether all nodes of one matrix have neighbors, but few, and the other has no
// structure.
func (f *Features) grows() bool {
	narrow := func(k int) bool { return !f.Isolated[k] && f.Neighbors[k] <= mostOfNarrow }
	return narrow(0) && f.Likeness[1] > unstructured || narrow(1) && f.Likeness[0] > unstructured
}

// sparse reports whether nodes of one matrix have few neighbors.
func (f *Features) sparse() bool {
	return min(f.Neighbors[0], f.Neighbors[1]) <= min(mostOfSparse, sparseShare*float64(f.N))
}

// branching reports whether nodes have more partners in the mean than the two of trees and tours.
func (f *Features) branching() bool { return min(f.Neighbors[0], f.Neighbors[1]) > 2 }

// annealingPrice returns what a step of annealing takes, in swaps of one trajectory, where flows are
// few: a trial looks at the partners of two facilities, a swap at all pairs. Measured at 500 and 1,000.
func (f *Features) annealingPrice() float64 {
	return min(1, (15+12*min(f.Neighbors[0], f.Neighbors[1]))/float64(f.N))
}

// neighbors returns how many a node has in the mean, and whether some have none.
func neighbors(m []float64, n int) (mean float64, isolated bool) {
	count := 0
	for i := range n {
		before := count
		for _, v := range m[i*n : (i+1)*n] {
			if v != 0 {
				count++
			}
		}
		isolated = isolated || count == before
	}
	return float64(count) / float64(n), isolated
}

// sampledColumns bounds the work of likeness to this ·n², and from largeFrom nodes on to
// about sampledRows such rows.
const (
	sampledColumns = 32
	sampledRows    = 64
)

// groupShare is the least group of nodes that counts, ·n.
const groupShare = 1.0 / 16

// likeness is how far rows are from the group of rows most like them, as a share of how
// far rows are from one another: near 0 where nodes come in groups that are alike,
// near 1 where none are.
func likeness(m []float64, n int) float64 {
	stride := (n + sampledColumns - 1) / sampledColumns
	group := max(1, int(math.Round(groupShare*float64(n))))
	step := 1
	if n >= largeFrom {
		step = n / sampledRows
	}
	const together = 16 // rows, which stay in the processor's cache
	var apart [together][]float64
	for k := range apart {
		apart[k] = make([]float64, 0, n)
	}
	nearest, all := 0.0, 0.0
	for from := 0; from < n; from += together * step {
		rows := 0
		for i := from; i < min(n, from+together*step); i += step {
			apart[rows] = apart[rows][:0]
			rows++
		}
		for j := range n {
			for k, i := 0, from; k < rows; k, i = k+1, i+step {
				if i != j {
					apart[k] = append(apart[k], distanceOf(m, n, i, j, stride))
				}
			}
		}
		for _, apart := range apart[:rows] {
			sum := 0.0
			for _, d := range apart {
				sum += d
			}
			slices.Sort(apart)
			nearest += apart[min(group, n-1)-1]
			all += sum / float64(n-1)
		}
	}
	if all == 0 {
		return 1
	}
	return nearest / all
}

// distanceOf returns how far two rows are from each other, by some of their columns.
func distanceOf(m []float64, n, i, j, stride int) float64 {
	d := 0.0
	x, y := m[i*n:(i+1)*n], m[j*n:(j+1)*n]
	for k := (i + j) % stride; k < n; k += stride {
		if k != i && k != j {
			d += math.Abs(x[k] - y[k])
		}
	}
	return d
}
