package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
	"github.com/sbinet/npyio/npy"
)

// randomInstance returns a dense instance of integers.
func randomInstance(n1, n2 int, seed uint64) *qap.Instance {
	rng := rand.New(rand.NewPCG(seed, 1))
	k := make([]float64, n1*n2*n1*n2)
	for e := range k {
		k[e] = float64(2 * (rng.IntN(41) - 20))
	}
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		panic(err)
	}
	in.Name = fmt.Sprintf("random%d", seed)
	return in
}

func TestAffinityRoundTripInEveryShapeAndSense(t *testing.T) {
	for _, n := range [][2]int{{1, 1}, {2, 3}, {3, 2}, {4, 4}} {
		in := randomInstance(n[0], n[1], 1)
		write := func(b *bytes.Buffer) error { return WriteNPY(b, in) }
		again := roundTrip(t, in, "x.npy", write, Options{N1: n[0], N2: n[1], Complete: true})
		if err := sameAffinity(in, again); err != nil || !again.Complete || again.Sense != qap.Maximize {
			t.Errorf("%v: %v, complete %v, %v", n, err, again.Complete, again.Sense)
		}
		byN1 := roundTrip(t, in, "x.npy", write, Options{N1: n[0]})
		if err := sameAffinity(in, byN1); err != nil {
			t.Errorf("%v with N1 alone: %v", n, err)
		}
		minimised := roundTrip(t, in, "x.npy", write, Options{N2: n[1], Sense: qap.Minimize})
		if u, v := in.Affinity.At(0, 0), minimised.Affinity.At(0, 0); u != -v {
			t.Errorf("%v minimised: K[0,0] is %v, want %v", n, v, -u)
		}
	}
}

func TestColumnMajorAffinityIsPermuted(t *testing.T) {
	const n1, n2 = 2, 3
	in := randomInstance(n1, n2, 2)
	var column []float64
	for a := range n2 {
		for i := range n1 {
			for b := range n2 {
				for j := range n1 {
					column = append(column, in.Affinity.At(i*n2+a, j*n2+b))
				}
			}
		}
	}
	content := npyFile("<f8", "(6, 6)", floats(column...))
	if err := sameAffinity(in, mustRead(t, "x.npy", content, Options{N1: n1, N2: n2, Order: ColumnMajor})); err != nil {
		t.Error(err)
	}
	if err := sameAffinity(in, mustRead(t, "x.npy", content, Options{N1: n1, N2: n2})); err == nil {
		t.Error("a column-major file reads the same in both orders")
	}
}

func TestStackInEitherOrderIsOneInstanceAMatrix(t *testing.T) {
	want := []*qap.Instance{randomInstance(2, 2, 3), randomInstance(2, 2, 4), randomInstance(2, 2, 5)}
	var c bytes.Buffer
	if err := WriteNPY(&c, want...); err != nil {
		t.Fatal(err)
	}
	var fortran []float64
	for q := range 4 {
		for p := range 4 {
			for _, in := range want {
				fortran = append(fortran, in.Affinity.At(p, q))
			}
		}
	}
	f := npyWith("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4, 4), }", floats(fortran...))
	for _, content := range []string{c.String(), f} {
		instances, failures := collect("dir/stack.npy", content, Options{})
		if len(instances) != 3 || len(failures) > 0 {
			t.Fatalf("%d instances, errors %v", len(instances), failures)
		}
		for k, in := range instances {
			if err := sameAffinity(want[k], in); err != nil || in.Name != fmt.Sprintf("stack#%d", k) {
				t.Errorf("%s: %v", in.Name, err)
			}
		}
	}
}

func TestStackGoesOnAfterABadMatrixAndStopsOnRequest(t *testing.T) {
	content := npyFile("<f8", "(3, 1, 1)", floats(1, math.Inf(1), 3))
	instances, failures := collect("x.npy", content, Options{})
	if len(instances) != 2 || instances[1].Name != "x#2" || instances[1].Affinity.At(0, 0) != 3 {
		t.Errorf("%d instances, want x#0 and x#2", len(instances))
	}
	if len(failures) != 1 || failures[0].(*Error).Instance != "x#1" {
		t.Errorf("errors %v, want one of x#1", failures)
	}
	for range Read("x.npy", ".npy", bytes.NewReader([]byte(content)), int64(len(content)), Options{}) {
		break // must not go on: range would panic
	}
}

