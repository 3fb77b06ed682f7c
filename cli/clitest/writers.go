//go:build unix

package clitest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// SmallTraining is a training of a moment.
const SmallTraining = "--preset smoke --set sizes=4 --set pool=2 --set environments=2 --set batch=8 --set warmup=16 --set replay=64 --set validation_every=5 --set validation_pool=1 --set validation_runs=1"

// Writers are the commands of a program that write files.
type Writers struct {
	Program  string            // another, Program-small-disk, is it where files may not grow
	Commands map[string]string // by their names; each writes into the folder OUT, and may read IN
	Few      []string          // names of those that take least, which are tried outside of campaigns
	Inputs   map[string]string // files of IN by the command that prints each, besides tables, pairs and a training
}

// inputs makes what the commands read.
func (w *Writers) inputs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"left.csv":  "name,x,y\nnorth,1,2\neast,2,1\nsouth,1,0\n",
		"right.csv": "name,x,y\nS,1,0\nE,2,1\nN,1,2\nY,5,5\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := func(command string) []string { return strings.Fields(strings.ReplaceAll(command, "IN", dir)) }
	MustRun(t, w.Program, in("datasets generate --pairs 1 --inliers 5 --name made IN")...)
	MustRun(t, w.Program, in("train "+SmallTraining+" --set episodes=20 --out IN/run")...)
	if err := os.Rename(filepath.Join(dir, "made_A.npy"), filepath.Join(dir, "one.npy")); err != nil {
		t.Fatal(err)
	}
	for name, command := range w.Inputs {
		output, err := exec.Command(w.Program, in(command)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), output, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// chosen returns names of commands: all in a campaign, else those that take least.
func (w *Writers) chosen() []string {
	if Campaign {
		return slices.Sorted(maps.Keys(w.Commands))
	}
	return w.Few
}

// command returns a command by its name, of the program or of it on a small disk.
func (w *Writers) command(program, name, in, out string) *exec.Cmd {
	line := strings.NewReplacer("OUT/", out+"/", "IN/", in+"/").Replace(w.Commands[name])
	return exec.Command(program, strings.Fields(line)...)
}

// refuses fails unless a command fails with status 1 and one of the reasons, and leaves no
// part of a file in a folder.
func refuses(t *testing.T, name string, cmd *exec.Cmd, out string, reasons ...string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%s: %v, want status 1\n%s", name, err, &stderr)
	}
	names := func(reason string) bool { return strings.Contains(stderr.String(), reason) }
	if names("goroutine ") || !slices.ContainsFunc(reasons, names) {
		t.Errorf("%s: want one of %q as the reason:\n%s", name, reasons, &stderr)
	}
	filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := entry.Info(); err != nil || info.Size() > 0 || atomicfile.IsLeftover(entry.Name()) {
			t.Errorf("%s left %s of %d bytes, %v", name, path, info.Size(), err)
		}
		return nil
	})
}

// FullDisk holds that where nothing can be written any more, every command that writes says so,
// with status 1, and leaves no part of a file. In a campaign the disk is a tmpfs that is
// full; elsewhere files may not grow.
func (w *Writers) FullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, tried := w.inputs(t), 0
	for _, name := range w.chosen() {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			cmd := w.command(w.Program+"-small-disk", name, in, out)
			cmd.Env = append(os.Environ(), MostBytesVariable+"=0")
			if Campaign {
				if !mounted(t, out, "size=64k") {
					t.Skip("mounting a tmpfs is not allowed")
				}
				fill(t, out)
				cmd = w.command(w.Program, name, in, out)
			}
			refuses(t, name, cmd, out, "no space left on device", "file too large")
			tried++
		})
	}
	t.Attr("tried", fmt.Sprint(tried))
}

// ReadOnlyFolder holds that where a folder is not to be written to, every command that writes
// says so.
func (w *Writers) ReadOnlyFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, tried := w.inputs(t), 0
	for _, name := range w.chosen() {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			if os.Geteuid() == 0 { // permissions do not bind
				if !Campaign || !mounted(t, out, "ro") {
					t.Skip("root may write everywhere, and mounting is for campaigns")
				}
			} else if err := os.Chmod(out, 0o555); err != nil {
				t.Fatal(err)
			}
			refuses(t, name, w.command(w.Program, name, in, out), out, "read-only file system", "permission denied")
			tried++
		})
	}
	t.Attr("tried", fmt.Sprint(tried))
}

// mounted mounts a tmpfs for a test, and reports whether that is allowed.
func mounted(t *testing.T, folder, options string) bool {
	t.Helper()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder).Run(); err != nil {
		return false
	}
	t.Cleanup(func() { exec.Command("umount", folder).Run() })
	return true
}

// fill leaves no byte on a disk.
func fill(t *testing.T, folder string) {
	t.Helper()
	file, err := os.CreateTemp(folder, "filler")
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = file.Write(make([]byte, 512))
	}
	t.Cleanup(func() { file.Close() }) // until then it stays, without a name
	if err := os.Remove(file.Name()); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// FullStandardOutput holds that results that cannot be printed are an error.
func (w *Writers) FullStandardOutput(t *testing.T, lines ...string) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, tried := w.inputs(t), 0
	for _, line := range lines {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		cmd := exec.Command(w.Program, strings.Fields(strings.ReplaceAll(line, "IN/", in+"/"))...)
		cmd.Stdout = full
		refuses(t, line, cmd, t.TempDir(), "no space left on device")
		full.Close()
		tried++
	}
	t.Attr("tried", fmt.Sprint(tried))
}

// MostBytesVariable says how long a file may grow in a program that OnSmallDisk returns.
const MostBytesVariable = "MOST_BYTES"

// OnSmallDisk returns a program where writing beyond a size fails, as on a full disk.
func OnSmallDisk(program func()) func() {
	return func() {
		most, err := strconv.ParseUint(os.Getenv(MostBytesVariable), 10, 64)
		if err != nil {
			panic(err)
		}
		signal.Ignore(syscall.SIGXFSZ) // so that write returns an error
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			panic(err)
		}
		program()
	}
}
