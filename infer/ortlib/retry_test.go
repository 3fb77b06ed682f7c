package ortlib

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

// TestNoNewAttemptWithinADay: after a failure no source is asked for a day, unless the
// caller wants it; then it is asked again, and a success is remembered.
func TestNoNewAttemptWithinADay(t *testing.T) {
	calls := fakeNPM(t, "exit 1")
	in := &installer{folder: t.TempDir(), sources: []source{fakePackage()}}
	attempts := func() int {
		text := must.Get(os.ReadFile(calls))(t)
		return strings.Count(string(text), "\n")
	}
	locate := func(want int, waits bool) {
		t.Helper()
		_, err := in.locate(t.Context())
		var unavailable *UnavailableError
		if !errors.As(err, &unavailable) || unavailable.Waits != waits || attempts() != want {
			t.Errorf("%v after %d attempts, want %d", err, attempts(), want)
		}
	}
	locate(1, false)
	locate(1, true)
	in.again = true
	locate(2, false)
	in.again = false
	yesterday := time.Now().Add(-retryAfter - time.Minute)
	if err := os.Chtimes(in.failureFile(), yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	locate(3, false)
	in.again = true
	fakeNPM(t, deliver)
	if _, err := in.locate(t.Context()); err != nil {
		t.Error(err)
	}
	if _, failed := in.lastFailure(); failed {
		t.Error("the failure is still remembered")
	}
}
