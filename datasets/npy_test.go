package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"github.com/rgm-go/rgm/internal/must"
)

// npzFile returns a compressed archive of alternating names and contents.
func npzFile(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for k := 0; k < len(members); k += 2 {
		member, err := w.Create(members[k])
		if err == nil {
			_, err = io.WriteString(member, members[k+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func readNPYString(content string) (Array, error) {
	return ReadNPY(strings.NewReader(content), int64(len(content)))
}

func TestNPYReadsEveryNumericTypeInBothByteOrders(t *testing.T) {
	for descr, values := range map[string]any{
		"b1": []bool{true, false, true},
		"i1": []int8{-128, 0, 127},
		"u1": []uint8{0, 1, 255},
		"i2": []int16{-32768, 1, 32767},
		"u2": []uint16{0, 1, 65535},
		"i4": []int32{math.MinInt32, 1, math.MaxInt32},
		"u4": []uint32{0, 1, math.MaxUint32},
		"i8": []int64{-1 << 53, 1, 1 << 53},
		"u8": []uint64{0, 1, 1 << 53},
		"f4": []float32{-1.5, 0, math.MaxFloat32},
		"f8": []float64{-1.5, math.SmallestNonzeroFloat64, math.MaxFloat64},
	} {
		for mark, order := range map[string]binary.ByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian} {
			var body bytes.Buffer
			if err := binary.Write(&body, order, values); err != nil {
				t.Fatal(err)
			}
			array, err := readNPYString(npyFile(mark+descr, "(3,)", body.String()))
			want := strings.NewReplacer("true", "1", "false", "0").Replace(fmt.Sprint(values))
			numbers := make([]float64, 3)
			if descr != "f4" && descr != "f8" {
				fmt.Sscanf(want, "[%g %g %g]", &numbers[0], &numbers[1], &numbers[2])
			} else if descr == "f8" {
				numbers = values.([]float64)
			} else {
				for k, v := range values.([]float32) {
					numbers[k] = float64(v)
				}
			}
			if err != nil || !slices.Equal(array.Data, numbers) {
				t.Errorf("%s%s: %v, %v, want %v", mark, descr, array.Data, err, numbers)
			}
		}
	}
}

// Bit patterns from IEEE 754-2008, binary16.
func TestFloat16(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x0001: 0x1p-24, 0x03ff: 0x3ffp-24, 0x0400: 0x1p-14, 0x3555: 0.333251953125, 0x3c00: 1,
		0x3c01: 1 + 0x1p-10, 0xc000: -2, 0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if v := float16(bits); v != want {
			t.Errorf("%#04x is %v, want %v", bits, v, want)
		}
	}
	if v := float16(0x7e00); !math.IsNaN(v) {
		t.Errorf("0x7e00 is %v, want NaN", v)
	}
	array, err := readNPYString(npyFile(">f2", "(2,)", "\x3c\x00\xc0\x00"))
	if err != nil || !slices.Equal(array.Data, []float64{1, -2}) {
		t.Errorf("%v, %v", array, err)
	}
}

func TestNPYReadsAllFormatVersions(t *testing.T) {
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }          \n"
	long := string(binary.LittleEndian.AppendUint32(nil, uint32(len(header)))) + header + floats(3, 4)
	for version, content := range map[string]string{
		"1.0": npyWith(header, floats(3, 4)),
		"2.0": "\x93NUMPY\x02\x00" + long,
		"3.0": "\x93NUMPY\x03\x00" + long,
	} {
		array, err := readNPYString(content)
		if err != nil || !slices.Equal(array.Data, []float64{3, 4}) || !slices.Equal(array.Shape, []int{2}) {
			t.Errorf("%s: %v, %v", version, array, err)
		}
	}
}

func TestNPYHeaderInOtherSpellings(t *testing.T) {
	for _, header := range []string{
		`{"shape":(2,1),"fortran_order":False,"descr":"<f8"}`,
		"{'fortran_order': False,\n 'shape': (2,1,), 'descr': 'f8'}\n",
		"{'descr': '=f8', 'fortran_order': True, 'shape': (2, 1), }",
	} {
		array, err := readNPYString(npyWith(header, floats(3, 4)))
		if err != nil || !slices.Equal(array.Shape, []int{2, 1}) || !slices.Equal(array.Data, []float64{3, 4}) {
			t.Errorf("%s: %v, %v", header, array, err)
		}
	}
	scalar, err := readNPYString(npyWith("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", floats(7)))
	if err != nil || len(scalar.Shape) != 0 || !slices.Equal(scalar.Data, []float64{7}) {
		t.Errorf("scalar: %v, %v", scalar, err)
	}
}

func TestFortranOrderIsTurnedIntoCOrder(t *testing.T) {
	// Element [i,j,k] of shape (2,3,2) is 100i+10j+k; the first index runs fastest.
	var fortran, c []float64
	for k := range 2 {
		for j := range 3 {
			for i := range 2 {
				fortran = append(fortran, float64(100*i+10*j+k))
			}
		}
	}
	for i := range 2 {
		for j := range 3 {
			for k := range 2 {
				c = append(c, float64(100*i+10*j+k))
			}
		}
	}
	array, err := readNPYString(npyWith("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 2), }", floats(fortran...)))
	if err != nil || !slices.Equal(array.Data, c) {
		t.Errorf("%v, %v, want %v", array.Data, err, c)
	}
}

func TestArraysThatNPYIOWritesReadTheSame(t *testing.T) {
	var b bytes.Buffer
	if err := npy.Write(&b, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})); err != nil {
		t.Fatal(err)
	}
	array, err := readNPYString(b.String())
	if err != nil || !slices.Equal(array.Shape, []int{2, 3}) || !slices.Equal(array.Data, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("%v, %v", array, err)
	}
}

