//go:build unix

package clitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/train"
)

// longest is how long a command may take to end after a SIGTERM.
const longest = 5 * time.Second

// longInputs makes what long commands read: graphs of 400 nodes, and a dense affinity
// matrix of two graphs of 40.
func longInputs(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"left.csv", "right.csv"} {
		text := "name,x,y\n"
		for k := range 400 {
			text += fmt.Sprintf("%d,%d,%d\n", k, k*k%401, k*k*k%397)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	MustRun(t, program, "datasets", "generate", "--pairs", "1", "--inliers", "30", "--outliers", "10", "--name", "large", dir)
	if err := os.Rename(filepath.Join(dir, "large_A.npy"), filepath.Join(dir, "large.npy")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// LongCommands take minutes, or go on until they are told to end.
type LongCommands struct {
	Program  string
	Commands map[string]string // by their names; each may write into the folder OUT and read IN, and words are replaced
	Few      []string          // names of those that are tried outside of campaigns
	Replace  []string          // further words and what stands for them
	Before   map[string]string // the name of a command by that of another, before which it runs for a second
}

// Terminate holds that after a SIGTERM, wherever it meets it, a command ends by itself within 5 s, a
// search with its best matching and a training with a checkpoint from which it goes on, and leaves no part of
// a file.
func (l *LongCommands) Terminate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, names := longInputs(t, l.Program), l.Few
	if Campaign {
		names = slices.Sorted(maps.Keys(l.Commands))
	}
	tried, worst := 0, time.Duration(0)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			after := time.Second
			if Campaign && strings.HasPrefix(name, "train") {
				after = 20 * time.Second // when it learns
			}
			var out string
			var end ending
			took := time.Hour
			for attempt := 0; attempt < 3 && took > longest; attempt++ { // the machine may have been busy
				out = t.TempDir()
				words := strings.NewReplacer(append([]string{"OUT/", out + "/", "IN/", in + "/"}, l.Replace...)...)
				command := func(name string) *exec.Cmd {
					return exec.Command(l.Program, strings.Fields(words.Replace(l.Commands[name]))...)
				}
				if before := l.Before[name]; before != "" {
					terminated(t, command(before), time.Second)
				}
				var running bool
				if end, running = terminated(t, command(name), after); !running {
					t.Skip("ended before the signal")
				}
				t.Logf("%v, status %d", end.took, end.status)
				took = min(took, end.took)
			}
			end.check(t, l.Commands[name], out)
			if tried, worst = tried+1, max(worst, took); took > longest {
				t.Errorf("took %v to end, want at most %v", took, longest)
			}
			filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
				if err == nil && atomicfile.IsLeftover(entry.Name()) {
					t.Errorf("left %s", path)
				}
				return err
			})
		})
	}
	t.Attr("tried", fmt.Sprint(tried))
	t.Attr("worst-s", fmt.Sprint(worst.Seconds()))
}

// ending is how a command ended after a signal.
type ending struct {
	took           time.Duration
	status         int
	stdout, stderr string
}

// ends are the statuses of a search that was cancelled, or ended by itself as the signal came.
var ends = regexp.MustCompile("cancelled|converged|max_steps")

// check fails unless a command of the given line kept what it had.
func (e *ending) check(t *testing.T, line, out string) {
	t.Helper()
	verb, _, _ := strings.Cut(line, " ")
	searches := verb == "solve" || verb == "match"
	if !slices.Contains([]int{0, 1}, e.status) && !(searches && e.status == 130) || strings.Contains(e.stderr, "goroutine ") {
		t.Errorf("status %d, want 0 or 1, and 130 of a search\n%s", e.status, e.stderr)
	}
	switch verb {
	case "solve", "match":
		if cut := strings.Contains(e.stdout, "cancelled"); cut != (e.status == 130) {
			t.Errorf("status %d; want 130 where a search was cut short, and only there:\n%s", e.status, e.stdout)
		}
		if e.status == 0 && !ends.MatchString(e.stdout) {
			t.Errorf("no best matching is printed:\n%s", e.stdout)
		}
		ResultsIn(t, filepath.Join(out, "results"))
	case "worker":
		if e.status != 0 {
			t.Errorf("status %d, want 0: the jobs stay in the queue\n%s", e.status, e.stderr)
		}
	case "batch":
		if ResultsIn(t, filepath.Join(out, "results")); e.status != 1 || !strings.Contains(e.stderr, "run the same command again") {
			t.Errorf("status %d, want 1 and the remedy\n%s", e.status, e.stderr)
		}
	case "train":
		saved, err := filepath.Glob(filepath.Join(out, "run", "*.rgm"))
		if goesOn := strings.Contains(e.stderr, "--resume"); err != nil || goesOn != (len(saved) == 1) {
			t.Errorf("checkpoints %v, %v; it said\n%s", saved, err, e.stderr)
		}
		if train.Resumable(filepath.Join(out, "run")) {
			if _, err := train.Load(saved[0]); err != nil {
				t.Error(err)
			}
		}
	}
}

// terminated starts a program, signals SIGTERM after some time and returns how it then ended;
// false means that it had ended before.
func terminated(t *testing.T, cmd *exec.Cmd, after time.Duration) (ending, bool) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil && !strings.Contains(stderr.String(), "not supported for this instance") && !strings.Contains(stderr.String(), "has no pretrained model") {
			t.Errorf("%v\n%s", err, &stderr)
		}
		return ending{}, false
	case <-time.After(after):
	}
	begin := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		cmd.Process.Signal(syscall.SIGQUIT)
		<-ended
		t.Errorf("no end within a minute\n%s", &stderr)
	}
	return ending{time.Since(begin), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}, true
}

// BrokenPipe holds that a reader that goes away ends a command at once, without a trace on standard
// error; files that it was writing are complete or not there.
func BrokenPipe(t *testing.T, program string, lines ...string) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, line := range lines {
		out := t.TempDir()
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		cmd := exec.Command(program, strings.Fields(strings.ReplaceAll(line, "OUT/", out+"/"))...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = writer, &stderr
		begin := time.Now()
		err = cmd.Run()
		writer.Close()
		if exit := new(exec.ExitError); !errors.As(err, &exit) || strings.Contains(stderr.String(), "goroutine ") {
			t.Errorf("%s: %v, want a failure\n%s", line, err, &stderr)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s: took %v", line, took)
		}
		ResultsIn(t, filepath.Join(out, "results"))
	}
	t.Attr("tried", fmt.Sprint(len(lines)))
}

// ResultsIn returns the results in a folder, and fails where one is incomplete.
func ResultsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(dir, "*.json")))(t)
	texts := map[string]string{}
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		var a report.Answer
		if err := json.Unmarshal(data, &a); err != nil || a.Instance+".json" != filepath.Base(file) || a.Status == "" {
			t.Errorf("%s: %v: %s", file, err, data)
		}
		texts[a.Instance] = string(data)
	}
	return texts
}
