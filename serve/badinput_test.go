package serve_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve"
)

// TestBadInput: the right status and field for each, and nothing of the server.
func TestBadInput(t *testing.T) {
	s := start(t, serve.Options{MaxBody: 100_000, MaxNodes: 20, MaxTime: 2 * time.Second})
	solve := func(instance, options string) string {
		return `{"instance":` + instance + `,"options":` + options + `}`
	}
	folder := must.Get(os.Getwd())(t)
	const nug12 = `{"kind":"qaplib","name":"nug12"}`
	for name, test := range map[string]struct {
		contentType, path, body string
		status                  int
		pointer                 string
	}{
		"no body":              {jsonType, "", "", 400, ""},
		"no JSON":              {jsonType, "", "{", 400, ""},
		"NaN":                  {jsonType, "", solve(`{"kind":"affinity","k":[[NaN]]}`, `{}`), 400, ""},
		"deep":                 {jsonType, "", strings.Repeat("[", 50_000), 400, ""},
		"deep instance":        {jsonType, "", solve(strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000), `{}`), 400, ""},
		"goes on":              {jsonType, "", solve(nug12, `{}`) + "{}", 400, ""},
		"an array":             {jsonType, "", "[]", 422, ""},
		"null":                 {jsonType, "", "null", 422, "/instance"},
		"no instance":          {jsonType, "", `{"options":{}}`, 422, "/instance"},
		"unknown field":        {jsonType, "", `{"instance":` + nug12 + `,"surprise":1}`, 422, "/surprise"},
		"unknown option":       {jsonType, "", solve(nug12, `{"surprise":1}`), 422, "/options/surprise"},
		"unknown in instance":  {jsonType, "", solve(`{"kind":"qaplib","name":"nug12","x":1}`, `{}`), 422, "/instance/x"},
		"unknown kind":         {jsonType, "", solve(`{"kind":"tsp"}`, `{}`), 422, "/instance/kind"},
		"unknown name":         {jsonType, "", solve(`{"kind":"qaplib","name":"nug11"}`, `{}`), 422, "/instance/name"},
		"path as a name":       {jsonType, "", solve(`{"kind":"qaplib","name":"../../etc/passwd"}`, `{}`), 422, "/instance/name"},
		"field of a kind":      {jsonType, "", solve(`{"kind":"qap","k":[[1]]}`, `{}`), 422, "/instance/k"},
		"too many nodes":       {jsonType, "", solve(`{"kind":"qaplib","name":"nug30"}`, `{}`), 413, "/instance"},
		"claims nodes":         {jsonType, "", solve(`{"kind":"sparse","n1":2000000000,"n2":2000000000}`, `{}`), 413, "/instance"},
		"overflows":            {jsonType, "", solve(`{"kind":"sparse","n1":9223372036854775807,"n2":9223372036854775807}`, `{}`), 413, "/instance"},
		"not square":           {jsonType, "", solve(`{"kind":"qap","a":[[1,2]],"b":[[1]]}`, `{}`), 422, "/instance/a"},
		"ragged":               {jsonType, "", solve(`{"kind":"affinity","k":[[1,2],[3]]}`, `{}`), 422, "/instance/k/1"},
		"text in a matrix":     {jsonType, "", solve(`{"kind":"qap","a":[[1]],"b":[["x"]]}`, `{}`), 422, "/instance/b/0/0"},
		"too large a number":   {jsonType, "", solve(`{"kind":"affinity","k":[[1e999]]}`, `{}`), 422, "/instance/k/0/0"},
		"wrong shape":          {jsonType, "", solve(`{"kind":"affinity","n1":2,"n2":2,"k":[[1]]}`, `{}`), 422, "/instance/k"},
		"entry out of range":   {jsonType, "", solve(`{"kind":"sparse","n1":2,"n2":2,"rows":[9],"cols":[0],"values":[1]}`, `{}`), 422, "/instance"},
		"unequal lists":        {jsonType, "", solve(`{"kind":"sparse","n1":2,"n2":2,"rows":[0],"cols":[],"values":[1]}`, `{}`), 422, "/instance/values"},
		"no graph":             {jsonType, "", solve(`{"kind":"graphs","graph1":{"points":[[0,0]]}}`, `{}`), 422, "/instance/graph2"},
		"uneven points":        {jsonType, "", solve(`{"kind":"graphs","graph1":{"points":[[0,0],[1]]},"graph2":{"points":[[0,0]]}}`, `{}`), 422, "/instance/graph1/points/1"},
		"edge to nowhere":      {jsonType, "", solve(`{"kind":"graphs","graph1":{"points":[[0,0]],"edges":[[0,1]]},"graph2":{"points":[[0,0]]}}`, `{}`), 422, "/instance/graph1/edges/0"},
		"time over the limit":  {jsonType, "", solve(nug12, `{"time_limit":"1h"}`), 422, "/options/time_limit"},
		"deadline over it":     {jsonType, "", solve(nug12, `{"deadline":"1h"}`), 422, "/options/deadline"},
		"negative deadline":    {jsonType, "", solve(nug12, `{"deadline":"-1s"}`), 422, "/options/deadline"},
		"no duration":          {jsonType, "", solve(nug12, `{"time_limit":"soon"}`), 422, "/options/time_limit"},
		"negative time":        {jsonType, "", solve(nug12, `{"time_limit":"-1s"}`), 422, "/options/time_limit"},
		"unknown method":       {jsonType, "", solve(nug12, `{"method":"magic"}`), 422, "/options/method"},
		"path as a model":      {jsonType, "", solve(nug12, `{"model":"../../../etc/passwd"}`), 422, "/options/model"},
		"too many rollouts":    {jsonType, "", solve(nug12, `{"rollouts":1000000000}`), 422, "/options/rollouts"},
		"field twice":          {jsonType, "", `{"instance":` + nug12 + `,"instance":` + nug12 + `}`, 422, "/instance"},
		"option twice":         {jsonType, "", solve(nug12, `{"seed":1,"seed":2}`), 422, "/options/seed"},
		"point of a graph":     {jsonType, "", solve(`{"kind":"graphs","graph1":{"points":[[0,"x"]]},"graph2":{"points":[[0,0]]}}`, `{}`), 422, "/instance/graph1/points/0/1"},
		"row of an entry":      {jsonType, "", solve(`{"kind":"sparse","n1":1,"n2":1,"rows":[0,0.5],"cols":[0,0],"values":[1,1]}`, `{}`), 422, "/instance/rows/1"},
		"re-weighs, no policy": {jsonType, "", solve(nug12, `{"model":"affinity"}`), 422, "/options/model"},
		"fraction":             {jsonType, "", solve(nug12, `{"seed":1.5}`), 422, "/options/seed"},
		"seeds that conflict":  {jsonType, "", solve(nug12, `{"fix":["0:1","0:2"]}`), 422, "/options/fix/1"},
		"seed out of range":    {jsonType, "", solve(nug12, `{"fix":["0:12"]}`), 422, "/options/fix/0"},
		"no matching":          {jsonType, "", solve(nug12, `{"initial":[0,0]}`), 422, "/options/initial"},
		"a query beside JSON":  {jsonType, "?seed=1", solve(nug12, `{}`), 422, "/seed"},
		"no type":              {"", "", solve(nug12, `{}`), 415, ""},
		"text":                 {"text/plain", "", solve(nug12, `{}`), 415, ""},
		"no format":            {"application/octet-stream", "", "2", 422, "/format"},
		"path as a format":     {"application/octet-stream", "?format=" + url.QueryEscape("../etc"), "2", 422, "/format"},
		"cut short":            {"application/octet-stream", "?format=dat&name=" + url.QueryEscape("/etc/passwd"), "2\n0 1", 400, ""},
		"unknown parameter":    {"application/octet-stream", "?format=dat&x=1", "1\n0\n0", 422, "/x"},
		"no option":            {"application/octet-stream", "?format=dat&seed=x", "1\n0\n0", 422, "/options/seed"},
		"no boundary":          {"multipart/form-data", "", "x", 400, ""},
		"format of a graph":    {form, "", graphForm("x.edges", "0 1\n", "y.png", "0 1\n", ""), 422, "/b"},
		"broken graph":         {form, "", graphForm("x.graphml", "<graphml><graph><node", "y.edges", "0 1\n", ""), 400, "/a"},
		"huge graph":           {form, "", graphForm("x.gw", "LEDA.GRAPH\nstring\nshort\n-2\n1000000000000\n", "y.edges", "0 1\n", ""), 400, "/a"},
		"graph over the limit": {form, "", graphForm("x.edges", "0 1\n", "y.gml", "graph["+manyNodes(1001)+"]", ""), 413, "/b"},
		"one graph":            {form, "", "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x.el\"\r\n\r\n0 1\n\r\n--x--\r\n", 422, "/b"},
		"format of two":        {form, "", graphForm("x.edges", "0 1\n", "y.edges", "0 1\n", `{"format":1}`), 422, "/options/format"},
		"aligned, of a size":   {form, "", graphForm("x.edges", "0 1\n", "y.edges", "0 1\n", `{"method":"align","inliers":1}`), 422, "/options/inliers"},
		"unknown known":        {form, "", withPart("known", "x y", graphForm("x.edges", "0 1\n", "y.edges", "0 1\n", "")), 422, "/known"},
		"similarity of one":    {form, "", withPart("similarity", "0 1", graphForm("x.edges", "0 1\n", "y.edges", "0 1\n", "")), 422, "/similarity"},
		"aligned points":       {form, "", graphForm("x.csv", "1,2\n3,4\n", "y.csv", "1,2\n3,4\n", `{"method":"align"}`), 422, "/options/method"},
		"aligned matrix":       {jsonType, "", solve(`{"kind":"qaplib","name":"nug12"}`, `{"method":"align"}`), 422, "/options/method"},
		"kernel of tabu":       {form, "", withPart("kernel", "binary", graphForm("x.edges", "0 1\n", "y.edges", "0 1\n", `{"method":"tabu"}`)), 422, "/options/kernel"},
		"tabu and known pairs": {form, "", graphForm("x.edges", "0 1\n", "y.edges", "0 1\n", `{"method":"tabu","fix":["0:0"]}`), 422, "/options/method"},
		"bp of a matrix":       {jsonType, "", solve(`{"kind":"qaplib","name":"nug12"}`, `{"method":"bp"}`), 422, "/options/method"},
		"no part":              {"multipart/form-data; boundary=x", "", "--x--\r\n", 422, "/instance"},
		"form cut short":       {"multipart/form-data; boundary=x", "", "--x\r\nContent-Disp", 400, ""},
		"too long":             {jsonType, "", strings.Repeat(" ", 100_001), 413, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, header, p := s.ask(http.MethodPost, "/v1/solve"+test.path, test.contentType, test.body)
			pointer, _ := p["pointer"].(string)
			if status != test.status || pointer != test.pointer || header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%d at %q: %v; want %d at %q", status, pointer, p, test.status, test.pointer)
			}
			text := fmt.Sprint(p)
			for _, secret := range []string{"goroutine", ".go:", folder, "/tmp", "runtime"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s shows %s", text, secret)
				}
			}
			if p["title"] != http.StatusText(status) || p["status"] != float64(status) || p["detail"] == "" {
				t.Errorf("not a whole problem: %v", p)
			}
		})
	}
}

