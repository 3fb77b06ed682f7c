package tabu

import (
	"math/rand/v2"
	"unsafe"

	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

// state is what a trajectory holds in single numbers. The C kernel has the same
// struct (internal/kernels/kernel.h); every field has eight bytes.
type state struct {
	n, width, terms       int64 // width is n rounded up to whole blocks
	step, clock, bestStep int64 // swaps made: in all, since the last rebase, until the best

	// run ends at the first of these.
	until    int64 // step
	patience int64 // steps since the best improved
	target   float64

	// The schedule: aspirations in steps, tenures scale·(offset + u) before
	// earlySteps and scale·u³ after, u uniform.
	earlySteps, earlyAspiration, lateAspiration int64
	earlyScale, earlyOffset, lateScale          float64

	cost, best float64
	tolerance  float64 // a better best is better by more than this
	random     random
}

// The C kernels have the same struct: these do not compile otherwise.
const (
	_ = uint(unsafe.Sizeof(state{}) - kernels.StateSize)
	_ = uint(kernels.StateSize - unsafe.Sizeof(state{}))
)

// The schedule: a short, even tenure finds good assignments soon; the later one,
// with its long tail, keeps finding better ones, and serves dense problems from the start.
const (
	earlySteps       = 20_000 // swaps made under the first tenure
	earlyAspiration  = 3      // ·n² swaps without a match force it
	lateAspiration   = 5
	earlyTenureLow   = 0.9 // ·n
	earlyTenureHigh  = 1.1
	lateTenureFactor = 4 // tenure is this ·n·u³
)

// blockSize is the number of columns that are scanned as one; rows are padded to
// whole blocks.
const blockSize = 16

// roundOff is the part of a problem's largest number under which a gain may be
// rounding, where not all sums are exact.
const roundOff = 1e-13

func newState(p *problem, cost float64, rng *rand.Rand) *state {
	n := float64(p.n)
	early := int64(earlySteps)
	if p.dense() {
		early = 0
	}
	return &state{
		n: int64(p.n), width: int64((p.n + blockSize - 1) &^ (blockSize - 1)), terms: int64(p.terms()),
		earlySteps:      early,
		earlyAspiration: int64(earlyAspiration * p.n * p.n),
		lateAspiration:  int64(lateAspiration * p.n * p.n),
		earlyScale:      (earlyTenureHigh - earlyTenureLow) * n,
		earlyOffset:     earlyTenureLow / (earlyTenureHigh - earlyTenureLow),
		lateScale:       lateTenureFactor * n,
		cost:            cost, best: cost, tolerance: p.tolerance(),
		random: newRandom(rng),
	}
}
