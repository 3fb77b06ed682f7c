package rigid

import (
	"math"
	"math/rand/v2"
)

// random is a stream of random numbers that is quickly begun anew.
type random struct{ pcg rand.PCG }

func (r *random) seed(seed uint64)    { r.pcg.Seed(seed, 0x9e3779b97f4a7c15) }
func (r *random) uniform() float64    { return float64(r.pcg.Uint64()>>11) / (1 << 53) }
func (r *random) below(n int32) int32 { return int32(r.pcg.Uint64() >> 32 * uint64(n) >> 32) }
func (r *random) coin() bool          { return r.pcg.Uint64()>>63 == 1 }

// gumbel returns a number of the standard Gumbel distribution: the greatest of sums with it is drawn as by a softmax.
func (r *random) gumbel() float64 { return -math.Log(-math.Log(r.uniform() + 1e-12)) }
