package serve

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/table"
)

// fuzzLimits keep an input from being slow; what is bounded is bounded by them.
var fuzzLimits = rgm.Limits{Nodes: 12, EdgePairs: maxEdgePairs, Comparisons: maxComparisons}

// fuzzedBy prepares what was read; its networks are never opened.
var fuzzedBy = func() *rgm.Solver {
	s, err := rgm.Open(rgm.Config{})
	if err != nil {
		panic(err) // the configuration is this one
	}
	return s
}()

// fuzzed reads what a service without models takes.
var fuzzed = &decoder{request.Decoder{Choices: table.Choices{"format": request.Formats()}}}

// whole is a body that is at hand.
type whole struct{ io.Reader }

func (whole) readAll(in io.Reader, text []byte) ([]byte, error) {
	more, err := io.ReadAll(in)
	return append(text, more...), err
}

// checkRequest fails unless a request that was read can be used and travels through
// a queue unchanged, and an error is a problem of the client.
func checkRequest(t *testing.T, r *request.Request, err error) {
	if err == nil {
		var todo *task
		if err = limitTime(r, time.Second, time.Minute); err == nil {
			todo, err = newTask(context.Background(), fuzzedBy, r, fuzzLimits)
		}
		if err == nil {
			checkTravels(t, r, todo.Problem)
		}
	}
	if p := problemOf(err); err != nil && (p.Status < 400 || p.Status > 422 || p.Detail == "") {
		t.Fatalf("not a client's problem: %#v", err)
	}
}

func checkTravels(t *testing.T, r *request.Request, of *rgm.Problem) {
	payload := must.Get(r.Encode())(t)
	back := must.Get(request.DecodeRequest(payload))(t)
	same := must.Get(back.Problem(context.Background(), fuzzedBy, fuzzLimits))(t)
	n1, n2 := of.Size()
	m1, m2 := same.Size()
	again, err := back.Encode()
	if err != nil || n1 != m1 || n2 != m2 || (of.Alignment == nil) != (same.Alignment == nil) || of.Instance != nil && of.Instance.Complete != same.Instance.Complete || !bytes.Equal(payload, again) {
		t.Fatalf("%d×%d became %d×%d: %v", n1, n2, m1, m2, err)
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"instance":{"kind":"qaplib","name":"nug12"},"options":{"time_limit":"20ms","seed":7,"fix":["0:1"],"target":1}}`,
		`{"instance":{"kind":"affinity","n1":2,"n2":1,"k":[[1,0],[0,2]]},"options":{"inliers":1,"regularize":"mean:2"}}`,
		`{"instance":{"kind":"sparse","n1":2,"n2":2,"rows":[0,3],"cols":[3,0],"values":[1,1e-3]},"options":{"complete":true}}`,
		`{"instance":{"kind":"qap","a":[[0,1],[1,0]],"b":[[0,3],[3,0]],"linear":[[0,1],[1,0]]},"options":{"initial":[1,0]}}`,
		`{"instance":{"kind":"graphs","graph1":{"points":[[0,0],[1,0]],"edges":[[0,1]],"features":[[1],[2]]},"graph2":{"points":[[0,1]],"features":[[3]]}}}`,
		`{"instance":{"kind":"affinity","k":[[1,2],[3]]}}`, `{"instance":[[[[[[]]]]]]}`, `null`, `{"instance":null}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, _, err := fuzzed.readJSONRequest(whole{bytes.NewReader(text)}, url.Values{}, nil)
		checkRequest(t, r, err)
	})
}

func FuzzFile(f *testing.F) {
	f.Add("format=dat&seed=1&name=x", []byte("2\n0 1\n1 0\n0 3\n3 0\n"))
	f.Add("format=dd&fix=0:1,1:0&time_limit=0.5", []byte("p 2 2 2 0\na 0 0 0 1\na 1 1 1 2\n"))
	f.Add("format=npy&n1=2&n2=2&order=col&sense=min&target=3", []byte("\x93NUMPY\x01\x00"))
	f.Add("format=json&initial=[0]", []byte(`{"kind":"affinity","k":[[1]]}`))
	f.Fuzz(func(t *testing.T, query string, text []byte) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		r, _, err := fuzzed.readFileRequest(whole{bytes.NewReader(text)}, values, []string{"matching"})
		checkRequest(t, r, err)
	})
}

func FuzzForm(f *testing.F) {
	f.Add([]byte("--x\r\nContent-Disposition: form-data; name=\"instance\"; filename=\"small.dat\"\r\n\r\n1\n0\n0\n" +
		"\r\n--x\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n{\"max_steps\":10}\r\n--x--\r\n"))
	f.Add([]byte("--x\r\nContent-Disposition: form-data; name=\"instance\"; filename=\"smal\x98.dat\"\r\n\r\n1\n0\n0\n\r\n--x\r\nContent-Disposition: fo"))
	f.Add([]byte("--x\r\nContent-Disposition: form-data; name=\"instance\"; filename=\"small.dat\"\r\n\r\n")) // ends within the file
	f.Add([]byte("--x\r\nContent-Disposition: form-data; name=\"seed\"\r\n\r\n1\r\n--x--\r\n"))
	f.Add([]byte("--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x.edgelist\"\r\n\r\n0 1\n1 2\n" +
		"\r\n--x\r\nContent-Disposition: form-data; name=\"b\"; filename=\"y.csv\"\r\n\r\nsource,target,weight\na,b,1\nb,c,2\n\r\n--x--\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, _, err := fuzzed.readFormRequest(whole{bytes.NewReader(text)}, url.Values{}, "x", nil)
		checkRequest(t, r, err)
	})
}

// FuzzPayload: what a worker finds in a queue is read as warily.
func FuzzPayload(f *testing.F) {
	f.Add([]byte("{\"format\":\"json\"}\n{\"kind\":\"qaplib\",\"name\":\"nug12\"}"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		if r, err := request.DecodeRequest(payload); err == nil {
			r.Problem(context.Background(), fuzzedBy, fuzzLimits)
		}
	})
}
