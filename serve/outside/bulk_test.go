package outside

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/outside/processes"
)

// bulkBody returns a request with an affinity matrix of the given number of rows, of numbers as
// programs print them, or of the shortest ones, which take most memory for their length.
func bulkBody(rows int, number string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"instance":{"kind":"affinity","n1":%d,"n2":1,"k":[`, rows)
	row := "[" + strings.Repeat(number+",", rows-1) + number + "]"
	b.WriteString(strings.Repeat(row+",", rows-1) + row)
	b.WriteString(`]},"options":{"time_limit":"100ms"}}`)
	return b.Bytes()
}

// TestBulk: clients that send large bodies all the time do not take the service beyond --memory, of
// which ulimit -v leaves little more: each gets its result, or 429 or 503. OUTSIDE_BULK_CLIENTS says how
// many, for OUTSIDE_BULK_SECONDS; without them they and their bodies are few and small. The time
// that a body may take is long: how fast the machine is does not matter here.
func TestBulk(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	t.Parallel()
	clients, seconds := processes.Number(t, "OUTSIDE_BULK_CLIENTS", 0), processes.Number(t, "OUTSIDE_BULK_SECONDS", 60)
	// 1,250 rows of numbers with 18 digits are 29.6 MB, 3,500 rows of one digit 24.5 MB.
	limit, sizes := 6_000_000, [2]int{1250, 3500}
	var flags []string
	if clients == 0 {
		clients, seconds, limit, sizes = 40, 2, 3_000_000, [2]int{300, 900}
		flags = []string{"--memory", "600MiB", "--max-body", "2MiB", "--max-results", "64MiB"}
	}
	bodies := [][]byte{bulkBody(sizes[0], "0.1234567890123456"), bulkBody(sizes[1], "7")}
	c, url := startUnder(t, fmt.Sprintf("ulimit -v %d", limit), append(flags, "--workers", "2", "--max-nodes", "4000", "--header-timeout", "5m", "--body-timeout", "5m")...)
	memoryMiB := memoryOf(t, url)
	until := time.Now().Add(time.Duration(seconds) * time.Second)
	var mu sync.Mutex
	statuses := map[string]int{}
	var running sync.WaitGroup
	for k := range clients {
		running.Go(func() {
			body := bodies[k%len(bodies)]
			for time.Now().Before(until) {
				status := post(url, body)
				mu.Lock()
				statuses[status]++
				mu.Unlock()
				if status == "429" {
					time.Sleep(time.Second) // as Retry-After says at least
				}
			}
		})
	}
	stop := make(chan struct{})
	most := make(chan float64)
	go func() {
		worst := 0.0
		for {
			select {
			case <-stop:
				most <- worst
				return
			case <-time.After(20 * time.Millisecond):
				worst = max(worst, residentMiB(t, c.Process.Pid))
			}
		}
	}()
	running.Wait()
	close(stop)
	worst := <-most
	t.Logf("%d clients, bodies of %.1f and %.1f MB: at most %.0f MiB of %.0f; answers %v", clients, float64(len(bodies[0]))/1e6, float64(len(bodies[1]))/1e6, worst, memoryMiB, statuses)
	t.Attr("tried", fmt.Sprint(clients))
	t.Attr("worst-MB", fmt.Sprintf("%.0f", worst*1.048576))
	if worst > memoryMiB {
		t.Errorf("%.0f MiB resident, want at most --memory, %.0f MiB", worst, memoryMiB)
	}
	for status := range statuses {
		if status != "200" && status != "429" && status != "503" {
			t.Errorf("%d times %s", statuses[status], status)
		}
	}
	if statuses["200"] == 0 {
		t.Error("no client got a result")
	}
	if answer, err := http.Get(url + "/v2/health/live"); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %v %v", answer, err)
	}
}

// memoryOf returns the memory that a service says it keeps to, in MiB.
func memoryOf(t *testing.T, url string) float64 {
	t.Helper()
	answer := must.Get(http.Get(url + "/docs"))(t)
	defer answer.Body.Close()
	page := must.Get(io.ReadAll(answer.Body))(t)
	var bytes float64
	_, rest, _ := strings.Cut(string(page), "<code>--memory</code><td>")
	if _, err := fmt.Sscan(strings.ReplaceAll(rest[:min(len(rest), 30)], "<", " "), &bytes); err != nil {
		t.Fatal(err)
	}
	return bytes / (1 << 20)
}

// post sends a body as a plain client does, all of it before it reads the answer, and returns the
// status, or what went wrong.
func post(url string, body []byte) string {
	host := strings.TrimPrefix(url, "http://")
	connection, err := net.Dial("tcp", host)
	if err != nil {
		return "not connected"
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(10 * time.Minute))
	fmt.Fprintf(connection, "POST /v1/solve HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", host, len(body))
	if _, err := connection.Write(body); err != nil {
		return "cut off while sending"
	}
	status := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(connection, status); err != nil {
		return "cut off before the answer"
	}
	return string(status[len("HTTP/1.1 "):])
}

// startUnder starts a service from a shell that runs a command before.
func startUnder(t *testing.T, before string, arguments ...string) (*exec.Cmd, string) {
	t.Helper()
	arguments = append([]string{"-c", before + ` && exec "$0" "$@"`, program}, processes.ServeArguments(arguments...)...)
	c := exec.Command("sh", arguments...)
	return c, processes.Start(t, c)
}
