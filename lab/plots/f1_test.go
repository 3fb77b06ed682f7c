package plots

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/lab/bench"
)

// TestF1 draws the measured rows of two sets, and refuses to draw nothing.
func TestF1(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "rows.jsonl"), filepath.Join(dir, "f1.svg")
	text := `{"set":"a","method":"one","source":"measured","classes":{"k=1":{"f1_percent":90,"f1_standard_error":2},"k=2":{"f1_percent":80,"seconds_per_pair":0.5}},"average":{}}
{"set":"b","method":"one","source":"measured","classes":{"k=1":{"f1_percent":50}},"average":{}}
{"set":"b","method":"another","source":"paper","classes":{"k=1":{"f1_percent":60}},"average":{}}
`
	if err := os.WriteFile(in, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rows, err := bench.ReadMatching(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveF1(out, rows, true); err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">a: mean F1", ">b: mean F1", ">a: time of a pair", ">k=2<", ">one<"} {
		if !strings.Contains(string(picture), want) {
			t.Errorf("no %s in the picture", want)
		}
	}
	if strings.Contains(string(picture), ">another") {
		t.Error("a row that was not measured is drawn")
	}
	if err := SaveF1(out, rows[2:], false); err == nil {
		t.Error("nothing to draw, and no error")
	}
	if err := os.WriteFile(in, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := bench.ReadMatching(in); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("error %v", err)
	}
}
