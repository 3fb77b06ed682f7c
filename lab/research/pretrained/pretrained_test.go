package pretrained_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	_ "github.com/rgm-go/rgm/lab/research"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
)

// TestModels: each has its card, is named by package lab, so that rgm can say where it is, and
// ONNX Runtime evaluates it as Go does.
func TestModels(t *testing.T) {
	for _, name := range lab.Models {
		t.Run(name, func(t *testing.T) {
			data := must.Get(pretrained.Model(name))(t)
			modeltest.Card(t, name, data)
			network, _, err := models.Load(data)
			if err != nil {
				t.Fatal(err)
			}
			err = export.Verify(context.Background(), data, network, infer.SessionOptions{Install: true})
			if errors.Is(err, ortlib.ErrUnavailable) {
				t.Skipf("needs ONNX Runtime: %v", err)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFindings: what the models find on a small pair of graphs, by the method that takes them.
func TestFindings(t *testing.T) {
	p := rgmtest.Open(t)
	all := must.Get(pairs.Synthetic{Inliers: 6, Outliers: 2, Noise: 0.1, Count: 1, Affinity: affinities.PaperSynthetic}.Set().All())(t)
	in := all[0].Instance
	for _, want := range []struct {
		options  rgm.Options
		matching qap.Matching
	}{
		{rgm.Options{Method: rgm.MethodRGM, Model: "paper-matched", Regularize: "f1"}, qap.Matching{4, 1, 3, 2, 0, 5, 6, 7}},
		{rgm.Options{Method: "ngm"}, qap.Matching{3, 1, 2, 4, 5, 0, 6, 7}},
	} {
		r := must.Get(p.Solve(context.Background(), in, want.options))(t)
		if name := cmp.Or(want.options.Model, want.options.Method); r.Model != name || !slices.Equal(r.Matching, want.matching) {
			t.Errorf("%s: %v by the model %q, want %v", name, r.Matching, r.Model, want.matching)
		}
	}
}
