package datasets

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/matchings"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/qap"
)

// readBounded returns the instances of a file and fails where the reader
// allocates more than limit bytes for one of them: memory must follow from what
// the file holds, not from what it claims.
func readBounded(t *testing.T, format string, data []byte, limit int, o Options) []*qap.Instance {
	t.Helper()
	instances, most := readCounted(t, format, data, o, usage.Quick)
	if most > uint64(limit)/2 { // it counts small objects late
		instances, most = readCounted(t, format, data, o, usage.Exact)
	}
	if most > uint64(limit) {
		t.Fatalf("%d bytes allocated for a file of %d, want at most %d", most, len(data), limit)
	}
	return instances
}

// readCounted returns the instances of a file, and the most that was allocated for one of
// them by a count of what was so far.
func readCounted(t *testing.T, format string, data []byte, o Options, allocated func() uint64) (instances []*qap.Instance, most uint64) {
	t.Helper()
	before := allocated()
	for in, err := range Read("fuzz"+format, format, bytes.NewReader(data), int64(len(data)), o) {
		most = max(most, allocated()-before)
		if (in == nil) == (err == nil) {
			t.Fatalf("instance %v with error %v", in, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "datasets: fuzz") {
			t.Fatalf("error %q does not name the file", err)
		}
		if in != nil {
			instances = append(instances, in)
		}
		before = allocated()
	}
	return instances, most
}

func FuzzDAT(f *testing.F) {
	for _, seed := range []string{
		"2\n0 1\n1 0\n\n0 2\n2 0\n", "1 3 4", "2 1 2 3 4 5 6 7 8", "2 .5 -1e3 0x1p4 4 5 6 7 1e-300\n", "30000 1 2", "1 1 2 3", "2 nan", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// 9 matrices of float64 from numbers of at least 2 bytes, and the words themselves.
		for _, in := range readBounded(t, ".dat", data, 64*len(data)+1<<20, Options{}) {
			var b bytes.Buffer
			if err := WriteDAT(&b, in); err != nil {
				if !strings.Contains(err.Error(), "linear term") { // products of tiny numbers lose their factors
					t.Fatal(err)
				}
				return
			}
			again := mustRead(t, "fuzz.dat", b.String(), Options{})
			before, after := in.Affinity.(*qap.KoopmansBeckmann), again.Affinity.(*qap.KoopmansBeckmann)
			if !slices.Equal(before.A(), after.A()) || !slices.Equal(before.B(), after.B()) {
				t.Fatalf("%v %v was written as\n%s", before.A(), before.B(), &b)
			}
			for p, v := range before.Linear() {
				if w := after.Linear()[p]; math.Abs(v-w) > 1e-9*math.Abs(v) {
					t.Fatalf("diagonals give %v at %d, written and read %v", v, p, w)
				}
			}
		}
	})
}

func FuzzSLN(f *testing.F) {
	nug12 := fromQAPLIB(f, "nug12")
	best := bestOf(f, "nug12")
	for _, seed := range []string{
		solutionText(578, best, 1, " "), solutionText(578, best, 0, ","), "2 1.5\n1 0", "3 4 1 2 3", "30000 1 1", "2 1 0 2", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		solution, err := parseSolution(string(data))
		if err != nil {
			return
		}
		text := solutionText(solution.Value, solution.Permutation, 0, "\n")
		again, err := parseSolution(text)
		if err != nil || again.Value != solution.Value || !slices.Equal(again.Permutation, solution.Permutation) {
			t.Fatalf("%v was written as %q, read as %v, %v", solution, text, again, err)
		}
		m, err := solution.Matching(nug12)
		if err == nil && !solution.states(nug12.Objective(nug12.Score(m))) {
			t.Fatalf("%v states %v, costs %v", m, solution.Value, nug12.Objective(nug12.Score(m)))
		}
	})
}

func FuzzNPY(f *testing.F) {
	for _, seed := range []string{
		npyFile("<f8", "(1, 1)", floats(3)), npyFile(">i2", "(2, 2, 2)", "0123456789abcdef"), npyFile("|b1", "(4, 4)", "0123456789abcdef"),
		npyFile("<f2", "(2, 2)", "\x00\x3c\x00\xc0\x01\x00\x00\x04"), npyWith("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 4, 1), }", "01234567"),
		npyFile("|O", "(1,)", "x"), npyFile("<f8", "(99999, 99999)", ""), npyFile("<f8", "(0, 99999999999)", ""),
		"\x93NUMPY\x02\x00\x10\x00\x00\x00{'descr': '<f8'}", "",
	} {
		f.Add([]byte(seed), uint8(0), false)
	}
	f.Add([]byte(npyFile("|u1", "(6, 6)", strings.Repeat("abcdef", 6))), uint8(2), true)
	f.Fuzz(func(t *testing.T, data []byte, n1 uint8, column bool) {
		if array, err := ReadNPY(bytes.NewReader(data), int64(len(data))); err == nil {
			checkArrayRoundTrip(t, array)
		}
		o := Options{N1: int(n1)}
		if column {
			o.Order = ColumnMajor
		}
		// A byte becomes a float64; Fortran order takes two copies more.
		for _, in := range readBounded(t, ".npy", data, 64*len(data)+1<<20, o) {
			checkAffinityRoundTrip(t, in)
		}
	})
}

