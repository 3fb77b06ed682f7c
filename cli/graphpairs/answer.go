package graphpairs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Answer is what rgm match prints of a pair: what rgm solve prints, what was compared,
// and what is known of an alignment.
type Answer struct {
	report.Answer
	warnings []string
}

// NewAnswer returns the answer of two graphs that were matched.
func NewAnswer(found rgm.Result, g1, g2 *graphs.Graph) Answer {
	return Answer{Answer: report.Answer{Result: found}, warnings: ambiguous(g1, g2)}
}

// Failure returns the answer of a pair that failed.
func Failure(name string, err error) Answer { return Answer{Answer: report.Failure(name, err)} }

// pairs returns what the matched nodes are called, with the columns of an alignment.
func (a *Answer) pairs() [][]string {
	var pairs [][]string
	var group map[int]int
	if a.Aligned != nil {
		group = groupOf(a.Aligned)
	}
	for i, b := range a.Matching {
		if b == qap.Unmatched {
			continue
		}
		row := []string{nameOf(a.Names1, i), nameOf(a.Names2, b)}
		confidence := ""
		if a.Confidence != nil {
			confidence = strconv.FormatFloat(a.Confidence[i], 'f', 3, 64)
		}
		row = append(row, confidence)
		if a.Aligned != nil {
			row = append(row, cells(&a.Result, i, group)...)
		}
		pairs = append(pairs, row)
	}
	return pairs
}

// columns returns the names of what is known of each match.
func (a *Answer) columns() []string {
	names := []string{"confidence"}
	if a.Aligned != nil {
		names = append(names, columns...)
	}
	return names
}

// nameOf returns what a node is called.
func nameOf(names []string, i int) string { return (&graphs.Graph{Names: names}).NodeName(i) }

// CheckAgainst returns an error unless the answer is a final one of a pair of these graphs.
func (a *Answer) CheckAgainst(name string, g1, g2 *graphs.Graph) error {
	switch {
	case a.Instance != name || a.N1 != g1.Nodes || a.N2 != g2.Nodes || !slices.Equal(a.Names1, g1.Names) || !slices.Equal(a.Names2, g2.Names):
		return fmt.Errorf("it is of %q, %d×%d, whose nodes are not those of the files", a.Instance, a.N1, a.N2)
	case a.Status.Interrupted():
		return errors.New("its search was interrupted")
	case a.Status == "" || a.Method == "" || len(a.Matching) != a.N1:
		return errors.New("it is not complete")
	}
	return nil
}

// Warnings returns what of an answer may be misread.
func (a *Answer) Warnings() []string { return a.warnings }

// ambiguous returns a warning for each graph some of whose nodes have the same name, so
// that a table of names does not tell which of them was matched.
func ambiguous(both ...*graphs.Graph) []string {
	var warnings []string
	for _, g := range both {
		different := make(map[string]struct{}, len(g.Names))
		for _, name := range g.Names {
			different[name] = struct{}{}
		}
		if len(different) < len(g.Names) {
			warnings = append(warnings, fmt.Sprintf("%s: %d nodes share %d names: the matching of --format json tells them apart by number", g.Name, len(g.Names), len(different)))
		}
	}
	return warnings
}

// TSV is the value of --format for CSV with tabs.
const TSV = "tsv"

// Writer prints answers. Close follows the last one.
type Writer interface {
	Write(Answer) error
	Close() error
}

// NewWriter returns the writer of a format for one pair, or for those of folders.
func NewWriter(format string, folders bool, out io.Writer) Writer {
	switch format {
	case report.JSON:
		return jsonWriter{out}
	case report.CSV, TSV:
		w := &csvWriter{out: csv.NewWriter(out), folders: folders}
		if format == TSV {
			w.out.Comma = '\t'
		}
		return w
	}
	return &tableWriter{table: report.NewWriter(report.Table, out), out: out, list: !folders}
}

// jsonWriter prints an object a line.
type jsonWriter struct{ out io.Writer }

func (w jsonWriter) Write(a Answer) error {
	if a.Err != nil {
		return report.NewWriter(report.JSON, w.out).Write(a.Answer)
	}
	return report.WriteJSON(w.out, a)
}

func (w jsonWriter) Close() error { return nil }

// csvWriter prints the matched nodes, a pair a line; of folders the name of the pair of
// graphs comes first. A pair of graphs that failed has no lines. The columns are those of the
// first pair that did not: what only others have is left out or empty.
type csvWriter struct {
	out     *csv.Writer
	folders bool
	width   int // columns but for the name of the pair, 0 until the first line
}

func (w *csvWriter) row(name string, cells []string) {
	for len(cells) < w.width {
		cells = append(cells, "")
	}
	cells = cells[:w.width]
	if w.folders {
		cells = append([]string{name}, cells...)
	}
	w.out.Write(cells) // an error comes again at the next Flush
}

// begin writes the names of the columns, unless they are written.
func (w *csvWriter) begin(a *Answer) {
	if w.width > 0 {
		return
	}
	header := append([]string{"i", "a"}, a.columns()...)
	w.width = len(header)
	w.row("pair", header)
}

func (w *csvWriter) Write(a Answer) error {
	if a.Err == nil {
		w.begin(&a)
		for _, p := range a.pairs() {
			w.row(a.Instance, p)
		}
	}
	w.out.Flush()
	return w.out.Error()
}

func (w *csvWriter) Close() error {
	w.begin(&Answer{})
	w.out.Flush()
	return w.out.Error()
}

// tableWriter prints a table for people and, of one pair of graphs, the matched nodes.
type tableWriter struct {
	table report.Writer
	out   io.Writer
	list  bool
	last  Answer
}

func (w *tableWriter) Write(a Answer) error {
	w.last = a
	return w.table.Write(a.Answer)
}

func (w *tableWriter) Close() error {
	if err := w.table.Close(); err != nil || !w.list || w.last.Err != nil {
		return err
	}
	header := append([]string{"A", "B"}, w.last.columns()...)
	if w.last.Aligned != nil {
		if _, err := fmt.Fprintln(w.out, summary(&w.last.Result)); err != nil {
			return err
		}
	}
	if n := w.last.LeftOut; n > 0 {
		if _, err := fmt.Fprintf(w.out, "%d matches are left out: a node of each more likely has no partner\n", n); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(w.out); err != nil {
		return err
	}
	return report.WriteColumns(w.out, append([][]string{header}, w.last.pairs()...))
}
