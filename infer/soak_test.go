package infer_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/internal/usage"
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
	instances := []*qap.Instance{instances.QAPLIB(t, "nug12"), instances.QAPLIB(t, "had14"), instances.QAPLIB(t, "nug15")}
	options := func(seed int) infer.Options {
		return infer.Options{Rollouts: 1 + seed%3, MaxSteps: 20, Seed: uint64(seed)}
	}
	alone := make([]float64, 6)
	for seed := range alone {
		r := must.Get(infer.Solve(context.Background(), net, instances[seed%3], options(seed)))(t)
		alone[seed] = r.Objective
	}
	ended := usage.Goroutines(t)
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
	in := instances.QAPLIB(t, "nug12")
	early := 0
	for k := range 2000 {
		if _, err := infer.Solve(context.Background(), net, in, infer.Options{MaxSteps: 20, Seed: uint64(k)}); err != nil {
			t.Fatal(err)
		}
		if k == 199 {
			early = usage.Resident(t)
		}
	}
	late := usage.Resident(t)
	t.Logf("resident after 200 searches %d MiB, after 2,000 %d MiB", early>>20, late>>20)
	if float64(late) > 1.1*float64(early) {
		t.Errorf("resident after 200 searches %d, after 2,000 %d", early, late)
	}
}

// BenchmarkSolve reports what a short search allocates beyond the first of its shape.
func BenchmarkSolve(b *testing.B) {
	net := open(b, "qap")
	in := instances.QAPLIB(b, "nug12")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := infer.Solve(context.Background(), net, in, infer.Options{MaxSteps: 20}); err != nil {
			b.Fatal(err)
		}
	}
}
