//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/train"
)

// TestFullDiskKeepsTheCheckpoint: where there is no room for a new checkpoint the
// training ends and says so, the one before stays to the last byte, and with room
// again the training goes on.
func TestFullDiskKeepsTheCheckpoint(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	begin := killedTraining(t, dir)
	whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "run")
	clitest.MustRun(t, "rgm", append(begin(whole), "--episodes", "60")...)
	if output, err := exec.Command("rgm", append(begin(out), "--set", "episodes=60", "--time", "1ns")...).CombinedOutput(); err == nil {
		t.Fatalf("a training without an update ends with status 0\n%s", output)
	}
	checkpoint := filepath.Join(out, train.CheckpointFile)
	before := readFile(t, checkpoint)

	resume := exec.Command("rgm-small-disk", append(quickly("train"), "--resume", out)...)
	resume.Env = append(os.Environ(), fmt.Sprintf("%s=%d", clitest.MostBytesVariable, len(before)-100))
	output, err := resume.CombinedOutput()
	if err == nil || !strings.Contains(string(output), "checkpoint not written, the one before is kept") {
		t.Errorf("%v\n%s", err, output)
	}
	if !bytes.Equal(readFile(t, checkpoint), before) {
		t.Error("the checkpoint is another")
	}
	if left, err := filepath.Glob(checkpoint + ".*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	clitest.MustRun(t, "rgm", append(quickly("train"), "--resume", out)...)
	if !bytes.Equal(artefact(t, whole, networks.ModelFile), artefact(t, out, networks.ModelFile)) {
		t.Error("resumed, the training gives another model")
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}
