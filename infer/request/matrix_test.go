package request

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnknownNumbers: null is an unknown coordinate or feature of a node, and an error elsewhere.
func TestUnknownNumbers(t *testing.T) {
	var d Decoder
	var g Graph
	text := `{"points":[[1,2],[null,3]],"features":[[null],[4]],"edges":[[0,1]]}`
	if err := d.Decode([]byte(text), &g, ""); err != nil || fmt.Sprint(g.Points.rows(), g.Features.rows()) != "[[1 2] [NaN 3]] [[NaN] [4]]" {
		t.Errorf("%v, %v", g, err)
	}
	for _, text := range []string{`{"edges":[[0,null]]}`, `{"points":[[1,"2"]]}`, `{"edge_features":[[null]]}`} {
		if err := d.Decode([]byte(text), new(Graph), ""); err == nil || !strings.Contains(err.Error(), "want a number") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
