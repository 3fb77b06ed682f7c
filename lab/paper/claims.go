package paper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/bench"
)

// A claim is something that the paper finds, as two cells of a part's tables of which the first
// is better.
type claim struct {
	says          string
	better, worse cell
	ours          bool // the paper does not say it: a control that it lacks
}

// A cell is found by its row, or the best of several that | separates, and its column.
type cell struct{ rows, column string }

// control says which rows of a table are trained, all but those of others, and what shows that they
// have learnt: to be better than a row by more than two standard errors.
type control struct {
	Row, Column string
	Others      []string
}

// judged says of each claim of which a table has both cells whether it holds there. low is of parts in
// which less is better.
func (t *Table) judged(claims []claim, low bool) (said []string) {
	for _, c := range claims {
		a, foundA := t.find(c.better, low)
		b, foundB := t.find(c.worse, low)
		if !foundA || !foundB {
			continue
		}
		gain, deviation, paired := t.ahead(a, b, low)
		agrees, opposite, undecided := "agrees with the paper", "opposite to the paper", "undecided within two standard errors"
		if c.ours {
			agrees, opposite = "it is, and the paper has no such control", "it is not, but behind, and the paper has no such control"
		}
		verdict := undecided
		switch beyond := 2 * deviation; {
		case paired && gain == 0 && deviation == 0:
			verdict = "there is no difference on any pair"
		case gain > beyond:
			verdict = agrees
		case gain < -beyond:
			verdict = opposite
		}
		between := ""
		switch {
		case paired:
			between = fmt.Sprintf(", %+.1f ± %.1f pair by pair", gain, deviation)
		case math.IsNaN(a.deviation) && math.IsNaN(b.deviation):
			verdict += ", as far as values without errors say"
		}
		said = append(said, fmt.Sprintf("%s (%.4g against %.4g%s): %s.", c.says, a.mean, b.mean, between, verdict))
	}
	return said
}

// learnt says which trainings of a table have learnt, and of the others that they have not.
func (t *Table) learnt(c control, low bool) (said []string) {
	if c.Column == "" || !slices.Contains(t.Header, c.Column) {
		return nil
	}
	base, found := t.find(cell{c.Row, c.Column}, low)
	if !found {
		return []string{fmt.Sprintf("`%s` was not measured beside them, so that nothing shows whether any has learnt.", c.Row)}
	}
	var has, hasNot, one []string
	for _, row := range t.Rows {
		v, known := t.number(row, c.Column)
		if !known || row[0] == c.Row || slices.Contains(c.Others, row[0]) || isPrinted(row[0]) {
			continue
		}
		switch gain, deviation, _ := t.ahead(v, base, low); {
		case math.IsNaN(v.deviation):
			one = append(one, row[0])
		case gain > 2*deviation:
			has = append(has, row[0])
		default:
			hasNot = append(hasNot, row[0])
		}
	}
	if len(has) > 0 {
		said = append(said, fmt.Sprintf("Learnt, better than `%s` by more than two standard errors: %s.", c.Row, strings.Join(has, ", ")))
	}
	if len(hasNot) > 0 {
		said = append(said, fmt.Sprintf("Not better than `%s` by more than two standard errors, so that they have not learnt at this budget and say nothing of what the paper finds: %s.", c.Row, strings.Join(hasNot, ", ")))
	}
	if len(one) > 0 {
		said = append(said, "One training each, so that learning cannot be told from chance, and they say nothing of what the paper finds: "+strings.Join(one, ", ")+".")
	}
	return said
}

// value is what a row has in a column. The deviation is the standard error of the mean, NaN where it is not known.
type value struct {
	row, column     string
	mean, deviation float64
}

// find returns the best value of a cell's rows.
func (t *Table) find(c cell, low bool) (best value, found bool) {
	for _, row := range t.Rows {
		if !slices.Contains(strings.Split(c.rows, "|"), row[0]) {
			continue
		}
		if v, known := t.number(row, c.column); known && (!found || (v.mean > best.mean) != low) {
			best, found = v, true
		}
	}
	return best, found
}

