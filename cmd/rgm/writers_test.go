//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// smallest is a training of a moment.
const smallest = "--preset smoke --set sizes=4 --set pool=2 --set environments=2 --set batch=8 --set warmup=16 --set replay=64 --set validation_every=5 --set validation_pool=1 --set validation_runs=1"

// writers are the commands that write files, each into the folder OUT. IN is that of
// writersInputs.
var writers = map[string]string{
	"solve --out":              "solve --method tabu --max-steps 50 --out OUT/results nug12 had12",
	"solve --summary":          "solve --method tabu --max-steps 50 --summary OUT/summary.json nug12",
	"match -o":                 "match --method profile -o OUT/pair.svg IN/left.csv IN/right.csv",
	"train":                    "train " + smallest + " --set episodes=20 --out OUT/run",
	"train affinity":           "train affinity --pairs 20 --size-pairs 20 --validation-pairs 4 --updates 4 --size-updates 4 --width 4 --most-nodes 7 --out OUT/affinity",
	"train gate":               "train gate --pairs 20 --validation-pairs 4 --updates 4 --width 4 --most-nodes 7 --largest-nodes 8 --out OUT/gate",
	"train selector":           "train selector --instances 4 --validation 2 --most-nodes 16 --most-time 20ms --rounds 1 --searches 10 --updates 2 --out OUT/selector",
	"train ngm":                "train ngm --updates 2 --batch 2 --validation-pairs 2 --most-nodes 7 --out OUT/ngm",
	"train rewrite":            "train rewrite --updates 2 --batch 2 --validation-pairs 2 --most-nodes 7 --out OUT/rewrite",
	"report":                   "report --parts figure3 OUT/report",
	"datasets problems":        "datasets problems --families grid --sizes 5 --count 2 OUT/problems",
	"train lcs":                "train lcs --updates 2 --batch 2 --validation-pairs 2 --most-nodes 7 --out OUT/lcs",
	"export":                   "export qap -o OUT/qap.onnx",
	"export --self-contained":  "export matching --self-contained -o OUT/matching.onnx",
	"bench qaplib --plot":      "bench qaplib --max-n 12 --methods greedy --max-steps 5 --plot OUT/gaps.svg",
	"bench choosers":           "bench choosers --times 2ms --recordings OUT/recordings nug12",
	"bench matching --scatter": "bench matching --pairs 1 --methods sm --scatter OUT/scores.csv,OUT/scores.svg",
	"bench training":           "bench training sensitivity " + smallest + " --set episodes=20 --variants gamma=0.5 --seeds 1 --max-n 12 --rollouts 1 --out OUT/study",
	"plot matching":            "plot matching --out OUT/pair.png IN/made_P1.npy IN/made_P2.npy IN/made_X.npy",
	"plot training":            "plot training --out OUT/curves.svg IN/run",
	"plot profile":             "plot profile --out OUT/profile.svg IN/one.npy",
	"plot affinity":            "plot affinity --out OUT/affinity.png IN/one.npy",
	"plot frontier":            "plot frontier --out OUT/frontier.svg IN/gaps.jsonl",
	"plot f1":                  "plot f1 --out OUT/f1.svg IN/f1.jsonl",
	"datasets convert .dat":    "datasets convert nug12 OUT/nug12.dat",
	"datasets convert .npy":    "datasets convert IN/one.npy OUT/k.npy",
	"datasets convert .dd":     "datasets convert IN/one.npy OUT/k.dd",
	"datasets generate":        "datasets generate --pairs 2 OUT/made",
}

// writersInputs makes what writers read.
func writersInputs(t *testing.T) string {
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
	mustRun(t, in("datasets generate --pairs 1 --inliers 5 --name made IN")...)
	mustRun(t, in("train "+smallest+" --set episodes=20 --out IN/run")...)
	if err := os.Rename(filepath.Join(dir, "made_A.npy"), filepath.Join(dir, "one.npy")); err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string]string{
		"gaps.jsonl": "bench qaplib --max-n 12 --methods greedy --time-limits 1ms,2ms --format json",
		"f1.jsonl":   "bench matching --pairs 1 --methods sm --format json",
		"nug12.json": "solve --method tabu --max-steps 50 --format json nug12",
	} {
		output, err := exec.Command("rgm", in(command)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), output, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// chosenWriters are the names of writers: all in a campaign, else those that take least.
func chosenWriters() []string {
	if campaign {
		return slices.Sorted(maps.Keys(writers))
	}
	return []string{"datasets convert .dat", "datasets generate", "export", "match -o", "solve --out", "solve --summary"}
}

// writer returns the command of a writer by the name of the program.
func writer(program, name, in, out string) *exec.Cmd {
	line := strings.NewReplacer("OUT/", out+"/", "IN/", in+"/").Replace(writers[name])
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

// TestFullDisk: where nothing can be written any more, every command that writes says so,
// with status 1, and leaves no part of a file. In a campaign the disk is a tmpfs that is
// full; elsewhere files may not grow.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, tried := writersInputs(t), 0
	for _, name := range chosenWriters() {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			cmd := writer("rgm-small-disk", name, in, out)
			cmd.Env = append(os.Environ(), mostBytesVariable+"=0")
			if campaign {
				if !mounted(t, out, "size=64k") {
					t.Skip("mounting a tmpfs is not allowed")
				}
				fill(t, out)
				cmd = writer("rgm", name, in, out)
			}
			refuses(t, name, cmd, out, "no space left on device", "file too large")
			tried++
		})
	}
	t.Attr("tried", fmt.Sprint(tried))
}

// TestReadOnlyFolder: where a folder is not to be written to, every command that writes
// says so.
func TestReadOnlyFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, tried := writersInputs(t), 0
	for _, name := range chosenWriters() {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			if os.Geteuid() == 0 { // permissions do not bind
				if !campaign || !mounted(t, out, "ro") {
					t.Skip("root may write everywhere, and mounting is for campaigns")
				}
			} else if err := os.Chmod(out, 0o555); err != nil {
				t.Fatal(err)
			}
			refuses(t, name, writer("rgm", name, in, out), out, "read-only file system", "permission denied")
			tried++
		})
	}
	t.Attr("tried", fmt.Sprint(tried))
}

// mounted mounts a tmpfs for a test, and tells whether that is allowed.
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

// TestFullStandardOutput: results that cannot be printed are an error.
func TestFullStandardOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, tried := writersInputs(t), 0
	for _, line := range []string{
		"solve --method tabu --max-steps 50 nug12", "solve --method tabu --max-steps 50 --format json nug12", "solve --method tabu --max-steps 50 --format csv nug12",
		"match --method profile --format csv IN/left.csv IN/right.csv", "inspect IN/run/model.onnx", "datasets list", "version", "score nug12 IN/nug12.json",
		"bench matching --pairs 1 --methods sm --format json", "train --print-config",
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		cmd := exec.Command("rgm", strings.Fields(strings.ReplaceAll(line, "IN/", in+"/"))...)
		cmd.Stdout = full
		refuses(t, line, cmd, t.TempDir(), "no space left on device")
		full.Close()
		tried++
	}
	t.Attr("tried", fmt.Sprint(tried))
}
