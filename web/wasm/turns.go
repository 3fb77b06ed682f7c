//go:build js

package main

import (
	"context"
	"syscall/js"
	"time"
)

// turns is a context, and a clock, whose searches let the worker read its messages now and then:
// WebAssembly has one thread, and while a search computes nobody hears of a cancellation and no
// timer runs.
type turns struct {
	context.Context
	last time.Time // when the worker had its turn
}

// turnEvery is how late a cancellation may come.
const turnEvery = 20 * time.Millisecond

// Err is of a context: searches ask it at each of their steps, or every so many.
func (t *turns) Err() error {
	t.now()
	return t.Context.Err()
}

// now is the clock of the searches, which also those ask that have a context made of this one.
func (t *turns) now() time.Time {
	now := time.Now()
	if now.Sub(t.last) < turnEvery {
		return now
	}
	t.last = now
	again := make(chan struct{})
	resume := js.FuncOf(func(js.Value, []js.Value) any {
		close(again)
		return nil
	})
	defer resume.Release()
	js.Global().Get("rgm").Call("turn", resume)
	<-again
	t.last = time.Now()
	return t.last
}
