package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/train"
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

// TestKilledTrainingResumes kills a training again and again, wherever it is. Each
// time its last checkpoint can be loaded, and from there it goes on; in the end model
// and metrics are bit for bit those of a training that nobody killed.
//
// RGM_KILLS is how many times: 5 by default; docs/TRAINING.md tells what came of 200.
func TestKilledTrainingResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	kills := 5
	if text := os.Getenv("RGM_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	begin := killedTraining(t, dir)
	whole := filepath.Join(dir, "whole")
	start := time.Now()
	clitest.MustRun(t, "rgm", begin(whole)...)
	latest := min(time.Since(start), 500*time.Millisecond)

	rng := rand.New(rand.NewPCG(uint64(start.UnixNano()), 0))
	loaded, writing, ended := 0, 0, 0
	all := kills
	for kills > 0 {
		killed := filepath.Join(dir, fmt.Sprint("killed", ended))
		checkpoint := filepath.Join(killed, train.CheckpointFile)
		args := begin(killed)
		for kills > 0 {
			after := time.Duration(rng.Float64() * float64(latest))
			ready := checkpoint // kills that count from the first checkpoint meet the training itself
			if rng.IntN(4) == 0 {
				ready = ""
			}
			if !killedOnce(t, ready, after, args...) {
				break
			}
			kills--
			if _, err := os.Stat(checkpoint); err != nil {
				continue // killed before the first
			}
			if _, err := train.Load(checkpoint); err != nil {
				t.Fatal(err)
			}
			loaded++
			writing += len(leftovers(t, killed))
			args = append(quickly("train"), "--resume", killed)
		}
		if kills == 0 { // otherwise it has come to its end
			clitest.MustRun(t, "rgm", args...)
		}
		if left := leftovers(t, killed); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		for _, name := range []string{networks.ModelFile, train.MetricsFile} {
			if want, got := artefact(t, whole, name), artefact(t, killed, name); !bytes.Equal(want, got) {
				t.Errorf("%s differs from that of the training nobody killed", name)
			}
		}
		ended++
	}
	t.Attr("tried", fmt.Sprint(all))
	t.Logf("%d checkpoints loaded after kills, %d of which met the program writing a file; %d trainings compared", loaded, writing, ended)
}

// leftovers returns the files in a folder that were being written when the program
// was killed.
func leftovers(t *testing.T, folder string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(folder, "*.tmp")))(t)
}

// killedTraining returns arguments of the training of killedConfig by its folder.
func killedTraining(t *testing.T, dir string) func(out string) []string {
	t.Helper()
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte(killedConfig), 0o666); err != nil {
		t.Fatal(err)
	}
	return func(out string) []string {
		return append(quickly("train"), "--preset", "smoke", "--config", config, "--out", out)
	}
}

// quickly is a command that writes checkpoints as often as it can.
func quickly(command string) []string { return []string{command, "--checkpoint-every", "20ms"} }

// TestTerminatedTrainingSavesAll: a SIGTERM ends a training within 5 s, with all that
// it had learnt in the checkpoint.
func TestTerminatedTrainingSavesAll(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "run")
	args := append(killedTraining(t, dir)(out), "--episodes", "1000000", "--checkpoint-every", "1h")
	cmd := exec.Command("rgm", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if info, err := os.Stat(filepath.Join(out, train.MetricsFile)); err == nil && info.Size() > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no line of metrics after a minute\n%s", stderr.String())
		}
	}
	output, err := exec.Command("rgm", "train", "--resume", out).CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(output), "another run is writing there") {
		t.Errorf("a second run in the folder: %v\n%s", err, output)
	}
	start := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	took := time.Since(start)
	t.Logf("ended after %v", took)
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 || took > 5*time.Second {
		t.Errorf("ended after %v with %v, want status 1 within 5 s", took, err)
	}
	told := regexp.MustCompile(`interrupted after (\d+) episodes; all is saved`).FindStringSubmatch(stderr.String())
	loaded, err := train.Load(filepath.Join(out, train.CheckpointFile))
	if err != nil || told == nil || told[1] != fmt.Sprint(loaded.Episodes) {
		t.Errorf("the checkpoint holds %d episodes, %v; the program says\n%s", loaded.Episodes, err, stderr.String())
	}
}

// killedAfter starts the program and kills it without warning; false means that it
// ended by itself before.
func killedAfter(t *testing.T, after time.Duration, args ...string) bool {
	t.Helper()
	return killedOnce(t, "", after, args...)
}

// killedOnce is killedAfter where the time counts from when the program has written
// the file ready, if one is named.
func killedOnce(t *testing.T, ready string, after time.Duration, args ...string) bool {
	t.Helper()
	before, _ := os.Stat(ready)
	cmd := exec.Command("rgm", args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	written := func() bool {
		now, err := os.Stat(ready)
		return ready == "" || err == nil && (before == nil || !os.SameFile(before, now))
	}
	for !written() {
		select {
		case err := <-ended:
			return err != nil
		case <-time.After(time.Millisecond):
		}
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	return <-ended != nil
}

// artefact returns a file of a training; of metrics.jsonl what does not depend on
// the clock.
func artefact(t *testing.T, dir, name string) []byte {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
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
