package paper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
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
		a, errorA, foundA := t.find(c.better, low)
		b, errorB, foundB := t.find(c.worse, low)
		if !foundA || !foundB {
			continue
		}
		gain := a - b
		if low {
			gain = -gain
		}
		agrees, opposite, undecided := "agrees with the paper", "opposite to the paper", "undecided within two standard errors"
		if c.ours {
			agrees, opposite = "it is, and the paper has no such control", "it is not, but behind, and the paper has no such control"
		}
		verdict := undecided
		switch beyond := 2 * math.Hypot(orZero(errorA), orZero(errorB)); {
		case gain > beyond:
			verdict = agrees
		case gain < -beyond:
			verdict = opposite
		}
		if math.IsNaN(errorA) && math.IsNaN(errorB) {
			verdict += ", as far as values without errors say"
		}
		said = append(said, fmt.Sprintf("%s (%.4g against %.4g): %s.", c.says, a, b, verdict))
	}
	return said
}

// learnt says which trainings of a table have learnt, and of the others that they have not.
func (t *Table) learnt(c control, low bool) (said []string) {
	if c.Column == "" || !slices.Contains(t.Header, c.Column) {
		return nil
	}
	base, baseError, found := t.find(cell{c.Row, c.Column}, low)
	if !found {
		return []string{fmt.Sprintf("`%s` was not measured beside them, so that nothing shows whether any has learnt.", c.Row)}
	}
	var has, hasNot, one []string
	for _, row := range t.Rows {
		v, e, known := t.number(row, c.Column)
		if !known || row[0] == c.Row || slices.Contains(c.Others, row[0]) || isPrinted(row[0]) {
			continue
		}
		switch {
		case math.IsNaN(e):
			one = append(one, row[0])
		case (v > base) != low && math.Abs(v-base) > 2*math.Hypot(e, orZero(baseError)):
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

// find returns the best value of a cell's rows, with its standard error, NaN where none is known.
func (t *Table) find(c cell, low bool) (value, deviation float64, found bool) {
	for _, row := range t.Rows {
		if !slices.Contains(strings.Split(c.rows, "|"), row[0]) {
			continue
		}
		if v, e, known := t.number(row, c.column); known && (!found || (v > value) != low) {
			value, deviation, found = v, e, true
		}
	}
	return value, deviation, found
}

// number reads "1.5 ± 0.2" in a column of a row. What stands after ± is a standard error or, in tables of
// trainings, their deviation; the error of a single training is not known, NaN.
func (t *Table) number(row []string, column string) (value, deviation float64, found bool) {
	k := slices.Index(t.Header, column)
	if k < 0 {
		return 0, 0, false
	}
	words := strings.Fields(row[k])
	if len(words) == 0 {
		return 0, 0, false
	}
	value, err := strconv.ParseFloat(words[0], 64)
	deviation = math.NaN()
	if len(words) == 3 && words[1] == "±" {
		deviation, _ = strconv.ParseFloat(words[2], 64)
	}
	if n := slices.Index(t.Header, "trainings"); n >= 0 {
		count, _ := strconv.ParseFloat(row[n], 64)
		deviation /= math.Sqrt(count)
	}
	return value, deviation, err == nil
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
