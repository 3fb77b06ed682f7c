package rgm_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
)

// TestUnlogged: what a search that nobody asked for decides is not logged, and leaves the one
// line for its reason to the first search that is told.
func TestUnlogged(t *testing.T) {
	var log bytes.Buffer
	p := rgmtest.Open(t, func(c *rgm.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	in, err := qap.NewDense(2, 2, []float64{0, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, 0}, qap.Maximize) // negative: never re-weighed
	if err != nil {
		t.Fatal(err)
	}
	for k, name := range []string{"trial", "first", "second"} {
		in.Name = name
		r, err := p.Solve(t.Context(), in, rgm.Options{Method: rgm.MethodProfile, Affinity: rgm.AffinityLearned, Unlogged: k == 0})
		if err != nil || r.Decision.Reason == "" {
			t.Fatalf("%s: %+v, %v: want a reason against learned affinities", name, r.Decision, err)
		}
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "instance=first") {
		t.Errorf("the log is %q, want one line, of the instance first", text)
	}
}
