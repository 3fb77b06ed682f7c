package tabu

import (
	"time"

	"github.com/rgm-go/rgm/qap"
)

// leastPortion is the work, in deltas, that at least passes between looks at the
// clock and the context.
const leastPortion = 32768

// Looks at the clock are far apart, because the scheduler of Go takes a fifth of
// the time where a call of the kernel is short: at most longestPortion, and a
// portionShare of what remains.
const (
	longestPortion = 5 * time.Millisecond
	portionShare   = 8
)

// A Pace says how many swaps to make between looks at the clock, by how long the
// last ones took. It changes no swap.
type Pace struct {
	n       int
	watch   *qap.Watch
	portion int
	from    int // steps when the portion began, and when that was
	start   time.Time
}

// NewPace returns the pace of a search over n nodes.
func NewPace(n int, watch *qap.Watch) *Pace { return &Pace{n: n, watch: watch} }

// Until returns the steps until which to search after the steps made so far.
func (p *Pace) Until(steps int) int {
	now := p.watch.Now()
	if p.portion == 0 {
		p.portion = leastSteps(p.n)
	} else {
		p.portion = p.next(steps-p.from, now.Sub(p.start))
	}
	p.from, p.start = steps, now
	return steps + p.portion
}

func leastSteps(n int) int { return 1 + leastPortion/(n*n) }

// next returns the steps until the next look at the clock, where the last ones took
// some time.
func (p *Pace) next(steps int, took time.Duration) int {
	want := longestPortion
	if left, limited := p.watch.Remaining(); limited {
		want = min(want, left/portionShare)
	}
	longer := float64(steps) * float64(want) / float64(max(took, time.Microsecond))
	return max(leastSteps(p.n), min(int(longer), 4*steps))
}
