package rgm_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/models/pretrained"
)

// reading returns a solver that counts how often a model is read, and keeps some of them.
func reading(t *testing.T, models int) (*rgm.Solver, *atomic.Int32) {
	t.Helper()
	var read atomic.Int32
	p := rgmtest.Open(t, func(c *rgm.Config) {
		c.Models = models
		c.Model = func(string) ([]byte, error) {
			read.Add(1)
			return pretrained.Model("qap")
		}
	})
	return p, &read
}

// TestUnload: a model is read once until it is unloaded, and a search that runs meanwhile
// keeps the one it has.
func TestUnload(t *testing.T) {
	p, read := reading(t, 0)
	in := instances.QAPLIB(t, "nug12")
	solve := func(onBest func(rgm.Incumbent)) {
		t.Helper()
		o := rgm.Options{Model: "mine", MaxSteps: 20, OnBest: onBest}
		if r, err := p.Solve(context.Background(), in, o); err != nil || r.Evaluations == 0 || r.Model != "mine" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	solve(nil)
	solve(nil)
	if read.Load() != 1 {
		t.Errorf("read %d times before it was unloaded, want once", read.Load())
	}
	solve(func(rgm.Incumbent) {
		if err := p.Unload("mine"); err != nil {
			t.Error(err)
		}
	})
	solve(nil)
	if read.Load() != 2 {
		t.Errorf("read %d times, want 2: once more after it was unloaded", read.Load())
	}
	if err := p.Unload("unknown"); err != nil {
		t.Error(err)
	}
}

// TestModelsAreBounded: the network that was asked for longest ago makes room for another.
func TestModelsAreBounded(t *testing.T) {
	p, read := reading(t, 2)
	in := instances.QAPLIB(t, "nug12")
	for k, want := range []int32{1, 2, 2, 3, 3, 4} { // a b a c a b
		name := string("abacab"[k])
		o := rgm.Options{Model: name, MaxSteps: 5}
		if _, err := p.Solve(context.Background(), in, o); err != nil {
			t.Fatal(err)
		}
		if got := read.Load(); got != want {
			t.Errorf("after %s: %d models were read, want %d", "abacab"[:k+1], got, want)
		}
	}
}

// TestNoContext: a context that is nil is an error, not a panic.
func TestNoContext(t *testing.T) {
	p, _ := reading(t, 0)
	var none context.Context
	_, err := p.Solve(none, instances.QAPLIB(t, "nug12"), rgm.Options{TimeLimit: time.Second})
	if !errors.Is(err, infer.ErrNoContext) {
		t.Errorf("%v, want ErrNoContext", err)
	}
}
