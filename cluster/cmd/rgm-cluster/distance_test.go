//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli"
	"github.com/rgm-go/rgm/cluster/jetstream"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve"
)

// TestDistancesByWorkers: workers of a queue find what the command finds by itself, also after one of them has stopped, and where
// some pairs are known already.
func TestDistancesByWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	folder := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if status := cli.Main(args, options...); status != 0 {
			t.Fatalf("%v: status %d", args, status)
		}
	}
	graphs := filepath.Join(folder, "graphs")
	run("datasets", "generate", "--family", "edits", "--kinds", "molecules", "--nodes", "12", "--edits", "3", "--pairs", "40", graphs)
	distance := []string{"distance", "--all", "--max-steps", "2000", "--quiet", "-o"}
	want, got := filepath.Join(folder, "want.csv"), filepath.Join(folder, "got.csv")
	run(append(distance, want, graphs)...)

	address := natsServer(t)
	for _, stops := range []bool{true, false} {
		q := must.Get(jetstream.Open(t.Context(), address, jetstream.Options{Keep: time.Hour, AckWait: 10 * time.Second}))(t)
		solver := must.Get(rgm.Open(rgm.Config{}))(t)
		w := serve.NewWorker(solver, q, serve.Options{Workers: 1, Drain: time.Nanosecond})
		ctx, stop := context.WithCancel(t.Context())
		if stops {
			time.AfterFunc(500*time.Millisecond, stop)
		}
		done := make(chan error, 1)
		go func() { done <- w.Work(ctx) }()
		defer func() {
			stop()
			<-done
			q.Close()
			solver.Close()
		}()
	}
	run(append(distance, got, "--nats", address, graphs)...)
	a, b := must.Get(os.ReadFile(want))(t), must.Get(os.ReadFile(got))(t)
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Error("workers find other distances")
	}
}
