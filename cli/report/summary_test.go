package report

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
)

// TestSummaryByClass: three classes, one without a defined gap, and an instance
// that is not of QAPLIB.
func TestSummaryByClass(t *testing.T) {
	known := func(name string, objective, best, gap float64) Answer {
		return Answer{Result: rgm.Result{Instance: name, Objective: objective, BestKnown: &best, GapPercent: &gap, Seconds: 1}}
	}
	zero := 0.0
	answers := []Answer{
		known("nug12", 578, 578, 0),
		known("chr12a", 10507, 9552, 10),
		{Result: rgm.Result{Instance: "own", Seconds: 100}},
		known("nug14", 1034, 1014, 2),
		{Result: rgm.Result{Instance: "esc16f", BestKnown: &zero, Seconds: 0.5}},
	}
	var out strings.Builder
	if err := writeSummary(&out, answers); err != nil {
		t.Fatal(err)
	}
	var have []string
	for line := range strings.Lines(out.String()) {
		have = append(have, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"", "class instances mean gap % min max at best known seconds",
		"chr 1 10.000 10.000 10.000 0 1.000",
		"esc 1 1 0.500",
		"nug 2 1.000 0.000 2.000 1 2.000",
		"all classes 4 5.500 0.000 10.000 2 3.500", // (10 + 1)/2
	}
	if strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}

	out.Reset()
	if err := writeSummary(&out, answers[:3]); err != nil || out.Len() > 0 {
		t.Errorf("a summary of one instance a class: %v\n%s", err, out.String())
	}
}
