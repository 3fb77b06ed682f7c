package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// collect returns what a file of that name and content yields.
func collect(name, content string, o Options) (instances []*qap.Instance, failures []error) {
	r := strings.NewReader(content)
	for in, err := range Read(name, extension(name), r, r.Size(), o) {
		if err != nil {
			failures = append(failures, err)
			continue
		}
		instances = append(instances, in)
	}
	return instances, failures
}

// mustRead returns the only instance of a file.
func mustRead(t *testing.T, name, content string, o Options) *qap.Instance {
	t.Helper()
	instances, failures := collect(name, content, o)
	if len(failures) > 0 || len(instances) != 1 {
		t.Fatalf("%s: %d instances and errors %v, want one instance", name, len(instances), failures)
	}
	return instances[0]
}

// sameAffinity returns an error unless two instances have the same affinity.
func sameAffinity(x, y *qap.Instance) error {
	n1, n2 := x.Size()
	if m1, m2 := y.Size(); m1 != n1 || m2 != n2 {
		return fmt.Errorf("sizes %d,%d and %d,%d", n1, n2, m1, m2)
	}
	for p := range n1 * n2 {
		for q := range n1 * n2 {
			if u, v := x.Affinity.At(p, q), y.Affinity.At(p, q); u != v {
				return fmt.Errorf("K[%d,%d] is %v and %v", p, q, u, v)
			}
		}
	}
	return nil
}

// npyFile returns a .npy file of format 1.0.
func npyFile(descr, shape, body string) string {
	return npyWith(fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape), body)
}

func npyWith(header, body string) string {
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + body
}

// floats returns float64 numbers, little endian.
func floats(values ...float64) string {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return string(b)
}

