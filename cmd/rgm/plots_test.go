package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// randomAffinity is symmetric with entries of both signs.
func randomAffinity(t *testing.T, n1, n2 int) *qap.Instance {
	t.Helper()
	rng, n := rand.New(rand.NewPCG(7, 7)), n1*n2
	k := make([]float64, n*n)
	for p := range n {
		for q := range p + 1 {
			k[p*n+q] = rng.NormFloat64()
			k[q*n+p] = k[p*n+q]
		}
	}
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestRegularizedMatrixGivesTheSurrogate: the change of xᵀMx by every action is what
// package qap reckons without the matrix.
func TestRegularizedMatrixGivesTheSurrogate(t *testing.T) {
	in := randomAffinity(t, 4, 5)
	m := qap.Matching{2, 0, qap.Unmatched, 4}
	form := func(row func([]float64, int), m qap.Matching) float64 {
		sum, entries := 0.0, make([]float64, 20)
		for i, a := range m {
			if a == qap.Unmatched {
				continue
			}
			row(entries, i*5+a)
			for j, b := range m {
				if b != qap.Unmatched {
					sum += entries[j*5+b]
				}
			}
		}
		return sum
	}
	for _, literal := range []bool{false, true} {
		kind := qap.RegularizedSurrogate
		if literal {
			kind = qap.RegularizedLiteral
		}
		row := regularizedRows(in, qap.RegularizeF3, m, literal)
		e := qap.NewEnvironment(in, qap.EnvironmentOptions{Release: true})
		e.Reset(m)
		for v, want := range e.RegularizedChanges(make([]float64, 20), qap.RegularizeF3, kind) {
			after := qap.NewEnvironment(in, qap.EnvironmentOptions{Release: true})
			after.Reset(m)
			after.Step(v)
			now := qap.NewMatching(4)
			for i := range now {
				now[i] = after.Match(i)
			}
			if have := form(row, now) - form(row, m); math.Abs(have-want) > 1e-9 {
				t.Errorf("literal %v, vertex %d: change %v, want %v", literal, v, have, want)
			}
		}
	}
	row := regularizedRows(in, qap.RegularizeF1, qap.Matching{0, -1, -1, -1}, false)
	if have, want := form(row, m), in.Score(m); math.Abs(have-want) > 1e-9 {
		t.Errorf("without a fit the matrix scores %v, K %v", have, want)
	}
}

// TestChosenSizes: J grows to the last size, J/m is largest at size 2, and equal
// choices share a label.
func TestChosenSizes(t *testing.T) {
	in := randomAffinity(t, 3, 3)
	var p qap.Profile
	for m, score := range []float64{0, 1, 22, 27} {
		best := qap.NewMatching(3)
		for i := range m {
			best[i] = i
		}
		p = append(p, qap.Best{Score: score, Matching: best})
	}
	marks := chosenSizes(in, p, []qap.Regularizer{{}, qap.RegularizeF2, qap.RegularizeMean(1)})
	if !slices.Equal(marks.Labels, []string{"mean", "J, f2"}) || marks.XYs[0].X != 2 || marks.XYs[0].Y != 22 || marks.XYs[1].X != 3 {
		t.Errorf("marks %v", marks)
	}
}

// TestBenchRowsReadBack: both formats give what a picture needs.
func TestBenchRowsReadBack(t *testing.T) {
	seconds, limit := 0.25, 0.1
	rows := []benchRow{
		{Method: "tabu", Source: sourceMeasured, TimeLimit: &limit, Average: 1.5, SecondsPerInstance: &seconds},
		{Method: "rgm", Model: "qap", Source: sourceMeasured, Average: 0, SecondsPerInstance: &seconds},
	}
	for _, format := range []string{formatJSON, formatCSV} {
		path := filepath.Join(t.TempDir(), "rows."+format)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := printBench(file, format, nil, rows); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		have, err := readBenchRows(path)
		if err != nil || len(have) != 2 {
			t.Fatalf("%s: %v, %v", format, have, err)
		}
		for k, row := range have {
			if row.series() != rows[k].series() || row.Average != rows[k].Average || *row.SecondsPerInstance != seconds || row.Source != sourceMeasured {
				t.Errorf("%s: row %+v, want %+v", format, row, rows[k])
			}
		}
	}
}
