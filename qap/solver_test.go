package qap

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

// TestWithClock: a time limit is of the clock that the context has, whatever the wall's.
func TestWithClock(t *testing.T) {
	now := time.Unix(0, 0)
	ctx := WithClock(context.Background(), func() time.Time { return now })
	w := Limits{TimeLimit: time.Minute}.Watch(ctx, &Instance{})
	if left, limited := w.Remaining(); left != time.Minute || !limited {
		t.Errorf("%v left, limited %t; want a minute", left, limited)
	}
	now = now.Add(59 * time.Second)
	if status, ended := w.Expired(); ended {
		t.Errorf("ended by %s a second before the limit", status)
	}
	now = now.Add(time.Second)
	if status, ended := w.Expired(); !ended || status != TimeLimit {
		t.Errorf("ended %t by %q, want time_limit", ended, status)
	}
}

// TestTargetWithinRounding: a solution that misses the target by rounding has reached
// it, in either sense; one that misses it by more has not.
func TestTargetWithinRounding(t *testing.T) {
	for _, sense := range []Sense{Minimize, Maximize} {
		in := must.Get(NewDense(1, 1, []float64{1}, sense))(t)
		worse := 1.0 // a larger objective
		if sense == Maximize {
			worse = -1
		}
		for _, target := range []float64{0.3, -0.3, 578, 1 << 40} {
			watch := Limits{Target: target, HasTarget: true}.Watch(context.Background(), in)
			for _, c := range []struct {
				by      float64
				reached bool
			}{{0, true}, {-0.1, true}, {5e-13, true}, {5e-12, false}} {
				objective := target + c.by*worse*math.Abs(target)
				if _, got := watch.Reached(0, 0, in.ScoreOf(objective)); got != c.reached {
					t.Errorf("%v: an objective %v times |%v| worse: reached %v, want %v", sense, c.by, target, got, c.reached)
				}
			}
		}
	}
	in := must.Get(NewDense(1, 1, []float64{1}, Minimize))(t)
	watch := Limits{}.Watch(context.Background(), in)
	if status, stop := watch.Reached(0, 0, 0); stop {
		t.Errorf("%s without a limit", status)
	}
}
