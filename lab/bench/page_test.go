package bench

import (
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

func TestPageWords(t *testing.T) {
	want := []string{"bench", "qaplib", "--peer", "SciPy FAQ=python3 x.py faq", "--seeds", "4"}
	if got := pageWords(`rgm-lab bench qaplib --peer "SciPy FAQ=python3 x.py faq" --seeds 4`); !slices.Equal(got, want) {
		t.Errorf("words %q", got)
	}
}

// TestRenderPage: tables replace those that are there, and a page without one of them is an error.
func TestRenderPage(t *testing.T) {
	error1 := 0.25
	studies := PageStudies{"policy": {Version: "1", Commit: "0123456789", Date: "2026-11-26", Machine: "a machine", Rows: []PageRow{
		{Row: "a", Column: "x", Mean: 1.5, Error: &error1, Digits: 2}, {Row: "b", Column: "y", Mean: 3},
	}}}
	const page = "before\n<!-- bench: policy -->\nold\n<!-- end -->\nafter\n"
	got := must.Get(RenderPage(page, studies))(t)
	for _, want := range []string{"before\n", "| gap in %, one search | x | y |\n|---|---:|---:|\n| a | 1.50 ± 0.25 | – |\n| b | – | 3 |\n", "commit 01234567, 2026-11-26, a machine", "\n    rgm-lab bench qaplib ", "<!-- end -->\nafter\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if again := must.Get(RenderPage(got, studies))(t); again != got {
		t.Errorf("rendered again it is\n%s", again)
	}
	for _, wrong := range []string{"", "<!-- bench: policy -->", "<!-- bench: other -->\n<!-- end -->"} {
		if _, err := RenderPage(wrong, studies); err == nil {
			t.Errorf("%q is no error", wrong)
		}
	}
}
