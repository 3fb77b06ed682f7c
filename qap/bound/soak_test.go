package bound_test

import (
	"context"
	"math"
	"os"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
	"github.com/rgm-go/rgm/qap/exact"
)

// TestBoundsOfQAPLIB prints the table of the notes' BENCHMARKS: the bounds of the instances of up to
// 40 nodes at once and by ten seconds of dual ascent, none above the best known cost.
func TestBoundsOfQAPLIB(t *testing.T) {
	if os.Getenv("RGM_TEST_SOAK") == "" {
		t.Skip("takes a quarter of an hour: set RGM_TEST_SOAK=1")
	}
	ctx := qap.WithClock(context.Background(), cputime.Clock)
	for _, name := range datasets.QAPLIBNames() {
		in, err := datasets.QAPLIB(name)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := in.Size(); n > 40 {
			continue
		}
		best, _ := datasets.BestKnown(name)
		lawler, projection, err := bound.PartsOfFlows(in)
		if err != nil {
			t.Fatal(err)
		}
		score, err := exact.Bound(ctx, in, in.ScoreOf(best.Value), qap.Limits{TimeLimit: 10 * time.Second})
		if err != nil || in.Objective(score) > best.Value {
			t.Errorf("%s: bound %v above %v (%v)", name, in.Objective(score), best.Value, err)
		}
		t.Logf("| %s | %.0f | %.0f | %.0f | %.0f | %.1f |", name, best.Value, math.Ceil(lawler-1e-6), math.Ceil(projection-1e-6), in.Objective(score), 100*(best.Value-in.Objective(score))/best.Value)
	}
}
