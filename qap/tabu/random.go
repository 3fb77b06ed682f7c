package tabu

import (
	"math/bits"
	"math/rand/v2"
)

// random is xoshiro256++ (Blackman, Vigna, doi:10.1145/3460772), written in Go
// and in C (internal/kernels/random.h) so that both draw the same numbers.
type random [4]uint64

func newRandom(seeds *rand.Rand) random {
	return random{seeds.Uint64(), seeds.Uint64(), seeds.Uint64(), seeds.Uint64() | 1} // not all 0
}

func (r *random) next() uint64 {
	result := bits.RotateLeft64(r[0]+r[3], 23) + r[0]
	t := r[1] << 17
	r[2] ^= r[0]
	r[3] ^= r[1]
	r[1] ^= r[2]
	r[0] ^= r[3]
	r[2] ^= t
	r[3] = bits.RotateLeft64(r[3], 45)
	return result
}

// below returns 0..n-1; its bias, below n/2³², does not matter here.
func (r *random) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }

// unit returns a number in [0, 1).
func (r *random) unit() float64 { return float64(r.next()>>11) * 0x1p-53 }
