package bound_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
	"github.com/rgm-go/rgm/qap/exact"
)

// TestBoundsOfQAPLIB prints studies/bounds.csv of the notes: the bounds of the instances of up to
// 40 nodes at once and by ten seconds of dual ascent, none above the best known cost.
func TestBoundsOfQAPLIB(t *testing.T) {
	if os.Getenv("RGM_TEST_SOAK") == "" {
		t.Skip("takes a quarter of an hour: set RGM_TEST_SOAK=1")
	}
	ctx := qap.WithClock(context.Background(), cputime.Clock)
	for _, name := range qaplib.Names() {
		in := must.Get(qaplib.Open(name))(t)
		if n, _ := in.Size(); n > 40 {
			continue
		}
		best, _ := qaplib.BestKnown(name)
		lawler, projection, err := bound.PartsOfFlows(in)
		if err != nil {
			t.Fatal(err)
		}
		score, err := exact.Bound(ctx, in, in.ScoreOf(best.Value), qap.Limits{TimeLimit: 10 * time.Second})
		if err != nil || in.Objective(score) > best.Value {
			t.Errorf("%s: bound %v above %v (%v)", name, in.Objective(score), best.Value, err)
		}
		proved, byProjection := "", ""
		if best.Optimal {
			proved = "optimal"
		}
		if !math.IsInf(projection, -1) {
			byProjection = fmt.Sprintf("%.0f", math.Ceil(projection-1e-6))
		}
		gap, _ := qaplib.Gap(in.Objective(score), best.Value)
		fmt.Printf("%s,%.0f,%s,%.0f,%s,%.0f,%.1f\n", name, best.Value, proved, math.Ceil(lawler-1e-6)+0, byProjection, in.Objective(score), 0-gap)
	}
}
