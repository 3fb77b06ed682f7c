// Package quality holds tests alone: they guard how good results are, so that a change
// that costs quality fails with the numbers side by side.
//
// Each guard has two parts. The mean over its cases may not pass a bound, whatever the
// model or the search. And every case must give the value of testdata/expected.json
// again, since all of it follows from seeds; a change that is meant to change values
// writes them anew, after a look at what it costs:
//
//	go test ./internal/quality -update
//
// The data are the repository's own: QAPLIB and charts of stars, which are real, and
// generated pairs.
package quality

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/must"
)

var update = flag.Bool("update", false, "write the expected values anew")

const expectedFile = "testdata/expected.json"

// A guard measures one method on a set of cases.
type guard struct {
	name    string
	model   string // the shipped model that decides, "" if none does
	unit    string
	most    float64 // bound of the mean, where less is better
	least   float64 // bound of the mean, where more is better
	measure func(t testing.TB, q networks) []value
}

// value is what a case gave: a gap in percent or an F1, and the score or objective,
// which tells more changes apart.
type value struct {
	Case    string  `json:"case"`
	Quality float64 `json:"quality"`
	Score   float64 `json:"score"`
}

// mean returns the mean quality.
func mean(values []value) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v.Quality
	}
	return sum / float64(len(values))
}

// bound says what is wrong with a mean, "" if nothing is.
func (g *guard) bound(values []value) string {
	switch m := mean(values); {
	case math.IsNaN(m), g.most > 0 && m > g.most:
		return fmt.Sprintf("mean %.3f %s, want at most %.3f", m, g.unit, g.most)
	case g.least > 0 && m < g.least:
		return fmt.Sprintf("mean %.3f %s, want at least %.3f", m, g.unit, g.least)
	}
	return ""
}

// rounding is the relative difference that counts as none.
const rounding = 1e-9

// differences lists the cases that are not as expected, the old value beside the new.
func differences(want, got []value) []string {
	if len(want) != len(got) {
		return []string{fmt.Sprintf("%d cases, %d are expected", len(got), len(want))}
	}
	near := func(x, y float64) bool { return math.Abs(x-y) <= rounding*max(1, math.Abs(x)) }
	var lines []string
	for k, w := range want {
		if g := got[k]; w.Case != g.Case || !near(w.Quality, g.Quality) || !near(w.Score, g.Score) {
			lines = append(lines, fmt.Sprintf("%-24s %10.4f → %10.4f   score %.8g → %.8g", g.Case, w.Quality, g.Quality, w.Score, g.Score))
		}
	}
	return lines
}

// readExpected returns the values by guard.
func readExpected(t testing.TB) map[string][]value {
	t.Helper()
	expected := map[string][]value{}
	text, err := os.ReadFile(expectedFile)
	if errors.Is(err, fs.ErrNotExist) && *update {
		return expected
	}
	if err == nil {
		err = json.Unmarshal(text, &expected)
	}
	if err != nil {
		t.Fatal(err)
	}
	return expected
}

// writeExpected writes a case a line.
func writeExpected(t *testing.T, expected map[string][]value) {
	t.Helper()
	var text bytes.Buffer
	text.WriteString("{")
	for k, name := range slices.Sorted(maps.Keys(expected)) {
		separator := ",\n"
		if k == 0 {
			separator = "\n"
		}
		fmt.Fprintf(&text, "%s%q: [", separator, name)
		for k, v := range expected[name] {
			line := must.Get(json.Marshal(v))(t)
			fmt.Fprintf(&text, "%s\n %s", strings.Repeat(",", min(k, 1)), line)
		}
		text.WriteString("\n]")
	}
	text.WriteString("\n}\n")
	if err := atomicfile.Write(expectedFile, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err }); err != nil {
		t.Fatal(err)
	}
}

func TestQuality(t *testing.T) {
	shipped := shippedNetworks(t)
	expected := readExpected(t)
	now := map[string][]value{}
	for _, g := range guards {
		got := g.measure(t, shipped)
		now[g.name] = got
		t.Logf("%-36s mean %8.3f %s over %d", g.name, mean(got), g.unit, len(got))
		if trouble := g.bound(got); trouble != "" {
			t.Errorf("%s: %s", g.name, trouble)
		}
		if *update || runtime.GOARCH != "amd64" { // others may round, and so choose, otherwise
			continue
		}
		if lines := differences(expected[g.name], got); len(lines) > 0 {
			t.Errorf("%s: the mean was %.3f %s, now %.3f; expected → now:\n%s\nif that is meant, go test ./internal/quality -update",
				g.name, mean(expected[g.name]), g.unit, mean(got), strings.Join(lines, "\n"))
		}
	}
	if *update && !t.Failed() {
		writeExpected(t, now)
	}
}
