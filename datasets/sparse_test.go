package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// sparseEntry is K[p,q] of the files in testdata/sparse, of graphs of 3 and 4 nodes,
// which scipy 1.10.1 wrote (scipy.sparse.save_npz, scipy.io.mmwrite).
func sparseEntry(p, q int) float64 {
	if (p+q)%3 != 0 {
		return 0
	}
	return float64((p+1)*(q+1)%5) / 4
}

// TestSparseFiles: every format and layout holds the same matrix; of a triangle alone
// the mean with its transpose counts, with a notice.
func TestSparseFiles(t *testing.T) {
	one := func(p, q int) float64 {
		if sparseEntry(p, q) != 0 {
			return 1
		}
		return 0
	}
	halves := func(p, q int) float64 {
		if p == q {
			return sparseEntry(p, q)
		}
		return sparseEntry(p, q) / 2
	}
	fourfold := func(p, q int) float64 { return 4 * sparseEntry(p, q) }
	for name, want := range map[string]func(p, q int) float64{
		"csr.npz": sparseEntry, "csc.npz": sparseEntry, "coo.npz": sparseEntry, "symmetric.mtx": sparseEntry, "array.mtx": sparseEntry,
		"upper.npz": halves, "general.mtx": halves, "pattern.mtx": one, "integer.mtx": fourfold,
	} {
		var notices []string
		o := Options{N1: 3, N2: 4, Notice: func(_, message string) { notices = append(notices, message) }}
		for in, err := range Open(filepath.Join("testdata", "sparse", name), o) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if in.Name != strings.TrimSuffix(name, filepath.Ext(name)) {
				t.Errorf("%s is called %s", name, in.Name)
			}
			for p := range 12 {
				for q := range 12 {
					if v := in.Affinity.At(p, q); v != want(p, q) {
						t.Fatalf("%s: K[%d,%d] is %v, want %v", name, p, q, v, want(p, q))
					}
				}
			}
		}
		asymmetric := len(notices) > 0 && strings.Contains(notices[0], "not symmetric")
		if triangle := want(0, 3) == sparseEntry(0, 3)/2; asymmetric != triangle {
			t.Errorf("%s: notices %q", name, notices)
		}
	}
}

// TestSparseIsHeldSparse: a few entries of a large matrix take little space, in either
// order and sense.
func TestSparseIsHeldSparse(t *testing.T) {
	const n1, n2 = 30, 40
	var text strings.Builder
	fmt.Fprintf(&text, "%%%%MatrixMarket matrix coordinate real general\n%% a comment\n\n%d %d 2\n1 202 .5\n202 1 .5\n", n1*n2, n1*n2)
	in := mustRead(t, "k.mtx", text.String(), Options{N1: n1, N2: n2, Order: ColumnMajor, Sense: qap.Minimize, Complete: true})
	if _, ok := in.Affinity.(*qap.Sparse); !ok || !in.Complete {
		t.Errorf("%T, complete %v", in.Affinity, in.Complete)
	}
	if v := in.Affinity.At(0, (201%n1)*n2+201/n1); v != -.5 {
		t.Errorf("the entry is %v, want -.5", v)
	}
}

// TestMTXErrors names the line and what is wanted.
func TestMTXErrors(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	for text, want := range map[string]string{
		"":                               "k.mtx:1: the file ends before",
		"1 2 3\n":                        `k.mtx:1: want a first line "%%MatrixMarket`,
		head:                             "k.mtx:2: the file ends before",
		head + "4 4\n":                   "k.mtx:2: 2 numbers: want 3",
		head + "4 4 x\n":                 `k.mtx:2: "x": want a number`,
		head + "4 5 0\n":                 "k.mtx: a matrix of 4×5: want an affinity matrix",
		head + "4 4 1\n":                 "k.mtx:2: the file ends after 0 entries",
		head + "4 4 1\n1 5 1\n":          "k.mtx:3: an entry in row 0 and column 4",
		head + "4 4 1\n0 1 1\n":          `k.mtx:3: "0": want a row or a column, from 1`,
		head + "4 4 1\n1 1 nan\n":        `k.mtx:3: "nan": want a finite number`,
		head + "4 4 1\n1 1 1 2\n":        `k.mtx:3: "2" follows after the last entry`,
		head + "5 5 0\n":                 "not one of 2·2",
		head + "900000000 900000000 0\n": "a file of 68 bytes cannot hold such a matrix",
		"%%MatrixMarket matrix coordinate complex general\n1 1 0\n":                  `k.mtx:1: "complex" numbers`,
		"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n":                   `k.mtx:1: symmetry "hermitian"`,
		"%%MatrixMarket matrix coordinate real symmetric\n4 4 1\n1 2 1\n":            "k.mtx:3: the entry in row 1 and column 2 is not in the lower triangle",
		"%%MatrixMarket matrix array real general\n4 4\n" + strings.Repeat("1 ", 15): "the file ends after 15 entries",
	} {
		_, failures := collect("k.mtx", text, Options{})
		if len(failures) != 1 || !strings.Contains(failures[0].Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, failures, want)
		}
	}
}

