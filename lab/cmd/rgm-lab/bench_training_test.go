package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/bench"
)

// TestInterruptedStudySaysHowToGoOn: and lets go of its folder.
func TestInterruptedStudySaysHowToGoOn(t *testing.T) {
	s := &bench.StudySettings{
		Search: bench.Settings{Provider: networks.ProviderGo, Rollouts: 1, Beam: 1, Refine: search.RefineNone, Restarts: 1},
		Preset: "smoke", Seeds: 1, Workers: 1, MinN: 12, MaxN: 12, Out: filepath.Join(t.TempDir(), "study"), Format: report.Table,
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		var out strings.Builder
		err := runStudy(ctx, console.Discard(), s, "ablation", nil, &out)
		if want := "interrupted after 0 of 14 trainings; all is saved in " + s.Out + ": the same command goes on"; err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("error %v, want one with %q; printed %q", err, want, out.String())
		}
	}
	lock := must.Get(results.Claim(s.Out))(t)
	defer lock.Close()
	if err := runStudy(t.Context(), console.Discard(), s, "ablation", nil, io.Discard); err == nil || !strings.Contains(err.Error(), "another run is writing there") {
		t.Errorf("beside another run: %v", err)
	}
}
