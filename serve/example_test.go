package serve_test

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/serve"
)

// The service inside a program of one's own: a handler around a solver.
func Example() {
	p, err := rgm.Open(rgm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	handler := serve.NewHandler(p, serve.Options{})
	defer handler.Close()
	server := httptest.NewServer(handler) // or serve.NewServer, with time limits for slow clients
	defer server.Close()

	body := `{"instance": {"kind": "qaplib", "name": "nug12"}, "options": {"method": "tabu", "max_steps": 5000, "seed": 1}}`
	answer, err := http.Post(server.URL+"/v1/solve", "application/json", strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	var found rgm.Result
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status, found.Objective, found.FoundBy)
	// Output: 200 OK 578 tabu
}