func TestAsymmetryIsNoticed(t *testing.T) {
	var notices []string
	o := Options{Notice: func(instance, message string) { notices = append(notices, instance+": "+message) }}
	values := make([]float64, 16)
	values[0*4+3], values[3*4+0] = 1, 1+1e-7
	mustRead(t, "x.npy", npyFile("<f8", "(4, 4)", floats(values...)), o)
	if len(notices) != 0 {
		t.Errorf("rounding was noticed: %v", notices)
	}
	values[3*4+0] = 2
	in := mustRead(t, "x.npy", npyFile("<f8", "(4, 4)", floats(values...)), o)
	want := "x: the affinity matrix is not symmetric: K[3,0] is 2, K[0,3] is 1; their mean counts"
	if len(notices) != 1 || notices[0] != want {
		t.Errorf("notices %q, want %q", notices, want)
	}
	if v := in.Affinity.At(0, 3); v != 1.5 {
		t.Errorf("K[0,3] is %v, want the mean 1.5", v)
	}
}

func TestNodesOfAnAffinityMatrix(t *testing.T) {
	for _, test := range []struct {
		o        Options
		vertices int
		n1, n2   int
	}{
		{Options{}, 16, 4, 4}, {Options{N1: 2}, 6, 2, 3}, {Options{N2: 2}, 6, 3, 2}, {Options{N1: 6, N2: 1}, 6, 6, 1},
		{Options{}, 6, 0, 0}, {Options{N1: 4}, 6, 0, 0}, {Options{N1: 7}, 6, 0, 0}, {Options{N1: 2, N2: 2}, 6, 0, 0},
		{Options{N1: math.MaxInt, N2: math.MaxInt}, 1, 0, 0},
	} {
		n1, n2, err := test.o.nodes(test.vertices)
		if n1 != test.n1 || n2 != test.n2 || (err == nil) != (test.n1 > 0) {
			t.Errorf("%+v of %d vertices: %d, %d, %v", test.o, test.vertices, n1, n2, err)
		}
	}
}

func TestOrderNames(t *testing.T) {
	if o, err := ParseOrder("col"); o != ColumnMajor || err != nil {
		t.Error(o, err)
	}
	if o, err := ParseOrder("row"); o != RowMajor || err != nil {
		t.Error(o, err)
	}
	if _, err := ParseOrder("diagonal"); err == nil {
		t.Error("order diagonal is known")
	}
}

// TestWillowMaximaScoreAsMeasured compares with the exact maxima of every
// cardinality of the paper's own affinity matrices.
func TestWillowMaximaScoreAsMeasured(t *testing.T) {
	for _, class := range []string{"Car", "Duck", "Face", "Motorbike", "Winebottle"} {
		o := Options{Notice: func(instance, message string) { t.Error(instance, message) }}
		instances := openAll(t, testdata.Path(t, "data", "willow_o0", class+"_A.npy"), o)
		checkMaxima(t, instances, testdata.Path(t, "data", "willow_o0", class+"_meta.json"))
	}
}

// checkMaxima recomputes the scores of the best matchings that a file states for
// every instance and cardinality.
func checkMaxima(t *testing.T, instances []*qap.Instance, path string) {
	t.Helper()
	var maxima struct {
		Best []map[string][2]json.RawMessage `json:"best_per_cardinality"`
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &maxima)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(instances) != len(maxima.Best) {
		t.Fatalf("%d instances, %s has maxima of %d", len(instances), path, len(maxima.Best))
	}
	for k, byCardinality := range maxima.Best {
		for _, best := range byCardinality {
			var value float64
			var m qap.Matching
			if err := errors.Join(json.Unmarshal(best[0], &value), json.Unmarshal(best[1], &m)); err != nil {
				t.Fatal(err)
			}
			const float32Sum = 1e-4 // of up to 100 rounded entries
			if score := instances[k].Score(m); math.Abs(score-value) > float32Sum {
				t.Errorf("%s: %v scores %v, want %v", instances[k].Name, m, score, value)
			}
		}
	}
}

func TestWriteNPYIsWhatNPYIOReads(t *testing.T) {
	in := randomInstance(2, 2, 6)
	var b bytes.Buffer
	if err := WriteNPY(&b, in); err != nil {
		t.Fatal(err)
	}
	if head := b.Len() - 16*8; head%64 != 0 {
		t.Errorf("%d bytes before the numbers, want a multiple of 64", head)
	}
	r := must.Get(npy.NewReader(&b))(t)
	var values []float64
	if err := r.Read(&values); err != nil {
		t.Fatal(err)
	}
	for e, v := range values {
		if v != in.Affinity.At(e/4, e%4) {
			t.Errorf("npyio reads %v at %d", v, e)
		}
	}
}
