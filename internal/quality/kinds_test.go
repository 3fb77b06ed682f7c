package quality

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// kinds are generators of flows and distances beside those of package datasets, on which the settings of searches
// were tried, and those of unseen_test.go. Of these kinds tori, tours and copies were looked at too.
var kinds = map[string]func(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense){
	"torus":   torus,
	"netlist": netlist,
	"racks":   racks,
	"tour":    tour,
	"linear":  linear,
	"keys":    keys,
	"spins":   spins,
	"floors":  floors,
	"regular": regular,
	"copies":  copies,
	"blocks":  inBlocks,
	"jobs":    jobs,
	"hubs":    hubs,
	"sphere":  sphere,
	"trips":   trips,
	"clique":  clique,
	"halves":  halves,
	"rank":    rank,
	"wards":   wards,
	"depots":  depots,
}

// judging returns an instance of a kind, with both graphs relabelled.
func judging(kind string, n int, seed uint64) (*qap.Instance, error) {
	generate, known := kinds[kind]
	if !known {
		return nil, fmt.Errorf("no kind %q", kind)
	}
	rng := rand.New(rand.NewPCG(uint64(n), seed))
	flow, distance, sense := generate(n, rng)
	in, err := qap.NewKoopmansBeckmann(n, n, permuted(flow, rng.Perm(n)), permuted(distance, rng.Perm(n)), nil, sense)
	if err == nil {
		in.Name = fmt.Sprintf("%s-%d-%d", kind, n, seed)
	}
	return in, err
}

func permuted(m []float64, to []int) []float64 {
	n := len(to)
	return entries(n, func(i, j int) float64 { return m[to[i]*n+to[j]] })
}

// entries is the n×n matrix of a function, 0 on the diagonal.
func entries(n int, of func(i, j int) float64) []float64 {
	m := make([]float64, n*n)
	for k := range m {
		if i, j := k/n, k%n; i != j {
			m[k] = of(i, j)
		}
	}
	return m
}

// edge sets both entries of two nodes, and reports whether they were 0.
func edge(m []float64, n, i, j int, v float64) bool {
	fresh := i != j && m[i*n+j] == 0
	if fresh {
		m[i*n+j], m[j*n+i] = v, v
	}
	return fresh
}

// mirrored makes a matrix symmetric by its upper half.
func mirrored(m []float64, n int) []float64 {
	return entries(n, func(i, j int) float64 { return m[min(i, j)*n+max(i, j)] })
}

func points(n int, rng *rand.Rand) [][2]float64 {
	p := make([][2]float64, n)
	for i := range p {
		p[i] = [2]float64{rng.Float64(), rng.Float64()}
	}
	return p
}

func apart(p, q [2]float64) float64 { return math.Hypot(p[0]-q[0], p[1]-q[1]) }

// grid is city-block distances on a square whose sides may be joined.
func grid(n int, joined bool) []float64 {
	side := int(math.Round(math.Sqrt(float64(n))))
	along := func(a, b int) int {
		d := max(a-b, b-a)
		if joined {
			d = min(d, side-d)
		}
		return d
	}
	return entries(n, func(a, b int) float64 { return float64(along(a%side, b%side) + along(a/side, b/side)) })
}

// geometric is flows 1..most between points with about so many neighbours each.
func geometric(n, neighbours, most int, rng *rand.Rand) []float64 {
	p, radius := points(n, rng), math.Sqrt(float64(neighbours)/(math.Pi*float64(n)))
	return mirrored(entries(n, func(i, j int) float64 {
		if apart(p[i], p[j]) > radius {
			return 0
		}
		return float64(1 + rng.IntN(most))
	}), n)
}

// torus is the communication of a geometric graph on a torus of processors.
func torus(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	return geometric(n, 12, 9, rng), grid(n, true), qap.Minimize
}

