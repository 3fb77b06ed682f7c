package outside

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/outside/processes"
)

const (
	clients   = 64
	timeLimit = 20 * time.Millisecond
	loadBody  = `{"instance":{"kind":"qaplib","name":"nug30"},"options":{"time_limit":"20ms"}}`
	fixedBody = `{"instance":{"kind":"qaplib","name":"nug30"},"options":{"method":"tabu","max_steps":60000}}`
)

// residentMiB returns the memory of a process.
func residentMiB(t *testing.T, pid int) float64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Skip("needs /proc")
	}
	var size, resident float64
	fmt.Sscan(string(text), &size, &resident)
	return resident * float64(os.Getpagesize()) / (1 << 20)
}

// processCPU returns the processor time that a process has taken.
func processCPU(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("needs /proc")
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name may hold anything
	fields := strings.Fields(after)
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * (time.Second / 100) // clock ticks, of which every Linux has 100 a second
}

// load lets the clients solve body again and again while more says so, and returns the
// seconds of each search.
func load(t *testing.T, url, body string, more func() bool) (seconds []float64) {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var mu sync.Mutex
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for more() {
				response, err := client.Post(url+"/v1/solve", "application/json", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(response.Body)
				response.Body.Close()
				var result struct{ Seconds float64 }
				if response.StatusCode == http.StatusTooManyRequests {
					continue
				}
				if response.StatusCode != 200 || err != nil || json.Unmarshal(text, &result) != nil {
					t.Errorf("%d %s %v", response.StatusCode, text, err)
					return
				}
				mu.Lock()
				seconds = append(seconds, result.Seconds)
				mu.Unlock()
			}
		})
	}
	running.Wait()
	return seconds
}

// until returns what is true for a while.
func until(span time.Duration) func() bool {
	end := time.Now().Add(span)
	return func() bool { return time.Now().Before(end) }
}

// solveAlone lets rgm solve search nug30 so many times in one process, and returns the
// seconds of each search, and the time and processor time of all.
func solveAlone(t *testing.T, count int, arguments ...string) (seconds []float64, took, cpu time.Duration) {
	arguments = append([]string{"solve", "--format", "json"}, arguments...)
	for range count {
		arguments = append(arguments, "nug30")
	}
	begin := time.Now()
	c := exec.Command(program, arguments...)
	out := must.Get(c.Output())(t)
	took = time.Since(begin)
	for line := range strings.Lines(string(out)) {
		var result struct{ Seconds float64 }
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			t.Fatal(err)
		}
		seconds = append(seconds, result.Seconds)
	}
	return seconds, took, c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// watchDelays sleeps as long as a search may take, again and again, until stop is called,
// which returns the seconds of each: how late the machine is by itself.
func watchDelays() (stop func() []float64) {
	end, result := make(chan struct{}), make(chan []float64)
	go func() {
		var seconds []float64
		for {
			begin := time.Now()
			select {
			case <-end:
				result <- seconds
				return
			case <-time.After(timeLimit):
				seconds = append(seconds, time.Since(begin).Seconds())
			}
		}
	}()
	return func() []float64 { close(end); return <-result }
}

// overLimit returns how far the 99th percentile is over the limit.
func overLimit(seconds []float64) time.Duration {
	slices.Sort(seconds)
	return time.Duration(seconds[len(seconds)*99/100]*float64(time.Second)) - timeLimit
}

// goroutines returns how many the service has.
func goroutines(t *testing.T, url string) int {
	t.Helper()
	response := must.Get(http.Get(url + "/metrics"))(t)
	defer response.Body.Close()
	text := must.Get(io.ReadAll(response.Body))(t)
	_, rest, _ := strings.Cut(string(text), "\ngo_goroutines ")
	count, _, _ := strings.Cut(rest, "\n")
	return must.Get(strconv.Atoi(count))(t)
}

