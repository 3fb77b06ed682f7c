package serve_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

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
