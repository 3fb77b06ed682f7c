package bench

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// root is the repository's.
const root = "../.."

// TestPageIsItsData: the page's tables are those of the file of data.
func TestPageIsItsData(t *testing.T) {
	page := string(must.Get(os.ReadFile(filepath.Join(root, PageFile)))(t))
	if must.Get(RenderPage(page, must.Get(ReadPageStudies(root))(t)))(t) != page {
		t.Error("rgm-lab bench page --render would change the page")
	}
}

// TestReadmeIsOnThePage: every result of README is one of the file of data.
func TestReadmeIsOnThePage(t *testing.T) {
	readme := string(must.Get(os.ReadFile(filepath.Join(root, "README.md")))(t))
	_, results, _ := strings.Cut(readme, "\n## Results\n")
	results, _, _ = strings.Cut(results, "\n## ")
	var texts []string
	for _, study := range must.Get(ReadPageStudies(root))(t) {
		for _, row := range study.Rows {
			texts = append(texts, row.Text())
		}
	}
	found := regexp.MustCompile(`\d+\.\d+( ± \d+\.\d+)?`).FindAllString(results, -1)
	if len(found) < 10 {
		t.Fatalf("README has the results %q", found)
	}
	for _, figure := range found {
		if !slices.Contains(texts, figure) {
			t.Errorf("README says %s, which %s does not have", figure, PageData)
		}
	}
}

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
	for _, want := range []string{"before\n", "|gap in %, one search|x|y|\n|---|--:|--:|\n|a|1.50 ± 0.25|–|\n|b|–|3|\n", "Version 1, 01234567, 2026-11-26, a machine", "\n    rgm-lab bench page --studies policy\n", "<!-- end -->\nafter\n"} {
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
