package qap

import (
	"context"
	"testing"
	"time"
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
