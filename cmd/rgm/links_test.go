package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/internal/must"
)

// slug is what GitHub makes of a heading for links to it.
func slug(heading string) string {
	heading = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(heading, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

// TestLinks: every link within the repository leads to a file that is there and, where it names
// a heading, to one that the page has.
func TestLinks(t *testing.T) {
	fenced := regexp.MustCompile("(?ms)^```.*?^```")
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	read := func(page string) string {
		text := must.Get(os.ReadFile(page))(t)
		return fenced.ReplaceAllString(string(text), "")
	}
	for _, page := range append(clitest.DocsPages(t), "../../CHANGELOG.md", "../../datasets/qaplib/README.md") {
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(read(page), -1) {
			path, anchor, _ := strings.Cut(link[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", page, link[1])
				continue
			}
			leads := func(h []string) bool { return slug(h[1]) == anchor }
			if anchor != "" && !slices.ContainsFunc(heading.FindAllStringSubmatch(read(target), -1), leads) {
				t.Errorf("%s: %s: no such heading", page, link[1])
			}
		}
	}
}
