package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// killedConfig is a training of a few seconds.
const killedConfig = `
seed = 3
sizes = [4, 6]
pool = 4
environments = 3
episodes = 500
batch = 16
warmup = 40
replay = 500
acts_per_update = 2
validation_every = 100
validation_pool = 2
validation_runs = 1
`

// TestKilledTrainingResumes kills a training again and again, wherever it is, and
// resumes it from its last checkpoint. In the end model and metrics are bit for bit
// those of a training that nobody killed.
func TestKilledTrainingResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte(killedConfig), 0o666); err != nil {
		t.Fatal(err)
	}
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	start := time.Now()
	train := slices.Clip([]string{"train", "--checkpoint-every", "20ms"})
	mustRun(t, append(train, "--preset", "smoke", "--config", config, "--out", whole)...)
	duration := time.Since(start)

	rng := rand.New(rand.NewPCG(uint64(start.UnixNano()), 0))
	args := append(train, "--preset", "smoke", "--config", config, "--out", killed)
	kills := 0
	for kills < 8 && killedAfter(t, time.Duration(rng.Float64()*float64(duration)), args...) {
		kills++
		if _, err := os.Stat(filepath.Join(killed, "checkpoint.rgm")); err == nil {
			args = append(train, "--resume", killed)
		}
	}
	if kills == 8 { // otherwise it has come to its end
		mustRun(t, args...)
	}
	t.Logf("killed %d times; undisturbed it takes %v", kills, duration)

	for _, name := range []string{"model.onnx", "metrics.jsonl"} {
		want, got := artefact(t, whole, name), artefact(t, killed, name)
		if !bytes.Equal(want, got) {
			t.Errorf("%s differs from that of the training nobody killed", name)
		}
	}
}

func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if output, err := exec.Command("rgm", args...).CombinedOutput(); err != nil {
		t.Fatalf("rgm %s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// killedAfter starts the program and kills it without warning; false means that it
// ended by itself before.
func killedAfter(t *testing.T, after time.Duration, args ...string) bool {
	t.Helper()
	cmd := exec.Command("rgm", args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	return cmd.Wait() != nil
}

// artefact returns a file of a training; of metrics.jsonl what does not depend on
// the clock.
func artefact(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if name != "metrics.jsonl" {
		return data
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(data) {
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "seconds")
		delete(fields, "updates_per_sec")
		if err := json.NewEncoder(&kept).Encode(fields); err != nil {
			t.Fatal(err)
		}
	}
	return kept.Bytes()
}
