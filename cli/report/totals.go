package report

import (
	"context"
	"errors"
	"fmt"
)

// ErrNotBegun is the error of inputs that a cancelled run did not come to.
var ErrNotBegun = errors.New("cancelled before it began")

// errTimeUp is ErrNotBegun where it was the time that ended the run.
var errTimeUp = fmt.Errorf("%w: --total-time was up", ErrNotBegun)

// NotBegun returns the error of what a context that has ended left undone.
func NotBegun(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errTimeUp
	}
	return ErrNotBegun
}

// Totals sum up a run over many instances; docs/CLI_JSON.md says what each field means.
type Totals struct {
	Solved     int     `json:"solved"`
	Failed     int     `json:"failed"`
	Skipped    int     `json:"skipped"`
	Cancelled  int     `json:"cancelled"`
	PassedOver int     `json:"passed_over"`
	Seconds    float64 `json:"seconds"`

	Without int `json:"-"` // instances without a result
}

// Add counts the answer of an instance.
func (t *Totals) Add(a Answer) {
	if a.Err != nil {
		t.Without++
	}
	cancelled := errors.Is(a.Err, ErrNotBegun) || errors.Is(a.Err, context.Canceled)
	switch {
	case cancelled, a.Err == nil && a.Status.Interrupted():
		t.Cancelled++
	case a.Err != nil:
		t.Failed++
	default:
		t.Solved++
	}
}

// SetSkipped says of how many answers counted so far the results were there before.
func (t *Totals) SetSkipped(taken int) {
	t.Solved -= taken
	t.Skipped = taken
}

// All returns how many instances there were.
func (t *Totals) All() int { return t.Solved + t.Failed + t.Skipped + t.Cancelled }
