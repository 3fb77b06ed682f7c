package training

import (
	"fmt"
	"math"
	"time"

	"github.com/rgm-go/rgm/train"
)

// pace tells how fast a training goes and when it will end. It measures from the
// first update of this run on: filling the replay goes faster.
type pace struct {
	limit   time.Duration  // of this run; 0 is none
	start   train.Progress // at the beginning of this run
	learnt  bool           // whether there was an update in this run
	since   time.Duration  // when the first update of this run was
	updates int            // then
	from    int            // episodes then
}

// leastMeasured is how long a rate is measured before it is told.
const leastMeasured = 3 * time.Second

func newPace(start train.Progress, limit time.Duration) *pace {
	return &pace{limit: limit, start: start}
}

// observe takes how far the training is after the time elapsed in this run.
func (p *pace) observe(elapsed time.Duration, now train.Progress) {
	if !p.learnt && now.Updates > p.start.Updates {
		p.learnt, p.since, p.updates, p.from = true, elapsed, now.Updates, now.Episodes
	}
}

// rates returns episodes and updates a second, once they are measured.
func (p *pace) rates(elapsed time.Duration, now train.Progress) (episodes, updates float64, known bool) {
	if !p.learnt || elapsed-p.since < leastMeasured || now.Episodes == p.from {
		return 0, 0, false
	}
	seconds := (elapsed - p.since).Seconds()
	return float64(now.Episodes-p.from) / seconds, float64(now.Updates-p.updates) / seconds, true
}

// remaining returns how long this run will still take.
func (p *pace) remaining(elapsed time.Duration, now train.Progress) (left time.Duration, known bool) {
	if episodes, _, measured := p.rates(elapsed, now); measured {
		left, known = time.Duration(float64(now.TotalEpisodes-now.Episodes)/episodes*float64(time.Second)), true
	}
	if p.limit > 0 && (!known || p.limit-elapsed < left) {
		left, known = p.limit-elapsed, true
	}
	return max(left, 0), known
}

// share returns how much of this run is done, 0 to 1.
func (p *pace) share(elapsed time.Duration, now train.Progress) float64 {
	if left, known := p.remaining(elapsed, now); known {
		return elapsed.Seconds() / max((elapsed+left).Seconds(), 1e-9)
	}
	return float64(now.Episodes-p.start.Episodes) / float64(max(now.TotalEpisodes-p.start.Episodes, 1))
}

// fallsShort reports whether the time will be up clearly before the episodes are, and
// how many episodes it is enough for. It is sure only after a twentieth of the time.
func (p *pace) fallsShort(elapsed time.Duration, now train.Progress) (episodes int, short bool) {
	rate, _, known := p.rates(elapsed, now)
	if p.limit == 0 || !known || elapsed-p.since < p.limit/20 {
		return 0, false
	}
	episodes = now.Episodes + int(rate*max(p.limit-elapsed, 0).Seconds())
	return episodes, float64(episodes) < 0.9*float64(now.TotalEpisodes)
}

// text describes the training in a line.
func (p *pace) text(elapsed time.Duration, now train.Progress) string {
	text := fmt.Sprintf("%d of %d episodes, %d updates", now.Episodes, now.TotalEpisodes, now.Updates)
	if _, updates, known := p.rates(elapsed, now); known {
		text += fmt.Sprintf(" (%.0f/s)", updates)
	}
	text += fmt.Sprintf(", ε %.2f", now.Epsilon)
	if !math.IsNaN(now.Loss) {
		text += fmt.Sprintf(", loss %.4f", now.Loss)
	}
	if !math.IsNaN(now.BestGap) {
		text += fmt.Sprintf(", best gap %.3f", now.BestGap)
	}
	if left, known := p.remaining(elapsed, now); known {
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}
