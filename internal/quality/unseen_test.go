package quality

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Kinds on which no setting was tried: they only judge.

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
