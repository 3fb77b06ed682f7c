package ngm_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/research/ngm"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// savedModel writes a network of random weights.
func savedModel(t *testing.T, architecture string) string {
	t.Helper()
	network := must.Get(models.New(models.Config{Architecture: architecture, Hidden: 4}, rand.New(rand.NewPCG(1, 2))))(t)
	data, err := export.Marshal(network, "{}")
	path := filepath.Join(t.TempDir(), architecture+".onnx")
	if err == nil {
		err = export.Save(path, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNetworksGuide: a network's guide is a soft matching of any instance, and what a source can
// do besides, it still can; a network that chooses actions guides nothing.
func TestNetworksGuide(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for instances, more := range map[string]func(train.InstanceSource) bool{
		train.InstancesMatching:  func(s train.InstanceSource) bool { _, ok := s.(train.PairSource); return ok },
		train.InstancesGenerated: func(train.InstanceSource) bool { return true },
		"qaplib-small:had": func(s train.InstanceSource) bool {
			l, ok := s.(train.InstanceList)
			return ok && len(l.Given(false)) > 0
		},
	} {
		source, err := sources.Open(train.Config{InstanceConfig: train.InstanceConfig{Instances: instances}, LearningConfig: train.LearningConfig{Guide: savedModel(t, ngm.Name)}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		in := must.Get(source.Instance(8, rng))(t)
		guide, err := source.(train.GuidedSource).Guide(in)
		if n1, n2 := in.Size(); err != nil || len(guide) != n1*n2 || !more(source) {
			t.Fatalf("%s: a guide of %d numbers for %d by %d nodes, error %v, a %T", instances, len(guide), n1, n2, err, source)
		}
		n1, n2 := in.Size()
		total := 0.0
		for _, share := range guide {
			total += share
		}
		if math.Abs(total-float64(min(n1, n2))) > 0.05*float64(n1) { // Sinkhorn's rounds are few
			t.Errorf("%s: shares add up to %v in graphs of %d and %d nodes", instances, total, n1, n2)
		}
	}
	_, err := sources.Open(train.Config{LearningConfig: train.LearningConfig{Guide: savedModel(t, models.ArchitectureGain)}}, nil)
	if err == nil || !strings.Contains(err.Error(), "gives no soft matchings") {
		t.Errorf("error %v", err)
	}
	if _, err := sources.Open(train.Config{LearningConfig: train.LearningConfig{Guide: "missing.onnx"}}, nil); err == nil {
		t.Error("a file that is missing guides")
	}
}