// form is the media type of graphForm.
const form = "multipart/form-data; boundary=x"

// graphForm returns a form, with the boundary x, of two files of graphs, and options.
func graphForm(name1, text1, name2, text2, options string) string {
	part := func(about, text string) string {
		return "--x\r\nContent-Disposition: form-data; name=" + about + "\r\n\r\n" + text + "\r\n"
	}
	return part(`"a"; filename="`+name1+`"`, text1) + part(`"b"; filename="`+name2+`"`, text2) + part(`"options"`, options) + "--x--\r\n"
}

// withPart returns a form with a further part.
func withPart(name, text, form string) string {
	return strings.TrimSuffix(form, "--x--\r\n") + "--x\r\nContent-Disposition: form-data; name=" + name + "\r\n\r\n" + text + "\r\n--x--\r\n"
}

// manyNodes returns nodes in GML.
func manyNodes(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "node[id %d] ", i)
	}
	return text.String()
}

// TestRolloutsOfLargeGraphs: rollouts that would not fit into memory are refused, the
// default number of them never.
func TestRolloutsOfLargeGraphs(t *testing.T) {
	s := start(t, serve.Options{Workers: serve.NoWorkers}) // none is solved: what is answered is tested
	for rollouts, want := range map[int]int{1: 202, 8: 202, 9: 422, 1024: 422} {
		body := fmt.Sprintf(`{"instance":{"kind":"sparse","n1":1000,"n2":1000,"rows":[0],"cols":[1001],"values":[1]},"options":{"max_steps":1,"method":"regrow","rollouts":%d}}`, rollouts)
		status, answer := s.post("/v1/jobs", body)
		if status != want || want == 422 && answer["pointer"] != "/options/rollouts" {
			t.Errorf("%d rollouts: %d %v, want %d", rollouts, status, answer, want)
		}
	}
}