func TestNPZServesOneArrayByName(t *testing.T) {
	content := npzFile(t, "K.npy", npyFile("<f8", "(1, 1)", floats(5)), "X.npy", npyFile("|u1", "(2,)", "\x01\x02"))
	r := strings.NewReader(content)
	array, err := ReadNPZ(r, r.Size(), "X")
	if err != nil || !slices.Equal(array.Data, []float64{1, 2}) {
		t.Errorf("X: %v, %v", array, err)
	}
	for member, want := range map[string]string{
		"":  "datasets: the archive holds the arrays K, X: name one of them",
		"Y": `datasets: the archive holds no array "Y", but K, X`,
	} {
		if _, err := ReadNPZ(r, r.Size(), member); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", member, err, want)
		}
	}
	only := strings.NewReader(npzFile(t, "K.npy", npyFile("<f8", "(1, 1)", floats(5))))
	if array, err := ReadNPZ(only, only.Size(), ""); err != nil || array.Data[0] != 5 {
		t.Errorf("the only array: %v, %v", array, err)
	}
}

func TestNPZBombIsRefusedBeforeItIsRead(t *testing.T) {
	content := npzFile(t, "K.npy", npyFile("|u1", "(4096, 4096)", strings.Repeat("\x00", 1<<24)))
	_, failures := collect("x.npz", content, Options{})
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "K.npy would inflate the archive of") {
		t.Errorf("errors %v", failures)
	}
}

func TestNPZWithADamagedMemberServesTheOthers(t *testing.T) {
	good := npyFile("<f8", "(1, 1)", floats(5))
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a.npy", "bad.npy", "z.npy"} {
		member := must.Get(w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}))(t)
		body := good
		if name == "bad.npy" {
			body = strings.Replace(good, floats(5), "RARE8BYT", 1)
		}
		io.WriteString(member, body)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	content := strings.Replace(b.String(), "RARE8BYT", "RARE8BIT", 1) // the checksum no longer fits
	instances, failures := collect("x.npz", content, Options{})
	if len(instances) != 2 || instances[0].Name != "x#a" || instances[1].Name != "x#z" {
		t.Errorf("%d instances, want x#a and x#z", len(instances))
	}
	if len(failures) != 1 || failures[0].Error() != "datasets: x.npz: bad.npy: zip: checksum error" {
		t.Errorf("errors %v", failures)
	}
}

// TestMembersInflateTogether: members may share the bytes of an archive, so what they claim
// adds up.
func TestMembersInflateTogether(t *testing.T) {
	const size, credible = 1 << 10, 200<<10 + 1<<20
	member := func(claimed uint64) *zip.File {
		return &zip.File{FileHeader: zip.FileHeader{Name: "K.npy", UncompressedSize64: claimed}}
	}
	for _, c := range []struct {
		claimed []uint64
		refused bool
	}{
		{[]uint64{credible}, false}, {[]uint64{credible + 1}, true}, {[]uint64{credible / 2, credible / 2}, false},
		{[]uint64{credible / 2, credible/2 + 1}, true}, {[]uint64{credible, 1}, true}, {[]uint64{1, math.MaxUint64}, true},
	} {
		var members []*zip.File
		for _, claimed := range c.claimed {
			members = append(members, member(claimed))
		}
		if err := checkInflation(members, size); (err != nil) != c.refused {
			t.Errorf("members of %v bytes in an archive of %d: %v", c.claimed, size, err)
		}
	}
}
