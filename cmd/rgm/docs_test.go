package main

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

func TestFieldsAreTheDocumentedOnes(t *testing.T) {
	clitest.FieldsAreDocumented(t, map[string]any{
		"rgm solve": report.Answer{}, "rgm inspect": networks.Description{}, "rgm match": struct {
			compare.Compared
			compare.Aligned
			compare.Placed
		}{},
		"rgm score": report.Score{}, "rgm verify": results.Verdict{}, "rgm solve --summary": report.Totals{},
	})
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
		for _, name := range append(clitest.JSONFields(t, a), "error") {
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
	if have := keys(report.Answer{Result: rgm.Result{Matching: qap.Matching{}}}); !slices.Equal(have, least) {
		t.Errorf("without a network and a best known value: %v, want %v", have, least)
	}
	zero, none := 0.0, 0
	full := report.Answer{Result: rgm.Result{
		Matching: qap.Matching{}, BestKnown: &zero, GapPercent: &zero, Bound: &zero, BoundGap: &zero, Refine: "tabu", Model: "m", Provider: "go",
		Profile: []rgm.Size{{}}, Matchings: []rgm.Size{{}}, MatchingsAre: rgm.MatchingsProved, Affinity: "a", AffinityUsed: "given", AffinityReason: "r", OverChance: 1, Recalled: &rgm.Recalled{}, Confidence: []float64{0},
		Sure: []bool{false}, SureMatches: &none, LeftOut: 1, Ask: []int{0},
	}}
	if have, want := keys(full), clitest.JSONFields(t, full); !slices.Equal(have, want) {
		t.Errorf("full: %v, want %v", have, want)
	}
	if have := keys(report.Failure("x", errors.New("y"))); !slices.Equal(have, []string{"instance", "error"}) {
		t.Errorf("failed: %v", have)
	}
}

// TestMetricsAreExplained: every field of metrics.jsonl has a line in docs/TRAINING.md.
func TestMetricsAreExplained(t *testing.T) {
	text := must.Get(os.ReadFile("../../docs/TRAINING.md"))(t)
	for _, field := range clitest.JSONFields(t, train.Line{}) {
		if !strings.Contains(string(text), "\n- `"+field+"`: ") {
			t.Errorf("docs/TRAINING.md does not explain %s", field)
		}
	}
}

// TestHyperParametersAreExplained: each key of a training, in docs/TRAINING.md or, of learners that
// only rgm-lab has, in the laboratory's page.
func TestHyperParametersAreExplained(t *testing.T) {
	var text []byte
	for _, page := range []string{"../../docs/TRAINING.md", "../../lab/notes/TRAINING.md"} {
		part := must.Get(os.ReadFile(page))(t)
		text = append(text, part...)
	}
	for _, key := range training.HyperParameters() {
		if !regexp.MustCompile("`(--set |--)?" + regexp.QuoteMeta(key) + "( = |=|`)").Match(text) {
			t.Errorf("docs/TRAINING.md does not explain %s", key)
		}
	}
}
