package compare

import (
	"math"
	"slices"
)

// rarities say by how much likelier nodes are the same, as logarithms, where their numbers are ones that few nodes have: of numbers that differ
// by δ the likelihoods of package compare take the mean density of δ, whatever the numbers are. In place of it comes the density where they are,
// each node's to one half, as far as right matches have like numbers.
type rarities struct {
	of1, of2 []float64      // of each node, by all its numbers
	column   [][2][]float64 // of each number, where right ones are equal
}

func newRarities(all quantities) rarities {
	r := rarities{of1: make([]float64, len(all[0].of1)), of2: make([]float64, len(all[0].of2))}
	for _, q := range all.parted().numbers {
		r.column = append(r.column, q.rarities())
	}
	return r
}

// weighed returns rarities by how alike the numbers of right matches are: with a correlation ρ, 2ρ/(1+ρ) of those of equal ones, as of normal
// numbers.
func (r rarities) weighed(l *ratios) rarities {
	w := rarities{make([]float64, len(r.of1)), make([]float64, len(r.of2)), r.column}
	for c := range l.numbers {
		spread := l.numbers[c : c+1].spread()[0]
		right := 1 / (1/spread - 2*l.slope[c]) // the mean squared difference
		correlation := max(0, 1-right/spread)
		part := 2 * correlation / (1 + correlation)
		for i, v := range r.column[c][0] {
			w.of1[i] += part * v
		}
		for a, v := range r.column[c][1] {
			w.of2[a] += part * v
		}
	}
	return w
}

// rarities returns those of a number, 0 where it is unknown: −½·ln of the density, over the mean density at 0 of the differences. The density
// is that of some of the numbers, with normal kernels (Silverman, Density Estimation, 1986, 3.4.2).
func (q *quantity) rarities() (of [2][]float64) {
	const most, far = 512, 4
	all := slices.Concat(known(q.of1), known(q.of2))
	slices.Sort(all)
	var some []float64
	step := len(all)/most + 1
	for k := 0; k < len(all); k += step {
		some = append(some, all[k])
	}
	spread := (quantities{*q}).spread()[0]
	width := 1.06 * math.Sqrt(spread/2) * math.Pow(float64(len(all)), -0.2)
	for side, values := range [2][]float64{q.of1, q.of2} {
		of[side] = make([]float64, len(values))
		for i, x := range values {
			if math.IsNaN(x) {
				continue
			}
			sum := 1 - 1/float64(step) // its own, if it is not among them
			first, _ := slices.BinarySearch(some, x-far*width)
			for _, y := range some[first:] {
				if y > x+far*width {
					break
				}
				sum += math.Exp(-square((x-y)/width) / 2)
			}
			density := sum / float64(len(some)) / width
			of[side][i] = -0.5 * math.Log(density*math.Sqrt(spread))
		}
	}
	return of
}
