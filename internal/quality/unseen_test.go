package quality

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Kinds that came after all settings, to judge them. Draw 71 of jobs and trips showed two rules of package auto to be
// wrong, which were mended; the others chose nothing.

// jobs is machines that jobs visit one after another, on a loop of carriers that run one way: both
// matrices are one-way.
func jobs(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	flow = make([]float64, n*n)
	for range n {
		lot, at := float64(1+rng.IntN(20)), rng.IntN(n)
		for range 2 + rng.IntN(6) {
			to := rng.IntN(n)
			if rng.IntN(3) > 0 { // most steps stay within a cell of machines
				to = min(n-1, at/8*8+rng.IntN(8))
			}
			if to != at {
				flow[at*n+to] += lot
			}
			at = to
		}
	}
	gap := make([]float64, n) // from a place to the one after it
	for k := range gap {
		gap[k] = float64(1 + rng.IntN(5))
	}
	distance = make([]float64, n*n)
	for a := range n {
		far := 0.0
		for step := 1; step < n; step++ {
			far += gap[(a+step-1)%n]
			distance[a*n+(a+step)%n] = far
		}
	}
	return flow, distance, qap.Minimize
}

// hubs is the traffic of a Barabási–Albert graph with three edges a node, placed on a random tree with
// lengths of edges.
func hubs(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	flow = make([]float64, n*n)
	ends := []int{0, 1}
	edge(flow, n, 0, 1, 5)
	for i := 2; i < n; i++ {
		for range min(i, 3) {
			for {
				if j := ends[rng.IntN(len(ends))]; edge(flow, n, i, j, float64(1+rng.IntN(9))) {
					ends = append(ends, i, j)
					break
				}
			}
		}
	}
	distance = make([]float64, n*n)
	for b := 1; b < n; b++ {
		parent, length := rng.IntN(b), float64(1+rng.IntN(4))
		for a := range b {
			far := distance[a*n+parent] + length
			distance[a*n+b], distance[b*n+a] = far, far
		}
	}
	return flow, distance, qap.Minimize
}

// sphere is flows that fall off with the distance of stations on a sphere, some of them cut, between sites
// that are other points on it: great-circle distances.
func sphere(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	angles := func() []float64 {
		at := make([][3]float64, n)
		for i := range at {
			z, turn := 2*rng.Float64()-1, 2*math.Pi*rng.Float64()
			r := math.Sqrt(1 - z*z)
			at[i] = [3]float64{r * math.Cos(turn), r * math.Sin(turn), z}
		}
		return entries(n, func(i, j int) float64 {
			dot := at[i][0]*at[j][0] + at[i][1]*at[j][1] + at[i][2]*at[j][2]
			return math.Acos(min(1, max(-1, dot)))
		})
	}
	near := angles()
	flow = mirrored(entries(n, func(i, j int) float64 {
		if rng.Float64() < .3 {
			return 0
		}
		return math.Floor(50 * math.Exp(-4*near[i*n+j]) * (.5 + rng.Float64()))
	}), n)
	distance = angles()
	for k := range distance {
		distance[k] = math.Round(1000 * distance[k])
	}
	return flow, distance, qap.Minimize
}

// trips is an asymmetric travelling salesman: a cycle one way, against times that differ by direction.
func trips(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	p := points(n, rng)
	flow = entries(n, func(i, j int) float64 {
		if (i+1)%n == j {
			return 1
		}
		return 0
	})
	return flow, entries(n, func(a, b int) float64 {
		return math.Round(1000 * apart(p[a], p[b]) * (1 + .6*rng.Float64()))
	}), qap.Minimize
}

// clique is a clique of a third of the nodes, of which the most weight is sought in a random graph.
func clique(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	flow = entries(n, func(i, j int) float64 {
		if max(i, j) < n/3 {
			return 1
		}
		return 0
	})
	return flow, mirrored(entries(n, func(int, int) float64 { return float64(rng.IntN(100)) }), n), qap.Maximize
}

// halves is the bisection of a geometric graph with weights: distance 1 between the halves.
func halves(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	return geometric(n, 10, 9, rng), entries(n, func(a, b int) float64 {
		if a*2/n == b*2/n {
			return 0
		}
		return 1
	}), qap.Minimize
}

// rank is flows of rank three with noise, on distances of points in five dimensions.
func rank(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	vectors := func(d int) [][]float64 {
		all := make([][]float64, n)
		for i := range all {
			for range d {
				all[i] = append(all[i], rng.Float64())
			}
		}
		return all
	}
	of, at := vectors(3), vectors(5)
	flow = mirrored(entries(n, func(i, j int) float64 {
		dot := 0.0
		for k := range of[i] {
			dot += of[i][k] * of[j][k]
		}
		return math.Floor(100 * dot * (.8 + .4*rng.Float64()))
	}), n)
	return flow, mirrored(entries(n, func(a, b int) float64 {
		square := 0.0
		for k := range at[a] {
			square += (at[a][k] - at[b][k]) * (at[a][k] - at[b][k])
		}
		return math.Round(100 * math.Sqrt(square))
	}), n), qap.Minimize
}

// wards is a hospital: departments whose traffic is lognormal and mostly with a few large ones, in four
// buildings with corridors.
func wards(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	busy := make([]float64, n)
	for i := range busy {
		busy[i] = math.Exp(1.5 * rng.NormFloat64())
	}
	flow = mirrored(entries(n, func(i, j int) float64 {
		if rng.Float64() > min(.9, .1*busy[i]*busy[j]) {
			return 0
		}
		return math.Ceil(busy[i] * busy[j] * math.Exp(rng.NormFloat64()))
	}), n)
	long := (n + 3) / 4 // of a building
	return flow, entries(n, func(a, b int) float64 {
		if a/long == b/long {
			return math.Abs(float64(a%long/2-b%long/2)) + math.Abs(float64(a%2-b%2))
		}
		return float64(a%long/2+b%long/2) + 6*math.Abs(float64(a/long-b/long))
	}), qap.Minimize
}

// depots is a few depots in the middle and arms with customers, and orders between random pairs.
func depots(n int, rng *rand.Rand) (flow, distance []float64, sense qap.Sense) {
	flow = make([]float64, n*n)
	for range 6 * n {
		i, j := rng.IntN(n), int(float64(n)*rng.Float64()*rng.Float64())
		if i != j {
			flow[i*n+j] += float64(1 + rng.IntN(9))
		}
	}
	const arms = 6
	return flow, entries(n, func(a, b int) float64 {
		if a%arms == b%arms {
			return math.Abs(float64(a/arms - b/arms))
		}
		return float64(a/arms + b/arms + 1)
	}), qap.Minimize
}
