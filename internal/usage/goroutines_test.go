package usage

import (
	"testing"
	"time"
)

// failure notes that a test would have failed.
type failure struct {
	testing.TB
	failed bool
}

func (f *failure) Helper()               {}
func (f *failure) Errorf(string, ...any) { f.failed = true }

// TestGoroutines: goroutines that are about to end are waited for, those that stay are told.
func TestGoroutines(t *testing.T) {
	f := &failure{TB: t}
	done := Goroutines(f)
	go time.Sleep(50 * time.Millisecond)
	done()
	if f.failed {
		t.Error("a goroutine that ends soon is an error")
	}
	patience = 100 * time.Millisecond
	forever := make(chan struct{})
	done, some := Goroutines(f), GoroutinesBut(f, 1)
	go func() { <-forever }()
	some()
	if f.failed {
		t.Error("one goroutine that may stay is an error")
	}
	done()
	if !f.failed {
		t.Error("a goroutine that stays is no error")
	}
	close(forever)
}