// netlist is cells on a grid with every tenth place empty: nets of 2 to 6 cells that are near
// one another in the order of the design, as cliques.
func netlist(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	flow = make([]float64, n*n)
	cells, side := n-n/10, int(math.Round(math.Sqrt(float64(n))))
	for range 2 * cells {
		at := rng.IntN(cells)
		var pins []int
		for range 2 + rng.IntN(5) {
			x, y := at%side+rng.IntN(5)-2, at/side+rng.IntN(5)-2
			if pin := y*side + x; x >= 0 && x < side && y >= 0 && pin < cells && !slices.Contains(pins, pin) {
				pins = append(pins, pin)
			}
		}
		for _, i := range pins {
			for _, j := range pins {
				if i != j {
					flow[i*n+j]++
				}
			}
		}
	}
	return flow, grid(n, false), qap.Minimize
}

// racks is communities of uneven size on machines in racks: distances 1, 5 and 20.
func racks(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	community := make([]int, n)
	for i, c := 0, 0; i < n; c++ {
		for range 2 + rng.IntN(14) {
			if i < n {
				community[i] = c
				i++
			}
		}
	}
	flow = mirrored(entries(n, func(i, j int) float64 {
		share := 0.03
		if community[i] == community[j] {
			share = 0.6
		}
		if rng.Float64() > share {
			return 0
		}
		return float64(1 + rng.IntN(20))
	}), n)
	return flow, entries(n, func(a, b int) float64 {
		switch {
		case a/4 == b/4:
			return 1
		case a/16 == b/16:
			return 5
		}
		return 20
	}), qap.Minimize
}

// tour is a travelling salesman: a cycle against distances in the plane.
func tour(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	p := points(n, rng)
	flow = entries(n, func(i, j int) float64 {
		if (i+1)%n == j || (j+1)%n == i {
			return 1
		}
		return 0
	})
	return flow, entries(n, func(a, b int) float64 { return math.Round(1000 * apart(p[a], p[b])) }), qap.Minimize
}

// linear is a linear arrangement of a geometric graph with a few more edges.
func linear(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	flow = geometric(n, 8, 1, rng)
	for range n / 2 {
		edge(flow, n, rng.IntN(n), rng.IntN(n), 1)
	}
	return flow, entries(n, func(a, b int) float64 { return math.Abs(float64(a - b)) }), qap.Minimize
}

// keys is a keyboard: frequencies of pairs of letters, and times that depend on the order.
func keys(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	frequency := make([]float64, n)
	for i := range frequency {
		frequency[i] = 1 / float64(1+i)
	}
	flow = entries(n, func(i, j int) float64 {
		return math.Floor(5000 * frequency[i] * frequency[j] * math.Exp(1.2*rng.NormFloat64()))
	})
	columns := (n + 2) / 3
	finger := func(a int) int { return a % columns * 8 / columns }
	return flow, entries(n, func(a, b int) float64 {
		time := 90 + 12*math.Abs(float64(a/columns-1)) + 25*math.Abs(float64(b/columns-1)) + float64(rng.IntN(20))
		switch fa, fb := finger(a), finger(b); {
		case fa == fb:
			time += 80
		case fa/4 == fb/4:
			time += 30 + 5*float64(max(fa-fb, 0))
		}
		return math.Floor(time)
	}), qap.Minimize
}

// spins has both signs in both matrices.
func spins(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	signed := func(int, int) float64 { return float64(rng.IntN(21) - 10) }
	return mirrored(entries(n, signed), n), mirrored(entries(n, signed), n), qap.Minimize
}

// floors is departments on floors with a lift in one corner; some pairs of them have no flow.
func floors(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	weight := make([]float64, n)
	for i := range weight {
		weight[i] = math.Exp(rng.NormFloat64())
	}
	flow = mirrored(entries(n, func(i, j int) float64 {
		if rng.Float64() < 0.5 {
			return 0
		}
		return math.Floor(10 * weight[i] * weight[j])
	}), n)
	const columns, rooms = 4, 12 // of a floor
	return flow, entries(n, func(a, b int) float64 {
		x, y, u, v := a%rooms%columns, a%rooms/columns, b%rooms%columns, b%rooms/columns
		if a/rooms == b/rooms {
			return float64(max(x-u, u-x) + max(y-v, v-y))
		}
		return float64(x + y + u + v + 4*max(a/rooms-b/rooms, b/rooms-a/rooms))
	}), qap.Minimize
}

