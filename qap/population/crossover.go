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
	nearest [2][]int32   // [i,k]: the nodes by how far apart they are from i, of those rows that were needed
	known   [2][]bool    // whether a row of nearest is
	order   []int32      // a random order
	ties    []uint32     // by node: who is taken of those that are equally far apart
	inBlock []bool
	used    []bool // locations
	free    []int32
}

func newCrossover(v *tabu.Improver, n int, around Neighborhood) *crossover {
	x := &crossover{
		n: n, order: make([]int32, n), ties: make([]uint32, n),
		inBlock: make([]bool, n), used: make([]bool, n), free: make([]int32, 0, n),
	}
	flowT, distanceT := v.Transposed()
	for side, m := range [2][2][]float64{{v.Flow(), flowT}, {v.Distance(), distanceT}} {
		x.apart[side] = make([]float32, n*n)
		x.nearest[side], x.known[side] = make([]int32, n*n), make([]bool, n)
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
	centre, side := rng.IntN(x.n), 0
	if locations {
		side = 1
	}
	for k := range x.ties {
		x.ties[k] = rng.Uint32()
	}
	size := blockSize(x.n, rng)
	nearest, apart := x.nearestTo(side, centre), x.apart[side][centre*x.n:(centre+1)*x.n]
	from, to, last := size-1, size, apart[nearest[size-1]]
	for from > 0 && apart[nearest[from-1]] == last {
		from--
	}
	for to < x.n && apart[nearest[to]] == last {
		to++
	}
	if to > size { // some of those that are farthest
		slices.SortFunc(nearest[from:to], x.compareTies)
	}
	clear(x.inBlock)
	for _, k := range nearest[:size] {
		x.inBlock[k] = true
	}
}

// nearestTo returns the nodes of a side by how far apart they are from a centre, which is the
// first; those equally far in any order.
func (x *crossover) nearestTo(side, centre int) []int32 {
	nearest, apart := x.nearest[side][centre*x.n:(centre+1)*x.n], x.apart[side][centre*x.n:(centre+1)*x.n]
	if !x.known[side][centre] {
		x.known[side][centre] = true
		for k := range nearest {
			nearest[k] = int32(k)
		}
		slices.SortFunc(nearest, func(i, j int32) int { return cmp.Compare(apart[i], apart[j]) })
	}
	return nearest
}

// blockSize draws how many of n nodes a block has.
func blockSize(n int, rng *rand.Rand) int {
	return min(n, max(2, int((leastBlock+(mostBlock-leastBlock)*rng.Float64())*float64(n))))
}

func (x *crossover) compareTies(i, j int32) int {
	return cmp.Or(cmp.Compare(x.ties[i], x.ties[j]), cmp.Compare(i, j))
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
