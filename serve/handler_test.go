package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/serve"
)

// service is a service under test.
type service struct {
	*testing.T
	handler *serve.Handler
	running *atomic.Int64 // searches of the method wait
	url     string
}

func start(t *testing.T, o serve.Options) *service {
	t.Helper()
	running := &atomic.Int64{}
	h := serve.NewHandler(openSolver(t, running), o)
	server := httptest.NewUnstartedServer(h)
	server.Config = serve.NewServer(h, time.Second, 0)
	server.Start()
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return &service{t, h, running, server.URL}
}

// ask sends a request and returns the status, the header and the decoded body.
func (s *service) ask(method, path, contentType, body string, header ...string) (int, http.Header, map[string]any) {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	for k := 0; k+1 < len(header); k += 2 {
		request.Header.Set(header[k], header[k+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	var fields map[string]any
	if strings.Contains(response.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(text, &fields); err != nil {
			s.Fatalf("%s: %v", text, err)
		}
	}
	return response.StatusCode, response.Header, fields
}

const jsonType = "application/json"

func (s *service) post(path, body string, header ...string) (int, map[string]any) {
	s.Helper()
	status, _, fields := s.ask(http.MethodPost, path, jsonType, body, header...)
	return status, fields
}

func (s *service) get(path string) (int, map[string]any) {
	s.Helper()
	status, _, fields := s.ask(http.MethodGet, path, "", "")
	return status, fields
}

// text returns the body of an answer.
func (s *service) text(path string) string {
	s.Helper()
	response, err := http.Get(s.url + path)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

// submit submits nug12 and returns the id of the job.
func (s *service) submit(options string) string {
	s.Helper()
	return s.submitBody(`{"instance":{"kind":"qaplib","name":"nug12"},"options":` + options + `}`)
}

func (s *service) submitBody(body string) string {
	s.Helper()
	status, job := s.post("/v1/jobs", body)
	if status != http.StatusAccepted {
		s.Fatalf("submit: %d %v", status, job)
	}
	return job["id"].(string)
}

// until waits for a status of a job.
func (s *service) until(id, want string) map[string]any {
	s.Helper()
	var job map[string]any
	s.await("job "+id+" to be "+want, func() bool {
		_, job = s.get("/v1/jobs/" + id)
		return job["status"] == want
	})
	return job
}

// await waits for something that comes soon where the machine is idle.
func (s *service) await(what string, is func() bool) {
	s.Helper()
	await(s.T, what, is)
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for begin := time.Now(); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

func TestSolve(t *testing.T) {
	s := start(t, serve.Options{DefaultTime: 50 * time.Millisecond})
	dat := "2\n0 1\n1 0\n0 3\n3 0\n"
	for name, test := range map[string]struct {
		contentType, path, body string
		n                       float64
		objective               float64 // any, if below 0
	}{
		"qaplib":   {jsonType, "", `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"max_steps":5000,"method":"tabu"}}`, 12, 578},
		"affinity": {jsonType, "", `{"instance":{"kind":"affinity","n1":2,"n2":1,"k":[[1,0],[0,2]]},"options":{"max_steps":10}}`, 2, 2},
		"square":   {jsonType, "", `{"instance":{"kind":"affinity","k":[[1,0,0,1],[0,0,0,0],[0,0,0,0],[1,0,0,1]]},"options":{"max_steps":10}}`, 2, 4},
		"sparse":   {jsonType, "", `{"instance":{"kind":"sparse","n1":2,"n2":2,"rows":[0,0,3,3],"cols":[0,3,0,3],"values":[1,1,1,1]},"options":{"max_steps":10}}`, 2, 4},
		"qap":      {jsonType, "", `{"instance":{"kind":"qap","a":[[0,1],[1,0]],"b":[[0,3],[3,0]],"linear":[[0,1],[1,0]]},"options":{"max_steps":10}}`, 2, 6},
		"seconds":  {jsonType, "", `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"time_limit":0.02}}`, 12, -1},
		"deadline": {jsonType, "", `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"deadline":"50s"}}`, 12, 578},
		"points":   {jsonType, "", `{"instance":{"kind":"graphs","graph1":{"points":[[0,0],[1,0],[0,2]]},"graph2":{"points":[[0,2],[1,0],[0,0]]}}}`, 3, -1},
		"edges":    {jsonType, "", `{"instance":{"kind":"graphs","graph1":{"features":[[1],[2]],"edges":[[0,1]]},"graph2":{"features":[[2],[1]],"edges":[[0,1]]}}}`, 2, -1},
		"dat":      {"application/octet-stream", "?format=dat&max_steps=10", dat, 2, 6},
		"form": {"multipart/form-data; boundary=x", "",
			"--x\r\nContent-Disposition: form-data; name=\"instance\"; filename=\"small.dat\"\r\n\r\n" + dat +
				"\r\n--x\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n{\"max_steps\":10}\r\n--x--\r\n", 2, 6},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, result := s.ask(http.MethodPost, "/v1/solve"+test.path, test.contentType, test.body)
			if status != 200 || result["n1"] != test.n || (test.objective >= 0 && result["objective"] != test.objective) {
				t.Errorf("%d %v, want objective %v", status, result, test.objective)
			}
		})
	}
}

// TestPointsAreMatched: graph 2 is graph 1 turned and relabelled; the truth is known.
func TestPointsAreMatched(t *testing.T) {
	s := start(t, serve.Options{})
	_, result := s.post("/v1/solve", `{"instance":{"kind":"graphs","name":"points",
		"graph1":{"points":[[0,0],[1,0],[0,2],[3,3]]},"graph2":{"points":[[3,3],[0,2],[1,0],[0,0]]}},"options":{"complete":true,"max_steps":20}}`)
	if text, _ := json.Marshal(result["matching"]); string(text) != "[3,2,1,0]" || result["instance"] != "points" {
		t.Errorf("%v, want the matching [3,2,1,0] of points", result)
	}
}

// TestGraphsAreCompared: by edges alone, their weights, their features; the answer has the names and
// says what was compared.
func TestGraphsAreCompared(t *testing.T) {
	s := start(t, serve.Options{})
	for about, test := range map[string]struct{ more1, more2, kernel string }{
		"edges alone":   {``, ``, "binary"},
		"weights":       {`,"weights":[1,2,3]`, `,"weights":[3,1,2]`, "weight"},
		"edge features": {`,"edge_features":[[1,0],[0,1],[1,1]]`, `,"edge_features":[[1,1],[1,0],[0,1]]`, "features"},
		"names":         {`,"names":["a","b","c","d"]`, `,"names":["D","A","B","C"]`, "binary"},
	} {
		// A path and, in graph 2, the same with node i called i+1.
		body := `{"instance":{"kind":"graphs","graph1":{"edges":[[0,1],[1,2],[2,3]]` + test.more1 + `},"graph2":{"edges":[[3,0],[1,2],[2,3]]` + test.more2 + `}},"options":{"complete":true,"max_steps":2000}}`
		status, r := s.post("/v1/solve", body)
		matching, _ := json.Marshal(r["matching"])
		if status != 200 || r["kernel"] != test.kernel || r["about"] == "" || r["edges1"] != 3.0 {
			t.Errorf("%s: %d %v", about, status, r)
		}
		if test.kernel != "binary" && string(matching) != "[1,2,3,0]" {
			t.Errorf("%s: matching %s, want [1,2,3,0]", about, matching)
		}
		if names, _ := json.Marshal(r["names2"]); about == "names" && string(names) != `["D","A","B","C"]` {
			t.Errorf("%s: names %s", about, names)
		}
	}
	id := s.submitBody(`{"instance":{"kind":"graphs","kernel":"binary","graph1":{"points":[[0,0],[1,0],[0,2]],"edges":[[0,1]]},"graph2":{"points":[[0,0],[1,0],[0,2]],"edges":[[0,1]]}}}`)
	if result := s.until(id, "done")["result"].(map[string]any); result["kernel"] != "binary" {
		t.Errorf("of a job: %v", result)
	}
}

// TestDeadline: a search with a deadline ends by itself, long before it; one that does not is cut short then,
// with its best; time_limit beside it is kept.
func TestDeadline(t *testing.T) {
	s := start(t, serve.Options{MaxTime: time.Minute, DefaultTime: time.Minute})
	for _, test := range []struct{ options, status string }{
		{`{"deadline":"50s","max_steps":1000}`, "max_steps"},
		{`{"deadline":"300ms","method":"tabu","max_steps":1000000000}`, "deadline"},
		{`{"deadline":"50s","time_limit":"50ms","method":"tabu"}`, "time_limit"},
	} {
		began := time.Now()
		status, result := s.post("/v1/solve", `{"instance":{"kind":"qaplib","name":"tai60a"},"options":`+test.options+`}`)
		if status != 200 || result["status"] != test.status || result["matched"] != 60.0 || time.Since(began) > 30*time.Second {
			t.Errorf("%s: %d, %v after %v", test.options, status, result, time.Since(began))
		}
	}
}

// TestGraphMethods: whatever rgm match aligns plain graphs by does so here, of any sizes; the answer
// says how good it is. What two files hold comes back with a place for each node.
func TestGraphMethods(t *testing.T) {
	s := start(t, serve.Options{})
	const form = "multipart/form-data; boundary=x"
	body := func(options string) string {
		return graphForm("x.csv", "source,target\na,b\nb,c\nc,d\nb,d\n", "y.edges", "0 1\n1 2\n2 3\n3 1\n3 4\n", options)
	}
	for _, method := range append(rgm.GraphMethods(), "tabu", "population", "anneal", "faq") {
		status, _, r := s.ask(http.MethodPost, "/v1/solve", form, body(fmt.Sprintf(`{"method":%q,"max_steps":1000}`, method)))
		if m, _ := r["matching"].([]any); status != 200 || r["method"] != method || r["why"] != "the method "+method || r["shared_edges"] != r["objective"] || len(m) != 4 {
			t.Errorf("%s: %d %v", method, status, r)
		}
	}
	status, _, drawing := s.ask(http.MethodPost, "/v1/graphs", form, body(""))
	left, _ := drawing["graph1"].(map[string]any)
	right, _ := drawing["graph2"].(map[string]any)
	if status != 200 || len(right["points"].([]any)) != 5 || left["placed"] != false {
		t.Errorf("%d %v", status, drawing)
	}
	if edges, _ := json.Marshal(left["edges"]); string(edges) != "[[0,1],[1,2],[1,3],[2,3]]" {
		t.Errorf("edges %s", edges)
	}
	_, _, drawing = s.ask(http.MethodPost, "/v1/graphs", form, graphForm("a.csv", "name,x,y,kind\noak,0.5,0,tree\nyew,4,1,shrub\n", "b.edges", "0 1\n", ""))
	left, _ = drawing["graph1"].(map[string]any)
	if attributes, _ := json.Marshal(left["attributes"]); string(attributes) != `[{"name":"kind","values":["tree","shrub"]},{"name":"x","values":["0.5","4"]},{"name":"y","values":["0","1"]}]` {
		t.Errorf("attributes %s", attributes)
	}
	if status, p := s.post("/v1/graphs", `{"instance":{"kind":"qaplib","name":"nug12"}}`); status != 422 || p["pointer"] != "/instance" {
		t.Errorf("no graphs: %d %v", status, p)
	}
}

// TestGraphsAreAligned: a job of two plain graphs has its best while it runs and when it is cancelled,
// and that can be evaluated; an option that only affinities have makes affinities.
func TestGraphsAreAligned(t *testing.T) {
	s := start(t, serve.Options{})
	graph := func(n, step int) string { // a ring with chords
		var edges [][2]int
		for i := range n {
			edges = append(edges, [2]int{i, (i + 1) % n}, [2]int{i, (i + 2 + (i*i+step)%(n-3)) % n})
		}
		text, _ := json.Marshal(map[string]any{"edges": edges})
		return string(text)
	}
	instance := func(n int) string {
		return `{"instance":{"kind":"graphs","graph1":` + graph(n, 1) + `,"graph2":` + graph(n, 5) + `}`
	}
	id := s.submitBody(instance(400) + `,"options":{"time_limit":"1m"}}`)
	s.await("a best matching", func() bool { return s.until(id, "running")["best"] != nil })
	_, _, job := s.ask(http.MethodDelete, "/v1/jobs/"+id, "", "")
	result, _ := job["result"].(map[string]any)
	if result["status"] != "cancelled" || result["method"] != "align" || result["why"] == "" || len(result["margins"].([]any)) != 400 {
		t.Fatalf("a cancelled job: %v", job)
	}
	matching, _ := json.Marshal(result["matching"])
	if _, e := s.post("/v1/evaluate", instance(400)+`,"matching":`+string(matching)+`}`); e["objective"] != result["objective"] || e["valid"] != true {
		t.Errorf("%v, want the objective %v", e, result["objective"])
	}
	if _, r := s.post("/v1/solve", instance(8)+`,"options":{"inliers":4,"max_steps":10}}`); r["matched"] != 4.0 || r["why"] != nil {
		t.Errorf("a size: %v", r)
	}
}

func TestJobs(t *testing.T) {
	s := start(t, serve.Options{Workers: 1})
	id := s.submit(`{"max_steps":1000}`)
	job := s.until(id, "done")
	result := job["result"].(map[string]any)
	if result["n1"] != 12.0 || job["finished"] == nil || job["links"].(map[string]any)["self"] != "/v1/jobs/"+id {
		t.Errorf("job: %v", job)
	}
	if _, status := s.get("/v1/jobs/" + id + "/status"); status["status"] != "done" || status["result"] != nil {
		t.Errorf("status: %v", status)
	}
	if _, page := s.get("/v1/jobs"); len(page["jobs"].([]any)) != 1 || page["next"] != nil {
		t.Errorf("list: %v", page)
	}
	if code, _, forgotten := s.ask(http.MethodDelete, "/v1/jobs/"+id, "", ""); code != 200 || forgotten["status"] != "done" {
		t.Errorf("forget: %d %v", code, forgotten)
	}
	if code, p := s.get("/v1/jobs/" + id); code != 404 || p["status"] != 404.0 {
		t.Errorf("a forgotten job: %d %v", code, p)
	}
}

func TestJobsAreListedInPages(t *testing.T) {
	s := start(t, serve.Options{Workers: 2, Waiting: 200})
	var want []string
	for range 120 {
		want = append(want, s.submit(`{"max_steps":1}`))
	}
	var got []string
	for path, pages := "/v1/jobs", 0; path != "" && pages < 5; pages++ {
		_, page := s.get(path)
		for _, job := range page["jobs"].([]any) {
			got = append(got, job.(map[string]any)["id"].(string))
		}
		path, _ = page["next"].(string)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %d jobs, want the %d submitted in their order", len(got), len(want))
	}
}

func TestCancelReturnsTheBest(t *testing.T) {
	s := start(t, serve.Options{Workers: 1, MaxTime: time.Minute})
	id := s.submit(`{"method":"wait","time_limit":"50s"}`)
	s.await("a best solution", func() bool { return s.until(id, "running")["best"] != nil })
	waiting := s.submit(`{"method":"wait"}`)
	if _, _, job := s.ask(http.MethodDelete, "/v1/jobs/"+waiting, "", ""); job["status"] != "cancelled" || job["result"] != nil {
		t.Errorf("a cancelled job that waited: %v", job)
	}
	_, _, job := s.ask(http.MethodDelete, "/v1/jobs/"+id, "", "")
	if result, _ := job["result"].(map[string]any); job["status"] != "cancelled" || result["status"] != "cancelled" || len(result["matching"].([]any)) != 12 {
		t.Errorf("a cancelled job: %v", job)
	}
}

func TestIdempotencyKey(t *testing.T) {
	s := start(t, serve.Options{DefaultTime: 50 * time.Millisecond})
	body := `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"max_steps":10}}`
	_, first := s.post("/v1/jobs", body, "Idempotency-Key", "monday")
	status, second := s.post("/v1/jobs", body, "Idempotency-Key", "monday")
	if status != 202 || first["id"] != second["id"] {
		t.Errorf("the same key and body: %d, jobs %v and %v", status, first["id"], second["id"])
	}
	if status, p := s.post("/v1/jobs", strings.Replace(body, "10", "11", 1), "Idempotency-Key", "monday"); status != 409 {
		t.Errorf("the same key with another body: %d %v", status, p)
	}
	if _, other := s.post("/v1/jobs", body); other["id"] == first["id"] {
		t.Error("without a key the same body is the same job")
	}
}

// TestIdempotencyKeyInAFullQueue: who repeats a request learns of the job, though no
// other would be taken.
func TestIdempotencyKeyInAFullQueue(t *testing.T) {
	s := start(t, serve.Options{Workers: 1, Waiting: 1})
	s.until(s.submit(`{"method":"wait"}`), "running")
	body := `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"max_steps":10}}`
	status, first := s.post("/v1/jobs", body, "Idempotency-Key", "monday")
	if status != 202 {
		t.Fatalf("the first request: %d %v", status, first)
	}
	if status, p := s.post("/v1/jobs", body, "Idempotency-Key", "tuesday"); status != 429 {
		t.Errorf("another job: %d %v", status, p)
	}
	if status, again := s.post("/v1/jobs", body, "Idempotency-Key", "monday"); status != 202 || again["id"] != first["id"] {
		t.Errorf("the same key and body: %d %v, want job %v", status, again, first["id"])
	}
	if status, p := s.post("/v1/jobs", strings.Replace(body, "10", "11", 1), "Idempotency-Key", "monday"); status != 409 {
		t.Errorf("the same key with another body: %d %v", status, p)
	}
}

// TestHangingUpCancels: the search of a client that is gone ends.
func TestHangingUpCancels(t *testing.T) {
	s := start(t, serve.Options{Workers: 1})
	ctx, cancel := context.WithCancel(t.Context())
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/solve",
		strings.NewReader(`{"instance":{"kind":"qaplib","name":"nug12"},"options":{"method":"wait","time_limit":"50s"}}`))
	request.Header.Set("Content-Type", jsonType)
	go func() {
		for s.running.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := http.DefaultClient.Do(request); err == nil {
		t.Fatal("the request was answered")
	}
	s.await("the end of the search", func() bool { return s.running.Load() == 0 })
}

func TestQueueFull(t *testing.T) {
	s := start(t, serve.Options{Workers: 1, Waiting: 2})
	s.until(s.submit(`{"method":"wait"}`), "running")
	s.submit(`{"method":"wait"}`)
	s.submit(`{"method":"wait"}`)
	status, header, p := s.ask(http.MethodPost, "/v1/solve", jsonType, `{"instance":{"kind":"qaplib","name":"nug12"}}`)
	if status != 429 || header.Get("Retry-After") == "" || header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d %v %v, want 429 with Retry-After", status, header, p)
	}
}

// event is one server-sent event.
type event struct{ id, name, data string }

// stream reads events until enough says so, or the stream ends.
func (s *service) stream(path, lastID string, enough func(event) bool) []event {
	s.Helper()
	request, _ := http.NewRequestWithContext(s.Context(), http.MethodGet, s.url+path, nil)
	if lastID != "" {
		request.Header.Set("Last-Event-ID", lastID)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	var events []event
	var e event
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name == "" {
				continue
			}
			events = append(events, e)
			if enough(e) {
				return events
			}
			e = event{}
		}
	}
	return events
}

func TestEvents(t *testing.T) {
	s := start(t, serve.Options{Workers: 1})
	id := s.submit(`{"method":"wait","time_limit":"50s"}`)
	progressed := s.stream("/v1/jobs/"+id+"/events", "", func(e event) bool { return e.name == "progress" })
	if progressed[0].name != "incumbent" || !strings.Contains(progressed[0].data, `"found_by":"wait"`) {
		t.Errorf("the first event: %v", progressed[0])
	}
	last := progressed[len(progressed)-1]
	go func() {
		request, _ := http.NewRequest(http.MethodDelete, s.url+"/v1/jobs/"+id, nil)
		if response, err := http.DefaultClient.Do(request); err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("cancel: %v %v", response, err)
		}
	}()
	rest := s.stream("/v1/jobs/"+id+"/events", last.id, func(event) bool { return false })
	if len(rest) == 0 {
		t.Fatal("no event after resuming")
	}
	done := rest[len(rest)-1]
	var result rgm.Result
	if done.name != "done" || json.Unmarshal([]byte(done.data), &result) != nil || result.Status != "cancelled" {
		t.Errorf("the last event: %v", done)
	}
	for _, e := range rest {
		if e.id == last.id {
			t.Errorf("event %v came twice", e)
		}
	}
	response, err := http.DefaultClient.Do(func() *http.Request {
		r, _ := http.NewRequest(http.MethodGet, s.url+"/v1/jobs/"+id+"/events", nil)
		r.Header.Set("Last-Event-ID", done.id)
		return r
	}())
	if err != nil || response.StatusCode != http.StatusNoContent {
		t.Errorf("after done: %v %v, want 204, which ends a browser's attempts", response, err)
	}
}
