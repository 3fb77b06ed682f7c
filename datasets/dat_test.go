package datasets

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

func TestDATNumbersWrapAnywhere(t *testing.T) {
	in := mustRead(t, "x.dat", "\r\n 2\t0 3\r\n5\n0 0 .5 -7e1\n\n\n0", Options{})
	// A = (0 3; 5 0), B = (0 .5; -70 0): cost 3·.5 + 5·(−70).
	if cost := in.Objective(in.Score(qap.Matching{0, 1})); cost != 1.5-350 {
		t.Errorf("cost %v, want %v", cost, 1.5-350)
	}
	if cost := in.Objective(in.Score(qap.Matching{1, 0})); cost != 3*-70+2.5 {
		t.Errorf("cost %v, want %v", cost, 3*-70+2.5)
	}
}

// TestDATRoundTripKeepsEveryQAPLIBInstance includes those with diagonals (bur,
// tai64c, tai256c).
func TestDATRoundTripKeepsEveryQAPLIBInstance(t *testing.T) {
	for _, name := range namesOfQAPLIB(t) {
		in := fromQAPLIB(t, name)
		again := roundTrip(t, in, "x.dat", func(b *bytes.Buffer) error { return WriteDAT(b, in) }, Options{})
		before, after := in.Affinity.(*qap.KoopmansBeckmann), again.Affinity.(*qap.KoopmansBeckmann)
		for _, pair := range [][2][]float64{{before.A(), after.A()}, {before.B(), after.B()}, {before.Linear(), after.Linear()}} {
			for k, v := range pair[0] {
				if pair[1][k] != v {
					t.Fatalf("%s: entry %d is %v, written and read %v", name, k, v, pair[1][k])
				}
			}
		}
	}
}

func TestWriteDATRefusesWhatTheFormatCannotHold(t *testing.T) {
	zero := make([]float64, 4)
	kb := func(n1, n2 int, linear []float64, sense qap.Sense) *qap.Instance {
		in := must.Get(qap.NewKoopmansBeckmann(n1, n2, make([]float64, n1*n1), make([]float64, n2*n2), linear, sense))(t)
		in.Name = "x"
		return in
	}
	dense := must.Get(qap.NewDense(1, 1, []float64{1}, qap.Minimize))(t)
	for want, in := range map[string]*qap.Instance{
		"x as .dat: graphs of 1 and 2 nodes":         kb(1, 2, nil, qap.Minimize),
		"x as .dat: the format is read as minimised": kb(2, 2, zero, qap.Maximize),
		"x as .dat: the format has no place for":     kb(2, 2, []float64{1, 0, 0, 1}, qap.Minimize),
		"a Lawler affinity has no matrices A and B":  dense,
	} {
		if err := WriteDAT(io.Discard, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestSolutionsOfDrezner(t *testing.T) {
	for name, want := range map[string]float64{"dre15": 306, "dre21": 356, "dre28": 476, "dre42": 764, "dre72": 1452} {
		solution := must.Get(ReadSolution(testdata.Path(t, "data", "qap", name+".sln")))(t)
		for in, err := range Open(testdata.Path(t, "data", "qap", name+".dat"), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			m, err := solution.Matching(in)
			if err != nil || in.Objective(in.Score(m)) != want {
				t.Errorf("%s: %v, %v, want cost %v", name, m, err, want)
			}
		}
	}
}
