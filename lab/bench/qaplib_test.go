package bench

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
)

// TestPaperRows: the means of the printed class means. The one of RGM is 31.9,
// where the paper prints 35.8.
func TestPaperRows(t *testing.T) {
	want := map[string]float64{"SM": 131.73, "RRWM": 141.73, "SK-JA": 54.89, "NGM": 45.81, "RGM": 31.87}
	rows := PaperRows(paperClasses)
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
	for _, row := range rows {
		if math.Abs(row.Average-want[row.Method]) > 0.005 {
			t.Errorf("%s: average %.2f, want %.2f", row.Method, row.Average, want[row.Method])
		}
	}
	for _, row := range rows {
		for _, class := range paperClasses {
			if least, m, most := row.ClassesMin[class], row.Classes[class], row.ClassesMax[class]; least > m || m > most {
				t.Errorf("%s on %s: mean %v outside of %v to %v", row.Method, class, m, least, most)
			}
		}
	}
	rows = PaperRows([]string{"nug", "wil"})
	if last := rows[len(rows)-1]; math.Abs(last.Average-8.9) > 1e-9 || len(last.Classes) != 2 {
		t.Errorf("RGM on nug and wil: %+v", last)
	}
}

// TestRowAveragesOverClasses: two classes, one of two instances, with two seeds.
func TestRowAveragesOverClasses(t *testing.T) {
	m := QAPLIB{settings: &QAPLIBSettings{Seeds: 2}}
	for _, name := range []string{"chr12a", "nug12", "nug14"} {
		in := must.Get(qaplib.Open(name))(t)
		m.instances = append(m.instances, in)
	}
	row := m.row([]outcome{ // gaps by instance, then seed
		{gap: 10, seconds: 1}, {gap: 20, seconds: 1},
		{gap: 0, seconds: 2}, {gap: 2, seconds: 2},
		{gap: 4, seconds: 3}, {gap: 6, seconds: 3},
	})
	// Averages over the classes: (10+2)/2 = 6 with the first seed, (20+4)/2 = 12
	// with the second.
	if row.Classes["chr"] != 15 || row.Classes["nug"] != 3 || row.Average != 9 {
		t.Errorf("classes %v, average %v; want chr 15, nug 3, average 9", row.Classes, row.Average)
	}
	if row.ClassesMin["chr"] != 10 || row.ClassesMax["chr"] != 20 || row.ClassesMin["nug"] != 0 || row.ClassesMax["nug"] != 6 {
		t.Errorf("least %v, largest %v; want chr 10 to 20, nug 0 to 6", row.ClassesMin, row.ClassesMax)
	}
	if sd := *row.AverageSD; math.Abs(sd-math.Sqrt(18)) > 1e-12 {
		t.Errorf("standard deviation %v, want √18", sd)
	}
	if *row.Seconds != 12 || *row.SecondsPerInstance != 2 {
		t.Errorf("%v s, %v a run; want 12 and 2", *row.Seconds, *row.SecondsPerInstance)
	}
	if len(row.Instances) != 3 || row.Instances[2].GapPercent != 5 {
		t.Errorf("instances %+v", row.Instances)
	}
}

// TestHalves: together they are all instances, and no instance is in both.
func TestHalves(t *testing.T) {
	names := func(half string) []string {
		return (&QAPLIBSettings{MinN: 12, MaxN: 64, Half: half}).Instances()
	}
	smaller, larger := names(HalfSmaller), names(HalfLarger)
	if len(smaller) != 50 || len(larger) != 58 {
		t.Errorf("%d and %d instances, want 50 and 58", len(smaller), len(larger))
	}
	both := append(slices.Clone(smaller), larger...)
	slices.Sort(both)
	all := names(HalfBoth)
	slices.Sort(all)
	if !slices.Equal(both, all) {
		t.Error("the halves are not the whole")
	}
}

// TestBenchRowsReadBack: both formats give what a picture needs.
func TestBenchRowsReadBack(t *testing.T) {
	seconds, limit := 0.25, 0.1
	rows := []QAPLIBRow{
		{Method: "tabu", Source: sourceMeasured, TimeLimit: &limit, Average: 1.5, SecondsPerInstance: &seconds},
		{Method: "rgm", Model: "qap", Source: sourceMeasured, Average: 0, SecondsPerInstance: &seconds},
		{Method: "auto", Source: sourceMeasured, TimeLimit: &limit, Clock: ClockCPU, Average: 1, SecondsPerInstance: &seconds, CPUSecondsPerInstance: &limit},
	}
	for _, format := range []string{report.JSON, report.CSV} {
		path := filepath.Join(t.TempDir(), "rows."+format)
		file := must.Get(os.Create(path))(t)
		if err := PrintQAPLIB(file, format, nil, rows); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		have, err := ReadQAPLIB(path)
		if err != nil || len(have) != len(rows) {
			t.Fatalf("%s: %v, %v", format, have, err)
		}
		for k, row := range have {
			if row.Series() != rows[k].Series() || row.Average != rows[k].Average || *row.SecondsPerInstance != seconds || row.TimePerInstance() != rows[k].TimePerInstance() || row.Source != sourceMeasured {
				t.Errorf("%s: row %+v, want %+v", format, row, rows[k])
			}
		}
	}
}
