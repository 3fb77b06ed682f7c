// Package report writes answers: as tables for people and Markdown, and as CSV and JSON for
// programs. docs/CLI_JSON.md is the contract of the latter.
package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// The values of --format; each command says which it has.
const (
	Table    = "table"
	JSON     = "json"
	CSV      = "csv"
	Markdown = "markdown"
	SLN      = "sln" // QAPLIB's solution files, one after another
)

// WriteTable prints aligned columns: the last one to the left, the others, most of
// them numbers, to the right.
func WriteTable(out io.Writer, header []string, rows [][]string) error {
	const gap = 2
	w := tabwriter.NewWriter(out, 0, 0, gap, ' ', tabwriter.AlignRight)
	for _, row := range append([][]string{header}, rows...) {
		last, row := len(row)-1, Visible(row)
		fmt.Fprintf(w, "%s\t%s%s\n", strings.Join(row[:last], "\t"), strings.Repeat(" ", gap), row[last])
	}
	return w.Flush() // the first error of all writes
}

// WritePairs prints names and values, one pair a line.
func WritePairs(out io.Writer, pairs [][2]string) error {
	rows := make([][]string, len(pairs))
	for k := range pairs {
		rows[k] = pairs[k][:]
	}
	return WriteColumns(out, rows)
}

// WriteColumns prints rows with their cells below each other.
func WriteColumns(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(Visible(row), "\t"))
	}
	return w.Flush()
}

// Visible returns cells in which control characters, such as the newline in the name of a
// file, are written as in Go: they would break a table, or reach into the terminal.
func Visible(cells []string) []string {
	shown := slices.Clone(cells)
	for k, cell := range cells {
		if !strings.ContainsFunc(cell, unicode.IsControl) {
			continue
		}
		var text strings.Builder
		for _, r := range cell {
			if unicode.IsControl(r) {
				text.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
			} else {
				text.WriteRune(r)
			}
		}
		shown[k] = text.String()
	}
	return shown
}

// WriteJSON prints objects, one a line.
func WriteJSON[O any](out io.Writer, objects ...O) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // nobody puts this into a web page
	for _, o := range objects {
		if err := encoder.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// WriteCSV prints comma-separated values.
func WriteCSV(out io.Writer, header []string, rows [][]string) error {
	w := csv.NewWriter(out)
	w.Write(header)
	w.WriteAll(rows) // flushes
	return w.Error()
}

// NumberText shows a number to people: whole ones in full, others in 6 digits.
func NumberText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// ExactText writes a number so that it reads back the same.
func ExactText(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// OptionalText writes a number, and nothing where there is none.
func OptionalText(v *float64) string {
	if v == nil {
		return ""
	}
	return ExactText(*v)
}

// The formats of pictures.
const (
	SVG = "svg"
	PNG = "png"
)
