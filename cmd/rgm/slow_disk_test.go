//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/internal/filelock"
	"github.com/rgm-go/rgm/train"
)

// slowly is a command on a disk that takes 20 ms for each sync and each rename, by strace;
// the process is the leader of a group.
func slowly(args ...string) *exec.Cmd {
	trace := strings.Fields("-f -qq -o /dev/null -e trace=fsync,renameat,renameat2 -e inject=fsync,renameat,renameat2:delay_enter=20000 rgm")
	cmd := exec.Command("strace", append(trace, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// untilFree waits until the program that was killed holds a folder no more: only strace is
// a child whose end is waited for.
func untilFree(t *testing.T, folder string) {
	t.Helper()
	if _, err := os.Stat(folder); err != nil { // not there yet
		return
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		lock, err := filelock.MakeFolder(folder)
		if err == nil {
			lock.Close()
			return
		}
		if !errors.Is(err, filelock.ErrLocked) || time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestKilledWhileWriting kills solve and train where the disk is so slow that most kills meet
// a file on its way: what is there is complete, and the run goes on.
func TestKilledWhileWriting(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	if output, err := slowly("version").CombinedOutput(); err != nil {
		t.Skipf("strace cannot delay a program here: %v\n%s", err, output)
	}
	kills := 3
	if clitest.Campaign {
		kills = 25
	}
	dir := t.TempDir()
	results, run := filepath.Join(dir, "results"), filepath.Join(dir, "run")
	checkpoint := filepath.Join(run, train.CheckpointFile)
	names := strings.Fields("nug12 nug14 nug15 had12 had14 had16 rou12 rou15 scr12 scr15 tai12a tai15a")
	solve := append(strings.Fields("solve --method tabu --max-steps 20 --seed 3 --out "+results), names...)
	begin := append(quickly("train"), strings.Fields(clitest.SmallTraining+" --set episodes=1000000 --out "+run)...)
	resume := append(quickly("train"), "--resume", run)
	writing := 0
	for range kills {
		for _, args := range [][]string{solve, begin} {
			if args[0] == "train" && train.Resumable(run) {
				args = resume
			}
			cmd := slowly(args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(50+rand.IntN(350)) * time.Millisecond)
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			cmd.Wait()
			untilFree(t, results)
			untilFree(t, run)
		}
		clitest.ResultsIn(t, results)
		if _, err := os.Stat(checkpoint); err == nil {
			if _, err := train.Load(checkpoint); err != nil {
				t.Error(err)
			}
		}
		if len(leftovers(t, results)) > 0 {
			writing++
		}
		if len(leftovers(t, run)) > 0 {
			writing++
		}
	}
	clitest.MustRun(t, "rgm", append(solve, "--resume")...)
	if got := clitest.ResultsIn(t, results); len(got) != len(names) {
		t.Errorf("%d results, want %d", len(got), len(names))
	}
	if left := leftovers(t, results); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	t.Attr("tried", fmt.Sprint(2*kills))
	t.Logf("%d of %d kills met a file on its way", writing, 2*kills)
}
