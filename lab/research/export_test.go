package research_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/export/exporttest"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/lab/research/lcs"
	"github.com/rgm-go/rgm/lab/research/ngm"
	"github.com/rgm-go/rgm/lab/research/paper"
	"github.com/rgm-go/rgm/lab/research/rewriter"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// TestExport: what every exported network must do.
func TestExport(t *testing.T) {
	lawler := []export.Form{export.Lawler}
	exporttest.Test(t, []exporttest.Case{
		{Config: models.Config{Architecture: paper.Name}, Forms: lawler},
		{Config: models.Config{Architecture: paper.Name, Hidden: 6, Head: 4, SingleStream: true}, Forms: lawler},
		{Config: models.Config{Architecture: paper.Name, Hidden: 7, Head: 4, Iterations: 1}, Forms: lawler},
		{Config: models.Config{Architecture: paper.Name, Hidden: 6, Head: 4, Features: "paper-literal"}, Forms: lawler},
		{Config: models.Config{Architecture: paper.Weighted, Hidden: 6, Head: 4}, Forms: lawler},
		{Config: models.Config{Architecture: paper.Weighted, Hidden: 6, Head: 4, Iterations: 2, SingleStream: true, Features: "paper-weighted-exact"}, Forms: lawler},
		{Config: models.Config{Architecture: paper.Matched, Hidden: 6, Head: 4}, Forms: lawler},
		{Config: models.Config{Architecture: paper.Matched, Hidden: 5, Head: 3, Iterations: 2, SingleStream: true, Features: "paper-matched-literal"}, Forms: lawler},
		{Config: models.Config{Architecture: ngm.Name}},
		{Config: models.Config{Architecture: ngm.Name, Hidden: 5, Iterations: 1}},
		{Config: models.Config{Architecture: rewriter.Name, Hidden: 6, Head: 5}},
		{Config: models.Config{Architecture: lcs.Name}},
		{Config: models.Config{Architecture: lcs.Name, Hidden: 5, Head: 3, Iterations: 2}},
	})
}

// TestFirstSelfContainedModels: those of the paper's network had no key of their own, and are told all the same.
func TestFirstSelfContainedModels(t *testing.T) {
	n := must.Get(models.New(models.Config{Architecture: paper.Name, Hidden: 6, Head: 4}, rand.New(rand.NewPCG(1, 2))))(t)
	m := must.Get(onnx.Unmarshal(must.Get(export.MarshalSelfContained(n, "{}", export.Lawler))(t)))(t)
	delete(m.Metadata, modelfile.SelfContainedKey)
	if _, _, err := models.Load(onnx.Marshal(m)); !errors.Is(err, modelfile.ErrSelfContained) {
		t.Errorf("error %v, want ErrSelfContained", err)
	}
}

// architectures are all, as files hold them.
var architectures = []models.Config{
	{Architecture: paper.Name}, {Architecture: paper.Name, Features: "paper-literal", SingleStream: true},
	{Architecture: paper.Weighted, Features: "paper-weighted-exact"}, {Architecture: paper.Matched},
	{Architecture: ngm.Name}, {Architecture: lcs.Name}, {Architecture: rewriter.Name},
}

func TestLoad(t *testing.T) { exporttest.TestLoad(t, architectures) }

func FuzzLoad(f *testing.F) { exporttest.FuzzLoad(f, architectures) }

// TestVectors compares docs/vectors with small networks of random weights, whose files are kept there too.
func TestVectors(t *testing.T) {
	const folder = "../../docs/vectors"
	ofPolicies, ofSoft := modeltest.EpisodeVectors{}, modeltest.EpisodeVectors{Fill: soft.Fill}
	for _, c := range []struct {
		models.Config
		episodes modeltest.EpisodeVectors
	}{
		{models.Config{Architecture: paper.Name, Hidden: 6, Head: 4}, ofPolicies},
		{models.Config{Architecture: ngm.Name, Hidden: 6}, ofSoft},
		{models.Config{Architecture: lcs.Name, Hidden: 6, Head: 4}, ofSoft},
		{models.Config{Architecture: paper.Weighted, Hidden: 6, Head: 4, Features: "paper-weighted-literal"}, ofPolicies},
		{models.Config{Architecture: paper.Matched, Hidden: 6, Head: 4, Features: "paper-matched-literal"}, modeltest.EpisodeVectors{Scaled: true}},
	} {
		small := must.Get(models.New(c.Config, rand.New(rand.NewPCG(7, 8))))(t)
		data := must.Get(export.Marshal(small, "{}"))(t)
		path := folder + "/" + c.Architecture + ".onnx"
		if modeltest.Update() {
			if err := atomicfile.Write(path, atomicfile.Bytes(data)); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, data) {
			t.Errorf("%s is not the network of the vectors (%v)", path, err)
		}
		modeltest.CheckVectors(t, folder, c.Architecture, "docs/vectors/"+c.Architecture+".onnx", data, func(n models.Network) []any {
			return c.episodes.Of(t, n, modeltest.MatchingVectors(t))
		})
	}
}

// BenchmarkPaperStep times a step of the paper's network at its full width through
// ONNX Runtime, its features included.
func BenchmarkPaperStep(b *testing.B) {
	const n = 30
	rng := rand.New(rand.NewPCG(1, 2))
	network := must.Get(models.New(models.Config{Architecture: paper.Name}, rng))(b)
	data := must.Get(export.Marshal(network, "{}"))(b)
	runtime, err := infer.Open(context.Background(), data, infer.SessionOptions{Install: true})
	exporttest.NeedRuntime(b, err)
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.Close()
	batch := must.Get(runtime.NewBatch(1, n, n))(b)
	defer batch.Close()
	in := must.Get(datasets.Generate("grid", n, rng))(b)
	inputs := must.Get(features.New(runtime.Features(), in))(b)
	env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
	env.Reset(qap.RandomMatching(n, n, rng))
	x := inputs.NewExtractor(env, n)
	b.ReportAllocs()
	for b.Loop() {
		x.Fill(batch.Inputs(), 0)
		q, err := batch.Evaluate()
		if err != nil {
			b.Fatal(err)
		}
		env.Step(rollout.BestAction(env, q))
		x.Observe()
	}
}