// TestSciPyErrors: archives whose arrays do not fit together.
func TestSciPyErrors(t *testing.T) {
	whole := func(numbers ...float64) string {
		return npyFile("<i4", fmt.Sprintf("(%d,)", len(numbers)), int32s(numbers))
	}
	format := func(name string) string {
		text := npyFile("|u1", fmt.Sprintf("(%d,)", len(name)), name)
		return strings.Replace(text, fmt.Sprintf("'descr': '|u1', 'fortran_order': False, 'shape': (%d,)", len(name)), fmt.Sprintf("'descr': '|S%d', 'fortran_order': False, 'shape': ()  ", len(name)), 1)
	}
	data := npyFile("<f8", "(1,)", floats(2))
	for want, members := range map[string][]string{
		"want csr, csc or coo":              {"format", format("bsr"), "shape", whole(4, 4), "data", data},
		"shape [4]: want a matrix":          {"format", format("csr"), "shape", whole(4), "data", data},
		"cannot hold such a matrix":         {"format", format("coo"), "shape", whole(2e9, 2e9), "data", data},
		`no array "indices"`:                {"format", format("csr"), "shape", whole(4, 4), "data", data},
		"do not make up 4 rows or columns":  {"format", format("csr"), "shape", whole(4, 4), "data", data, "indices", whole(1), "indptr", whole(0, 1, 1, 1)},
		"an entry in row 0 and column 9":    {"format", format("csr"), "shape", whole(4, 4), "data", data, "indices", whole(9), "indptr", whole(0, 1, 1, 1, 1)},
		"an entry in row 9 and column 0":    {"format", format("csc"), "shape", whole(4, 4), "data", data, "indices", whole(9), "indptr", whole(0, 1, 1, 1, 1)},
		"row[0] is -1: want a whole number": {"format", format("coo"), "shape", whole(4, 4), "data", data, "row", whole(-1), "col", whole(0)},
		"1 numbers, but 2 rows":             {"format", format("coo"), "shape", whole(4, 4), "data", data, "row", whole(0, 1), "col", whole(0)},
		"is NaN: want a finite number":      {"format", format("coo"), "shape", whole(4, 4), "data", npyFile("<f8", "(1,)", floats(nan())), "row", whole(0), "col", whole(0)},
	} {
		for k := 0; k < len(members); k += 2 {
			members[k] += ".npy"
		}
		_, failures := collect("k.npz", npzFile(t, members...), Options{})
		if len(failures) != 1 || !strings.Contains(failures[0].Error(), want) || !strings.HasPrefix(failures[0].Error(), "datasets: k.npz: ") {
			t.Errorf("%v, want an error with %q", failures, want)
		}
	}
}

func FuzzMTX(f *testing.F) {
	for _, name := range []string{"symmetric.mtx", "general.mtx", "array.mtx", "pattern.mtx", "integer.mtx"} {
		data := must.Get(os.ReadFile(filepath.Join("testdata", "sparse", name)))(f)
		f.Add(data)
	}
	f.Add([]byte("%%MatrixMarket matrix coordinate real skew-symmetric\n4 4 1\n2 1 1e300\n"))
	f.Add([]byte("%%MatrixMarket matrix coordinate pattern general\n900000 900000 99999999\n1 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		// Entries of at least 4 bytes, mirrored, sorted and held; four vertices a byte.
		for _, in := range readBounded(t, ".mtx", data, 1024*len(data)+16<<20, Options{}) {
			checkAffinityRoundTrip(t, in)
		}
	})
}

func FuzzSciPy(f *testing.F) {
	for _, name := range []string{"csr.npz", "csc.npz", "coo.npz", "bsr.npz", "upper.npz"} {
		data := must.Get(os.ReadFile(filepath.Join("testdata", "sparse", name)))(f)
		f.Add(data, []byte(nil), uint8(0))
	}
	indices := []byte(npyFile("<i4", "(2,)", int32s([]float64{0, 3})))
	f.Add([]byte("coo"), indices, uint8(4))
	f.Add([]byte("csr"), indices, uint8(1))
	f.Fuzz(func(t *testing.T, data, indices []byte, side uint8) {
		if indices != nil { // few changes of an archive survive its checksums
			text := "\x93NUMPY\x01\x00\x02\x00{}" + string(data)
			shape := npyFile("<i4", "(2,)", int32s([]float64{float64(side), float64(side)}))
			data = []byte(npzFile(t, "format.npy", text, "shape.npy", shape, "data.npy", string(indices),
				"row.npy", string(indices), "col.npy", string(indices), "indices.npy", string(indices), "indptr.npy", string(indices)))
		}
		// What checkInflation lets pass, as entries that are sorted and held.
		for _, in := range readBounded(t, ".npz", data, 256*(200*len(data)+1<<20), Options{}) {
			checkAffinityRoundTrip(t, in)
		}
	})
}

func nan() float64 { return math.NaN() }

// int32s returns the bytes of whole numbers in little-endian order.
func int32s(numbers []float64) string {
	var b []byte
	for _, v := range numbers {
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(int64(v))))
	}
	return string(b)
}

// TestSymmetriesOfMTX: an entry of the lower triangle stands for its mirror image, of a
// skew-symmetric matrix with the other sign.
func TestSymmetriesOfMTX(t *testing.T) {
	for symmetry, want := range map[string][]qap.Entry{
		"general":        {{P: 1, Q: 0, Value: 3}},
		"symmetric":      {{P: 1, Q: 0, Value: 3}, {P: 0, Q: 1, Value: 3}},
		"skew-symmetric": {{P: 1, Q: 0, Value: 3}, {P: 0, Q: 1, Value: -3}},
	} {
		text := "%%MatrixMarket matrix coordinate real " + symmetry + "\n2 2 1\n2 1 3\n"
		if m, err := ReadSparse("m.mtx", strings.NewReader(text), int64(len(text))); err != nil || !slices.Equal(m.Entries, want) {
			t.Errorf("%s: %v, %v; want %v", symmetry, m.Entries, err, want)
		}
	}
}
