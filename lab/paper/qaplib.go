package paper

import (
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/lab/bench"
)

// showGaps shows a table of each of the part's, and what other programs reach.
func showGaps(_ *Part, d *partData, results Results) (blocks []Block) {
	for _, t := range d.Tables {
		rows := qaplibRows(results, t.Units...)
		if !t.Printed {
			rows = measuredRows(rows)
		}
		if len(rows) > 0 {
			blocks = append(blocks, Block{Table: byMethod(t.Caption, rows)})
		}
	}
	return append(blocks, Block{Table: read().printed("programs")})
}

// qaplibRows returns rows of bench qaplib, those of the paper once and first.
func qaplibRows(results Results, units ...string) []bench.QAPLIBRow {
	var printed, measured []bench.QAPLIBRow
	for _, name := range units {
		rows := rowsOf[bench.QAPLIBRow](results, name)
		printed = slices.DeleteFunc(slices.Clone(rows), func(r bench.QAPLIBRow) bool { return r.Source != bench.SourcePaper })
		measured = append(measured, measuredRows(rows)...)
	}
	return append(printed, measured...)
}

func measuredRows(rows []bench.QAPLIBRow) []bench.QAPLIBRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r bench.QAPLIBRow) bool { return r.Source == bench.SourcePaper })
}

// byMethod shows a row a class and a column a method.
func byMethod(caption string, rows []bench.QAPLIBRow) *Table {
	t := &Table{Caption: caption, Header: []string{"class"}}
	var classes []string
	for _, r := range rows {
		label := r.Series()
		if r.Source == bench.SourcePaper {
			label += ", paper"
		}
		t.Header = append(t.Header, label)
		for class := range r.Classes {
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	slices.Sort(classes)
	line := func(name string, cell func(bench.QAPLIBRow) string) {
		cells := []string{name}
		for _, r := range rows {
			cells = append(cells, cell(r))
		}
		t.Rows = append(t.Rows, cells)
	}
	for _, class := range classes {
		line(class, func(r bench.QAPLIBRow) string {
			if _, there := r.Classes[class]; !there {
				return ""
			}
			return fmt.Sprintf("%s (%s–%s)", gap(r.Classes[class]), gap(r.ClassesMin[class]), gap(r.ClassesMax[class]))
		})
	}
	line("average", func(r bench.QAPLIBRow) string { return spread(r.Average, r.AverageSD, 2) })
	line("as printed", func(r bench.QAPLIBRow) string { return optional("%.1f", r.Printed, 1) })
	line("instances × seeds", func(r bench.QAPLIBRow) string {
		if len(r.Instances) == 0 {
			return ""
		}
		return fmt.Sprintf("%d × %d", len(r.Instances), r.Seeds)
	})
	line("s an instance", func(r bench.QAPLIBRow) string { return optional("%.3g", r.SecondsPerInstance, 1) })
	return t
}

// gap writes a gap in percent.
func gap(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// showRewriting shows every method without and with local rewriting.
func showRewriting(_ *Part, _ *partData, results Results) []Block {
	t := read().printed("rewriting")
	for _, method := range []string{"classical", "skja", "ngm", "irrevocable", "policies"} {
		for _, way := range []struct{ name, after string }{{"", ""}, {"-lr", " + LR"}, {"-picked", " + learned LR"}} {
			for _, r := range measuredRows(rowsOf[bench.QAPLIBRow](results, "qaplib-"+method+way.name)) {
				if method == "classical" && r.Method != "sm" && r.Method != "rrwm" {
					continue
				}
				least, largest := 0.0, 0.0
				for class := range r.Classes {
					least += r.ClassesMin[class] / float64(len(r.Classes))
					largest += r.ClassesMax[class] / float64(len(r.Classes))
				}
				t.Rows = append(t.Rows, []string{r.Series() + way.after, optional("%.3g", r.SecondsPerInstance, 1), gap(r.Average), gap(least), gap(largest)})
			}
		}
	}
	return []Block{{Table: t}}
}