func TestMalformedFilesAreRefusedWithPlaceAndMend(t *testing.T) {
	plain := "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }"
	for _, test := range []struct {
		file, content, want string
	}{
		{"x.dat", "", "datasets: x.dat: the file is empty: want the number of nodes first"},
		{"x.dat", "2.5\n", `datasets: x.dat:1: the number of nodes is "2.5": want 1..32768`},
		{"x.dat", "\n-3", `datasets: x.dat:2: the number of nodes is "-3": want 1..32768`},
		{"x.dat", "99999999999999999999", `datasets: x.dat:1: the number of nodes is "99999999999999999999": want 1..32768`},
		{"x.dat", "30000\n0 1", "datasets: x.dat:2: want 900000000 numbers for matrix A, have 2"},
		{"x.dat", "2\n0 1\n1 0\n\n0 2\n2\n\n", "datasets: x.dat:6: want 4 numbers for matrix B, have 3"},
		{"x.dat", "2\n0 1\n1o 0\n", `datasets: x.dat:3: A[1,0] is "1o": want a finite number`},
		{"x.dat", "2 0 1 1 0\n0 nan 1 0", `datasets: x.dat:2: B[0,1] is "nan": want a finite number`},
		{"x.dat", "2 0 1 1 0\n0 1e999 1 0", `datasets: x.dat:2: B[0,1] is "1e999": want a finite number`},
		{"x.dat", "1\n3\n4\n5\n", `datasets: x.dat:4: "5" follows after the last number: want the end of the file`},
		{"x.dat", "2 0 1e300 1 0 0 1e300 1 0", "datasets: x.dat: qap: affinities of size 1e+300 overflow when summed and squared: scale the problem down"},
		{"x.foo", "", `datasets: x.foo: unknown format ".foo": want .dat, .npy, .npz, .dd, .mtx`},

		{"x.dd", "", `datasets: x.dd: want a line "p N0 N1 A E", with which a problem in the .dd format begins`},
		{"x.dd", "c hi\na 0 0 0 1", `datasets: x.dd:2: want a line "p N0 N1 A E", with which a problem in the .dd format begins`},
		{"x.dd", "p 2 2 x 0", `datasets: x.dd:1: "x" in a p line: want a number of nodes, assignments or edges`},
		{"x.dd", "p 0 2 0 0", "datasets: x.dd:1: graphs of 0 and 2 nodes: want 1..32768 each"},
		{"x.dd", "p 30000 30000 0 0", "datasets: x.dd:1: graphs of 30000 and 30000 nodes: a file of 17 bytes cannot hold such a problem"},
		{"x.dd", "p 2 2 5 0", "datasets: x.dd:1: 5 assignments: 2·2 nodes have only 4"},
		{"x.dd", "p 2 2 1 0\na 0 0 2 1", `datasets: x.dd:2: node of graph 2 "2": want 0..1`},
		{"x.dd", "p 2 2 1 0\na 1 0 0 1", `datasets: x.dd:2: assignment "1": want 0..0`},
		{"x.dd", "p 2 2 1 0\na 0 0 0", `datasets: x.dd:2: want a line "a ID i s COST"`},
		{"x.dd", "p 2 2 1 0\na 0 0 0 inf", `datasets: x.dd:2: cost "inf": want a finite number`},
		{"x.dd", "p 2 2 2 0\na 0 0 0 1\na 1 0 0 1", "datasets: x.dd:3: assignment 1 of node 0 to 0: its number or its nodes come a second time"},
		{"x.dd", "p 2 2 2 1\na 0 0 0 1\ne 0 1 3", "datasets: x.dd:3: an edge names assignment 1 before its a line"},
		{"x.dd", "p 2 2 1 1\na 0 0 0 1\ne 0 0 3", "datasets: x.dd:3: an edge joins assignment 0 to itself"},
		{"x.dd", "p 2 2 2 0\na 0 0 0 1\n", "datasets: x.dd:2: want 2 a lines and 0 e lines, have 1 and 0"},
		{"x.dd", "p 2 2 0 0\np 2 2 0 0", `datasets: x.dd:2: a line that begins with "p": want a, e or c, and gm before a further problem`},
		{"x.dd", "p 2 2 0 0\nc " + strings.Repeat("x", 1<<17), "datasets: x.dd:1: bufio.Scanner: token too long"},

		{"x.npy", "", "datasets: x.npy: the file ends before its array does"},
		{"x.npy", "P1 2 3 and more", `datasets: x.npy: not a .npy file: it does not begin with \x93NUMPY`},
		{"x.npy", "\x93NUMPY\x04\x00\x00\x00", "datasets: x.npy: .npy format 4.0: want 1.0, 2.0 or 3.0"},
		{"x.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff", "datasets: x.npy: the header claims 4294967295 bytes, of a file of 12"},
		{"x.npy", "\x93NUMPY\x02\x00\x01\x00\x01\x00" + strings.Repeat(" ", 70_000), "datasets: x.npy: the header claims 65537 bytes, of a file of 70012"},
		{"x.npy", npyWith("", ""), `datasets: x.npy: .npy header "": want descr, fortran_order and shape`},
		{"x.npy", npyWith(strings.TrimSuffix(plain, "}"), floats(1)), `datasets: x.npy: .npy header "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), ": want descr, fortran_order and shape`},
		{"x.npy", npyWith("{'descr': '<f8', 'descr': '<f8', }", ""), `datasets: x.npy: malformed .npy header at "'descr': '<f8', "`},
		{"x.npy", npyWith("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,), }", ""), "datasets: x.npy: a structured dtype: want an array of plain numbers"},
		{"x.npy", npyFile("|O", "(1, 1)", ""), "datasets: x.npy: the array holds pickled Python objects: save it with a numeric dtype"},
		{"x.npy", npyFile("<c16", "(1, 1)", ""), `datasets: x.npy: dtype "<c16": want float16/32/64, int8..64, uint8..64 or bool`},
		{"x.npy", npyFile("<f8", "(1, -1)", ""), "datasets: x.npy: shape (1, -1): want at most 32 whole numbers"},
		{"x.npy", npyFile("<f8", "(1000000000, 1000000000, 1000000000)", ""), "datasets: x.npy: shape (1000000000, 1000000000, 1000000000) of <f8 does not fit the 0 bytes after the header"},
		{"x.npy", npyFile("<f8", "(1, 1)", floats(1)+"!"), "datasets: x.npy: shape (1, 1) of <f8 does not fit the 9 bytes after the header"},
		{"x.npy", npyFile("<f8", "(2, 3)", floats(1, 2, 3, 4, 5, 6)), "datasets: x.npy: an array of shape (2, 3): want an affinity matrix (N, N) or a stack (k, N, N)"},
		{"x.npy", npyFile("<f8", "(0, 0)", ""), "datasets: x.npy: an array of shape (0, 0): want an affinity matrix (N, N) or a stack (k, N, N)"},
		{"x.npy", npyFile("<f8", "(2, 2)", floats(1, 2, 3, 4)), "datasets: x.npy: an affinity matrix of 2 vertices is not one of 1·1: give the numbers of nodes of both graphs (--n1, --n2), whose product is 2"},
		{"x.npy", npyFile("<f8", "(1, 1)", floats(math.NaN())), "datasets: x.npy: qap: K[0,0] is NaN: want a finite number"},

		{"x.npz", "nothing", "datasets: x.npz: not a .npz file: zip: not a valid zip file"},
		{"x.npz", npzFile(t, "X.npy", npyFile("|u1", "(2,)", "ab")), "datasets: x.npz: X.npy: an array of shape (2,): want an affinity matrix (N, N) or a stack (k, N, N)"},
		{"x.npz", npzFile(t), "datasets: x.npz: the archive is empty"},
	} {
		_, failures := collect(test.file, test.content, Options{})
		if len(failures) != 1 || failures[0].Error() != test.want {
			t.Errorf("%s %.60q:\n got %v\nwant %s", test.file, test.content, failures, test.want)
			continue
		}
		var place *Error
		if !errors.As(failures[0], &place) || !strings.HasPrefix(place.Instance, "x") {
			t.Errorf("%s: the error names instance %q, want x…", test.want, place.Instance)
		}
	}
}

func TestOpenServesOnlyRegularFiles(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(folder, "absent.dat"): "no such file",
		folder:                              "not a regular file",
		os.DevNull:                          "not a regular file",
	} {
		for in, err := range Open(path, Options{}) {
			if in != nil || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", path, err, want)
			}
		}
	}
}

func TestExtensionCountsInAnyCase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ONE.DAT")
	if err := os.WriteFile(path, []byte("1 2 3"), 0o644); err != nil {
		t.Fatal(err)
	}
	for in, err := range Open(path, Options{}) {
		if err != nil || in.Name != "ONE" || in.Affinity.At(0, 0) != -6 {
			t.Errorf("%v %v", in, err)
		}
	}
}

// roundTrip writes an instance and reads it again.
func roundTrip(t *testing.T, in *qap.Instance, name string, write func(*bytes.Buffer) error, o Options) *qap.Instance {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatalf("%s: %v", in.Name, err)
	}
	return mustRead(t, name, b.String(), o)
}
