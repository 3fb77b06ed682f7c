package export

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// TestFormat1GivesItsWeights: a gain network of format 1, whose graph takes all channels
// as one tensor, is still read, but not run.
func TestFormat1GivesItsWeights(t *testing.T) {
	n := gain(t)
	g := &graph{onnx.NewBuilder("format 1")}
	f := g.Input("features", onnx.Named("batch"), onnx.Named("n1"), onnx.Named("n2"), onnx.Fixed(features.GainChannels))
	g.parameters(n)
	g.finish(g.Op("Squeeze", g.Op("MatMul", f, "advantage.skip"), g.Ints(3)))
	m := must.Get(onnx.Unmarshal(marshal(g, models.HeaderOf(n, "{}").Metadata())))(t)
	m.Metadata["rgm_format"] = "1"
	data := onnx.Marshal(m)
	loaded, _, err := models.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range n.Parameters() {
		if !slices.Equal(p.Data, loaded.Parameters()[k].Data) {
			t.Errorf("%s differs", p.Name)
		}
	}
	_, err = infer.Open(context.Background(), data, infer.SessionOptions{Install: true})
	needRuntime(t, err)
	if !errors.Is(err, infer.ErrOldFormat) {
		t.Errorf("error %v, want one that wraps ErrOldFormat", err)
	}
}

func TestDamagedModelsAreRefused(t *testing.T) {
	n := gain(t)
	data := must.Get(Marshal(n, "{}"))(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		bad := slices.Clone(data)
		bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		if bytes.Equal(bad, data) {
			continue
		}
		loaded, _, err := models.Load(bad)
		if err != nil {
			continue
		}
		// Only what says nothing about the network may be changed unnoticed: a
		// producer, a name in the graph, the training's description.
		for k, p := range n.Parameters() {
			if !slices.Equal(p.Data, loaded.Parameters()[k].Data) {
				t.Fatal("a flipped bit in the weights loads")
			}
		}
	}
	for name, change := range map[string]func(m *onnx.Model){
		"another input":     func(m *onnx.Model) { m.Graph.Inputs[0].Name = "x"; m.Graph.Nodes[0].Inputs[0] = "x" },
		"another width":     func(m *onnx.Model) { m.Graph.Inputs[0].Dims[1].Size = 7 },
		"another format":    func(m *onnx.Model) { m.Metadata["rgm_format"] = "99" },
		"unknown features":  func(m *onnx.Model) { m.Metadata["features"] = "pixels" },
		"unknown network":   func(m *onnx.Model) { m.Metadata["architecture"] = "other" },
		"wrong width":       func(m *onnx.Model) { m.Metadata["hidden"] = "17" },
		"no value stream":   func(m *onnx.Model) { m.Metadata["dueling"] = "false" },
		"other dueling":     func(m *onnx.Model) { m.Metadata["dueling"] = "maybe" },
		"no digest":         func(m *onnx.Model) { delete(m.Metadata, onnx.WeightsKey) },
		"foreign operators": func(m *onnx.Model) { m.Graph.Nodes[0].Op = "Loop" },
	} {
		m := must.Get(onnx.Unmarshal(data))(t)
		change(m)
		if _, _, err := models.Load(onnx.Marshal(m)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
