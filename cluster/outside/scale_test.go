// Package outside tests rgm-cluster as its clients see it, whose servers and workers are killed.
package outside

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/outside/processes"
)

// natsVariable makes this program a NATS server: "PORT FOLDER"; clusterVariable makes that
// a member of a cluster.
const (
	natsVariable    = "OUTSIDE_NATS"
	clusterVariable = "OUTSIDE_NATS_CLUSTER"
)

// program is the path of rgm-cluster.
var program string

func TestMain(m *testing.M) {
	if setting := os.Getenv(natsVariable); setting != "" {
		serveNATS(setting)
	}
	processes.Main(m, "../cmd/rgm-cluster", &program)
}

// serveNATS runs a durable server until the process is killed.
func serveNATS(setting string) {
	port, folder, _ := strings.Cut(setting, " ")
	number, err := strconv.Atoi(port)
	if err != nil {
		panic(err)
	}
	o := &server.Options{Host: "127.0.0.1", Port: number, JetStream: true, StoreDir: folder, SyncAlways: true, NoLog: true}
	if setting := os.Getenv(clusterVariable); setting != "" {
		if err := cluster(o, setting); err != nil {
			panic(err)
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		panic(err)
	}
	s.Start()
	select {}
}

// fleet is a NATS server, workers and a submitter, each a process that may be killed.
type fleet struct {
	*testing.T
	address   string
	mu        sync.Mutex
	processes map[string]*exec.Cmd
	make      map[string]func() *exec.Cmd
}

// emptyFleet returns a fleet without processes; all are killed with the test's end.
func emptyFleet(t *testing.T) *fleet {
	f := &fleet{T: t, processes: map[string]*exec.Cmd{}, make: map[string]func() *exec.Cmd{}}
	t.Cleanup(func() {
		for name := range f.make {
			f.kill(name)
		}
	})
	return f
}

// newFleet returns a fleet of one server.
func newFleet(t *testing.T) *fleet {
	port := freePorts(t, 1)[0]
	folder := t.TempDir()
	f := emptyFleet(t)
	f.address = fmt.Sprintf("nats://127.0.0.1:%d", port)
	f.make["server"] = func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", natsVariable, port, folder))
		return c
	}
	f.start("server")
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", strings.TrimPrefix(f.address, "nats://")); err == nil {
			c.Close()
			return f
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("the NATS server does not start")
		}
	}
}

// start starts a process of the fleet.
func (f *fleet) start(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.make[name]()
	if c.Env == nil {
		c.Env = append(os.Environ(), "RGM_SILENCE=1s") // what is killed is soon missed
	}
	if err := c.Start(); err != nil {
		f.Fatal(err)
	}
	f.processes[name] = c
}

// kill ends a process with SIGKILL.
func (f *fleet) kill(name string) {
	f.mu.Lock()
	c := f.processes[name]
	delete(f.processes, name)
	f.mu.Unlock()
	if c != nil {
		c.Process.Kill()
		c.Wait()
	}
}

// addWorkers starts n workers.
func (f *fleet) addWorkers(n int) {
	for k := range n {
		name := fmt.Sprint("worker ", k)
		f.make[name] = func() *exec.Cmd {
			return exec.Command(program, "worker", "--provider", "go", "--workers", "1", "--nats", f.address)
		}
		f.start(name)
	}
}

