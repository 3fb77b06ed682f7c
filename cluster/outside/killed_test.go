package outside

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm/serve/outside/processes"
)

// ask sends a request again and again until a service answers, which may be away, and returns its
// status and text.
func ask(t *testing.T, method, url, key string, body []byte) (int, []byte) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
		request, err := http.NewRequest(method, url, bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0, nil
		}
		request.Header.Set("Content-Type", "application/octet-stream")
		request.Header.Set("Idempotency-Key", key)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err == nil {
			return response.StatusCode, text
		}
	}
	t.Errorf("%s %s: no answer within a minute", method, url)
	return 0, nil
}

// sentJob is what a service says of a job.
type sentJob struct {
	ID, Status, Error string
	Finished          *time.Time
	Result            answer
}

// TestKilledServiceGoesOn: a service with a durable queue is killed again and again while a client sends
// it jobs, and started again: a job that the client got an answer to, or sent anew with its key, is there
// once, a result that was there stays to the last byte, and all are those of rgm solve.
// OUTSIDE_SERVICE_JOBS and OUTSIDE_SERVICE_KILLS say how many.
func TestKilledServiceGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	t.Parallel() // most of the time it waits for the disk
	jobs, kills := processes.Number(t, "OUTSIDE_SERVICE_JOBS", 40), processes.Number(t, "OUTSIDE_SERVICE_KILLS", 2)
	folder := problems(t, jobs)
	want := reference(t, folder)
	arguments := []string{"--listen", fmt.Sprintf("127.0.0.1:%d", freePorts(t, 1)[0]), "--nats", "embedded:" + t.TempDir(), "--silence", "1s"}
	service, url := start(t, arguments...)
	job := func(id string) (j sentJob, text string) {
		status, data := ask(t, "GET", url+"/v1/jobs/"+id, "", nil)
		if err := json.Unmarshal(data, &j); err != nil || status != http.StatusOK {
			t.Errorf("%s: %d %s %v", id, status, data, err)
		}
		return j, string(data)
	}
	ids, finished := make([]string, jobs), map[string]string{} // what was told of jobs with results
	var accepted atomic.Int64
	var client sync.WaitGroup
	client.Go(func() {
		for k := 0; k < jobs && !t.Failed(); k++ {
			name := fmt.Sprintf("p%05d", k)
			body, err := os.ReadFile(filepath.Join(folder, name+".dat"))
			status, text := ask(t, "POST", url+"/v1/jobs?format=dat&method=tabu&max_steps=300&seed=5&name="+name, name, body)
			var sent sentJob
			if json.Unmarshal(text, &sent); err != nil || status != http.StatusAccepted {
				t.Errorf("%s: %v, %d %s", name, err, status, text)
			}
			ids[k] = sent.ID
			if j, text := job(ids[k/2]); j.Finished != nil {
				finished[j.ID] = text
			}
			accepted.Add(1)
		}
	})
	for k := range kills {
		for int(accepted.Load()) < (k+1)*jobs/(kills+1) && !t.Failed() {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		service.Process.Kill()
		service.Wait()
		service, _ = start(t, arguments...)
	}
	if client.Wait(); t.Failed() {
		return
	}
	for k, id := range ids {
		j, text := job(id)
		for begin := time.Now(); j.Finished == nil && !t.Failed() && time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
			j, text = job(id)
		}
		if a := readAnswer(t, filepath.Join(want, fmt.Sprintf("p%05d.json", k))); !a.equal(j.Result) {
			t.Fatalf("job %d: %s %s %+v, rgm solve has %+v", k, j.Status, j.Error, j.Result, a)
		}
		if before := finished[id]; before != "" && before != text {
			t.Errorf("job %d: it was\n%sand is\n%s", k, before, text)
		}
	}
	listed := 0
	for next := "/v1/jobs"; next != ""; {
		_, text := ask(t, "GET", url+next, "", nil)
		var page struct {
			Jobs []sentJob
			Next string
		}
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		listed, next = listed+len(page.Jobs), page.Next
	}
	if listed != jobs {
		t.Errorf("%d jobs are listed, %d were sent", listed, jobs)
	}
	t.Attr("tried", fmt.Sprint(kills))
	t.Logf("killed %d times; %d of %d results were looked at before", kills, len(finished), jobs)
}

// start starts a service and returns its process and address.
func start(t *testing.T, arguments ...string) (*exec.Cmd, string) {
	t.Helper()
	c := exec.Command(program, processes.ServeArguments(arguments...)...)
	return c, processes.Start(t, c)
}
