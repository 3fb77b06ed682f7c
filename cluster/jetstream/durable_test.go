package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/queue"
)

// reopen returns a queue in a folder; the test closes it.
func reopen(t *testing.T, folder string, o Options) *Queue {
	t.Helper()
	return must.Get(Open(t.Context(), "embedded:"+folder, o))(t)
}

func closeQueue(t *testing.T, q *Queue) {
	t.Helper()
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
}

func submit(t *testing.T, q *Queue, id string, payload []byte) {
	t.Helper()
	if _, err := q.Submit(t.Context(), queue.Job{ID: id, Work: queue.Bytes(payload), Created: time.Now()}); err != nil {
		t.Fatal(err)
	}
}

// work solves jobs until the function it returns is called.
func work(t *testing.T, q *Queue, solve queue.Solve) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- q.Work(ctx, 1, solve) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func echo(_ context.Context, job queue.Job, _ func(string, []byte)) queue.Outcome {
	return queue.Outcome{State: queue.Done, Result: job.Work.(queue.Bytes)}
}

func waitFor(t *testing.T, q *Queue, id string) queue.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := q.Wait(ctx, id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r
}

// TestSurvivesRestart: what was solved stays solved, and what waited waits.
func TestSurvivesRestart(t *testing.T) {
	folder := t.TempDir()
	q := reopen(t, folder, Options{})
	stop := work(t, q, echo)
	submit(t, q, "solved", []byte("s"))
	waitFor(t, q, "solved")
	stop()
	submit(t, q, "waiting", []byte("w"))
	closeQueue(t, q)

	q = reopen(t, folder, Options{})
	defer closeQueue(t, q)
	if r, err := q.Record(t.Context(), "solved"); err != nil || string(r.Result) != "s" {
		t.Errorf("the solved job: %+v %v", r, err)
	}
	if r, err := q.Record(t.Context(), "waiting"); err != nil || r.State != queue.Queued {
		t.Errorf("the waiting job: %+v %v", r, err)
	}
	defer work(t, q, echo)()
	if r := waitFor(t, q, "waiting"); string(r.Result) != "w" {
		t.Errorf("the waiting job, solved: %+v", r)
	}
}

// TestOneServerAFolder: two servers would ruin each other's files.
func TestOneServerAFolder(t *testing.T) {
	folder := t.TempDir()
	q := reopen(t, folder, Options{})
	defer closeQueue(t, q)
	if second, err := Open(t.Context(), "embedded:"+folder, Options{}); err == nil {
		closeQueue(t, second)
		t.Error("a second server took the folder")
	}
}

// TestRemovedFolderIsNoticed: no job is accepted that would be lost, and the end says so.
func TestRemovedFolderIsNoticed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "queue")
	q := reopen(t, folder, Options{})
	submit(t, q, "kept", []byte("x"))
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o777); err != nil { // nor is another in its place the same
		t.Fatal(err)
	}
	const want = "was removed or replaced"
	if _, err := q.Submit(t.Context(), queue.Job{ID: "lost", Work: queue.Bytes("y"), Created: time.Now()}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a job is accepted: %v", err)
	}
	if err := q.Close(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the end says %v", err)
	}
}

// TestWatchdogQueuesLostJobs: an id that is lost from the work queue comes back.
func TestWatchdogQueuesLostJobs(t *testing.T) {
	q := reopen(t, t.TempDir(), Options{Watchdog: 50 * time.Millisecond})
	defer closeQueue(t, q)
	submit(t, q, "lost", []byte("x"))
	if err := q.jobs.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer work(t, q, echo)()
	if r := waitFor(t, q, "lost"); r.State != queue.Done {
		t.Errorf("the lost job: %+v", r)
	}
}

