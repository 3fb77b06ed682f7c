package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

// points are moved, turned, and seen with strangers.
func points(dimensions int, features bool, point func(rng *rand.Rand) []float64, rng *rand.Rand) sample {
	n, strangers1, strangers2 := 6+rng.IntN(20), 0, 0
	if rng.IntN(3) > 0 {
		strangers1, strangers2 = rng.IntN(n/2), rng.IntN(n/2)
	}
	noise := statistics.LogBetween(0.003, 0.1, rng)
	one := sample{g1: graphs.Graph{Name: "a", Nodes: n + strangers1}, g2: graphs.Graph{Name: "b", Nodes: n + strangers2}, truth: qap.NewMatching(n + strangers1)}
	for range n + strangers1 {
		one.g1.Points = append(one.g1.Points, point(rng))
	}
	order := rng.Perm(n + strangers2)
	one.g2.Points = make([][]float64, n+strangers2)
	sin, cos := math.Sincos(rng.Float64() * 6)
	for k, at := range order {
		p := point(rng)
		if k < n {
			one.truth[k] = at
			for d, x := range one.g1.Points[k] {
				p[d] = x + noise*rng.NormFloat64()
			}
		}
		p[0], p[1] = cos*p[0]-sin*p[1], sin*p[0]+cos*p[1]
		one.g2.Points[at] = p
	}
	if features {
		describe(&one, 1+rng.IntN(4), statistics.LogBetween(0.1, 1, rng), rng)
	}
	return shuffled(one, rng)
}

func uniform(dimensions int) func(rng *rand.Rand) []float64 {
	return func(rng *rand.Rand) []float64 {
		p := make([]float64, dimensions)
		for d := range p {
			p[d] = rng.Float64()
		}
		return p
	}
}

// clusters has points around a few centres.
func clusters(dimensions int, rng *rand.Rand) func(rng *rand.Rand) []float64 {
	centre := uniform(dimensions)
	centres, width := make([][]float64, 2+rng.IntN(4)), statistics.Between(0.05, 0.2, rng)
	for k := range centres {
		centres[k] = centre(rng)
	}
	return func(rng *rand.Rand) []float64 {
		p := slices.Clone(centres[rng.IntN(len(centres))])
		for d := range p {
			p[d] += width * rng.NormFloat64()
		}
		return p
	}
}

// lattice has points near those of a square lattice.
func lattice(rng *rand.Rand) func(rng *rand.Rand) []float64 {
	side, off := 4+rng.IntN(5), statistics.LogBetween(0.01, 0.3, rng)
	return func(rng *rand.Rand) []float64 {
		return []float64{(float64(rng.IntN(side)) + off*rng.NormFloat64()) / float64(side), (float64(rng.IntN(side)) + off*rng.NormFloat64()) / float64(side)}
	}
}

// curves has points near a few arcs, as contours have.
func curves(rng *rand.Rand) func(rng *rand.Rand) []float64 {
	type arc struct{ x, y, radius, from, length float64 }
	arcs, width := make([]arc, 1+rng.IntN(3)), statistics.LogBetween(0.003, 0.05, rng)
	for k := range arcs {
		arcs[k] = arc{rng.Float64(), rng.Float64(), statistics.Between(0.2, 0.6, rng), 6 * rng.Float64(), statistics.Between(2, 6, rng)}
	}
	return func(rng *rand.Rand) []float64 {
		a := arcs[rng.IntN(len(arcs))]
		sin, cos := math.Sincos(a.from + a.length*rng.Float64())
		return []float64{a.x + a.radius*cos + width*rng.NormFloat64(), a.y + a.radius*sin + width*rng.NormFloat64()}
	}
}

// sphere has points near a sphere, more of them around one pole.
func sphere(rng *rand.Rand) func(rng *rand.Rand) []float64 {
	width, pull := statistics.LogBetween(0.003, 0.05, rng), rng.Float64()
	return func(rng *rand.Rand) []float64 {
		x, y, z := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()+pull
		r := (1 + width*rng.NormFloat64()) / math.Sqrt(x*x+y*y+z*z) / 2
		return []float64{r * x, r * y, r * z}
	}
}

// helix has points near a helix.
func helix(rng *rand.Rand) func(rng *rand.Rand) []float64 {
	width, turns, rise := statistics.LogBetween(0.003, 0.05, rng), statistics.Between(1, 4, rng), statistics.Between(0.5, 2, rng)
	return func(rng *rand.Rand) []float64 {
		t := rng.Float64()
		sin, cos := math.Sincos(2 * math.Pi * turns * t)
		return []float64{cos/2 + width*rng.NormFloat64(), sin/2 + width*rng.NormFloat64(), rise*t + width*rng.NormFloat64()}
	}
}