// regular is a random graph of degree 4 against itself: shared edges are maximised.
func regular(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	for {
		flow = make([]float64, n*n)
		whole := true
		for range 2 {
			cycle := rng.Perm(n)
			for k, i := range cycle {
				whole = edge(flow, n, i, cycle[(k+1)%n], 1) && whole
			}
		}
		if whole {
			return flow, slices.Clone(flow), qap.Maximize
		}
	}
}

// copies is a Barabási–Albert graph against a copy with 5 % of its edges changed: shared edges
// are maximised.
func copies(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	const each = 5
	flow = make([]float64, n*n)
	var ends []int
	for i := range each + 1 {
		for j := range i {
			edge(flow, n, i, j, 1)
			ends = append(ends, i, j)
		}
	}
	for i := each + 1; i < n; i++ {
		for range each {
			for {
				if j := ends[rng.IntN(len(ends))]; edge(flow, n, i, j, 1) {
					ends = append(ends, i, j)
					break
				}
			}
		}
	}
	distance = slices.Clone(flow)
	for range len(ends) / 2 / 20 {
		for {
			if k := rng.IntN(n * n); distance[k] != 0 {
				distance[k], distance[k%n*n+k/n] = 0, 0
				break
			}
		}
		for !edge(distance, n, rng.IntN(n), rng.IntN(n), 1) {
		}
	}
	return flow, distance, qap.Maximize
}

// TestKinds: instances of a kind follow from their seed, and have flows and distances that are
// not 0.
func TestKinds(t *testing.T) {
	for kind := range kinds {
		const n = 36
		one, err := judging(kind, n, 1)
		again, _ := judging(kind, n, 1)
		other, _ := judging(kind, n, 2)
		if err != nil {
			t.Fatal(err)
		}
		of := func(in *qap.Instance) []float64 {
			kb := in.Affinity.(*qap.KoopmansBeckmann)
			a, b, _ := kb.Entries()
			if a.NonZeros == 0 || b.NonZeros == 0 {
				t.Errorf("%s: a matrix of zeros", in.Name)
			}
			return slices.Concat(kb.A(), kb.B())
		}
		if !slices.Equal(of(one), of(again)) || slices.Equal(of(one), of(other)) {
			t.Errorf("%s does not follow from its seed", kind)
		}
	}
}

// inBlocks is nodes in blocks of 3 to 12, alike in both matrices, in three of four draws by twos to fives in larger blocks. Draws have noise in none,
// a twentieth or a fifth of the entries, which are then those of other blocks, and are symmetric or not; sizes of blocks are equal or
// differ.
func inBlocks(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	size, together := 3+rng.IntN(10), 1
	if rng.IntN(4) > 0 {
		together = 2 + rng.IntN(4)
	}
	noise, symmetric, even := []float64{0, .05, .2}[rng.IntN(3)], rng.IntN(2) == 0, rng.IntN(2) == 0
	block, count := make([]int, n), 0
	for i := 0; i < n; count++ {
		end := i + size
		if !even {
			end = i + max(2, size/2+rng.IntN(size+1))
		}
		for ; i < min(end, n); i++ {
			block[i] = count
		}
	}
	at, traffic := points(count, rng), entries(count, func(x, y int) float64 {
		if x/together == y/together {
			return 20 + 80*rng.Float64()
		}
		return math.Pow(30, rng.Float64()*rng.Float64()) - 1
	})
	for x := range at {
		if x%together > 0 {
			at[x] = [2]float64{at[x-1][0] + .05*rng.Float64(), at[x-1][1] + .05*rng.Float64()}
		}
	}
	of := func(value func(x, y int) float64) []float64 {
		m := entries(n, func(i, j int) float64 {
			if rng.Float64() < noise {
				return value(rng.IntN(count), rng.IntN(count))
			}
			return value(block[i], block[j])
		})
		if symmetric {
			m = mirrored(m, n)
		}
		return m
	}
	flow = of(func(x, y int) float64 {
		if x == y {
			return float64(200 + rng.IntN(200))
		}
		return math.Floor(traffic[x*count+y] * (.7 + .6*rng.Float64()))
	})
	distance = of(func(x, y int) float64 {
		if x == y {
			return float64(5 + rng.IntN(10))
		}
		return math.Floor(1000*apart(at[x], at[y])*(.9+.2*rng.Float64())) + float64(rng.IntN(10))
	})
	return flow, distance, qap.Minimize
}
