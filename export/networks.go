package export

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// graph is an ONNX graph in the making.
type graph struct{ *onnx.Builder }

// network returns the graph of a network, from its features to q.
func network(n models.Network) (*graph, error) {
	exportable, ok := n.(models.Exportable)
	if !ok {
		return nil, fmt.Errorf("export: no ONNX graph for architecture %q", n.Architecture())
	}
	g := &graph{onnx.NewBuilder("rgm " + n.Architecture())}
	inputs := g.features(n.Features())
	g.parameters(n)
	g.finish(exportable.Graph(g.Builder, inputs))
	return g, nil
}

// parameters adds the weights of a network as initializers.
func (g *graph) parameters(n models.Network) {
	for _, p := range n.Parameters() {
		g.Initializers = append(g.Initializers, onnx.NewFloat32(p.Name, models.Dims(p), p.Data))
	}
}

// features declares the inputs of a set.
func (g *graph) features(set string) []string {
	var names []string
	for _, t := range features.Tensors(set) {
		dims := []onnx.Dim{onnx.Named("batch")}
		for _, d := range t.Shape {
			if d < 0 {
				dims = append(dims, onnx.Named(d.String()))
			} else {
				dims = append(dims, onnx.Fixed(int64(d)))
			}
		}
		names = append(names, g.Input(t.Name, dims...))
	}
	return names
}

// finish makes Q, [batch, n1, n2], the output.
func (g *graph) finish(q string) {
	g.Rename(q, modelfile.Output)
	g.Output(modelfile.Output, onnx.Named("batch"), onnx.Named("n1"), onnx.Named("n2"))
}
