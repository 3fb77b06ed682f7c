package infer_test

import (
	"context"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/qap"
)

// undivided is a network whose batches are not divided.
type undivided struct{ qap.QFunction }

func (undivided) Whole() bool { return true }

// TestThreadsEvaluateTheSame: rollouts of large graphs are evaluated in parts, which
// change nothing, nor do the threads that share them; no goroutine is left.
func TestThreadsEvaluateTheSame(t *testing.T) {
	in := instances.QAPLIB(t, "nug24")
	for name, q := range map[string]qap.QFunction{"Go": inGo(t, "qap"), "ONNX Runtime": open(t, "qap")} {
		t.Run(name, func(t *testing.T) {
			ended := usage.Goroutines(t)
			for _, rollouts := range []int{1, 6, 8} {
				o := infer.Options{Rollouts: rollouts, MaxSteps: 25, Seed: 3}
				want := must.Get(infer.Solve(context.Background(), q, in, o))(t)
				whole := must.Get(infer.Solve(context.Background(), undivided{q}, in, o))(t)
				if name == "Go" && (!slices.Equal(whole.Matching, want.Matching) || whole.Steps != want.Steps) {
					t.Errorf("%d rollouts: %v in one batch, %v in parts", rollouts, whole.Matching, want.Matching)
				}
				for _, threads := range []int{2, 3} {
					o.Threads = threads
					got, err := infer.Solve(context.Background(), q, in, o)
					if err != nil || !slices.Equal(got.Matching, want.Matching) || got.Steps != want.Steps {
						t.Errorf("%d rollouts on %d threads: %v (%v), on one %v", rollouts, threads, got.Matching, err, want.Matching)
					}
				}
			}
			ended()
		})
	}
}

// mostAllocations bounds what a search by rollouts allocates once another of its shape
// went before: the matching that it returns, the policy and its solver, the plan with its
// limits, the clock and the bookkeeping of the parts, about ten pieces in all.
const mostAllocations = 12

// TestSolveAllocates next to nothing beyond the result after the first of a shape,
// whichever the instance, through ONNX Runtime.
func TestSolveAllocates(t *testing.T) {
	if raced() {
		t.Skip("the race detector has pools forget")
	}
	net, k := open(t, "qap"), 0
	instances := []*qap.Instance{instances.QAPLIB(t, "nug12"), instances.QAPLIB(t, "had12"), instances.QAPLIB(t, "chr12a")}
	allocations := testing.AllocsPerRun(50, func() {
		k++
		if _, err := infer.Solve(context.Background(), net, instances[k%3], infer.Options{MaxSteps: 20, Seed: uint64(k)}); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > mostAllocations {
		t.Errorf("%v allocations a search, want at most %d", allocations, mostAllocations)
	}
}

// raced reports whether the race detector is in the program.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