// TestInflatedArchive: an archive of some megabytes does not take a gigabyte.
func TestInflatedArchive(t *testing.T) {
	s := start(t, serve.Options{})
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	member, err := archive.CreateRaw(&zip.FileHeader{Name: "k.npy", Method: zip.Deflate, CompressedSize64: 6 << 20, UncompressedSize64: 1 << 30})
	if err == nil {
		_, err = member.Write(make([]byte, 6<<20))
	}
	if err = errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	status, _, p := s.ask(http.MethodPost, "/v1/solve?format=npz", "application/octet-stream", b.String())
	if status != 413 || p["pointer"] != "/instance" {
		t.Errorf("%d %v, want 413", status, p)
	}
}

// featureGraphs returns a request to match two graphs of n nodes with d features each.
func featureGraphs(n, d int, options string) string {
	var graph strings.Builder
	graph.WriteString(`{"features":[`)
	for i := range n {
		if i > 0 {
			graph.WriteByte(',')
		}
		for k := range d {
			graph.WriteByte(",["[min(max(1-k, 0), 1)])
			fmt.Fprint(&graph, (i*7919+k*104729)%10)
		}
		graph.WriteByte(']')
	}
	graph.WriteString(`],"edges":[[0,1]]}`)
	return fmt.Sprintf(`{"instance":{"kind":"graphs","graph1":%s,"graph2":%[1]s},"options":%s}`, graph.String(), options)
}

