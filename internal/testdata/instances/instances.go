// Package instances has the instances that tests of several packages search.
package instances

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

// QAPLIB returns an embedded instance by its name.
func QAPLIB(t testing.TB, name string) *qap.Instance {
	t.Helper()
	in, err := datasets.QAPLIB(name)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Generated returns an instance of a family, n nodes and a seed.
func Generated(t testing.TB, family string, n int, seed uint64) *qap.Instance {
	t.Helper()
	in, err := datasets.Generate(family, n, rand.New(rand.NewPCG(uint64(n), seed)))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Array returns an array of the test data, of which elem are the parts of the path.
func Array(t testing.TB, elem ...string) datasets.Array {
	t.Helper()
	content := testdata.Read(t, elem...)
	array, err := datasets.ReadNPY(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return array
}
