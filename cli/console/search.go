package console

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/qap"
)

// Search shows how far one search is, with its best objective so far: how much of the time
// limit has passed; without one how many of the steps are taken; without either how many, and how
// long it took. Methods of nil show nothing.
type Search struct {
	bar   Progress
	name  string
	began time.Time
	limit time.Duration
	steps int // the most
	taken atomic.Int64

	mu    sync.Mutex
	best  rgm.Incumbent // without its matching
	found bool

	ended chan struct{}
	drawn sync.WaitGroup
}

// redrawEvery is how often the display of a search changes by itself.
const redrawEvery = 200 * time.Millisecond

// StartSearch shows a search that begins, in place of the bar before; nil where nobody looks. limit,
// the deadline of the context and steps end it; 0 is none. The search has to be in the context
// that is returned.
func (c *Console) StartSearch(ctx context.Context, name string, limit time.Duration, steps int) (*Search, context.Context) {
	if !c.terminal {
		return nil, ctx
	}
	if deadline, has := ctx.Deadline(); has {
		left := max(time.Until(deadline), time.Millisecond)
		limit = min(cmp.Or(limit, left), left)
	}
	total, more := int64(-1), []progressbar.Option{progressbar.OptionSetPredictTime(limit > 0), progressbar.OptionThrottle(0)}
	switch {
	case limit > 0:
		total = limit.Milliseconds()
	case steps > 0:
		total = int64(steps)
		more = append(more, progressbar.OptionShowCount())
	default:
		more = append(more, progressbar.OptionSpinnerType(9))
	}
	s := &Search{
		bar: c.StartPlainBar(total, name, more...), name: name, began: time.Now(), limit: limit, steps: steps, ended: make(chan struct{}),
	}
	s.drawn.Go(s.redraw)
	return s, qap.WithStepCount(ctx, &s.taken)
}

// Found takes a better solution, as a search tells it.
func (s *Search) Found(best rgm.Incumbent) {
	if s == nil {
		return
	}
	best.Matching = nil // valid during the call alone
	s.mu.Lock()
	defer s.mu.Unlock()
	s.best, s.found = best, true
}

// End takes the display away.
func (s *Search) End() {
	if s == nil {
		return
	}
	close(s.ended)
	s.drawn.Wait()
	s.bar.console.EndBar()
}

// redraw draws until the search has ended.
func (s *Search) redraw() {
	ticker := time.NewTicker(redrawEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.ended:
			return
		case <-ticker.C:
			s.draw(time.Since(s.began))
		}
	}
}

// draw shows a search that has run for some time.
func (s *Search) draw(elapsed time.Duration) {
	s.mu.Lock()
	best, found := s.best, s.found
	s.mu.Unlock()
	text := s.name
	if found {
		text = fmt.Sprintf("%s: %s", s.name, report.NumberText(best.Objective))
		if best.FoundBy != "" {
			text += " by " + best.FoundBy
		}
	}
	taken := s.taken.Load()
	// Not full before the end, or the bar would take itself away.
	switch {
	case s.limit > 0:
		s.bar.Describe(text)
		s.bar.Set(min(elapsed.Milliseconds(), s.limit.Milliseconds()-1))
	case s.steps > 0:
		s.bar.Describe(text)
		s.bar.Set(min(taken, int64(s.steps-1)))
	default:
		s.bar.Describe(fmt.Sprintf("%s, %d steps", text, taken))
		s.bar.Add()
	}
}
