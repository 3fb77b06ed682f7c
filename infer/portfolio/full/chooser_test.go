package full_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/infer/portfolio/full"
	"github.com/rgm-go/rgm/qap/auto"
)

// choosing returns options of a search by a chooser.
func choosing(chooser string) portfolio.Options {
	return portfolio.Options{Chooser: chooser, Options: infer.Options{Seed: 3, MaxSteps: 100_000}}
}

// TestChoosers: every one gives a search that repeats; the rule is the default.
func TestChoosers(t *testing.T) {
	p, in := open(t), embedded(t, "tai30b")
	results := map[string]portfolio.Result{}
	for _, chooser := range append(auto.Names(), "", portfolio.ChooserLearned) {
		for range 2 {
			r, err := p.Solve(context.Background(), in, choosing(chooser))
			if err != nil || r.Steps != 100_000 || r.Objective != in.Objective(in.Score(r.Matching)) {
				t.Fatalf("%q: %+v, error %v", chooser, r, err)
			}
			if before, again := results[chooser]; again && !slices.Equal(before.Matching, r.Matching) {
				t.Errorf("%q: the same seed gives another result", chooser)
			}
			results[chooser] = r
		}
	}
	if !slices.Equal(results[""].Matching, results[portfolio.ChooserRule].Matching) {
		t.Error("the default is not the rule")
	}
	if r := results[portfolio.ChooserLearned]; r.Evaluations == 0 || r.Provider != "go" || r.Model != "" {
		t.Errorf("learned: %d evaluations by %q of %q", r.Evaluations, r.Provider, r.Model)
	}
}

// TestChooserByRuntime: ONNX Runtime, where it is demanded, evaluates the network.
func TestChooserByRuntime(t *testing.T) {
	if _, err := ortlib.Find(ortlib.CPU); err != nil {
		t.Skip("needs ONNX Runtime: ", err)
	}
	c := full.Config()
	c.Provider = portfolio.ProviderCPU
	byRuntime, err := portfolio.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer byRuntime.Close()
	in := embedded(t, "tai30b")
	want, err := open(t).Solve(context.Background(), in, choosing(portfolio.ChooserLearned))
	if err != nil {
		t.Fatal(err)
	}
	got, err := byRuntime.Solve(context.Background(), in, choosing(portfolio.ChooserLearned))
	if errors.Is(err, ortlib.ErrUnavailable) { // built without cgo
		t.Skip(err)
	}
	if err != nil || got.Evaluations != want.Evaluations || got.Provider != "onnxruntime-cpu" || !slices.Equal(got.Matching, want.Matching) {
		t.Errorf("%+v, error %v, in Go %+v", got, err, want)
	}
}