// problems writes small instances of QAPLIB's format into a folder.
func problems(t *testing.T, n int) string {
	folder := t.TempDir()
	rng := rand.New(rand.NewPCG(17, 17))
	for k := range n {
		size := 5 + rng.IntN(8)
		var text strings.Builder
		fmt.Fprintln(&text, size)
		for range 2 * size * size {
			fmt.Fprintln(&text, rng.IntN(10))
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("p%05d.dat", k)), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// search are the flags of what is solved: the same on any machine.
var search = []string{"--method", "tabu", "--max-steps", "300", "--seed", "5"}

// reference solves a folder with rgm solve, in one process.
func reference(t *testing.T, folder string) string {
	out := t.TempDir()
	arguments := slices.Concat([]string{"solve", "--format", "json", "--out", out}, search, []string{folder})
	if text, err := exec.Command(program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// answer is what must be equal in two results.
type answer struct {
	Instance  string  `json:"instance"`
	Objective float64 `json:"objective"`
	Matching  []int   `json:"matching"`
	Steps     int     `json:"steps"`
	Status    string  `json:"status"`
}

func (a answer) equal(b answer) bool {
	return a.Instance == b.Instance && a.Objective == b.Objective && slices.Equal(a.Matching, b.Matching) && a.Steps == b.Steps && a.Status == b.Status
}

func readAnswer(t *testing.T, path string) answer {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return a
}

// TestKilledAtRandom: jobs over three workers, while the server, the workers and the
// submitter are killed at random moments: none is lost, none has two results, and the
// results are those of rgm solve. OUTSIDE_JOBS and OUTSIDE_KILLS say how many.
func TestKilledAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	t.Parallel() // most of the time it waits for servers
	jobs, kills := processes.Number(t, "OUTSIDE_JOBS", 60), processes.Number(t, "OUTSIDE_KILLS", 4)
	folder := problems(t, jobs)
	want := reference(t, folder)
	f := newFleet(t)
	f.addWorkers(3)
	got := t.TempDir()
	f.make["batch"] = func() *exec.Cmd {
		return exec.Command(program, slices.Concat([]string{"batch", "--nats", f.address, "--out", got}, search, []string{folder})...)
	}
	f.start("batch")
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	victims := []string{"server", "worker 0", "worker 1", "worker 2", "batch"}
	for range kills {
		time.Sleep(time.Duration(100+rng.IntN(900)) * time.Millisecond)
		victim := victims[rng.IntN(len(victims))]
		f.kill(victim)
		time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
		f.start(victim)
		f.revive(victims)
	}
	f.finish(victims, time.Duration(300+jobs/20)*time.Second)
	for k := range jobs {
		name := fmt.Sprintf("p%05d.json", k)
		if a, b := readAnswer(t, filepath.Join(want, name)), readAnswer(t, filepath.Join(got, name)); !a.equal(b) {
			t.Fatalf("%s: %+v, rgm solve has %+v", name, b, a)
		}
	}
	results, dead := f.count("RGM_RESULTS"), f.count("RGM_DEAD")
	if results != jobs || dead != 0 {
		t.Errorf("%d results and %d dead letters of %d jobs", results, dead, jobs)
	}
	t.Attr("tried", fmt.Sprint(kills))
	t.Logf("%d jobs, %d kills: %d results, %d dead letters", jobs, kills, results, dead)
}

// ended reports whether a process has ended, and how.
func (f *fleet) ended(name string) (is, well bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.processes[name]
	if c == nil {
		return true, false
	}
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Process.Pid))
	if err == nil && !strings.Contains(string(state), ") Z ") {
		return false, false
	}
	return true, c.Wait() == nil
}

// revive starts what ended by itself, since the server was away when it began; the
// batch that ended well stays so.
func (f *fleet) revive(names []string) (batchDone bool) {
	for _, name := range names {
		is, well := f.ended(name)
		if name == "batch" && is && well {
			f.make["batch"] = func() *exec.Cmd { return exec.Command("true") }
			return true
		}
		if is {
			f.start(name)
		}
	}
	return false
}

// finish waits until the batch ends well.
func (f *fleet) finish(names []string, within time.Duration) {
	f.Helper()
	for begin := time.Now(); !f.revive(names); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > within {
			f.Fatalf("the batch does not end within %v: %d results, %d in the queue", within, f.count("RGM_RESULTS"), f.count("RGM_JOBS"))
		}
	}
}

// streamInfo returns what a server says of a stream.
func (f *fleet) streamInfo(stream string) (*jetstream.StreamInfo, error) {
	c, err := nats.Connect(f.address)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(f.Context(), 10*time.Second)
	defer cancel()
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	return s.CachedInfo(), nil
}

// stored returns how many messages a stream has, 0 where no server answers.
func (f *fleet) stored(stream string) int {
	info, err := f.streamInfo(stream)
	if err != nil {
		return 0
	}
	return int(info.State.Msgs)
}

// info is streamInfo that waits for a server that was just started again.
func (f *fleet) info(stream string) *jetstream.StreamInfo {
	f.Helper()
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		info, err := f.streamInfo(stream)
		if err == nil {
			return info
		}
		if time.Since(begin) > 2*time.Minute {
			f.Fatal(err)
		}
	}
}

// count returns how many messages a stream has.
func (f *fleet) count(stream string) int {
	f.Helper()
	return int(f.info(stream).State.Msgs)
}

// TestWorkersAdd measures how throughput grows with workers of one processor each, beside
// as many processes of rgm solve that share the same searches without a queue.
// OUTSIDE_SCALE_JOBS says of how many jobs, and without it the test is left out.
func TestWorkersAdd(t *testing.T) {
	jobs := processes.Number(t, "OUTSIDE_SCALE_JOBS", 0)
	if jobs == 0 {
		t.Skip("a measurement: set OUTSIDE_SCALE_JOBS")
	}
	t.Setenv("GOMAXPROCS", "1")
	folder := t.TempDir()
	path := filepath.Join(folder, "nug30.dat")
	if out, err := exec.Command(program, "datasets", "convert", "nug30", path).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	text := must.Get(os.ReadFile(path))(t)
	for k := range jobs { // different files: the same ones would be one job
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("j%04d.dat", k)), append(text, strings.Repeat("\n", k)...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(path)
	limits := []string{"--method", "tabu", "--max-steps", "100000"}
	for _, workers := range []int{1, 2, 4} {
		f := newFleet(t)
		f.addWorkers(workers)
		time.Sleep(time.Second) // they have started
		begin := time.Now()
		c := exec.Command(program, slices.Concat([]string{"batch", "--nats", f.address, "--out", t.TempDir()}, limits, []string{folder})...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		queued := time.Since(begin)
		var running sync.WaitGroup
		begin = time.Now()
		for range workers {
			running.Go(func() {
				arguments := slices.Concat([]string{"solve", "--format", "json"}, limits, slices.Repeat([]string{"nug30"}, jobs/workers))
				if err := exec.Command(program, arguments...).Run(); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		alone := time.Since(begin)
		t.Logf("%d workers: %.1f jobs/s over the queue, %.1f by rgm solve: %.2f", workers,
			float64(jobs)/queued.Seconds(), float64(jobs/workers*workers)/alone.Seconds(), alone.Seconds()/queued.Seconds())
	}
}
