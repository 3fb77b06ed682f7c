//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/train"
)

// mostBytesVariable tells the command rgm-small-disk how long a file may grow.
const mostBytesVariable = "MOST_BYTES"

func init() { testCommands["rgm-small-disk"] = onSmallDisk }

// onSmallDisk is rgm where writing beyond a size fails, as on a full disk.
func onSmallDisk() {
	most, err := strconv.ParseUint(os.Getenv(mostBytesVariable), 10, 64)
	if err != nil {
		panic(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // so that write returns an error
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		panic(err)
	}
	main()
}

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
	mustRun(t, append(begin(whole), "--episodes", "60")...)
	mustRun(t, append(begin(out), "--set", "episodes=60", "--time", "1ns")...)
	checkpoint := filepath.Join(out, train.CheckpointFile)
	before := readFile(t, checkpoint)

	resume := exec.Command("rgm-small-disk", append(quickly("train"), "--resume", out)...)
	resume.Env = append(os.Environ(), fmt.Sprintf("%s=%d", mostBytesVariable, len(before)-100))
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
	mustRun(t, append(quickly("train"), "--resume", out)...)
	if !bytes.Equal(artefact(t, whole, networks.ModelFile), artefact(t, out, networks.ModelFile)) {
		t.Error("resumed, the training gives another model")
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
