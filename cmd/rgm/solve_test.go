package main

import (
	"bytes"
	"context"
	"encoding/json"
	"github.com/rgm-go/rgm/cli"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/train"
)

// afterLine calls do once the first line was written.
type afterLine struct {
	bytes.Buffer
	do func()
}

func (w *afterLine) Write(p []byte) (int, error) {
	defer w.do()
	return w.Buffer.Write(p)
}

// TestCancelledSolve: the one worker is done with nug12, whose optimum is the
// target, and at work on chr12a, where it is out of reach, when the run is
// cancelled.
func TestCancelledSolve(t *testing.T) {
	want := []string{
		"nug12: target", "chr12a: cancelled", "had12: " + report.ErrNotBegun.Error(), "missing.dat: " + report.ErrNotBegun.Error(),
	}
	var have []string
	for after := 500 * time.Millisecond; after < time.Minute && !slices.Equal(have, want); after *= 4 { // by then chr12a has begun
		have = cancelledSolve(t, after)
	}
	if !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}

// cancelledSolve cancels a run some time after its first answer, and returns the answers.
func cancelledSolve(t *testing.T, after time.Duration) []string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out := &afterLine{do: func() { time.AfterFunc(after, cancel) }}
	root := cli.Root(console.Discard())
	root.SetArgs(strings.Fields("solve --method tabu --max-steps 2000000000 --target 578 --workers 1 --format json nug12 chr12a had12 missing.dat"))
	root.SetOut(out)
	if err := root.ExecuteContext(ctx); err == nil {
		t.Error("no error, though two instances have no result")
	}
	var have []string
	for line := range strings.Lines(out.String()) {
		var a struct{ Instance, Status, Error string }
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		have = append(have, a.Instance+": "+a.Status+a.Error)
	}
	return have
}

// TestCancelledTraining: an interrupted training is saved and says how to go on.
func TestCancelledTraining(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // once it has begun
		for ; !train.Resumable(dir) && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		}
		cancel()
	}()
	root := cli.Root(console.Discard())
	root.SetArgs([]string{
		"train", "--preset", "smoke", "--episodes", "1000000", "--out", dir,
		"--set", "sizes=4", "--set", "pool=4", "--set", "validation_pool=2", "--set", "environments=2",
	})
	var out bytes.Buffer
	root.SetOut(&out)
	err := root.ExecuteContext(ctx)
	if err == nil || !strings.Contains(err.Error(), "rgm train --resume "+dir) {
		t.Errorf("error %v, want one that says how to go on", err)
	}
	if !train.Resumable(dir) {
		t.Error("no checkpoint")
	}
}