// TestLoad: 64 clients at once get no error but 429, as many results as rgm solve makes in
// one process, and on time. OUTSIDE_LOAD_SECONDS says how long, OUTSIDE_LOAD_TURNS how
// often service and program take turns; without them it is short and compares nothing.
// How late the machine makes a sleep is watched and not the service's fault.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	if processes.Number(t, "OUTSIDE_LOAD_SECONDS", 0) == 0 { // nothing is measured
		t.Parallel()
	}
	span, turns := processes.Number(t, "OUTSIDE_LOAD_SECONDS", 0), processes.Number(t, "OUTSIDE_LOAD_TURNS", 1)
	c, url := start(t)
	before := goroutines(t, url)
	var served, alone, delays, shares []float64
	for range turns {
		stop := watchDelays()
		results := load(t, url, loadBody, until(time.Duration(max(span, 1))*time.Second))
		delays = append(delays, stop()...)
		if len(results) == 0 {
			t.Fatal("no result")
		}
		served = append(served, results...)
		if span > 0 {
			seconds, took, _ := solveAlone(t, len(results), "--time-limit", timeLimit.String())
			alone = append(alone, seconds...)
			shares = append(shares, took.Seconds()/float64(span))
		}
	}
	over, late := overLimit(served), overLimit(delays)
	t.Logf("%d searches in %d s; the 99th percentile is %v over the limit, of a sleep %v", len(served), turns*max(span, 1), over, late)
	if span > 0 {
		slices.Sort(shares)
		share := shares[len(shares)/2]
		overAlone := overLimit(alone)
		t.Logf("rgm solve takes %.3f of the time for as many (%.3f), and is %v over the limit", share, shares, overAlone)
		if share < 0.9 || over > late+50*time.Millisecond {
			t.Errorf("share %.3f, want 0.9; over the limit %v, want 50ms beyond %v", share, over, late)
		}
	}
	after := goroutines(t, url)
	for k := 0; after > before+2 && k < 1000; k++ { // the connections of these clients end
		time.Sleep(50 * time.Millisecond)
		after = goroutines(t, url)
	}
	if after > before+2 {
		t.Errorf("%d goroutines, %d before", after, before)
	}
	c.Process.Signal(syscall.SIGTERM)
	if err := c.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestOverhead compares processor times, which others on the machine change little: what
// the service takes for searches of a fixed number of steps, and rgm solve for the same.
// OUTSIDE_OVERHEAD_JOBS says of how many; without it the test is left out.
func TestOverhead(t *testing.T) {
	jobs := processes.Number(t, "OUTSIDE_OVERHEAD_JOBS", 0)
	if jobs == 0 {
		t.Skip("a measurement: set OUTSIDE_OVERHEAD_JOBS")
	}
	c, url := start(t)
	load(t, url, fixedBody, until(time.Second)) // pools are filled
	var shares []float64
	for range 5 {
		var begun atomic.Int64
		before := processCPU(t, c.Process.Pid)
		results := load(t, url, fixedBody, func() bool { return begun.Add(1) <= int64(jobs) })
		service := processCPU(t, c.Process.Pid) - before
		_, _, program := solveAlone(t, len(results), "--method", "tabu", "--max-steps", "60000")
		_, _, start := solveAlone(t, 1, "--method", "tabu", "--max-steps", "1")
		share := (program - start).Seconds() / service.Seconds()
		t.Logf("%d searches: the service takes %v of processor time, rgm solve %v after its start: %.3f", len(results), service, program-start, share)
		shares = append(shares, share)
	}
	slices.Sort(shares)
	if share := shares[len(shares)/2]; share < 0.9 {
		t.Errorf("the median share is %.3f, want 0.9", share)
	}
}

// TestMemoryStays: under load the memory of each minute is that of the first. OUTSIDE_MEMORY_MINUTES
// says how many; without it the test is left out.
func TestMemoryStays(t *testing.T) {
	minutes := processes.Number(t, "OUTSIDE_MEMORY_MINUTES", 0)
	if minutes == 0 {
		t.Skip("a measurement: set OUTSIDE_MEMORY_MINUTES")
	}
	c, url := start(t)
	load(t, url, loadBody, until(10*time.Second))
	ended := make(chan []float64)
	span := time.Duration(minutes) * time.Minute
	go func() { ended <- load(t, url, loadBody, until(span)) }()
	means := make([]float64, minutes)
	for k := range means {
		const samples = 60
		for range samples {
			time.Sleep(time.Minute / samples)
			means[k] += residentMiB(t, c.Process.Pid) / samples
		}
	}
	t.Logf("%d searches; memory by minute: %.1f MiB", len(<-ended), means)
	for k := 1; k < minutes; k++ {
		if ratio := means[k] / means[k-1]; ratio < 0.9 || ratio > 1.1 {
			t.Errorf("minute %d has %.2f of the memory of the one before", k+1, ratio)
		}
	}
}
