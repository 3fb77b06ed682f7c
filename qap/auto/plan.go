package auto

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
)

// plan says how to search an instance.
type plan struct {
	trajectory float64 // share of the turns that one trajectory has at first
	settings   population.Settings
}

// Features that decide, chosen on generated instances.
const (
	twinsBelow   = 0.2 // likeness of both matrices where nodes come in blocks
	strangers    = 0.6 // likeness above which a matrix has no structure
	fewNeighbors = 6
	rareTurns    = 1.0 / 16
	usualTurns   = 1.0 / 2
)

// planFor chooses by the structure of both matrices. Blocks in both make many funnels:
// many short searches. Few neighbors each, and distances without structure, make a
// narrow one: few long searches. Elsewhere one trajectory and a population are as good.
func planFor(in *qap.Instance) plan {
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	n, _ := in.Size()
	likeA, likeB := likeness(kb.A(), n), likeness(kb.B(), n)
	switch {
	case max(likeA, likeB) < twinsBelow:
		return plan{rareTurns, population.Short()}
	case isNarrow(kb.A(), n) && likeB > strangers, isNarrow(kb.B(), n) && likeA > strangers:
		return plan{rareTurns, population.Long()}
	}
	return plan{usualTurns, population.Short()}
}

// isNarrow tells whether all nodes have some neighbors, few, but more than in a tree.
func isNarrow(m []float64, n int) bool {
	count := 0
	for i := range n {
		before := count
		for _, v := range m[i*n : (i+1)*n] {
			if v != 0 {
				count++
			}
		}
		if count == before {
			return false
		}
	}
	return count > 2*n && count <= fewNeighbors*n
}

// sampledColumns bounds the work of likeness to this ·n².
const sampledColumns = 32

// groupShare is the least group of nodes that counts, ·n.
const groupShare = 1.0 / 16

// likeness is how far rows are from the group of rows most like them, as a share of how
// far rows are from one another: near 0 where nodes come in groups that are alike,
// near 1 where none are.
func likeness(m []float64, n int) float64 {
	stride := (n + sampledColumns - 1) / sampledColumns
	group := max(1, int(math.Round(groupShare*float64(n))))
	apart := make([]float64, 0, n)
	nearest, all := 0.0, 0.0
	for i := range n {
		apart = apart[:0]
		sum := 0.0
		for j := range n {
			if i == j {
				continue
			}
			d := 0.0
			for k := (i + j) % stride; k < n; k += stride {
				if k != i && k != j {
					d += math.Abs(m[i*n+k] - m[j*n+k])
				}
			}
			apart = append(apart, d)
			sum += d
		}
		slices.Sort(apart)
		nearest += apart[min(group, n-1)-1]
		all += sum / float64(n-1)
	}
	if all == 0 {
		return 1
	}
	return nearest / all
}
