package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/statistics"
)

// globe joins each of random points on a sphere with its nearest.
func globe(n int, rng *rand.Rand) graphs.Graph {
	return neighbours(sphere(rng), n, 2+rng.IntN(5), rng)
}

// neighbours joins points that are drawn with some of their nearest each.
func neighbours(draw func(rng *rand.Rand) []float64, n, each int, rng *rand.Rand) graphs.Graph {
	points, order := make([][]float64, n), make([]int, n)
	for i := range points {
		points[i], order[i] = draw(rng), i
	}
	var edges [][2]int
	for i, p := range points {
		near := slices.Clone(order)
		slices.SortFunc(near, func(x, y int) int { return cmp.Compare(square(p, points[x]), square(p, points[y])) })
		for _, j := range near[1:min(n, each+1)] {
			edges = append(edges, [2]int{i, j})
		}
	}
	return made(n, edges)
}

func square(p, q []float64) (sum float64) {
	for k, x := range p {
		sum += (x - q[k]) * (x - q[k])
	}
	return sum
}

// calls are of functions: each calls some written before it, and some of what one of these calls.
func calls(n int, rng *rand.Rand) graphs.Graph {
	var edges [][2]int
	of, copied := make([][]int, n), statistics.Between(0.1, 0.6, rng)
	for i := 1; i < n; i++ {
		like := rng.IntN(i)
		for range 1 + rng.IntN(3) {
			of[i] = append(of[i], int(float64(i)*math.Pow(rng.Float64(), 2)))
		}
		for _, k := range of[like] {
			if rng.Float64() < copied {
				of[i] = append(of[i], k)
			}
		}
		for _, k := range of[i] {
			edges = append(edges, [2]int{i, k})
		}
	}
	return made(n, edges)
}

// streets are blocks that streets divide anew and anew, with corners where they meet.
func streets(n int, rng *rand.Rand) graphs.Graph {
	type block struct{ x0, y0, x1, y1 int }
	const size = 1 << 20
	blocks := []block{{0, 0, size, size}}
	corners := map[[2]int]int{}
	corner := func(x, y int) { corners[[2]int{x, y}] = 0 }
	for _, at := range [][2]int{{0, 0}, {0, size}, {size, 0}, {size, size}} {
		corner(at[0], at[1])
	}
	type street struct{ x0, y0, x1, y1 int }
	all := []street{{0, 0, size, 0}, {0, 0, 0, size}, {size, 0, size, size}, {0, size, size, size}}
	for len(corners) < n {
		k := rng.IntN(len(blocks))
		if other := rng.IntN(len(blocks)); area(blocks[other].x1-blocks[other].x0, blocks[other].y1-blocks[other].y0) > area(blocks[k].x1-blocks[k].x0, blocks[k].y1-blocks[k].y0) {
			k = other
		}
		b := blocks[k]
		share := statistics.Between(0.3, 0.7, rng)
		if b.x1-b.x0 > b.y1-b.y0 {
			x := b.x0 + int(share*float64(b.x1-b.x0))
			corner(x, b.y0)
			corner(x, b.y1)
			all = append(all, street{x, b.y0, x, b.y1})
			blocks[k].x1 = x
			b.x0 = x
		} else {
			y := b.y0 + int(share*float64(b.y1-b.y0))
			corner(b.x0, y)
			corner(b.x1, y)
			all = append(all, street{b.x0, y, b.x1, y})
			blocks[k].y1 = y
			b.y0 = y
		}
		blocks = append(blocks, b)
	}
	var places [][2]int
	for at := range corners {
		places = append(places, at)
	}
	slices.SortFunc(places, func(p, q [2]int) int { return cmp.Or(p[0]-q[0], p[1]-q[1]) })
	for k, at := range places {
		corners[at] = k
	}
	var edges [][2]int
	for _, s := range all { // each street between the corners on it
		last := -1
		for k, at := range places {
			if at[0] < s.x0 || at[0] > s.x1 || at[1] < s.y0 || at[1] > s.y1 {
				continue
			}
			if last >= 0 && rng.Float64() > 0.03 {
				edges = append(edges, [2]int{last, k})
			}
			last = k
		}
	}
	return made(len(places), edges)
}

func area(x, y int) float64 { return float64(x) * float64(y) }

// webs are of what eats what: each kind eats those within a range of sizes (Williams, Martinez, doi:10.1038/35004572).
func webs(n int, rng *rand.Rand) graphs.Graph {
	sizes := make([]float64, n)
	for i := range sizes {
		sizes[i] = rng.Float64()
	}
	dense := statistics.Between(3, 12, rng) / float64(n)
	var edges [][2]int
	for i, size := range sizes {
		width := size * (1 - math.Pow(rng.Float64(), 2*dense)) // beta distribution, of mean dense/(1+2·dense)
		centre := statistics.Between(width/2, size, rng)
		for j, other := range sizes {
			if math.Abs(other-centre) < width/2 {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return made(n, edges)
}

// circuits have gates in layers, whose inputs are most often from gates nearby in one of the layers before.
func circuits(n int, rng *rand.Rand) graphs.Graph {
	wide := max(3, int(math.Sqrt(float64(n))*statistics.LogBetween(0.5, 2, rng)))
	var edges [][2]int
	for i := wide; i < n; i++ {
		for range 1 + rng.IntN(3) {
			back := wide * (1 + int(rng.ExpFloat64()))
			j := i - back + int(2*rng.NormFloat64())
			if j >= 0 && j < i {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return made(n, edges)
}

// folded are chains that fold in space, with an edge where two parts come near.
func folded(n int, rng *rand.Rand) graphs.Graph {
	p, way, points := []float64{0, 0, 0}, []float64{1, 0, 0}, make([][]float64, n)
	reach := statistics.Between(1.3, 2, rng)
	inward := 0.6 / math.Cbrt(float64(n))
	for i := range points {
		points[i] = slices.Clone(p)
		long := 0.0
		for k := range way {
			way[k] += 0.7*rng.NormFloat64() - inward*p[k]
			long += way[k] * way[k]
		}
		for k := range way {
			way[k] /= math.Sqrt(long)
			p[k] += way[k]
		}
	}
	var edges [][2]int
	for i := range points {
		for j := range i {
			if j == i-1 || square(points[i], points[j]) < reach*reach {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return made(n, edges)
}
