package cputime

import (
	"testing"
	"time"
)

// TestTaken: work takes processor time, sleep does not.
func TestTaken(t *testing.T) {
	start, ok := Taken()
	if !ok {
		t.Skip("the processor time cannot be told here")
	}
	for begin := Clock(); Clock().Sub(begin) < 5*time.Millisecond; {
	}
	worked, _ := Taken()
	time.Sleep(50 * time.Millisecond)
	slept, _ := Taken()
	if worked-start < 5*time.Millisecond || slept-worked > 25*time.Millisecond {
		t.Errorf("%v for 5 ms of work, %v for 50 ms of sleep", worked-start, slept-worked)
	}
}
