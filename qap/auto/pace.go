package auto

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Budget returns the default number of swaps for graphs of n nodes, which take the core of
// nominalSwap about a second at n = 30, five at 100 and ten from 180 on.
func Budget(n int) int {
	return int(min(10, max(0.3, 0.06*float64(n)-0.8)) / nominalSwap(n).Seconds())
}

// nominalSwap returns the time that counts as a swap of one trajectory, for graphs of n nodes,
// on the core on which the numbers of the table were chosen (AVX-512, where swaps took some
// half of it). On another it is slowness times as much.
func nominalSwap(n int) time.Duration {
	return time.Duration((0.4 + 0.00033*float64(n)*float64(n)) * float64(time.Microsecond))
}

// swapsIn returns about how many swaps of one trajectory are made in a time.
func swapsIn(d time.Duration, n int) float64 {
	return d.Seconds() / (nominalSwap(n).Seconds() * slowness())
}

// slowness measures once, in some 3 ms, how much longer swaps take here than on that core.
var slowness = sync.OnceValue(func() float64 {
	const n, swaps, attempts = 64, 500, 3
	const there = 900 * time.Nanosecond // for each of them
	rng := rand.New(rand.NewPCG(0x5109, 0))
	a, b := make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = float64(rng.IntN(100)), float64(rng.IntN(100))
	}
	in, err := qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize)
	if err != nil {
		return 1
	}
	walk, err := tabu.NewWalk(in, qap.RandomMatching(n, n, rng), 1, nil)
	if err != nil {
		return 1
	}
	least := time.Hour // other programs only lengthen it
	for k := range attempts {
		start := time.Now()
		walk.Run((k+1)*swaps, -1)
		least = min(least, time.Since(start))
	}
	return min(64, max(0.25, least.Seconds()/swaps/there.Seconds()))
})
