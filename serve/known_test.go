package serve_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/serve"
)

// TestKnownPairs: a form names pairs that are right and nodes that are alike, by what its files
// call them; what nothing else tells apart is told apart by them.
func TestKnownPairs(t *testing.T) {
	s := start(t, serve.Options{})
	const ring1, ring2 = "a b\nb c\nc d\nd e\ne f\nf a\n", "A B\nB C\nC D\nD E\nE F\nF A\n"
	body := graphForm("x.edges", ring1, "y.edges", ring2, `{"method":"align","max_steps":20000}`)
	want := []any{2., 3., 4., 5., 0., 1.}
	for name, form := range map[string]string{
		"known": withPart("known", "a C\nb D\n", body), "alike": withPart("similarity", "a C 2\nb D 2\n", body),
		"both": withPart("known", "a C\n", withPart("similarity", "b D 1\n", body)),
	} {
		status, _, found := s.ask(http.MethodPost, "/v1/solve", "multipart/form-data; boundary=x", form)
		if m, _ := found["matching"].([]any); status != http.StatusOK || !slices.Equal(m, want) {
			t.Errorf("%s: %d, %v, want the matching %v", name, status, fmt.Sprint(found), want)
		}
	}
}

// TestGraphMethodsKeepKnownPairs: so do all methods of graphs, told of them in the options.
func TestGraphMethodsKeepKnownPairs(t *testing.T) {
	s := start(t, serve.Options{})
	for _, method := range rgm.GraphMethods() {
		body := graphForm("x.edges", "a b\nb c\nc d\nd e\ne a\n", "y.edges", "A B\nB C\nC D\nD E\nE A\n", fmt.Sprintf(`{"method":%q,"max_steps":1000,"fix":["0:3","1:2"]}`, method))
		status, _, found := s.ask(http.MethodPost, "/v1/solve", "multipart/form-data; boundary=x", body)
		if m, _ := found["matching"].([]any); status != http.StatusOK || len(m) != 5 || m[0] != 3. || m[1] != 2. {
			t.Errorf("%s: %d, %v", method, status, found)
		}
	}
}

// TestWhatIsCompared: JSON says how alike nodes are, which attribute of edges is their weight and which points are
// joined, as flags of rgm match do.
func TestWhatIsCompared(t *testing.T) {
	s := start(t, serve.Options{})
	ask := func(what, instance, options string) map[string]any {
		status, _, found := s.ask(http.MethodPost, "/v1/solve", "application/json", `{"instance":`+instance+`,"options":`+options+`}`)
		if status != http.StatusOK {
			t.Errorf("%s: %d, %v", what, status, found)
		}
		return found
	}
	const ring = `{"edges":[[0,1],[1,2],[2,3],[3,4],[4,5],[5,0]]}`
	found := ask("similarity", `{"kind":"graphs","graph1":`+ring+`,"graph2":`+ring+`}`, `{"similarity":[[0,2,2],[1,3,2]],"max_steps":20000}`)
	if m, _ := found["matching"].([]any); !slices.Equal(m, []any{2., 3., 4., 5., 0., 1.}) {
		t.Errorf("by similarities %v", m)
	}
	const points = `{"points":[[0,0],[3,0],[3,1],[0,5],[7,7]]}`
	found = ask("edges", `{"kind":"graphs","graph1":`+points+`,"graph2":`+points+`}`, `{"edges":"knn:2","node_weight":0}`)
	if found["edges"] != "knn:2" {
		t.Errorf("edges %v, want knn:2", found["edges"])
	}
	const graphML = `<graphml><key id="k" for="edge" attr.name="length" attr.type="double"/><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>` +
		`<edge source="a" target="b"><data key="k">1</data></edge><edge source="b" target="c"><data key="k">2</data></edge></graph></graphml>`
	status, _, found := s.ask(http.MethodPost, "/v1/solve", "multipart/form-data; boundary=x", graphForm("x.graphml", graphML, "y.graphml", graphML, `{"weight":"length","kernel":"weight"}`))
	if status != http.StatusOK || found["kernel"] != "weight" {
		t.Errorf("weight: %d, %v", status, found)
	}
	status, _, found = s.ask(http.MethodPost, "/v1/solve", "multipart/form-data; boundary=x", graphForm("x.graphml", graphML, "y.graphml", graphML, `{"weight":"girth"}`))
	if status != http.StatusUnprocessableEntity {
		t.Errorf("an attribute that there is none of: %d, %v", status, found)
	}
}
