package graphpairs

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/cli/report"
	"github.com/rgm-go/rgm/qap"
)

// Answer is what rgm match prints of a pair: what rgm solve prints, and Compared.
type Answer struct {
	report.Answer
	Compared
	graph1, graph2 graphs.Graph
}

// Compared is what was compared of two graphs. docs/CLI_JSON.md says what each field
// means.
type Compared struct {
	Edges  string   `json:"edges"`
	Edges1 int      `json:"edges1"`
	Edges2 int      `json:"edges2"`
	Kernel string   `json:"kernel"`
	Scale  string   `json:"scale,omitempty"`
	About  string   `json:"about"`
	Names1 []string `json:"names1,omitempty"`
	Names2 []string `json:"names2,omitempty"`
	Unused []string `json:"unused,omitempty"`
}

// NewAnswer returns the answer of two graphs that were matched.
func NewAnswer(solved report.Answer, g1, g2 graphs.Graph, p graphs.Problem) Answer {
	return Answer{
		Answer: solved, graph1: g1, graph2: g2,
		Compared: Compared{
			Edges: p.Design.Joins.String(), Edges1: len(p.Edges1), Edges2: len(p.Edges2), Kernel: string(p.Design.Kernel), Scale: string(p.Design.Scale), About: p.About,
			Names1: g1.Names, Names2: g2.Names, Unused: unused(g1, g2, p),
		},
	}
}

// unused returns what the files hold and was not compared.
func unused(g1, g2 graphs.Graph, p graphs.Problem) []string {
	all := slices.Clone(p.Unused)
	for _, g := range []graphs.Graph{g1, g2} {
		for _, notice := range g.Notices {
			all = append(all, g.Name+": "+notice)
		}
	}
	return all
}

// Failure returns the answer of a pair that failed.
func Failure(name string, err error) Answer { return Answer{Answer: report.Failure(name, err)} }

// pairs returns what the matched nodes are called.
func (a *Answer) pairs() [][2]string {
	var pairs [][2]string
	for i, b := range a.Matching {
		if b != qap.Unmatched {
			pairs = append(pairs, [2]string{a.graph1.NodeName(i), a.graph2.NodeName(b)})
		}
	}
	return pairs
}

// Ambiguous returns a warning for each graph some of whose nodes have the same name, so
// that a table of names does not tell which of them was matched.
func (a *Answer) Ambiguous() []string {
	var warnings []string
	for _, g := range []graphs.Graph{a.graph1, a.graph2} {
		names := slices.Sorted(slices.Values(g.Names))
		if different := len(slices.Compact(slices.Clone(names))); different < len(names) {
			warnings = append(warnings, fmt.Sprintf("%s: %d nodes share %d names: the matching of --format json tells them apart by number", g.Name, len(names), different))
		}
	}
	return warnings
}

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
	case report.CSV:
		w := csvWriter{csv.NewWriter(out), folders}
		w.out.Write(w.row("pair", "i", "a")) // an error comes again at the next Flush
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
// graphs comes first. A pair of graphs that failed has no lines.
type csvWriter struct {
	out     *csv.Writer
	folders bool
}

func (w csvWriter) row(name, i, a string) []string {
	if w.folders {
		return []string{name, i, a}
	}
	return []string{i, a}
}

func (w csvWriter) Write(a Answer) error {
	if a.Err == nil {
		for _, p := range a.pairs() {
			w.out.Write(w.row(a.Instance, p[0], p[1]))
		}
	}
	return w.Close()
}

func (w csvWriter) Close() error {
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
	if _, err := fmt.Fprintln(w.out); err != nil {
		return err
	}
	return report.WritePairs(w.out, append([][2]string{{"A", "B"}}, w.last.pairs()...))
}
