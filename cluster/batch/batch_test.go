package batch

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/queue"
)

// stubbornWorker ends all jobs of a queue at once but those of nug12, which it works on
// until the test ends.
func stubbornWorker(t *testing.T, q queue.Queue) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.Work(ctx, 4, func(_ context.Context, job queue.Job, _ func(string, []byte)) queue.Outcome {
			if strings.Contains(string(job.Work.(queue.Bytes)), `"nug12"`) {
				<-ctx.Done()
			}
			return queue.Outcome{State: queue.Done, Result: []byte(`{"result":1}`)}
		})
	}()
	t.Cleanup(func() { stop(); <-ended; q.Close() })
}

// ask reads an input as rgm-cluster batch does without flags.
func ask(in qaplib.Input) (*request.Request, error) {
	if in.Embedded {
		return &request.Request{Format: "json", Body: []byte(`{"kind":"qaplib","name":"` + in.Path + `"}`)}, nil
	}
	text, err := os.ReadFile(in.Path)
	return &request.Request{Format: "dat", Name: InputName(in), Body: text}, err
}

func embedded(names ...string) []qaplib.Input {
	var inputs []qaplib.Input
	for _, name := range names {
		inputs = append(inputs, qaplib.Input{Path: name, Embedded: true})
	}
	return inputs
}

// TestBatchWritesAsResultsArrive: a file is there while a job before it goes on; told to
// stop, the run says what to do, and takes the other for no failure.
func TestBatchWritesAsResultsArrive(t *testing.T) {
	q := queue.NewMemory(queue.MemoryOptions{})
	ctx, interrupt := context.WithCancel(t.Context())
	out := t.TempDir()
	b := New(console.Discard(), q, Options{Out: out, MaxNodes: 100, Request: ask}, embedded("nug12", "nug30", "nug14"))
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	stubbornWorker(t, q)
	for _, name := range []string{"nug30.json", "nug14.json"} {
		for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(out, name)); err == nil {
				break
			}
			if time.Since(begin) > 20*time.Second {
				t.Fatalf("no %s while nug12 is searched", name)
			}
		}
	}
	interrupt()
	if err := <-ended; err == nil || err.Error() != errUnfinished.Error() {
		t.Errorf("%v, want %v", err, errUnfinished)
	}
	if files, _ := filepath.Glob(filepath.Join(out, "nug12*")); files != nil {
		t.Errorf("of a job that goes on there is %v", files)
	}
}

// TestBatchFetchesWhenStopped: results that are there when the run is told to stop are
// written, however many are waited for.
func TestBatchFetchesWhenStopped(t *testing.T) {
	q := queue.NewMemory(queue.MemoryOptions{})
	stubbornWorker(t, q)
	b := New(console.Discard(), q, Options{MaxNodes: 100, Request: ask}, embedded("nug12", "nug30"))
	ids := make([]string, 2)
	for k, in := range b.inputs {
		r := must.Get(b.submit(t.Context(), in))(t)
		ids[k] = r.ID
	}
	if _, err := q.Wait(t.Context(), ids[1]); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if r, err := b.wait(stopped, t.Context(), ids[1]); err != nil || r.Result == nil {
		t.Errorf("the finished one: %v, %v", r, err)
	}
	if _, err := b.wait(stopped, t.Context(), ids[0]); !errors.Is(err, errUnfinished) {
		t.Errorf("the other: %v, want %v", err, errUnfinished)
	}
}

// TestBatchFailure: a file that cannot be read has NAME.error.json, which names its place,
// until there is a result.
func TestBatchFailure(t *testing.T) {
	q := queue.NewMemory(queue.MemoryOptions{})
	stubbornWorker(t, q)
	in, out := t.TempDir(), t.TempDir()
	path := filepath.Join(in, "small.dat")
	run := func(text string) error {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return New(console.Discard(), q, Options{Out: out, MaxNodes: 100, Request: ask}, []qaplib.Input{{Path: path}}).Run(t.Context())
	}
	if err := run("3\n\n0 1 2\n"); err == nil || err.Error() != "1 of 1 instances have no result" {
		t.Errorf("a broken file: %v", err)
	}
	text := must.Get(os.ReadFile(filepath.Join(out, "small.error.json")))(t)
	var failure struct{ Instance, Error string }
	if err := json.Unmarshal(text, &failure); err != nil {
		t.Fatal(err)
	}
	if failure.Instance != "small" || !strings.HasPrefix(failure.Error, path+":3: ") {
		t.Errorf("%s, want the instance small and the place %s:3", text, path)
	}
	if err := run("2\n\n0 1\n1 0\n\n0 1\n1 0\n"); err != nil {
		t.Errorf("the file mended: %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(out, "*")); len(files) != 1 || filepath.Base(files[0]) != "small.json" {
		t.Errorf("files of the mended one: %v", files)
	}
}

// TestBatchSaysWhatItWaitsFor: where no worker runs, nothing else would be said.
func TestBatchSaysWhatItWaitsFor(t *testing.T) {
	log := must.Get(os.Create(filepath.Join(t.TempDir(), "log")))(t)
	defer log.Close()
	q := queue.NewMemory(queue.MemoryOptions{})
	t.Cleanup(func() { q.Close() })
	ctx, interrupt := context.WithCancel(t.Context())
	b := New(console.New(log), q, Options{Out: t.TempDir(), MaxNodes: 100, Request: ask}, embedded("nug12", "nug30"))
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	for {
		text := must.Get(os.ReadFile(log.Name()))(t)
		if strings.Contains(string(text), `msg="jobs are in the queue and wait for rgm-cluster worker" jobs=2`) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	interrupt()
	if err := <-ended; !errors.Is(err, errUnfinished) {
		t.Errorf("the run ended with %v", err)
	}
}