// TestDeliveredTwice: a job that has a result is not solved again.
func TestDeliveredTwice(t *testing.T) {
	q := reopen(t, t.TempDir(), Options{})
	defer closeQueue(t, q)
	solved := 0
	defer work(t, q, func(ctx context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
		if job.ID == "a" {
			solved++
		}
		return echo(ctx, job, publish)
	})()
	submit(t, q, "a", []byte("x"))
	first := waitFor(t, q, "a")
	for range 20 { // until it is acknowledged, so that the queue takes it
		if err := q.enqueue(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	submit(t, q, "b", []byte("y"))
	waitFor(t, q, "b")
	if second := waitFor(t, q, "a"); solved != 1 || !second.Finished.Equal(first.Finished) {
		t.Errorf("solved %d times, finished %v and %v", solved, first.Finished, second.Finished)
	}
}

// TestDeadLetter: a job that workers begin again and again without ending it is given up
// after five times.
func TestDeadLetter(t *testing.T) {
	q := reopen(t, t.TempDir(), Options{})
	defer closeQueue(t, q)
	submit(t, q, "poison", []byte("x"))
	for k := range maxAttempts {
		text := fmt.Appendf(nil, `{"count":%d,"started":"2026-01-02T03:04:05Z"}`, k+1)
		if _, err := q.js.Publish(t.Context(), "rgm.attempts.poison", text); err != nil {
			t.Fatal(err)
		}
	}
	defer work(t, q, func(context.Context, queue.Job, func(string, []byte)) queue.Outcome {
		t.Error("begun a sixth time")
		return queue.Outcome{State: queue.Done}
	})()
	if r := waitFor(t, q, "poison"); r.State != queue.Failed || r.Reason != queue.ReasonAttempts || r.Attempts != maxAttempts {
		t.Errorf("the poisoned job: %+v", r)
	}
	if msg, err := last(t.Context(), q.dead, "rgm.dead.poison"); msg == nil || err != nil {
		t.Errorf("the dead letter: %v %v", msg, err)
	}
}

// TestLargePayload lies in the object store, and leaves it when it is forgotten.
func TestLargePayload(t *testing.T) {
	q := reopen(t, t.TempDir(), Options{})
	defer closeQueue(t, q)
	defer work(t, q, func(_ context.Context, job queue.Job, _ func(string, []byte)) queue.Outcome {
		return queue.Outcome{State: queue.Done, Result: []byte(job.Work.Digest())}
	})()
	payload := bytes.Repeat([]byte("0123456789abcdef"), 3<<20/16)
	submit(t, q, "large", payload)
	if r := waitFor(t, q, "large"); string(r.Result) != queue.Digest(payload) {
		t.Errorf("the payload arrived as %s", r.Result)
	}
	if err := q.Forget(t.Context(), "large"); err != nil {
		t.Fatal(err)
	}
	if _, err := q.bodies.GetBytes(t.Context(), "large-"+queue.Digest(payload)); err == nil {
		t.Error("the body stays")
	}
}

func TestResultsExpire(t *testing.T) {
	q := reopen(t, t.TempDir(), Options{Keep: 300 * time.Millisecond, Watchdog: 50 * time.Millisecond})
	defer closeQueue(t, q)
	defer work(t, q, echo)()
	submit(t, q, "a", []byte("x"))
	if _, err := q.Wait(t.Context(), "a"); err != nil && !errors.Is(err, queue.ErrUnknown) { // on a busy machine it may be gone
		t.Fatal(err)
	}
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		_, err := q.Record(t.Context(), "a")
		left, leftErr := q.ids(t.Context(), "submitted")
		if errors.Is(err, queue.ErrUnknown) && len(left) == 0 && leftErr == nil {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("the result stays: %v; submissions that stay: %v %v", err, left, leftErr)
		}
	}
}

// TestKeepIsThatOfTheSubmitter: who keeps results for a shorter time leaves others' alone.
func TestKeepIsThatOfTheSubmitter(t *testing.T) {
	folder := t.TempDir()
	q := reopen(t, folder, Options{Keep: time.Hour, Watchdog: -1})
	stop := work(t, q, echo)
	submit(t, q, "kept", []byte("x"))
	waitFor(t, q, "kept")
	stop()
	closeQueue(t, q)

	q = reopen(t, folder, Options{Keep: time.Millisecond, Watchdog: -1})
	defer closeQueue(t, q)
	stop = work(t, q, echo)
	defer stop()
	submit(t, q, "dropped", []byte("x"))
	waitFor(t, q, "dropped")
	time.Sleep(10 * time.Millisecond)
	if err := q.expire(); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Record(t.Context(), "kept"); err != nil {
		t.Errorf("a result to be kept for an hour: %v", err)
	}
	if _, err := q.Record(t.Context(), "dropped"); !errors.Is(err, queue.ErrUnknown) {
		t.Errorf("a result to be kept for a millisecond: %v", err)
	}
}

// TestInventedIDsAreNotWatched: whoever asks for jobs that are none fills no memory.
func TestInventedIDsAreNotWatched(t *testing.T) {
	q := reopen(t, t.TempDir(), Options{Watchdog: -1})
	defer closeQueue(t, q)
	for k := range 20 {
		id := fmt.Sprint("invented-", k)
		if _, _, err := q.Events(t.Context(), id, 0); !errors.Is(err, queue.ErrUnknown) {
			t.Fatal(err)
		}
		if _, err := q.Wait(t.Context(), id); !errors.Is(err, queue.ErrUnknown) {
			t.Fatal(err)
		}
	}
	defer work(t, q, echo)()
	submit(t, q, "solved", []byte("x"))
	waitFor(t, q, "solved")
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		q.mu.Lock()
		watched, ended := len(q.watched), q.watched["solved"] != nil && q.watched["solved"].ended
		q.mu.Unlock()
		if watched == 1 && ended {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("%d jobs are watched; the solved one has ended: %v", watched, ended)
		}
	}
	q.watched["solved"].since = time.Now().Add(-2 * endedAfter)
	if q.stopWatching(); len(q.watched) != 0 {
		t.Error("a job that ended long ago is watched")
	}
}

// BenchmarkJob is the whole way of a job whose solution takes no time, one after the
// other: what the queue adds to each.
func BenchmarkJob(b *testing.B) {
	q := must.Get(Open(b.Context(), "embedded:"+b.TempDir(), Options{}))(b)
	defer q.Close()
	ctx, cancel := context.WithCancel(b.Context())
	go q.Work(ctx, 1, echo)
	k := 0
	for b.Loop() {
		k++
		id := fmt.Sprint("job-", k)
		if _, err := q.Submit(ctx, queue.Job{ID: id, Work: queue.Bytes("x"), Created: time.Now()}); err != nil {
			b.Fatal(err)
		}
		if _, err := q.Wait(ctx, id); err != nil {
			b.Fatal(err)
		}
	}
	cancel()
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(k), "ms/job")
}
