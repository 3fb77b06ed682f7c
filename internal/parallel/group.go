package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Group is a sync.WaitGroup that carries panics: what a call of Go panicked with, Wait panics
// with. So a fault of one search is for its caller to recover from, as without goroutines. The
// zero value is ready.
type Group struct {
	wait  sync.WaitGroup
	fault atomic.Pointer[Fault] // the first
}

// Fault is a panic that was carried from the goroutine where it happened.
type Fault struct {
	Reason any
	Stack  []byte // of that goroutine
}

func (f *Fault) Error() string { return fmt.Sprintf("%v\n%s", f.Reason, f.Stack) }

// Go calls do on a goroutine of its own.
func (g *Group) Go(do func()) {
	g.wait.Go(func() {
		defer g.keep()
		do()
	})
}

// keep keeps a panic for Wait; it is deferred.
func (g *Group) keep() {
	reason := recover()
	if reason == nil {
		return
	}
	fault, carried := reason.(*Fault)
	if !carried {
		fault = &Fault{reason, debug.Stack()}
	}
	g.fault.CompareAndSwap(nil, fault)
}

// Wait returns when all calls have, and panics with a *Fault where one of them panicked.
func (g *Group) Wait() {
	g.wait.Wait()
	g.raise()
}

// raise panics with what was kept.
func (g *Group) raise() {
	if fault := g.fault.Swap(nil); fault != nil {
		panic(fault)
	}
}
