package main

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cmd/rgm/internal/bench"
	"github.com/rgm-go/rgm/cmd/rgm/internal/graphpairs"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/paper"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/results"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// documentedFields returns the fields in the first column of the table below a
// heading of docs/CLI_JSON.md.
func documentedFields(t *testing.T, heading string) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/CLI_JSON.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "## `"+heading+"`\n")
	if !found {
		t.Fatalf("docs/CLI_JSON.md has no section %s", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	section, _, _ = strings.Cut(section, "\n### ") // of other objects
	var fields []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 1 {
			for _, name := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(cells[1], -1) {
				fields = append(fields, name[1])
			}
		}
	}
	return fields
}

// jsonFields returns the names of the fields of an object in JSON, in their order.
func jsonFields(t *testing.T, object any) []string {
	t.Helper()
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(object)) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields = append(fields, name)
		}
	}
	return fields
}

func TestFieldsAreTheDocumentedOnes(t *testing.T) {
	for heading, object := range map[string]any{
		"rgm solve": report.Answer{}, "rgm bench qaplib": bench.QAPLIBRow{}, "rgm bench matching": bench.MatchingRow{}, "rgm bench training": bench.StudyResult{},
		"rgm bench models": bench.ModelRow{}, "rgm bench choosers": bench.ChooserRow{},
		"rgm inspect": networks.Description{}, "rgm match": graphpairs.Compared{},
		"rgm report": paper.Result{}, "rgm score": report.Score{}, "rgm verify": results.Verdict{}, "rgm solve --summary": report.Totals{},
	} {
		documented := documentedFields(t, heading)
		have := jsonFields(t, object)
		if heading == "rgm solve" {
			have = append(have, "error") // of a failure
		} else { // documented in another order
			slices.Sort(documented)
			slices.Sort(have)
		}
		if !slices.Equal(have, documented) {
			t.Errorf("%s: fields\n%v, documented\n%v", heading, have, documented)
		}
	}
}

// TestFieldsThatMayBeAbsent: exactly these, and only where there is no value.
func TestFieldsThatMayBeAbsent(t *testing.T) {
	keys := func(a report.Answer) []string {
		var out strings.Builder
		if err := report.NewWriter(report.JSON, &out).Write(a); err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(out.String()), &object); err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, name := range append(jsonFields(t, a), "error") {
			if _, there := object[name]; there {
				keys = append(keys, name)
			}
			delete(object, name)
		}
		if len(object) > 0 {
			t.Errorf("fields %v are not documented", object)
		}
		return keys
	}
	least := []string{
		"instance", "n1", "n2", "sense", "objective", "matched", "matching", "method", "found_by", "evaluations",
		"rollouts", "steps", "seconds", "status", "seed",
	}
	if have := keys(report.Answer{Record: portfolio.Record{Matching: qap.Matching{}}}); !slices.Equal(have, least) {
		t.Errorf("without a network and a best known value: %v, want %v", have, least)
	}
	zero := 0.0
	full := report.Answer{Record: portfolio.Record{
		Matching: qap.Matching{}, BestKnown: &zero, GapPercent: &zero, Bound: &zero, BoundGap: &zero, Refine: "tabu", Model: "m", Provider: "go",
		Profile: []portfolio.Size{{}}, Affinity: "a", AffinityUsed: "given", AffinityReason: "r",
		AffinityGate: "g", AffinityExpected: &portfolio.Expected{},
	}}
	if have, want := keys(full), jsonFields(t, full); !slices.Equal(have, want) {
		t.Errorf("full: %v, want %v", have, want)
	}
	if have := keys(report.Failure("x", errors.New("y"))); !slices.Equal(have, []string{"instance", "error"}) {
		t.Errorf("failed: %v", have)
	}
}

// TestMetricsAreExplained: every field of metrics.jsonl has a line in docs/TRAINING.md.
func TestMetricsAreExplained(t *testing.T) {
	text, err := os.ReadFile("../../docs/TRAINING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range jsonFields(t, train.Line{}) {
		if !strings.Contains(string(text), "\n| `"+field+"` | ") {
			t.Errorf("docs/TRAINING.md does not explain %s", field)
		}
	}
}

// TestHyperParametersAreExplained: each key of a training, in docs/TRAINING.md.
func TestHyperParametersAreExplained(t *testing.T) {
	text, err := os.ReadFile("../../docs/TRAINING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range settings.Keys(train.Config{}) {
		if !regexp.MustCompile("`(--set |--)?" + regexp.QuoteMeta(key) + "( = |=|`)").Match(text) {
			t.Errorf("docs/TRAINING.md does not explain %s", key)
		}
	}
}
