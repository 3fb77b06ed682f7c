package infer_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/leaktest"
	"github.com/rgm-go/rgm/qap"
)

// soak lengthens the tests below to what the documentation states.
var soak = os.Getenv("RGM_TEST_SOAK") != ""

// TestManyGoroutinesOneNetwork: 64 goroutines of 50 searches share a network, each
// search gives what it gives alone, and no goroutine is left.
func TestManyGoroutinesOneNetwork(t *testing.T) {
	net := open(t, "qap")
	goroutines, searches := 16, 3
	if soak {
		goroutines, searches = 64, 50
	}
	instances := []*qap.Instance{embedded(t, "nug12"), embedded(t, "had14"), embedded(t, "nug15")}
	options := func(seed int) infer.Options {
		return infer.Options{Rollouts: 1 + seed%3, MaxSteps: 20, Seed: uint64(seed)}
	}
	alone := make([]float64, 6)
	for seed := range alone {
		r, err := infer.Solve(context.Background(), net, instances[seed%3], options(seed))
		if err != nil {
			t.Fatal(err)
		}
		alone[seed] = r.Objective
	}
	ended := leaktest.Check(t)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for k := range searches {
				seed := (g + k) % len(alone)
				r, err := infer.Solve(context.Background(), net, instances[seed%3], options(seed))
				if err != nil || r.Objective != alone[seed] {
					t.Errorf("seed %d: %v (%v), alone %v", seed, r.Objective, err, alone[seed])
				}
			}
		})
	}
	all.Wait()
	ended()
	t.Attr("tried", fmt.Sprint(goroutines*searches))
}

// TestMemoryStays: after 2,000 searches the process holds within 10 % of what it held
// after 200.
func TestMemoryStays(t *testing.T) {
	if !soak {
		t.Skip("needs RGM_TEST_SOAK")
	}
	net := open(t, "qap")
	in := embedded(t, "nug12")
	early := 0
	for k := range 2000 {
		if _, err := infer.Solve(context.Background(), net, in, infer.Options{MaxSteps: 20, Seed: uint64(k)}); err != nil {
			t.Fatal(err)
		}
		if k == 199 {
			early = resident(t)
		}
	}
	late := resident(t)
	t.Logf("resident after 200 searches %d MiB, after 2,000 %d MiB", early>>20, late>>20)
	if float64(late) > 1.1*float64(early) {
		t.Errorf("resident after 200 searches %d, after 2,000 %d", early, late)
	}
}

// resident returns the bytes of memory that the process holds, free ones given back.
func resident(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("needs Linux: ", err)
	}
	fields := bytes.Fields(text)
	pages, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// BenchmarkSolve reports what a short search allocates beyond the first of its shape.
func BenchmarkSolve(b *testing.B) {
	net := open(b, "qap")
	in := embedded(b, "nug12")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := infer.Solve(context.Background(), net, in, infer.Options{MaxSteps: 20}); err != nil {
			b.Fatal(err)
		}
	}
}
