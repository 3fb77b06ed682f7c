package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

func TestInOrderKeepsTheOrder(t *testing.T) {
	items := []int{5, 0, 3, 1, 4, 2}
	var atWork, most atomic.Int32
	work := func(k int) int {
		most.Store(max(most.Load(), atWork.Add(1)))
		time.Sleep(time.Duration(k) * time.Millisecond)
		atWork.Add(-1)
		return 10 * k
	}
	for _, workers := range []int{1, 2, 7} {
		most.Store(0)
		have := slices.Collect(inOrder(workers, slices.Values(items), work))
		if want := []int{50, 0, 30, 10, 40, 20}; !slices.Equal(have, want) {
			t.Errorf("%d workers: %v, want %v", workers, have, want)
		}
		if int(most.Load()) > workers {
			t.Errorf("%d at work at a time, want at most %d", most.Load(), workers)
		}
	}
	for first := range inOrder(2, slices.Values(items), work) {
		if first != 50 {
			t.Errorf("the first result is %d", first)
		}
		break
	}
	if atWork.Load() != 0 {
		t.Error("work goes on after the caller stopped")
	}
}

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
	ctx, cancel := context.WithCancel(t.Context())
	out := &afterLine{do: func() { time.AfterFunc(500*time.Millisecond, cancel) }} // by then chr12a has begun
	root := newRoot(discard())
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
	want := []string{
		"nug12: target", "chr12a: cancelled", "had12: " + errNotBegun.Error(), "missing.dat: " + errNotBegun.Error(),
	}
	if !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}

// TestCancelledTraining: an interrupted training is saved and says how to go on.
func TestCancelledTraining(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	root := newRoot(discard())
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

// TestBestKnownNeedsTheMatrices: the name alone makes no instance of QAPLIB.
func TestBestKnownNeedsTheMatrices(t *testing.T) {
	nug12, err := datasets.QAPLIB("nug12")
	if err != nil {
		t.Fatal(err)
	}
	if best, known := bestKnown(nug12); !known || best.Value != 578 {
		t.Errorf("nug12: %v, %v", best.Value, known)
	}
	a, b, _ := nug12.Affinity.(*qap.KoopmansBeckmann).Given()
	other := slices.Clone(a)
	other[1]++
	for name, matrices := range map[string][2][]float64{"other A": {other, b}, "roles changed": {b, a}} {
		in, err := qap.NewKoopmansBeckmann(12, 12, matrices[0], matrices[1], nil, qap.Minimize)
		if err != nil {
			t.Fatal(err)
		}
		in.Name = "nug12"
		if _, known := bestKnown(in); known {
			t.Errorf("%s: taken for nug12", name)
		}
	}
	renamed := *nug12
	renamed.Name = "nug13"
	if _, known := bestKnown(&renamed); known {
		t.Error("nug13 is no instance of QAPLIB")
	}
}
