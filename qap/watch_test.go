package qap

import (
	"context"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

// TestWatch: each limit ends a search when it is reached, not before, and a target counts
// before the rest.
func TestWatch(t *testing.T) {
	in := must.Get(NewDense(2, 2, make([]float64, 16), Minimize))(t)
	for _, c := range []struct {
		limits           Limits
		steps, sinceBest int
		best             float64 // score, the negative of the objective
		want             Status
	}{
		{Limits{}, 1 << 40, 1 << 40, 1e300, ""},
		{Limits{MaxSteps: 5}, 4, 4, 0, ""},
		{Limits{MaxSteps: 5}, 5, 0, 0, MaxSteps},
		{Limits{Patience: 3}, 9, 2, 0, ""},
		{Limits{Patience: 3}, 9, 3, 0, Patience},
		{Limits{Target: 7, HasTarget: true}, 0, 0, -7.5, ""},
		{Limits{Target: 7, HasTarget: true}, 0, 0, -7, Target},
		{Limits{Target: 7}, 0, 0, -7, ""},
		{Limits{Target: 7, HasTarget: true, MaxSteps: 5, Patience: 3}, 5, 3, -6, Target},
	} {
		w := c.limits.Watch(context.Background(), in)
		if got, reached := w.Reached(c.steps, c.sinceBest, c.best); got != c.want || reached != (c.want != "") {
			t.Errorf("%+v after %d steps, %d of them since the best of %v: %q, want %q", c.limits, c.steps, c.sinceBest, c.best, got, c.want)
		}
	}
}

// TestWatchExpires: by the clock and by the context.
func TestWatchExpires(t *testing.T) {
	in := must.Get(NewDense(1, 1, []float64{0}, Maximize))(t)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, end := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer end()
	for _, c := range []struct {
		ctx   context.Context
		limit time.Duration
		want  Status
	}{
		{context.Background(), 0, ""}, {context.Background(), time.Hour, ""}, {context.Background(), 1, TimeLimit},
		{cancelled, 0, Cancelled}, {cancelled, 1, Cancelled}, {late, time.Hour, Deadline},
	} {
		w := Limits{TimeLimit: c.limit}.Watch(c.ctx, in)
		time.Sleep(time.Microsecond)
		if got, expired := w.Expired(); got != c.want || expired != (c.want != "") {
			t.Errorf("limit %v: %q, want %q", c.limit, got, c.want)
		}
	}
}