// TestLongFeaturesEnd: graphs whose comparison takes long end with the service's greatest
// time, before they are searched; those that take far too long are not begun.
func TestLongFeaturesEnd(t *testing.T) {
	s := start(t, serve.Options{DefaultTime: 50 * time.Millisecond, MaxTime: 100 * time.Millisecond})
	for _, test := range []struct {
		features int
		want     string
	}{{400, "it takes more than 100ms to read"}, {600, "operations to compare: the limit is"}} {
		begin := time.Now()
		status, p := s.post("/v1/solve", featureGraphs(700, test.features, `{"inliers":1}`))
		if detail, _ := p["detail"].(string); status != 413 || !strings.Contains(detail, test.want) {
			t.Errorf("%d features: %d %v, want 413: %s", test.features, status, p, test.want)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%d features: answered after %v", test.features, took)
		}
	}
	s = start(t, serve.Options{})
	if status, p := s.post("/v1/solve", featureGraphs(10, 600, `{"max_steps":10}`)); status != 200 {
		t.Errorf("10 nodes of 600 features: %d %v", status, p)
	}
}

// TestPointsAtOnePlace: each has the edges of all others there, which makes far too many.
func TestPointsAtOnePlace(t *testing.T) {
	s := start(t, serve.Options{})
	points := "[" + strings.Repeat("[0.25,1],[1,3],[2,0.5],[7,1],", 20) + "[9,9]]"
	status, p := s.post("/v1/solve", `{"instance":{"kind":"graphs","graph1":{"points":`+points+`},"graph2":{"points":`+points+`}}}`)
	if detail, _ := p["detail"].(string); status != 413 || !strings.Contains(detail, "pairs of edges") {
		t.Errorf("%d %v", status, p)
	}
}

// TestUnsupportedIsTheClients: what only the solver finds out is a 422 all the same.
func TestUnsupportedIsTheClients(t *testing.T) {
	s := start(t, serve.Options{})
	body := `{"instance":{"kind":"affinity","k":[[1]]},"options":{"method":"tabu"}}`
	if status, p := s.post("/v1/solve", body); status != 422 {
		t.Errorf("%d %v", status, p)
	}
	if status, p := s.post("/v1/solve", strings.Replace(body, "tabu", "panic", 1)); status != 500 || strings.Contains(fmt.Sprint(p), "asked") {
		t.Errorf("a panic: %d %v, want 500 that does not tell", status, p)
	}
	if status, _ := s.get("/v2/health/live"); status != 200 {
		t.Error("dead after a panic")
	}
}

