package datasets

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/matchings"
	"github.com/rgm-go/rgm/qap"
	"github.com/sbinet/npyio/npy"
)

func TestMatchingReadsFromJSONAndNPY(t *testing.T) {
	folder := t.TempDir()
	want := qap.Matching{2, qap.Unmatched, 0}
	var b bytes.Buffer
	if err := matchings.Write(&b, want); err != nil {
		t.Fatal(err)
	}
	var numbers []int64
	if err := npy.Read(bytes.NewReader(b.Bytes()), &numbers); err != nil || !slices.Equal(numbers, []int64{2, -1, 0}) {
		t.Errorf("npyio reads %v, %v", numbers, err)
	}
	for name, content := range map[string]string{
		"m.json": " [2, -1, 0]\n", "m.npy": b.String(), "bytes.npy": npyFile("|i1", "(3,)", "\x02\xff\x00"), "floats.npy": npyFile("<f8", "(3,)", floats(2, -1, 0)),
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if m, err := ReadMatching(path); err != nil || !slices.Equal(m, want) {
			t.Errorf("%s: %v, %v, want %v", name, m, err, want)
		}
	}
}

func TestMalformedMatchings(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct{ name, content, want string }{
		{"m.json", `{"matching": [1]}`, "datasets: m.json: want a JSON array of whole numbers: json: cannot unmarshal object into Go value of type qap.Matching"},
		{"m.json", `[1, 2.5]`, "datasets: m.json: want a JSON array of whole numbers: json: cannot unmarshal number 2.5 into Go value of type int"},
		{"m.json", `[1] [2]`, "datasets: m.json: want the end of the file after a JSON array of whole numbers"},
		{"m.json", `null`, "datasets: m.json: want a JSON array of whole numbers, have null"},
		{"m.npy", npyFile("<f8", "(1,)", floats(1.5)), "datasets: m.npy: node 0 goes to 1.5: want -1..32767"},
		{"m.npy", npyFile("|u1", "(1, 1)", "a"), "datasets: m.npy: an array of shape (1, 1): want one dimension of whole numbers"},
		{"m.npy", npyFile("<u4", "(1,)", "\xff\xff\xff\xff"), "datasets: m.npy: node 0 goes to 4.294967295e+09: want -1..32767"},
		{"m.txt", "", `datasets: m.txt: a matching in format ".txt": want .json or .npy`},
	} {
		if err := os.WriteFile(test.name, []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadMatching(test.name); err == nil || err.Error() != test.want {
			t.Errorf("%.40q:\n got %v\nwant %s", test.content, err, test.want)
		}
	}
}
