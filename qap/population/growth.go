package population

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// growth completes assignments: it places one facility after another where it costs
// least beside those that have a place, the one first that has most to lose. Among
// places that cost the same it looks one step ahead, at what the partners that are yet to
// be placed could still have. It costs little where flows are few: a facility reaches its
// partners alone.
type growth struct {
	n                  int
	first              []int32 // of each facility in partners, and their end
	partners           []partner
	distance, reversed []float64 // [c,d]: distance from c to d, and from d to c
	linear             []float64

	cost    []float64 // [i,c]: of i at c beside those that are placed
	options []option  // of each facility
	waiting []int32   // facilities without a location
	free    []bool    // locations
	ties    []int32
	inBlock []bool
	border  []int32

	watch *qap.Watch // ends what takes long; nil: there is none
}

// partner is a facility that has flow with another: to it, and from it.
type partner struct {
	facility int32
	to, from float64
}

// option is what a facility without a location can have.
type option struct {
	reached      bool    // a partner is placed
	stale        bool    // what follows is of before
	best, second int32   // locations, −1 if there is none
	regret       float64 // cost of the second above the best
}

// watchedFrom is from how many nodes on a child takes long enough to look at the watch.
const watchedFrom = 200

func newGrowth(v *tabu.Improver, n int, watch *qap.Watch) *growth {
	flow := v.Flow()
	flowT, distanceT := v.Transposed()
	g := &growth{
		n: n, first: make([]int32, n+1), distance: v.Distance(), reversed: distanceT, linear: v.Linear(),
		cost: make([]float64, n*n), options: make([]option, n), waiting: make([]int32, 0, n),
		free: make([]bool, n), ties: make([]int32, 0, n), inBlock: make([]bool, n), border: make([]int32, 0, n),
	}
	if n >= watchedFrom {
		g.watch = watch
	}
	for i := range n {
		for k := range n {
			if to, from := flow[i*n+k], flowT[i*n+k]; to != 0 || from != 0 {
				g.partners = append(g.partners, partner{int32(k), to, from})
			}
		}
		g.first[i+1] = int32(len(g.partners))
	}
	return g
}

func (g *growth) partnersOf(i int32) []partner { return g.partners[g.first[i]:g.first[i+1]] }

// complete gives the facilities without a location, which have −1, one each: any, once the
// search is over.
func (g *growth) complete(child []int32, rng *rand.Rand) {
	g.begin(child)
	for len(g.waiting) > 0 {
		if g.watch.Over() {
			g.fill(child)
			return
		}
		i := g.take(rng)
		c := g.locationFor(i, child, rng)
		child[i] = c
		g.place(i, c, child)
	}
}

// fill gives the facilities that wait the free locations in their order.
func (g *growth) fill(child []int32) {
	for c, free := range g.free {
		if last := len(g.waiting) - 1; free && last >= 0 {
			child[g.waiting[last]] = int32(c)
			g.waiting = g.waiting[:last]
		}
	}
}

// begin takes account of the facilities that have a location.
func (g *growth) begin(child []int32) {
	copy(g.cost, g.linear)
	g.waiting = g.waiting[:0]
	for c := range g.free {
		g.free[c] = true
		g.options[c] = option{stale: true}
	}
	for i, c := range child {
		if c < 0 {
			g.waiting = append(g.waiting, int32(i))
		} else {
			g.free[c] = false
		}
	}
	for i, c := range child {
		if c >= 0 {
			g.reach(int32(i), c, child)
		}
	}
}

// place takes account of facility i at location c.
func (g *growth) place(i, c int32, child []int32) {
	g.free[c] = false
	for _, j := range g.waiting {
		if o := &g.options[j]; o.best == c || o.second == c {
			o.stale = true
		}
	}
	g.reach(i, c, child)
}

// reach adds to the costs of the partners what facility i at location c costs them.
func (g *growth) reach(i, c int32, child []int32) {
	n := g.n
	out, in := g.distance[int(c)*n:(int(c)+1)*n], g.reversed[int(c)*n:(int(c)+1)*n]
	for _, p := range g.partnersOf(i) {
		if child[p.facility] >= 0 {
			continue
		}
		row := g.cost[int(p.facility)*n : (int(p.facility)+1)*n]
		for d := range row {
			row[d] += float64(p.to*out[d]) + float64(p.from*in[d])
		}
		o := &g.options[p.facility]
		o.reached, o.stale = true, true
	}
}

