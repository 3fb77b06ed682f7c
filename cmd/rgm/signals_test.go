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
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/rgm-go/rgm/cmd/rgm/internal/search"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/train"
)

// longest is how long a command may take to end after a SIGTERM.
const longest = 5 * time.Second

// longCommands take minutes, or go on until they are told to end.
func longCommands() map[string]string {
	commands := map[string]string{
		"match":                "match --method profile IN/left.csv IN/right.csv",
		"match --time-limit":   "match --time-limit 1h IN/left.csv IN/right.csv",
		"solve --out":          "solve --method tabu --time-limit 1h --out OUT/results nug12 nug30 tai100a",
		"solve --refine":       "solve --method greedy --max-steps 1 --refine tabu --time-limit 1h tai100a",
		"solve --beam":         "solve --method rgm --beam 64 --max-steps 1000000 tai100a",
		"solve --restarts":     "solve --method faq --restarts 100000 tai100a",
		"train affinity":       "train affinity --pairs 1000000 --out OUT/run",
		"train gate":           "train gate --out OUT/run",
		"train gate, large":    "train gate --least-nodes 60 --most-nodes 60 --largest-nodes 60 --out OUT/run",
		"train selector":       "train selector --out OUT/run",
		"train selector, long": "train selector --instances 6 --validation 6 --most-nodes 20 --most-time 20ms --updates 100000000 --out OUT/run",
		"train ngm":            "train ngm --updates 1000000 --out OUT/run",
		"train ngm, large":     "train ngm --least-nodes 40 --most-nodes 40 --out OUT/run",
		"train lcs":            "train lcs --updates 1000000 --out OUT/run",
		"train rewrite":        "train rewrite --updates 1000000 --out OUT/run",
		"train, large network": "train --preset paper --set sizes=64 --set pool=2 --set validation_pool=1 --set warmup=64 --out OUT/run",
		"bench choosers":       "bench choosers --times 1h tai100a",
		"bench qaplib":         "bench qaplib --time-limit 1h",
		"bench matching":       "bench matching --pairs 100000",
		"bench training":       "bench training ablation --out OUT/study",
		"bench models":         "bench models qap --set sizes=100",
		"report":               "report OUT/report",
		"plot profile":         "plot profile --time-limit 1h --out OUT/profile.svg IN/large.npy",
		"datasets generate":    "datasets generate --pairs 1000000 --inliers 5 OUT/made",
		"serve":                "serve --listen 127.0.0.1:0 --provider go",
		"serve --nats":         "serve --listen 127.0.0.1:0 --provider go --nats embedded:OUT/queue",
		"worker":               "worker --provider go --drain 3s --nats NATS",
		"worker, searching":    "worker --provider go --drain 3s --workers 2 --nats NATS",
		"batch":                "batch --time-limit 1h --out OUT/results --nats NATS nug12 tai100a tai256c",
		"datasets problems":    "datasets problems --count 1000000 OUT/problems",
	}
	for _, method := range search.MethodNames() {
		commands["solve --method "+method+", tai256c"] = "solve --time-limit 1h --method " + method + " tai256c"
		commands["solve --method "+method+", affinities"] = "solve --time-limit 1h --method " + method + " IN/large.npy"
	}
	for _, preset := range train.Presets() {
		commands["train --preset "+preset] = "train --preset " + preset + " --out OUT/run"
	}
	return commands
}

// longInputs makes what long commands read: graphs of 400 nodes, and a dense affinity
// matrix of two graphs of 40.
func longInputs(t *testing.T) string {
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
	mustRun(t, "datasets", "generate", "--pairs", "1", "--inliers", "30", "--outliers", "10", "--name", "large", dir)
	if err := os.Rename(filepath.Join(dir, "large_A.npy"), filepath.Join(dir, "large.npy")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// natsServer starts a durable NATS server and returns its address.
func natsServer(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server does not start")
	}
	return s.ClientURL()
}

// TestTerminate: after a SIGTERM, wherever it meets it, a command ends by itself within 5 s, a
// search with its best matching and a training with a checkpoint from which it goes on, and leaves no part of
// a file.
func TestTerminate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	commands, in, nats := longCommands(), longInputs(t), natsServer(t)
	names := []string{"match", "report", "solve --out", "serve", "train --preset qap", "worker, searching"}
	if campaign {
		names = slices.Sorted(maps.Keys(commands))
	}
	tried, worst := 0, time.Duration(0)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			after := time.Second
			if campaign && strings.HasPrefix(name, "train") {
				after = 20 * time.Second // when it learns
			}
			var out string
			var end ending
			took := time.Hour
			for attempt := 0; attempt < 3 && took > longest; attempt++ { // the machine may have been busy
				out = t.TempDir()
				line := strings.NewReplacer("OUT/", out+"/", "IN/", in+"/", "NATS", nats).Replace(commands[name])
				if name == "worker, searching" { // what rgm batch leaves in the queue
					jobs := strings.NewReplacer("OUT/", out+"/", "NATS", nats).Replace(commands["batch"])
					terminated(t, exec.Command("rgm", strings.Fields(jobs)...), time.Second)
				}
				var running bool
				if end, running = terminated(t, exec.Command("rgm", strings.Fields(line)...), after); !running {
					t.Skip("ended before the signal")
				}
				t.Logf("%v, status %d", end.took, end.status)
				took = min(took, end.took)
			}
			end.check(t, commands[name], out)
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

// check fails unless a command of the given line kept what it had.
func (e *ending) check(t *testing.T, line, out string) {
	t.Helper()
	if e.status != 0 && e.status != 1 || strings.Contains(e.stderr, "goroutine ") {
		t.Errorf("status %d, want 0 or 1\n%s", e.status, e.stderr)
	}
	verb, _, _ := strings.Cut(line, " ")
	switch verb {
	case "solve", "match":
		if e.status == 0 && !strings.Contains(e.stdout, "cancelled") && !strings.Contains(e.stdout, "converged") { // the signal may come as it ends
			t.Errorf("no best matching is printed:\n%s", e.stdout)
		}
		resultsIn(t, filepath.Join(out, "results"))
	case "worker":
		if e.status != 0 {
			t.Errorf("status %d, want 0: the jobs stay in the queue\n%s", e.status, e.stderr)
		}
	case "batch":
		if resultsIn(t, filepath.Join(out, "results")); e.status != 1 || !strings.Contains(e.stderr, "run the same command again") {
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

// TestBrokenPipe: a reader that goes away ends a command at once, without a trace on standard
// error; files that it was writing are complete or not there.
func TestBrokenPipe(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	lines := []string{
		"solve --method tabu --max-steps 50 --out OUT/results nug12 nug14 nug15 had12 had14", "solve --method tabu --max-steps 50 --format json nug12 nug14",
		"solve --method tabu --max-steps 50 --format csv nug12", "datasets list", "datasets show nug12", "inspect qap", "version", "train --print-config",
		"bench matching --pairs 1 --methods sm --format json", "help solve",
		"solve --method tabu --time-limit 2s --workers 1 --format json" + strings.Repeat(" nug30", 60), // two minutes, if nothing ends it
	}
	for _, line := range lines {
		out := t.TempDir()
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		cmd := exec.Command("rgm", strings.Fields(strings.ReplaceAll(line, "OUT/", out+"/"))...)
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
		resultsIn(t, filepath.Join(out, "results"))
	}
	t.Attr("tried", fmt.Sprint(len(lines)))
}
