// Package reliability has what the commands that calibrate share: random streams by the names of kinds, and how far what was told of
// matches holds.
package reliability

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Match is what was told of a match, and whether it is right.
type Match struct {
	Told  float64
	Right bool
}

// Bins are matches by tenths of what was told.
type Bins [10]struct{ Count, Told, Right float64 }

// Add counts a match.
func (b *Bins) Add(m Match) {
	bin := &b[min(9, int(10*m.Told))]
	bin.Count, bin.Told, bin.Right = bin.Count+1, bin.Told+m.Told, bin.Right+One(m.Right)
}

// Error returns the expected calibration error: the mean difference of what was told and the share that is right.
func (b *Bins) Error() float64 {
	sum, count := 0.0, 0.0
	for _, bin := range b {
		sum, count = sum+math.Abs(bin.Told-bin.Right), count+bin.Count
	}
	return sum / count
}

// Print prints a row of a table for each tenth.
func (b *Bins) Print() {
	for k, bin := range b {
		if bin.Count > 0 {
			fmt.Printf("|%.1f–%.1f|%.0f|%.1f|%.1f|\n", float64(k)/10, float64(k+1)/10, bin.Count, 100*bin.Told/bin.Count, 100*bin.Right/bin.Count)
		}
	}
}

// One returns 1 for what is so, else 0.
func One(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Random returns the random stream of a pair of a kind.
func Random(seed uint64, kind string, pair int) *rand.Rand {
	h := uint64(0)
	for _, c := range kind {
		h = h*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(seed, uint64(pair)<<16+h%(1<<16)))
}