// take returns the facility to place next, which no longer waits.
func (g *growth) take(rng *rand.Rand) int32 {
	at, last := g.next(rng), len(g.waiting)-1
	i := g.waiting[at]
	g.waiting[at] = g.waiting[last]
	g.waiting = g.waiting[:last]
	return i
}

// next returns the index in waiting of the facility to place: the one of most regret
// among those that are reached, at random among equal ones.
func (g *growth) next(rng *rand.Rand) int {
	at, most, equal := -1, 0.0, 0
	for k, i := range g.waiting {
		o := &g.options[i]
		if !o.reached {
			continue
		}
		if o.stale {
			g.renew(i)
		}
		switch {
		case at < 0 || o.regret > most:
			at, most, equal = k, o.regret, 1
		case o.regret == most:
			if equal++; rng.IntN(equal) == 0 {
				at = k
			}
		}
	}
	if at < 0 {
		return rng.IntN(len(g.waiting))
	}
	return at
}

// renew finds the two best locations of a facility.
func (g *growth) renew(i int32) {
	row := g.cost[int(i)*g.n : (int(i)+1)*g.n]
	best, second := int32(-1), int32(-1)
	least, next := math.Inf(1), math.Inf(1)
	for c, x := range row {
		if !g.free[c] || x >= next {
			continue
		}
		if x < least {
			second, next = best, least
			best, least = int32(c), x
		} else {
			second, next = int32(c), x
		}
	}
	o := &g.options[i]
	o.stale, o.best, o.second, o.regret = false, best, second, 0
	if second >= 0 {
		o.regret = next - least
	}
}

// mostTies is how many locations that cost the same are compared by what they leave to
// the partners.
const mostTies = 8

// locationFor returns the location of least cost for facility i.
func (g *growth) locationFor(i int32, child []int32, rng *rand.Rand) int32 {
	row := g.cost[int(i)*g.n : (int(i)+1)*g.n]
	least := math.Inf(1)
	g.ties = g.ties[:0]
	for c, x := range row {
		switch {
		case !g.free[c] || x > least:
		case x < least:
			least = x
			g.ties = append(g.ties[:0], int32(c))
		default:
			g.ties = append(g.ties, int32(c))
		}
	}
	ties := g.ties
	for k := range min(mostTies, len(ties)) {
		other := k + rng.IntN(len(ties)-k)
		ties[k], ties[other] = ties[other], ties[k]
	}
	if !g.options[i].reached || len(ties) == 1 {
		return ties[0]
	}
	best, leftCost := int32(-1), math.Inf(1)
	for _, c := range ties[:min(mostTies, len(ties))] {
		if left := g.leaves(i, c, child); left < leftCost {
			best, leftCost = c, left
		}
	}
	return best
}

// leaves returns the least cost that the waiting partners of facility i can have, each by
// itself, if it is at location c.
func (g *growth) leaves(i, c int32, child []int32) float64 {
	n := g.n
	out, in := g.distance[int(c)*n:(int(c)+1)*n], g.reversed[int(c)*n:(int(c)+1)*n]
	sum := 0.0
	for _, p := range g.partnersOf(i) {
		if child[p.facility] >= 0 {
			continue
		}
		row := g.cost[int(p.facility)*n : (int(p.facility)+1)*n]
		least := math.Inf(1)
		for d, x := range row {
			if g.free[d] && d != int(c) {
				least = min(least, x+float64(p.to*out[d])+float64(p.from*in[d]))
			}
		}
		if !math.IsInf(least, 1) {
			sum += least
		}
	}
	return sum
}

// release takes the locations of all facilities but for a number of connected ones around
// a random one.
func (g *growth) release(child []int32, keep int, rng *rand.Rand) {
	clear(g.inBlock)
	start := int32(rng.IntN(g.n))
	g.border = append(g.border[:0], start)
	g.inBlock[start] = true
	kept := 0
	for kept < keep && len(g.border) > 0 {
		at, last := rng.IntN(len(g.border)), len(g.border)-1
		i := g.border[at]
		g.border[at] = g.border[last]
		g.border = g.border[:last]
		kept++
		for _, p := range g.partnersOf(i) {
			if !g.inBlock[p.facility] {
				g.inBlock[p.facility] = true
				g.border = append(g.border, p.facility)
			}
		}
	}
	for _, i := range g.border {
		g.inBlock[i] = false
	}
	for i := range child {
		if !g.inBlock[i] {
			child[i] = -1
		}
	}
}
