package report

import (
	"strings"
	"testing"
)

// TestNamesDoNotBreakTables: a name with a newline, a tab or a bar stays in its cell.
func TestNamesDoNotBreakTables(t *testing.T) {
	header, rows := []string{"name", "n"}, [][]string{{"a\nb", "1"}, {"c\td|e", "2"}, {"\x1b[31m", "3"}}
	var table, pairs strings.Builder
	if err := WriteTable(&table, header, rows); err != nil {
		t.Fatal(err)
	}
	if want := "      name  n\n      a\\nb  1\n    c\\td|e  2\n  \\x1b[31m  3\n"; table.String() != want {
		t.Errorf("table\n%s\nwant\n%s", table.String(), want)
	}
	if err := WritePairs(&pairs, [][2]string{{"name", "a\nb"}}); err != nil || pairs.String() != "name  a\\nb\n" {
		t.Errorf("pairs %q, %v", pairs.String(), err)
	}
}
