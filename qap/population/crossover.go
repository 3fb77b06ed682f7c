package population

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap/tabu"
)

// Sizes of blocks, ·n.
const (
	leastBlock = 0.1
	mostBlock  = 0.9
)

// crossover makes children; its slices are scratch space.
type crossover struct {
	n       int
	apart   [2][]float32 // [i,j]: facilities, then locations, nearest the least
	order   []int32      // a random order
	nearest []neighbor
	inBlock []bool
	used    []bool // locations
	free    []int32
}

type neighbor struct {
	apart float32
	tie   uint32
	node  int32
}

func newCrossover(v *tabu.Improver, n int, around Neighborhood) *crossover {
	x := &crossover{
		n: n, order: make([]int32, n), nearest: make([]neighbor, n),
		inBlock: make([]bool, n), used: make([]bool, n), free: make([]int32, 0, n),
	}
	flowT, distanceT := v.Transposed()
	for side, m := range [2][2][]float64{{v.Flow(), flowT}, {v.Distance(), distanceT}} {
		x.apart[side] = make([]float32, n*n)
		for i := range n {
			for j := range n {
				both := m[0][i*n+j] + m[1][i*n+j]
				if around == Most {
					both = -both
				}
				x.apart[side][i*n+j] = float32(both)
			}
			x.apart[side][i*n+i] = float32(math.Inf(-1))
		}
	}
	return x
}

// block gives the child a block of the first parent: the facilities around a random
// one, or those at the locations around a random one. The rest is the second's where
// that is free, else the first's, else at random.
func (x *crossover) block(child, first, second []int32, rng *rand.Rand) {
	locations := rng.IntN(2) == 1
	x.chooseBlock(locations, rng)
	clear(x.used)
	for i, c := range first {
		child[i] = -1
		if locations && x.inBlock[c] || !locations && x.inBlock[i] {
			child[i] = c
			x.used[c] = true
		}
	}
	shuffle(x.order, rng)
	x.take(child, second)
	x.take(child, first)
	x.complete(child, rng)
}

// chooseBlock puts the nodes around a random one in a block.
func (x *crossover) chooseBlock(locations bool, rng *rand.Rand) {
	centre := rng.IntN(x.n)
	apart := x.apart[0]
	if locations {
		apart = x.apart[1]
	}
	for k, d := range apart[centre*x.n : (centre+1)*x.n] {
		x.nearest[k] = neighbor{d, rng.Uint32(), int32(k)}
	}
	slices.SortFunc(x.nearest, compareNeighbors)
	clear(x.inBlock)
	for _, k := range x.nearest[:blockSize(x.n, rng)] {
		x.inBlock[k.node] = true
	}
}

// blockSize draws how many of n nodes a block has.
func blockSize(n int, rng *rand.Rand) int {
	return min(n, max(2, int((leastBlock+(mostBlock-leastBlock)*rng.Float64())*float64(n))))
}

func compareNeighbors(x, y neighbor) int {
	return cmp.Or(cmp.Compare(x.apart, y.apart), cmp.Compare(x.tie, y.tie), cmp.Compare(x.node, y.node))
}

// uniform gives the child what both parents share, else what either has where that is
// free, else a random location.
func (x *crossover) uniform(child, first, second []int32, rng *rand.Rand) {
	clear(x.used)
	for i, c := range first {
		child[i] = -1
		if c == second[i] {
			child[i] = c
			x.used[c] = true
		}
	}
	shuffle(x.order, rng)
	for _, i := range x.order {
		if child[i] >= 0 {
			continue
		}
		c, other := first[i], second[i]
		if rng.IntN(2) == 1 {
			c, other = other, c
		}
		if x.used[c] {
			c = other
		}
		if !x.used[c] {
			child[i] = c
			x.used[c] = true
		}
	}
	x.complete(child, rng)
}

// take gives facilities without a location the one they have in a parent, if free.
func (x *crossover) take(child, parent []int32) {
	for _, i := range x.order {
		if c := parent[i]; child[i] < 0 && !x.used[c] {
			child[i] = c
			x.used[c] = true
		}
	}
}

// complete gives facilities without a location a random free one.
func (x *crossover) complete(child []int32, rng *rand.Rand) {
	free := x.free[:0]
	for c, used := range x.used {
		if !used {
			free = append(free, int32(c))
		}
	}
	for i, c := range child {
		if c < 0 {
			k := rng.IntN(len(free))
			child[i] = free[k]
			free[k] = free[len(free)-1]
			free = free[:len(free)-1]
		}
	}
}
