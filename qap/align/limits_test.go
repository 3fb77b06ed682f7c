package align_test

import (
	"reflect"
	"testing"

	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// TestLimitsOnThreads: a number of steps, or of steps without a better matching, gives one
// result on any number of threads, and is not exceeded.
func TestLimitsOnThreads(t *testing.T) {
	p, _ := generated(t, "erdos-renyi", 200, 4, networks.Noise{Seed: 2})
	other, _ := generated(t, "erdos-renyi", 200, 4, networks.Noise{Seed: 3})
	p.B = other.B // not all edges can be shared
	for _, limits := range []qap.Limits{{MaxSteps: 20_001}, {Patience: 3001}} {
		want := solve(t, p, align.Options{Limits: limits})
		if limits.MaxSteps > 0 && (want.Steps != limits.MaxSteps || want.Status != qap.MaxSteps) || limits.Patience > 0 && want.Status != qap.Patience {
			t.Errorf("%+v: %s after %d steps", limits, want.Status, want.Steps)
		}
		for _, threads := range []int{2, 3} {
			if have := solve(t, p, align.Options{Limits: limits, Threads: threads}); !reflect.DeepEqual(have, want) {
				t.Errorf("%+v: %d threads shared %d edges in %d steps, one %d in %d", limits, threads, have.Shared, have.Steps, want.Shared, want.Steps)
			}
		}
	}
}
