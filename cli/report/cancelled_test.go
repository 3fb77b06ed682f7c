package report

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestCancelledIsNotFailed: the table and the totals tell what a signal or --total-time ended
// from what failed.
func TestCancelledIsNotFailed(t *testing.T) {
	var out strings.Builder
	w := NewWriter(Table, &out)
	var totals Totals
	for k, err := range []error{errors.New("no such file"), ErrNotBegun, errTimeUp, fmt.Errorf("graphs: not compared: %w", context.Canceled)} {
		a := Failure(fmt.Sprint("i", k), err)
		totals.Add(a)
		if err := w.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var statuses []string
	for line := range strings.Lines(out.String()) {
		words := strings.Fields(line)
		statuses = append(statuses, words[len(words)-1])
	}
	if have := strings.Join(statuses, " "); have != "status failed cancelled deadline cancelled" {
		t.Errorf("statuses %q", have)
	}
	if totals.Failed != 1 || totals.Cancelled != 3 || totals.Without != 4 {
		t.Errorf("totals %+v", totals)
	}
}