func TestMethodsAndToken(t *testing.T) {
	s := start(t, serve.Options{Token: "secret"})
	status, header, _ := s.ask(http.MethodPut, "/v1/solve", jsonType, "{}")
	if status != 405 || header.Get("Allow") != "POST" {
		t.Errorf("PUT: %d, Allow %q", status, header.Get("Allow"))
	}
	for _, token := range []string{"", "Bearer ", "Bearer wrong", "Basic secret", "secret", "Bearer secret2"} {
		if status, header, _ := s.ask(http.MethodGet, "/v1/jobs", "", "", "Authorization", token); status != 401 || header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q: %d, want 401", token, status)
		}
	}
	if status, _, _ := s.ask(http.MethodGet, "/v1/jobs", "", "", "Authorization", "Bearer secret"); status != 200 {
		t.Errorf("the right token: %d", status)
	}
	for _, path := range []string{"/v2/health/live", "/", "/docs", "/openapi.json"} {
		if status, _ := s.get(path); status != 200 {
			t.Errorf("%s without a token: %d", path, status)
		}
	}
	for path, want := range map[string]int{"/nowhere": 404, "/v1/jobs/x": 401, "/metrics": 401, "//": 404, "/v1/../v1/jobs": 404} {
		if status, _ := s.get(path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	if status, _, _ := s.ask(http.MethodPost, "/v1/solve", "text/plain", "{}", "Authorization", "Bearer secret", "Origin", "https://elsewhere.example"); status != 403 {
		t.Errorf("from a page elsewhere: %d, want 403", status)
	}
}

// TestClaimedLength: a body that claims 60 GB is refused before it is sent, and a
// client that sends no body is cut.
func TestClaimedLength(t *testing.T) {
	s := start(t, serve.Options{BodyTimeout: 300 * time.Millisecond})
	for head, want := range map[string]string{
		"Content-Length: 60000000000": "413",
		"Content-Length: 1000":        "400",
		"Transfer-Encoding: chunked":  "400",
	} {
		t.Run(head, func(t *testing.T) {
			connection := must.Get(net.Dial("tcp", strings.TrimPrefix(s.url, "http://")))(t)
			defer connection.Close()
			connection.SetDeadline(time.Now().Add(time.Minute))
			fmt.Fprintf(connection, "POST /v1/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n\r\n", head)
			line, err := bufio.NewReader(connection).ReadString('\n')
			if err != nil || !strings.Contains(line, want) {
				t.Errorf("%q %v, want %s", line, err, want)
			}
			if _, err := io.Copy(io.Discard, connection); err != nil {
				t.Errorf("the connection was not closed: %v", err)
			}
		})
	}
}

// TestOptionsAreChecked: what does not fit is refused before anything starts.
func TestOptionsAreChecked(t *testing.T) {
	for name, o := range map[string]serve.Options{
		"memory":   {MaxBody: 1 << 40},
		"negative": {Waiting: -1},
		"no body":  {Waiting: -1, Workers: 1},
		"times":    {DefaultTime: time.Hour},
	} {
		if err := o.Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := (serve.Options{}).Check(); err != nil {
		t.Errorf("the zero value: %v", err)
	}
}

// TestHostOfTheServiceItself: without a token, a page whose own name leads to this
// machine is of the service's origin, and refused by the name.
func TestHostOfTheServiceItself(t *testing.T) {
	for _, c := range []struct {
		options serve.Options
		host    string
		status  int
	}{
		{serve.Options{}, "localhost:8080", http.StatusOK},
		{serve.Options{}, "[::1]", http.StatusOK},
		{serve.Options{}, "example.org", http.StatusForbidden},
		{serve.Options{}, "127.0.0.1.example.org:80", http.StatusForbidden},
		{serve.Options{AnyHost: true}, "example.org", http.StatusOK},
		{serve.Options{Token: "t"}, "example.org", http.StatusUnauthorized}, // the token is what counts
	} {
		s := start(t, c.options)
		request := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v1/jobs", nil))(t)
		request.Host = c.host
		response := must.Get(http.DefaultClient.Do(request))(t)
		response.Body.Close()
		if response.StatusCode != c.status {
			t.Errorf("host %s, %+v: status %d, want %d", c.host, c.options, response.StatusCode, c.status)
		}
	}
}