// ahead returns by how much a value is better than another of the same column, with the standard error of that.
// Where both are means over the same pairs it is that of the differences, pair by pair; that of several trainings, seed by
// seed where they have as many, comes on top.
func (t *Table) ahead(v, other value, low bool) (gain, deviation float64, paired bool) {
	gain, deviation = v.mean-other.mean, math.Hypot(orZero(v.deviation), orZero(other.deviation))
	if difference, overSeeds, same := t.bySeed(v.column, v.row, other.row); same {
		gain, deviation = difference, overSeeds
	}
	rows, others := t.measured[v.column][v.row], t.measured[v.column][other.row]
	if difference, overPairs, same := bench.Ahead(rows, others); same {
		gain, paired = difference, true
		overTrainings, several := overTrainings(rows, others)
		switch {
		case several:
			deviation = math.Hypot(overTrainings, overPairs)
		case slices.Contains(t.Header, trainingsColumn):
			deviation = math.Hypot(deviation, overPairs)
		default:
			deviation = overPairs
		}
	}
	if low {
		gain = -gain
	}
	return gain, deviation, paired
}

// bySeed returns by how much the trainings of a row have more in a column than those of another of the same seeds, and the standard error.
func (t *Table) bySeed(column, row, other string) (difference, deviation float64, same bool) {
	a, b := t.trained[column][row], t.trained[column][other]
	if len(a) != len(b) || len(a) < 2 {
		return 0, 0, false
	}
	differences := make([]float64, len(a))
	for k := range a {
		differences[k] = a[k] - b[k]
	}
	return statistics.Mean(differences), statistics.ErrorOfMean(differences), true
}

// overTrainings returns the standard error of the mean difference over trainings: of the same seed, or beside one row without.
func overTrainings(rows, others []bench.MatchingRow) (deviation float64, several bool) {
	n := max(len(rows), len(others))
	if n < 2 || min(len(rows), len(others)) != 1 && len(rows) != len(others) {
		return 0, false
	}
	differences := make([]float64, n)
	for k := range differences {
		differences[k], _, _ = bench.Ahead(rows[k%len(rows):][:1], others[k%len(others):][:1])
	}
	return statistics.ErrorOfMean(differences), true
}

// differenceText writes by how much a row is ahead of another in a column, with its standard errors over trainings and over
// pairs; nothing where it has no pairs in common with it.
func (t *Table) differenceText(column, row, other string) string {
	rows, others := t.measured[column][row], t.measured[column][other]
	gain, overPairs, same := bench.Ahead(rows, others)
	if !same || row == other {
		return ""
	}
	if deviation, several := overTrainings(rows, others); several {
		return fmt.Sprintf("%+.1f ± %.1f ± %.1f", gain, deviation, overPairs)
	}
	return fmt.Sprintf("%+.1f ± %.1f", gain, overPairs)
}

// trainingsColumn is how many trainings a row is the mean of.
const trainingsColumn = "trainings"

// number reads "1.5 ± 0.2" in a column of a row. What stands after ± is a standard error or, in tables of
// trainings, their deviation; the error of a single training is not known, NaN.
func (t *Table) number(row []string, column string) (v value, found bool) {
	k := slices.Index(t.Header, column)
	if k < 0 {
		return v, false
	}
	words := strings.Fields(row[k])
	if len(words) == 0 {
		return v, false
	}
	mean, err := strconv.ParseFloat(words[0], 64)
	deviation := math.NaN()
	if len(words) == 3 && words[1] == "±" {
		deviation, _ = strconv.ParseFloat(words[2], 64)
	}
	if n := slices.Index(t.Header, trainingsColumn); n >= 0 {
		count, _ := strconv.ParseFloat(row[n], 64)
		deviation /= math.Sqrt(count)
	}
	return value{row[0], column, mean, deviation}, err == nil
}

// orZero returns a standard error, 0 for one that is not known.
func orZero(deviation float64) float64 {
	if math.IsNaN(deviation) {
		return 0
	}
	return deviation
}

// isPrinted reports whether a row is of another publication.
func isPrinted(label string) bool {
	return strings.HasSuffix(label, "paper)") || strings.HasSuffix(label, ", paper") || strings.HasSuffix(label, "(pygmtools)")
}

// beside returns what a part's tables say beside the paper, "" for nothing.
func (p *Part) beside(blocks []Block) string {
	var said []string
	for _, b := range blocks {
		if b.Table == nil {
			continue
		}
		says := append(b.Table.judged(p.Claims, p.Low), b.Table.learnt(p.Control, p.Low)...)
		if len(says) > 0 && b.Table.Caption != "" {
			says[0] = b.Table.Caption + ": " + says[0]
		}
		said = append(said, says...)
	}
	if p.Apart != "" {
		said = append(said, p.Apart)
	}
	if len(blocks) == 0 || len(said) == 0 {
		return ""
	}
	return "Beside the paper: " + strings.Join(said, " ")
}