// checkArrayRoundTrip writes an array as float64, and reads it again.
func checkArrayRoundTrip(t *testing.T, array Array) {
	count := 1
	for _, n := range array.Shape {
		count *= n
	}
	if count != len(array.Data) {
		t.Fatalf("shape %v of %d numbers", array.Shape, len(array.Data))
	}
	again, err := readNPYString(npyFile("<f8", shapeText(array.Shape), floats(array.Data...)))
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	if err != nil || !slices.Equal(again.Shape, array.Shape) || !slices.EqualFunc(again.Data, array.Data, same) {
		t.Fatalf("%v was read again as %v, %v", array, again, err)
	}
}

// checkAffinityRoundTrip writes a small instance in both formats of affinities,
// and reads it again.
func checkAffinityRoundTrip(t *testing.T, in *qap.Instance) {
	n1, n2 := in.Size()
	if n1*n2 > 64 {
		return
	}
	again := roundTrip(t, in, "again.npy", func(b *bytes.Buffer) error { return WriteNPY(b, in) }, Options{N1: n1, N2: n2})
	if err := sameAffinity(in, again); err != nil {
		t.Fatal(err)
	}
	again = roundTrip(t, in, "again.dd", func(b *bytes.Buffer) error { return WriteDD(b, in) }, Options{})
	if err := sameAffinity(in, again); err != nil {
		t.Fatal(err)
	}
}

func FuzzNPZ(f *testing.F) {
	array := npyFile("<f4", "(2, 1, 1)", "\x00\x00\x80\x3f\x00\x00\x00\x40")
	whole := npzFile(f, "K.npy", array, "X.npy", npyFile("|u1", "(2,)", "ab"))
	for _, seed := range []string{
		whole, whole[:len(whole)-9], npzFile(f), npzFile(f, "zeros.npy", npyFile("|u1", "(99, 99)", strings.Repeat("\x00", 99*99))), "PK\x05\x06", "",
	} {
		f.Add([]byte(seed), false)
	}
	f.Add([]byte(array), true)
	f.Add([]byte(npyWith("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 1, 1), }", "ab")), true)
	f.Fuzz(func(t *testing.T, data []byte, isMember bool) {
		if isMember { // few changes of an archive survive its checksums
			data = []byte(npzFile(t, "K.npy", string(data)))
		}
		// What checkInflation lets pass, as float64, three times.
		limit := 3 * 8 * (200*len(data) + 1<<20)
		for _, in := range readBounded(t, ".npz", data, limit, Options{}) {
			checkAffinityRoundTrip(t, in)
		}
	})
}

func FuzzDD(f *testing.F) {
	for _, seed := range []string{
		smallDD, "gm 0 1\n" + smallDD + "gm 1 2\np 1 1 0 0\n", "p 300 200 0 0", "p 30000 30000 1 1", "p 1 1 1 0\na 0 0 0 1e308\n", "gm", "c", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// Four vertices a byte, and 65536 more, at some 100 bytes.
		for _, in := range readBounded(t, ".dd", data, 512*len(data)+16<<20, Options{}) {
			checkAffinityRoundTrip(t, in)
		}
	})
}

func FuzzMatching(f *testing.F) {
	var b bytes.Buffer
	if err := matchings.Write(&b, qap.Matching{1, qap.Unmatched, 0}); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{b.String(), "[1, -1, 0]", "[1.5]", "[9999999999999999999]", "null", "[[0]]", "[]x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := ReadMatchingJSON(bytes.NewReader(data)); err == nil {
			text := strings.ReplaceAll(fmt.Sprint([]int(m)), " ", ",")
			if again, err := ReadMatchingJSON(strings.NewReader(text)); err != nil || !slices.Equal(again, m) {
				t.Fatalf("%v was read again as %v, %v", m, again, err)
			}
		}
		m, err := readNPYMatching(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := matchings.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if again, err := readNPYMatching(&b, int64(b.Len())); err != nil || !slices.Equal(again, m) {
			t.Fatalf("%v was read again as %v, %v", m, again, err)
		}
	})
}
