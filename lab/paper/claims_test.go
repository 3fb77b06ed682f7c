package paper

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/lab/bench"
)

// TestBesideThePaper: a difference beyond two standard errors agrees or is the opposite, one within
// is neither, and less may be better.
func TestBesideThePaper(t *testing.T) {
	table := &Table{Header: []string{"method", "mean"}, Rows: [][]string{
		{"a", "70.0 ± 1.0"}, {"b", "66.0 ± 1.0"}, {"c", "69.0 ± 1.0"}, {"d", "60"}, {"e", "50"},
	}}
	ahead := func(better, worse string) []claim {
		return []claim{{says: "S", better: cell{better, "mean"}, worse: cell{worse, "mean"}}}
	}
	for _, c := range []struct {
		better, worse string
		low           bool
		want          string
	}{
		{"a", "b", false, "S (70 against 66): agrees with the paper."},
		{"b", "a", false, "S (66 against 70): opposite to the paper."},
		{"b", "a", true, "S (66 against 70): agrees with the paper."},
		{"a", "c", false, "S (70 against 69): undecided within two standard errors."},
		{"a", "b|c", false, "S (70 against 69): undecided within two standard errors."},
		{"d", "e", false, "S (60 against 50): agrees with the paper, as far as values without errors say."},
		{"a", "absent", false, ""},
	} {
		if have := strings.Join(table.judged(ahead(c.better, c.worse), c.low), " "); have != c.want {
			t.Errorf("%s against %s: %q, want %q", c.better, c.worse, have, c.want)
		}
	}
}

// TestPairedClaims: differences of the same pairs decide what the errors of two means leave open, of trainings beside their own
// errors; other pairs are not compared so.
func TestPairedClaims(t *testing.T) {
	row := func(f1 string) (r bench.MatchingRow) {
		if err := json.Unmarshal([]byte(`{"set":"s","classes":{"k=1":{"f1_by_pair":[`+f1+`]}}}`), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	table := &Table{Header: []string{"method", "mean"}, Rows: [][]string{{"a", "52.0 ± 20.0"}, {"b", "50.0 ± 20.0"}, {"c", "50.0 ± 20.0"}}}
	table.measure("mean", "a", row("22,53,81"))
	table.measure("mean", "b", row("20,50,80"))
	table.measure("mean", "c", row("20,50,80,50"))
	claims := func(worse string) []claim {
		return []claim{{says: "S", better: cell{"a", "mean"}, worse: cell{worse, "mean"}}}
	}
	for _, c := range []struct{ worse, want string }{
		{"b", "S (52 against 50, +2.0 ± 0.6 pair by pair): agrees with the paper."},
		{"c", "S (52 against 50): undecided within two standard errors."},
		{"a", "S (52 against 52, +0.0 ± 0.0 pair by pair): there is no difference on any pair."},
	} {
		if have := strings.Join(table.judged(claims(c.worse), false), " "); have != c.want {
			t.Errorf("%q, want %q", have, c.want)
		}
	}
	twice := &Table{Header: []string{"method", "mean"}, Rows: [][]string{{"a", "52.0 ± 20.0"}, {"b", "50.0 ± 20.0"}}}
	for seed, rows := range [][2]string{{"20,50,80", "19,49,79"}, {"60,90,30", "57,87,27"}} { // trainings of a seed are alike
		for k, f1 := range rows {
			twice.measure("mean", []string{"a", "b"}[k], row(f1))
		}
		if have, want := twice.differenceText("mean", "a", "b"), []string{"+1.0 ± 0.0", "+2.0 ± 1.0 ± 0.0"}[seed]; have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
	table.Header = append(table.Header, trainingsColumn)
	for k := range table.Rows {
		table.Rows[k] = append(table.Rows[k], "4")
	}
	if have := strings.Join(table.judged(claims("b"), false), " "); !strings.Contains(have, "+2.0 ± 14.2 pair by pair): undecided") {
		t.Error(have)
	}
}

// TestLearnt: the deviation of a table of trainings becomes an error by their number; who is not beyond
// two of them has not learnt, and of one training nothing is said.
func TestLearnt(t *testing.T) {
	table := &Table{Header: []string{"variant", "trainings", averageGap}, Rows: [][]string{
		{"good", "4", "0.500 ± 0.200"}, {"noisy", "4", "0.800 ± 0.400"}, {"worse", "4", "2.000 ± 0.200"}, {"one", "1", "0.100"}, {"untrained", "4", "1.000 ± 0.000"}, {"SM, paper", "4", "9 ± 1"},
	}}
	have := strings.Join(table.learnt(control{Row: "untrained", Column: averageGap}, true), " ")
	for _, want := range []string{"two standard errors: good.", "noisy, worse.", "say nothing of what the paper finds: one."} {
		if !strings.Contains(have, want) {
			t.Errorf("%q lacks %q", have, want)
		}
	}
	if strings.Contains(have, "SM") {
		t.Error(have)
	}
}

// TestQuickRowsAreMarked: those that were measured, not those that others printed.
func TestQuickRowsAreMarked(t *testing.T) {
	v := view{Blocks: []Block{{Table: &Table{Rows: [][]string{{"rgm", "1"}, {"RGM (paper)", "2"}}}}, {Table: read().printed("voc")}, {Text: "x"}}}
	v.markQuick()
	if a, b, c := v.Blocks[0].Table.Rows[0][0], v.Blocks[0].Table.Rows[1][0], v.Blocks[1].Table.Rows[0][0]; a != "rgm, quick" || b != "RGM (paper)" || c != "RRWM" {
		t.Errorf("%q %q %q", a, b, c)
	}
}
