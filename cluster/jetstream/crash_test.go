package jetstream_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjetstream "github.com/nats-io/nats.go/jetstream"

	"github.com/rgm-go/rgm/cluster/jetstream"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/serve/queue"
)

// crashes are methods that end the process of whoever searches by them: by a signal, and
// by a panic that nothing recovers.
var crashes = map[string]func(){
	"killed": func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	"panics": func() { go panic("as asked for") },
}

// workerVariable has the address of the queue for TestWorkerProcess.
const workerVariable = "SERVE_TEST_WORKER"

// TestWorkerProcess is a worker with two slots, for TestCrashes.
func TestWorkerProcess(t *testing.T) {
	address := os.Getenv(workerVariable)
	if address == "" {
		t.Skip("a process of TestCrashes")
	}
	q := openQueue(t, address)
	if err := serve.NewWorker(openSolver(t), q, serve.Options{Workers: 2}).Work(t.Context()); err != nil {
		t.Error(err)
	}
}

// openQueue returns a durable queue that soon misses a worker.
func openQueue(t *testing.T, address string) queue.Queue {
	t.Helper()
	return must.Get(jetstream.Open(t.Context(), address, jetstream.Options{AckWait: 2 * time.Second}))(t)
}

// startNATS starts a durable server on a port and returns its address.
func startNATS(t *testing.T) string {
	t.Helper()
	s := must.Get(server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true}))(t)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	return s.ClientURL()
}

// keepWorkers runs n worker processes, each anew when it ends, until stop is called, which
// returns how often one has died.
func keepWorkers(t *testing.T, address string, n int) (stop func() int) {
	var died atomic.Int64
	var running sync.WaitGroup
	ended := make(chan struct{})
	for range n {
		running.Go(func() {
			for {
				c := exec.Command(os.Args[0], "-test.run", "^TestWorkerProcess$", "-test.timeout", "5m")
				c.Env = append(os.Environ(), workerVariable+"="+address)
				if err := c.Start(); err != nil {
					t.Error(err)
					return
				}
				dead := make(chan struct{})
				go func() { c.Wait(); close(dead) }()
				select {
				case <-dead:
					died.Add(1)
				case <-ended:
					c.Process.Kill()
					<-dead
					return
				}
			}
		})
	}
	return sync.OnceValue(func() int { close(ended); running.Wait(); return int(died.Load()) })
}

// TestCrashes: jobs that end the process of their worker, by a signal or a panic, are dead
// letters after five attempts. Others are solved, also those that run beside them in the
// process that dies, and would take longer than it lives.
func TestCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes: not in short tests")
	}
	address := startNATS(t)
	s := start(t, serve.Options{Queue: openQueue(t, address), Workers: serve.NoWorkers})
	stop := keepWorkers(t, address, 1)
	defer stop()
	poisoned := map[string]string{}
	var others []string
	for method := range crashes {
		others = append(others, s.submit(`{"method":"tabu","time_limit":"3s"}`))
		poisoned[s.submit(`{"method":"`+method+`"}`)] = method
	}
	for _, id := range others {
		if job := s.waitLong(id); job["status"] != "done" {
			t.Errorf("another job: %v", job)
		}
	}
	for id, method := range poisoned {
		job := s.waitLong(id)
		if text, _ := job["error"].(string); job["status"] != "failed" || !strings.Contains(text, "given up: 5 workers began the job") {
			t.Errorf("%s: %v", method, job)
		}
	}
	if status, result := s.call("POST", "/v1/solve", `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"method":"tabu","max_steps":100}}`); status != 200 {
		t.Errorf("afterwards: %d %v", status, result)
	}
	died := stop()
	letters := deadLetters(t, address)
	for id := range poisoned {
		if letters[id] != 5 {
			t.Errorf("dead letters by attempts: %v, want 5 attempts of %s", letters, id)
		}
	}
	if len(letters) != len(poisoned) || died > 5*len(poisoned) {
		t.Errorf("dead letters by attempts: %v; %d workers died", letters, died)
	}
	t.Logf("%d workers died of %d jobs; %d others were solved", died, len(poisoned), len(others))
}

// waitLong waits until a job has finished.
func (s *service) waitLong(id string) map[string]any {
	s.Helper()
	for begin := time.Now(); time.Since(begin) < 4*time.Minute; time.Sleep(50 * time.Millisecond) {
		if _, job := s.call("GET", "/v1/jobs/"+id, ""); job["finished"] != nil {
			return job
		}
	}
	s.Fatalf("the job %s does not end", id)
	return nil
}

// deadLetters returns the attempts of the jobs in the dead letters.
func deadLetters(t *testing.T, address string) map[string]int {
	t.Helper()
	c := must.Get(nats.Connect(address))(t)
	defer c.Close()
	js := must.Get(natsjetstream.New(c))(t)
	dead := must.Get(js.Stream(t.Context(), "RGM_DEAD"))(t)
	letters := map[string]int{}
	for sequence := range dead.CachedInfo().State.LastSeq {
		msg := must.Get(dead.GetMsg(t.Context(), sequence+1))(t)
		var r queue.Record
		if err := json.Unmarshal(msg.Data, &r); err != nil {
			t.Fatal(err)
		}
		letters[r.ID] = r.Attempts
	}
	return letters
}
