package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"github.com/rgm-go/rgm/cli"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve"
)

// edgeLists returns two graphs of n nodes: three edges a node to nodes before it, and the same with
// the nodes in another order and a hundredth of the edges elsewhere.
func edgeLists(n int) (a, b string) {
	rng := rand.New(rand.NewPCG(5, 7))
	order := rng.Perm(n)
	lines := [2]map[string]bool{{}, {}} // each edge once
	for i := 1; i < n; i++ {
		for range 3 {
			j := rng.IntN(i)
			lines[0][fmt.Sprintf("%d %d\n", i, j)] = true
			if rng.IntN(100) == 0 {
				j = (j + 1) % i
			}
			lines[1][fmt.Sprintf("%d %d\n", order[i], order[j])] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(lines[0])), ""), strings.Join(slices.Sorted(maps.Keys(lines[1])), "")
}

// TestServiceMatchesAsMatch: two plain graphs of 300 nodes that are sent to the service, as files
// and as JSON, have the answer of rgm match of the same seed and steps.
func TestServiceMatchesAsMatch(t *testing.T) {
	a, b := edgeLists(300)
	fileA, fileB := filepath.Join(t.TempDir(), "a.edges"), filepath.Join(t.TempDir(), "b.edges")
	for path, text := range map[string]string{fileA: a, fileB: b} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := cli.Root(console.Discard())
	root.SetArgs([]string{"match", "--format", "json", "--seed", "3", "--max-steps", "200000", "--threads", "1", fileA, fileB})
	var out bytes.Buffer
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := must.Get(rgm.Open(rgm.Config{}))(t)
	defer p.Close()
	handler := serve.NewHandler(p, serve.Options{})
	defer handler.Close()
	want := answerOf(t, out.Bytes())
	if want["method"] != rgm.MethodAlign || want["shared_edges"].(float64) < 800 || len(want["sure"].([]any)) != 300 {
		t.Fatalf("rgm match: %v", want)
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	parts.WriteField("options", `{"seed":3,"max_steps":200000}`)
	for _, file := range [][2]string{{"a", a}, {"b", b}} {
		part := must.Get(parts.CreateFormFile(file[0], file[0]+".edges"))(t)
		part.Write([]byte(file[1]))
	}
	parts.Close()
	asJSON := func(list string) string {
		return `{"nodes":300,"edges":[[` + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(list), " ", ","), "\n", "],[") + `]]}`
	}
	for media, body := range map[string]string{
		parts.FormDataContentType(): form.String(),
		"application/json":          `{"instance":{"kind":"graphs","name":"a-b","graph1":` + asJSON(a) + `,"graph2":` + asJSON(b) + `},"options":{"seed":3,"max_steps":200000}}`,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/v1/solve", strings.NewReader(body))
		r.Header.Set("Content-Type", media)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if got := answerOf(t, w.Body.Bytes()); w.Code != http.StatusOK || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d %v, want %v", media, w.Code, got, want)
		}
	}
}

// answerOf returns the fields of an answer but for how long it took.
func answerOf(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	delete(fields, "seconds")
	return fields
}
