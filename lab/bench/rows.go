package bench

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rgm-go/rgm/cli/report"
)

// writeRows writes rows below a header in a format: CSV, Markdown, or else as a table.
func writeRows(out io.Writer, format string, header []string, rows [][]string) error {
	switch format {
	case report.CSV:
		return report.WriteCSV(out, header, rows)
	case report.Markdown:
		return WriteMarkdown(out, header, rows)
	}
	return report.WriteTable(out, header, rows)
}

// WriteMarkdown prints a table of GitHub's Markdown.
func WriteMarkdown(out io.Writer, header []string, rows [][]string) error {
	var text strings.Builder
	line := func(cells []string) {
		var escaped []string
		for _, cell := range report.Visible(cells) {
			escaped = append(escaped, strings.ReplaceAll(cell, "|", `\|`))
		}
		fmt.Fprintf(&text, "| %s |\n", strings.Join(escaped, " | "))
	}
	line(header)
	rule := []string{"---"}
	for range header[1:] {
		rule = append(rule, "---:")
	}
	line(rule)
	for _, row := range rows {
		line(row)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// known returns a number for a field that is absent where there is none: of NaN nil.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
