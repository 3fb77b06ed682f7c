package infer_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/models/pretrained"
)

// openUnclosed is open for tests that close the network themselves.
func openUnclosed(t testing.TB, name string) *infer.Network {
	t.Helper()
	open(t, name) // skips without ONNX Runtime
	data := must.Get(pretrained.Model(name))(t)
	return must.Get(infer.Open(context.Background(), data, infer.SessionOptions{Install: true}))(t)
}

// closings is how often TestCloseDuringSolve closes; more with RGM_TEST_CLOSINGS.
func closings() int {
	if n, err := strconv.Atoi(os.Getenv("RGM_TEST_CLOSINGS")); err == nil {
		return n
	}
	return 2
}

// TestCloseDuringSolve closes a network on which 64 goroutines solve: each search
// ends whole or with ErrClosed, and none begins after Close has returned.
func TestCloseDuringSolve(t *testing.T) {
	in := instances.QAPLIB(t, "nug12")
	for range closings() {
		net := openUnclosed(t, "qap")
		var solved, searches sync.WaitGroup
		solved.Add(8)
		for k := range 64 {
			searches.Go(func() {
				for done := 0; ; done++ {
					r, err := infer.Solve(context.Background(), net, in, infer.Options{Rollouts: 1, MaxSteps: 20, Seed: uint64(k)})
					switch {
					case err == nil && r.Matching.Size() == 12:
					case errors.Is(err, infer.ErrClosed):
						return
					default:
						t.Errorf("%+v, %v", r, err)
						return
					}
					if done == 0 && k < 8 {
						solved.Done()
					}
				}
			})
		}
		solved.Wait()
		if err := net.Close(); err != nil {
			t.Fatal(err)
		}
		searches.Wait()
		if _, err := infer.Solve(context.Background(), net, in, infer.Options{}); !errors.Is(err, infer.ErrClosed) {
			t.Errorf("after Close: %v, want ErrClosed", err)
		}
		if err := net.Close(); err != nil {
			t.Errorf("closing again: %v", err)
		}
	}
}

// TestBatchesAreKept: the next search of a shape gets the batch of the last, and an
// evaluation through it allocates nothing.
func TestBatchesAreKept(t *testing.T) {
	net := openUnclosed(t, "qap")
	use := func(size, n int) {
		b, err := net.NewBatch(size, n, n)
		if err == nil {
			_, err = b.Evaluate()
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		b.Close() // harmless
	}
	use(8, 12)
	if allocs := testing.AllocsPerRun(50, func() { use(8, 12) }); allocs != 0 {
		t.Errorf("%v allocations for a batch of a known shape", allocs)
	}
	for n := range 100 { // more shapes than are kept
		use(1, n+1)
	}
	if err := net.Close(); err != nil {
		t.Error(err)
	}
}

// TestDroppedNetwork: a network that nobody closed goes with its session, and does not
// take the process with it.
func TestDroppedNetwork(t *testing.T) {
	net := openUnclosed(t, "qap")
	b, err := net.NewBatch(1, 3, 3)
	if err == nil {
		_, err = b.Evaluate()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	net, b = nil, nil
	for range 5 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
}
