package serve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve"
)

// schemaOf returns what /openapi.json says of a type.
func (s *service) schemaOf(name string) map[string]any {
	_, api := s.get("/openapi.json")
	return api["components"].(map[string]any)["schemas"].(map[string]any)[name].(map[string]any)["properties"].(map[string]any)
}

// TestEveryValueOfTheSchema: whatever the schema of the options names, a value or a bound, some
// instance is solved with; beyond a bound none is.
func TestEveryValueOfTheSchema(t *testing.T) {
	s := start(t, serve.Options{MaxTime: time.Minute})
	instances := []string{
		`{"kind":"affinity","k":[[1,0,0,1],[0,1,1,0],[0,1,1,0],[1,0,0,1]]}`,
		`{"kind":"qap","a":[[0,1,2],[1,0,3],[2,3,0]],"b":[[0,3,1],[3,0,2],[1,2,0]]}`,
		`{"kind":"graphs","graph1":{"edges":[[0,1]]},"graph2":{"edges":[[0,1]]}}`,
	}
	tried := 0
	solves := func(option string, value any) (last map[string]any, solved bool) {
		tried++
		for _, instance := range instances {
			fields := map[string]any{"time_limit": "20ms", "irrevocable": option == "start"}
			fields[option] = value
			if option == "method" && (value == "wait" || value == "panic" || value == "killed" || value == "panics") {
				return nil, true // of other tests
			}
			options, _ := json.Marshal(fields)
			status, answer := s.post("/v1/solve", `{"instance":`+instance+`,"options":`+string(options)+`}`)
			if last = answer; status == 200 {
				return answer, true
			}
		}
		return last, false
	}
	for option, of := range s.schemaOf("Options") {
		of := of.(map[string]any)
		values, _ := of["enum"].([]any)
		for _, bound := range []string{"minimum", "maximum"} {
			if v, given := of[bound]; given {
				values = append(values, v)
			}
		}
		for _, value := range values {
			if answer, solved := solves(option, value); !solved {
				t.Errorf("%s %v is in the schema: %v", option, value, answer)
			}
		}
		for bound, beyond := range map[string]float64{"minimum": -1, "maximum": 1} {
			if v, given := of[bound].(float64); given {
				if answer, solved := solves(option, v+beyond); solved || answer["pointer"] != "/options/"+option {
					t.Errorf("%s %v is beyond the %s: %v", option, v+beyond, bound, answer)
				}
			}
		}
		if of["enum"] != nil {
			if answer, solved := solves(option, "surprise"); solved || answer["pointer"] != "/options/"+option {
				t.Errorf("%s surprise: %v", option, answer)
			}
		}
	}
	if tried < 30 {
		t.Errorf("%d values tried", tried)
	}
	for _, kind := range s.schemaOf("Instance")["kind"].(map[string]any)["enum"].([]any) {
		if status, p := s.post("/v1/solve", fmt.Sprintf(`{"instance":{"kind":%q}}`, kind)); status != 422 || p["pointer"] == "/instance/kind" {
			t.Errorf("kind %v: %d %v, want what is missing besides", kind, status, p)
		}
	}
}

// TestDocsFollowTheTable: docs/OPTIONS.md names every option, docs/SERVE.md every field of an instance; /docs
// shows what each is for.
func TestDocsFollowTheTable(t *testing.T) {
	s := start(t, serve.Options{})
	text := must.Get(os.ReadFile("../docs/SERVE.md"))(t)
	list := string(must.Get(os.ReadFile("../docs/OPTIONS.md"))(t))
	page := s.text("/docs")
	for name := range s.schemaOf("Options") {
		if !strings.Contains(list, "`"+name+"`") {
			t.Errorf("docs/OPTIONS.md lacks the option %s", name)
		}
		if !strings.Contains(page, "<code>"+name+"</code>") {
			t.Errorf("/docs lacks the option %s", name)
		}
	}
	for name := range s.schemaOf("Instance") {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/SERVE.md lacks the field %s", name)
		}
	}
}

// TestRefusedClientsReadTheAnswer: a plain client, which sends all of its body before it reads,
// learns why it is refused, whatever the reason.
func TestRefusedClientsReadTheAnswer(t *testing.T) {
	s := start(t, serve.Options{MaxBody: 4 << 20, Workers: 1, Waiting: 1, Token: "secret"})
	const known = "Authorization: Bearer secret\r\nContent-Type: "
	body := strings.Repeat(" ", 4<<20)
	refused := func(want, head, body string) {
		t.Helper()
		if got := s.sendAll(head, body); got != want {
			t.Errorf("%s of %d bytes: %q, want %s", head, len(body), got, want)
		}
	}
	refused("413", known+jsonType, body+body)
	refused("415", known+"text/plain", body)
	refused("401", "Content-Type: "+jsonType, body)
	wait := `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"method":"wait","time_limit":"50s"}}`
	for range 2 {
		if status, _, job := s.ask(http.MethodPost, "/v1/jobs", jsonType, wait, "Authorization", "Bearer secret"); status != 202 {
			t.Fatal(status, job)
		}
		s.await("the first job to run", func() bool { return s.running.Load() == 1 })
	}
	refused("429", known+jsonType, body)
}

// sendAll sends a request to solve as plain clients do, and returns the status of the answer.
func (s *service) sendAll(head, body string) string {
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.Fatal(err)
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintf(connection, "POST /v1/solve HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Length: %d\r\n\r\n", head, len(body))
	if _, err := io.WriteString(connection, body); err != nil {
		return err.Error()
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	var p serve.Problem
	if err := json.NewDecoder(answer.Body).Decode(&p); err != nil || p.Status != answer.StatusCode {
		return fmt.Sprint(p, err)
	}
	return fmt.Sprint(answer.StatusCode)
}
