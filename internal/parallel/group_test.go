package parallel

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/usage"
)

// TestPanics: what a call panics with comes to the caller, with the place where it happened, once all
// goroutines have ended; also through several callers.
func TestPanics(t *testing.T) {
	fault := errors.New("as asked for")
	fails := func(k int) {
		if k == 3 {
			panic(fault)
		}
	}
	items := slices.Values([]int{0, 1, 2, 3, 4, 5, 6, 7})
	for name, call := range map[string]func(){
		"For":            func() { For(8, fails) },
		"For within For": func() { For(2, func(int) { For(8, fails) }) },
		"Workers": func() {
			w := NewWorkers(2, fails)
			defer w.End()
			w.Run(8)
		},
		"InOrder": func() {
			for range InOrder(2, items, func(k int) int { fails(k); return k }) {
			}
		},
		"items of InOrder": func() {
			bad := func(yield func(int) bool) {
				for k := range items {
					fails(k)
					yield(k)
				}
			}
			for range InOrder(2, bad, func(k int) int { return k }) {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ended := usage.Goroutines(t)
			defer ended()
			defer func() {
				carried, is := recover().(*Fault)
				if !is || carried.Reason != fault || !strings.Contains(carried.Error(), "group_test.go") {
					t.Errorf("carried: %v", carried)
				}
			}()
			call()
		})
	}
}

// TestWorkersGoOn: a Run after one with a panic is as any other.
func TestWorkersGoOn(t *testing.T) {
	fails, calls := true, make([]int, 4)
	w := NewWorkers(3, func(k int) {
		if fails && k == 1 {
			panic("as asked for")
		}
		calls[k]++
	})
	defer w.End()
	func() {
		defer func() { recover() }()
		w.Run(4)
		t.Error("no panic")
	}()
	fails = false
	w.Run(4)
	if want := []int{2, 1, 2, 2}; !slices.Equal(calls, want) {
		t.Errorf("calls %v, want %v", calls, want)
	}
}
