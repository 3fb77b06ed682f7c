package main

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/statistics"
)

// recent joins each node with some of those just before it, further back ever more rarely.
func recent(n int, rng *rand.Rand) graphs.Graph {
	back := statistics.LogBetween(3, 60, rng)
	var edges [][2]int
	for i := 1; i < n; i++ {
		for range 1 + rng.IntN(4) {
			edges = append(edges, [2]int{i, max(0, i-1-int(back*rng.ExpFloat64()))})
		}
	}
	return made(n, edges)
}

// latent joins nodes by the product of what they have of a few traits (random dot product graphs).
func latent(n int, rng *rand.Rand) graphs.Graph {
	traits := make([][3]float64, n)
	sum := 0.0
	for i := range traits {
		for k := range traits[i] {
			traits[i][k] = rng.ExpFloat64() * rng.ExpFloat64()
		}
	}
	product := func(i, j int) (sum float64) {
		for k, x := range traits[i] {
			sum += x * traits[j][k]
		}
		return sum
	}
	for i := range n {
		for j := range i {
			sum += product(i, j)
		}
	}
	scale := statistics.Between(1.5, 6, rng) * float64(n) / sum
	var edges [][2]int
	for i := range n {
		for j := range i {
			if rng.Float64() < scale*product(i, j) {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return made(n, edges)
}

// polymers are long chains that are linked here and there, within a chain and between two.
func polymers(n int, rng *rand.Rand) graphs.Graph {
	chains, links := 1+rng.IntN(5), statistics.Between(0.1, 0.8, rng)
	var edges [][2]int
	for i := range n {
		if i%(n/chains+1) != 0 {
			edges = append(edges, [2]int{i - 1, i})
		}
		if rng.Float64() < links {
			edges = append(edges, [2]int{i, rng.IntN(n)})
		}
	}
	return made(n, edges)
}
