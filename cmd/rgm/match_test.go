package main

import (
	"bytes"
	"encoding/csv"
	"github.com/rgm-go/rgm/cli"
	"os"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/internal/must"
)

// TestMatchTutorial: the tables of docs/tutorials/match.md are matched as the page says,
// each tree with its own name.
func TestMatchTutorial(t *testing.T) {
	const data = "../../docs/tutorials/data/"
	root := cli.Root(console.Discard())
	root.SetArgs([]string{"match", "--affinity", "learned", "--provider", "go", "--format", "csv", data + "left.csv", data + "right.csv"})
	var out bytes.Buffer
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := must.Get(csv.NewReader(&out).ReadAll())(t)
	page := must.Get(os.ReadFile("../../docs/tutorials/match.md"))(t)
	if len(rows) != 13 {
		t.Errorf("%d pairs, want 12", len(rows)-1)
	}
	for _, row := range rows[1:] {
		if !strings.EqualFold(row[0], row[1]) {
			t.Errorf("%s is matched with %s", row[0], row[1])
		}
		if !strings.Contains(string(page), "    "+row[0]+strings.Repeat(" ", 7-len(row[0]))+row[1]+"\n") {
			t.Errorf("the page does not show %s with %s", row[0], row[1])
		}
	}
}

// TestMatchStars: of two charts of the northern sky, stretched otherwise, turned, one of them
// to half a degree, and with stars that the other lacks, nearly all stars are found. The
// positions are of bright stars as any catalogue has them (internal/quality draws the charts).
func TestMatchStars(t *testing.T) {
	const data, least = "testdata/stars/", 0.85 // measured: 0.947, 9 stars of 9 and one that has no partner
	root := cli.Root(console.Discard())
	root.SetArgs([]string{"match", "--affinity", "learned", "--provider", "go", "--format", "csv", data + "first.csv", data + "second.csv"})
	var out bytes.Buffer
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := must.Get(csv.NewReader(&out).ReadAll())(t)
	second := must.Get(os.ReadFile(data + "second.csv"))(t)
	first := must.Get(os.ReadFile(data + "first.csv"))(t)
	common, right := 0, 0
	for line := range strings.Lines(string(first)) {
		if name, _, _ := strings.Cut(line, ","); name != "star" && strings.Contains(string(second), "\n"+name+",") {
			common++
		}
	}
	for _, row := range rows[1:] {
		if row[0] == row[1] {
			right++
		}
	}
	if f1 := 2 * float64(right) / float64(len(rows)-1+common); f1 < least {
		t.Errorf("F1 %.2f, want at least %.2f: %v", f1, least, rows)
	} else {
		t.Logf("F1 %.3f, %d of %d", f1, right, common)
	}
}
