// Package instances has the instances that tests of several packages search.
package instances

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

// QAPLIB returns an embedded instance by its name.
func QAPLIB(t testing.TB, name string) *qap.Instance {
	t.Helper()
	return must.Get(qaplib.Open(name))(t)
}

// Generated returns an instance of a family, n nodes and a seed.
func Generated(t testing.TB, family string, n int, seed uint64) *qap.Instance {
	t.Helper()
	return must.Get(datasets.Generate(family, n, rand.New(rand.NewPCG(uint64(n), seed))))(t)
}

// Array returns an array of the test data, of which elem are the parts of the path.
func Array(t testing.TB, elem ...string) datasets.Array {
	t.Helper()
	content := testdata.Read(t, elem...)
	return must.Get(datasets.ReadNPY(bytes.NewReader(content), int64(len(content))))(t)
}

// ClassGap returns the mean of the 14 class means of the gap to the best known, in
// percent, over the QAPLIB instances of up to maxN nodes that the paper reports.
func ClassGap(t *testing.T, solver qap.Solver, maxN int) float64 {
	sums, counts := map[string]float64{}, map[string]int{}
	for _, name := range qaplib.PaperSet(12, maxN) {
		in := must.Get(qaplib.Open(name))(t)
		result := must.Get(solver.Solve(context.Background(), in, qap.Options{Seed: 1}))(t)
		best, _ := qaplib.BestKnown(name)
		gap, ok := qaplib.Gap(result.Objective, best.Value)
		if !ok {
			continue
		}
		sums[qaplib.Class(name)] += gap
		counts[qaplib.Class(name)]++
	}
	mean := 0.0
	for class, sum := range sums {
		t.Logf("%-4s %6.2f %% of %d", class, sum/float64(counts[class]), counts[class])
		mean += sum / float64(counts[class]) / float64(len(sums))
	}
	t.Logf("mean %.2f %% of %d classes", mean, len(sums))
	return mean
}
