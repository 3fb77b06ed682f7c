package bench

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/report"
)

// TestNamesDoNotBreakMarkdown: a name with a newline, a tab or a bar stays in its cell.
func TestNamesDoNotBreakMarkdown(t *testing.T) {
	header, rows := []string{"name", "n"}, [][]string{{"a\nb", "1"}, {"c\td|e", "2"}, {"\x1b[31m", "3"}}
	var out strings.Builder
	if err := writeRows(&out, report.Markdown, header, rows); err != nil {
		t.Fatal(err)
	}
	if want := "| name | n |\n| --- | ---: |\n| a\\nb | 1 |\n| c\\td\\|e | 2 |\n| \\x1b[31m | 3 |\n"; out.String() != want {
		t.Errorf("Markdown\n%s\nwant\n%s", out.String(), want)
	}
}
