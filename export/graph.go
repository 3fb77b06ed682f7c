package export

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
)

// graph builds an ONNX graph node by node. Values are named after the order in
// which they are made, so that equal networks give equal bytes.
type graph struct {
	onnx.Graph
	made      int
	constants map[string]string
}

func newGraph(name string) *graph {
	return &graph{Graph: onnx.Graph{Name: name}, constants: map[string]string{}}
}

// op adds a node with one output and returns the output's name.
func (g *graph) op(op string, inputs ...string) string {
	return g.opWith(op, nil, inputs...)
}

// opWith is op with attributes.
func (g *graph) opWith(op string, attributes []onnx.Attribute, inputs ...string) string {
	g.made++
	output := fmt.Sprintf("v%d_%s", g.made, op)
	g.Nodes = append(g.Nodes, onnx.Node{Op: op, Inputs: inputs, Outputs: []string{output}, Attributes: attributes})
	return output
}

// sum adds values.
func (g *graph) sum(first string, rest ...string) string {
	for _, v := range rest {
		first = g.op("Add", first, v)
	}
	return first
}

// mean averages over axes, which stay with size 1.
func (g *graph) mean(v string, axes ...int64) string {
	return g.opWith("ReduceMean", []onnx.Attribute{{Name: "axes", Value: axes}, {Name: "keepdims", Value: int64(1)}}, v)
}

// total adds up over axes, which stay with size 1 or go.
func (g *graph) total(v string, keep bool, axes ...int64) string {
	keepdims := int64(0)
	if keep {
		keepdims = 1
	}
	return g.opWith("ReduceSum", []onnx.Attribute{{Name: "keepdims", Value: keepdims}}, v, g.ints(axes...))
}

// rename gives a value the name of an output.
func (g *graph) rename(v, name string) {
	g.Nodes = append(g.Nodes, onnx.Node{Op: "Identity", Inputs: []string{v}, Outputs: []string{name}})
}

// parameters adds the weights of a network as initializers.
func (g *graph) parameters(n models.Network) {
	for _, p := range n.Parameters() {
		g.Initializers = append(g.Initializers, onnx.NewFloat32(p.Name, models.Dims(p), p.Data))
	}
}

// ints returns a constant vector of int64.
func (g *graph) ints(values ...int64) string {
	return g.constant(fmt.Sprintf("ints%v", values), func(name string) onnx.Tensor {
		return onnx.NewInt64(name, []int64{int64(len(values))}, values)
	})
}

// number returns a constant scalar.
func (g *graph) number(value float32) string {
	return g.constant(fmt.Sprintf("number %v", value), func(name string) onnx.Tensor {
		return onnx.NewFloat32(name, nil, []float32{value})
	})
}

// constant adds a constant once, whoever asks for it.
func (g *graph) constant(key string, make func(name string) onnx.Tensor) string {
	name, known := g.constants[key]
	if !known {
		name = fmt.Sprintf("c%d", len(g.constants)+1)
		g.constants[key] = name
		g.Initializers = append(g.Initializers, make(name))
	}
	return name
}

// input declares an input of float32.
func (g *graph) input(name string, dims ...onnx.Dim) string {
	g.Inputs = append(g.Inputs, onnx.ValueInfo{Name: name, Type: onnx.Float32, Dims: dims})
	return name
}

// output declares an output of float32.
func (g *graph) output(name string, dims ...onnx.Dim) {
	g.Outputs = append(g.Outputs, onnx.ValueInfo{Name: name, Type: onnx.Float32, Dims: dims})
}

func named(name string) onnx.Dim { return onnx.Dim{Name: name} }
func fixed(size int64) onnx.Dim  { return onnx.Dim{Size: size} }
