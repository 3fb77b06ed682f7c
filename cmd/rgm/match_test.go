package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
)

// TestMatchTutorial: the tables of docs/tutorials/match.md are matched as the page says,
// each tree with its own name.
func TestMatchTutorial(t *testing.T) {
	const data = "../../docs/tutorials/data/"
	root := newRoot(console.Discard())
	root.SetArgs([]string{"match", "--affinity", "learned", "--provider", "go", "--format", "csv", data + "left.csv", data + "right.csv"})
	var out bytes.Buffer
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/tutorials/match.md")
	if err != nil {
		t.Fatal(err)
	}
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
