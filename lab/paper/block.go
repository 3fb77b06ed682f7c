package paper

import (
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/lab/bench"
)

// Block is a piece of a part: a table, a picture or a sentence.
type Block struct {
	Text    string
	Table   *Table
	Picture *Picture
}

// Table is rows of cells; the first column names the rows.
type Table struct {
	Caption string
	Header  []string
	Rows    [][]string
	Printed bool // by others, as it is

	trained  map[string]map[string][]float64           // by columns and rows: what trainings of the seeds 0, 1, … have
	measured map[string]map[string][]bench.MatchingRow // by columns and rows: what their means are of, so that they can be compared pair by pair
}

// measure keeps what the mean in a column is of.
func (t *Table) measure(column, row string, r bench.MatchingRow) {
	if t.measured == nil {
		t.measured = map[string]map[string][]bench.MatchingRow{}
	}
	if t.measured[column] == nil {
		t.measured[column] = map[string][]bench.MatchingRow{}
	}
	t.measured[column][row] = append(t.measured[column][row], r)
}

// drop removes a column.
func (t *Table) drop(column int) {
	t.Header = slices.Delete(t.Header, column, column+1)
	for k := range t.Rows {
		t.Rows[k] = slices.Delete(t.Rows[k], column, column+1)
	}
}

// Picture is an SVG.
type Picture struct {
	Name string // of the file that Markdown shows, without its ending
	Alt  string
	SVG  string
}

func text(format string, values ...any) Block { return Block{Text: fmt.Sprintf(format, values...)} }

// percent writes a number of percent, nothing of nil.
func percent(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.1f", *v)
}

// spread writes a mean and its error or deviation.
func spread(mean float64, deviation *float64, digits int) string {
	text := fmt.Sprintf("%.*f", digits, mean)
	if deviation != nil && !math.IsNaN(*deviation) {
		text += fmt.Sprintf(" ± %.*f", digits, *deviation)
	}
	return text
}
