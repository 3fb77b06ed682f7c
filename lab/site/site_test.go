package site

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/outside/processes"
)

const repository = "../.."

// built returns a folder with the site.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if n := must.Get(Build(repository, dir))(t); n < 40 {
		t.Fatalf("%d pages", n)
	}
	return dir
}

var (
	leads = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	named = regexp.MustCompile(`\bid="([^"]*)"`)
)

// anchors returns the places of a page that links may name.
func anchors(html []byte) map[string]bool {
	found := map[string]bool{}
	for _, m := range named.FindAllSubmatch(html, -1) {
		found[string(m[1])] = true
	}
	return found
}

// TestLinks: each link leads to a file of the site, a heading of it, the playground, the source or another site; what a
// page loads is its own.
func TestLinks(t *testing.T) {
	dir := built(t)
	site := os.DirFS(dir)
	links := 0
	check := func(from, to string) {
		if strings.Contains(to, "://") || strings.HasPrefix(to, "data:") {
			return
		}
		links++
		file, anchor, _ := strings.Cut(to, "#")
		target := from
		if file != "" {
			target = path.Join(path.Dir(from), file)
		}
		if strings.HasPrefix(target, Playground) {
			return
		}
		html, err := fs.ReadFile(site, target)
		if err != nil || anchor != "" && !anchors(html)[anchor] {
			t.Errorf("%s: %s leads nowhere", from, to)
		}
	}
	err := fs.WalkDir(site, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		html := must.Get(fs.ReadFile(site, name))(t)
		for _, m := range leads.FindAllStringSubmatch(string(html), -1) {
			check(name, m[1])
			if outside := strings.HasPrefix(m[0], "src") && strings.Contains(m[1], "://"); outside {
				t.Errorf("%s loads %s", name, m[1])
			}
			if source, ok := strings.CutPrefix(m[1], Source); ok {
				if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(strings.SplitN(source, "#", 2)[0]))); err != nil {
					t.Errorf("%s: %s is not in the repository", name, source)
				}
			}
		}
		if strings.Contains(string(html), " style=") {
			t.Errorf("%s has styles that its policy forbids", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var sections []section
	if err := json.Unmarshal(must.Get(fs.ReadFile(site, "search.json"))(t), &sections); err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		to := s.Page
		if s.Anchor != "" {
			to += "#" + s.Anchor
		}
		check("index.html", to)
	}
	if links < 2000 || len(sections) < 300 {
		t.Errorf("only %d links, and %d sections", links, len(sections))
	}
}

// TestNavigation: it has each page for users.
func TestNavigation(t *testing.T) {
	var listed []string
	for _, g := range Groups {
		for _, e := range g.Entries {
			listed = append(listed, e.Page)
		}
	}
	for _, pattern := range []string{"docs/*.md", "docs/tutorials/*.md", "*/README.md", "*.md"} {
		for _, file := range must.Get(filepath.Glob(filepath.Join(repository, pattern)))(t) {
			name := filepath.ToSlash(must.Get(filepath.Rel(repository, file))(t))
			if !slices.Contains(listed, name) {
				t.Errorf("%s is not in the navigation", name)
			}
		}
	}
}

// TestElsewhere: a folder that is no repository is an error, and nothing is written.
func TestElsewhere(t *testing.T) {
	dir := t.TempDir()
	if _, err := Build(dir, filepath.Join(dir, "out")); err == nil || !strings.Contains(err.Error(), "want the root") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("the folder is there")
	}
}

// TestInABrowser reads, searches and goes from page to page in Chromium, by keyboard, at two widths, in light and dark.
func TestInABrowser(t *testing.T) {
	const outside = repository + "/serve/outside/"
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	browser := processes.Browser(t, outside)
	t.Parallel()
	server := httptest.NewServer(http.FileServer(http.Dir(built(t))))
	defer server.Close()
	if out, err := exec.Command("node", outside+"site.mjs", browser, server.URL+"/").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
