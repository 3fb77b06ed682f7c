package onnx

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/usage"
)

// files returns bytes that Check refuses, each with its error.
func files() map[string]struct {
	data []byte
	want string
} {
	type file = struct {
		data []byte
		want string
	}
	// with is the small model, changed before it is written.
	with := func(want string, change func(m *Model)) file {
		m := small()
		change(m)
		return file{Marshal(m), want}
	}
	// plus is the small model's file with more fields at its end.
	plus := func(want string, more func(b *message)) file {
		b := message(Marshal(small()))
		more(&b)
		return file{b, want}
	}
	// inGraph is a model whose graph holds these fields only.
	inGraph := func(want string, fields func(g *message)) file {
		var g, b message
		fields(&g)
		b.message(modelGraph, g)
		return file{b, "onnx: graph: " + want}
	}
	inNode := func(want string, fields func(n *message)) file {
		return inGraph("node[0]: "+want, func(g *message) {
			var n message
			fields(&n)
			g.message(graphNode, n)
		})
	}
	inAttribute := func(want string, fields func(a *message)) file {
		return inNode("attribute[0]: "+want, func(n *message) {
			var a message
			fields(&a)
			n.message(nodeAttribute, a)
		})
	}
	inTensor := func(want string, fields func(t *message)) file {
		return inGraph("initializer[0]: "+want, func(g *message) {
			var t message
			fields(&t)
			g.message(graphInitializer, t)
		})
	}
	inType := func(want string, fields func(t *message)) file {
		return inGraph("input[0]: type: "+want, func(g *message) {
			var t, v message
			fields(&t)
			v.message(valueType, t)
			g.message(graphInput, v)
		})
	}
	initializer := func(want string, t Tensor) file {
		return with(`onnx: graph: initializer[3] "`+t.Name+`": `+want, func(m *Model) {
			m.Graph.Initializers = append(m.Graph.Initializers, t)
		})
	}
	good := Marshal(small())

	return map[string]file{
		"empty":     {nil, "onnx: opset_import: have 0, want 1"},
		"text":      {[]byte("<html>"), "onnx: graph: malformed: not an ONNX file, or a damaged one (wire type 4, want 2)"},
		"truncated": {good[:len(good)-10], "onnx: metadata_props[3]: malformed: not an ONNX file, or a damaged one"},
		"too large": {make([]byte, MaxSize+1), "onnx: 67108865 bytes, want at most 67108864"},

		"reserved": {[]byte{7}, "onnx: malformed: not an ONNX file, or a damaged one"},

		"old IR":    with("onnx: IR version 6, want 7 to 10", func(m *Model) { m.IRVersion = 6 }),
		"new IR":    with("onnx: IR version 11, want 7 to 10", func(m *Model) { m.IRVersion = 11 }),
		"old opset": with("onnx: opset 12, want 13 to 21", func(m *Model) { m.Opset = 12 }),
		"new opset": with("onnx: opset 22, want 13 to 21", func(m *Model) { m.Opset = 22 }),

		"function":         plus("onnx: a function is not supported", func(b *message) { b.message(25, nil) }),
		"training":         plus("onnx: training information is not supported", func(b *message) { b.message(20, nil) }),
		"unknown field":    plus("onnx: not an ONNX file, or one of a later version (field 99)", func(b *message) { b.integer(99, 1) }),
		"wrong wire type":  {[]byte{modelIRVersion<<3 | 5, 0, 0, 0, 0}, "onnx: ir_version: malformed: not an ONNX file, or a damaged one (wire type 5, want 0)"},
		"second graph":     plus("onnx: graph occurs twice", func(b *message) { b.message(modelGraph, nil) }),
		"second opset":     plus("onnx: opset_import: have 2, want 1", func(b *message) { b.message(modelOpset, nil) }),
		"custom opset":     plus(`onnx: opset_import[1]: domain: custom domain "com.example" is not supported`, func(b *message) { b.message(modelOpset, []byte("\x0a\x0bcom.example")) }),
		"metadata twice":   plus(`onnx: metadata_props[4]: key "a" occurs twice`, func(b *message) { b.message(modelMetadata, []byte("\x0a\x01a")) }),
		"not UTF-8":        plus("onnx: metadata_props[4]: key: a text that is not UTF-8", func(b *message) { b.message(modelMetadata, []byte("\x0a\x01\xff")) }),
		"very long text":   with("onnx: producer_name: a text of 65537 bytes, want at most 65536", func(m *Model) { m.Producer = strings.Repeat("x", 65537) }),
		"very many fields": inGraph("node[16383]: more than 16384 fields in the file", func(g *message) { *g = bytes.Repeat([]byte{graphNode<<3 | 2, 0}, 20000) }),
		"very many ints":   inTensor("dims[0]: more than 16384 fields in the file", func(t *message) { t.message(tensorDims, make([]byte, 20000)) }),
		"empty list":       inAttribute(`attribute "" has 0 values, want 1`, func(a *message) { a.integer(attributeType, attributeIsInts) }),

		"custom domain":    inNode(`domain: custom domain "com.example" is not supported`, func(n *message) { n.text(nodeDomain, "com.example") }),
		"doc_string":       inNode("a doc_string is not supported", func(n *message) { n.text(6, "") }),
		"subgraph":         inAttribute("a subgraph is not supported", func(a *message) { a.message(6, nil) }),
		"subgraphs":        inAttribute("a list of subgraphs is not supported", func(a *message) { a.message(11, nil) }),
		"floats":           inAttribute("a list of floats is not supported", func(a *message) { a.real(7, 1) }),
		"no value":         inAttribute(`attribute "a" has 0 values, want 1`, func(a *message) { a.text(attributeName, "a") }),
		"two values":       inAttribute(`attribute "" has 2 values, want 1`, func(a *message) { a.integer(attributeInt, 1); a.real(attributeFloat, 1) }),
		"other value":      inAttribute(`attribute "": its type is 5, but that of its value is 2`, func(a *message) { a.integer(attributeInt, 1); a.integer(attributeType, 5) }),
		"external data":    inTensor("external data is not supported", func(t *message) { t.message(13, nil) }),
		"external place":   inTensor("data_location: external data is not supported", func(t *message) { t.integer(tensorLocation, 1) }),
		"float_data":       inTensor("float_data (write raw_data) is not supported", func(t *message) { t.real(4, 1) }),
		"sparse":           inGraph("a sparse initializer is not supported", func(g *message) { g.message(15, nil) }),
		"a sequence":       inType("a sequence is not supported", func(t *message) { t.message(4, nil) }),
		"no shape":         inType("tensor_type: no shape", func(t *message) { t.message(typeTensor, nil) }),
		"a type twice":     inType("tensor_type occurs twice", func(t *message) { t.message(typeTensor, []byte{tensorTypeShape<<3 | 2, 0}); t.message(typeTensor, nil) }),
		"overlong integer": inTensor("dims[0]: malformed: not an ONNX file, or a damaged one", func(t *message) { *t = append(*t, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2) }),

		"operator":         with(`onnx: graph: node[1] "Loop": the operator is not allowed`, func(m *Model) { m.Graph.Nodes[1].Op = "Loop" }),
		"no operator":      with(`onnx: graph: node[1] "": the operator is not allowed`, func(m *Model) { m.Graph.Nodes[1].Op = "" }),
		"unknown input":    with(`onnx: graph: node[1] "Relu": "n" is not defined before it is used`, func(m *Model) { m.Graph.Nodes[1].Inputs[0] = "n" }),
		"input from later": with(`onnx: graph: node[1] "Relu": "z" is not defined before it is used`, func(m *Model) { m.Graph.Nodes[1].Inputs[0] = "z" }),
		"output twice":     with(`onnx: graph: node[1] "Relu": "h" is defined twice`, func(m *Model) { m.Graph.Nodes[1].Outputs[0] = "h" }),
		"output no name":   with(`onnx: graph: node[1] "Relu": no name`, func(m *Model) { m.Graph.Nodes[1].Outputs[0] = "" }),
		"attribute twice":  with(`onnx: graph: node[2] "Gemm": attribute "alpha": "alpha" is defined twice`, func(m *Model) { m.Graph.Nodes[2].Attributes[1].Name = "alpha" }),
		"constant": with(`onnx: graph: node[3] "Constant": attribute "value": 16 bytes, want 24 for the dimensions [3]`,
			func(m *Model) { m.Graph.Nodes[3].Attributes[0].Value.(*Tensor).Dims[0] = 3 }),
		"no output":      with("onnx: graph: no output", func(m *Model) { m.Graph.Outputs = nil }),
		"unknown output": with(`onnx: graph: output[0]: "n" is not defined before it is used`, func(m *Model) { m.Graph.Outputs[0].Name = "n" }),
		"same output":    with(`onnx: graph: output[1]: "y" is defined twice`, func(m *Model) { m.Graph.Outputs[1].Name = "y" }),
		"input no name":  with("onnx: graph: input[0]: no name", func(m *Model) { m.Graph.Inputs[0].Name = "" }),
		"input type":     with(`onnx: graph: input[0]: "x": elements of type 10, want 1 (float32) or 7 (int64)`, func(m *Model) { m.Graph.Inputs[0].Type = 10 }),
		"input size":     with(`onnx: graph: input[0]: "x": dimension 1: want a size or a name, have 0 and ""`, func(m *Model) { m.Graph.Inputs[0].Dims[1].Size = 0 }),

		"tensor type":     initializer("elements of type 8, want 1 (float32) or 7 (int64)", Tensor{Name: "T", Type: 8}),
		"tensor name":     initializer(`"W" is defined twice`, Tensor{Name: "W", Type: Float32}),
		"tensor bytes":    initializer("4 bytes, want 8 for the dimensions [1]", Tensor{"T", Int64, []int64{1}, make([]byte, 4)}),
		"negative":        initializer("dimensions [-1 -1] are out of range", Tensor{"T", Float32, []int64{-1, -1}, make([]byte, 4)}),
		"overflow":        initializer("dimensions [4294967296 4294967296] are out of range", Tensor{"T", Float32, []int64{1 << 32, 1 << 32}, nil}),
		"overflow slowly": initializer("dimensions [65536 65536 65536 65536] are out of range", Tensor{"T", Float32, []int64{1 << 16, 1 << 16, 1 << 16, 1 << 16}, nil}),

		"damaged weights": with("onnx: the weights do not match the recorded sha256 (have "+flippedDigest()+", want "+WeightsDigest(small())+
			"): the file is damaged; get or export it again", func(m *Model) { m.Initializer("W").Raw[0] ^= 1 }),
	}
}

func flippedDigest() string {
	m := small()
	m.Initializer("W").Raw[0] ^= 1
	return WeightsDigest(m)
}

func TestCheckRefuses(t *testing.T) {
	for name, file := range files() {
		t.Run(name, func(t *testing.T) {
			m, err := Check(file.data)
			if err == nil {
				t.Fatal("accepted")
			}
			if m != nil {
				t.Error("a model came with the error")
			}
			if err.Error() != file.want {
				t.Errorf("error %v\nwant  %s", err, file.want)
			}
		})
	}
}

// Other writers pack lists of integers, and write defaults out.
func TestCheckAcceptsOtherEncodings(t *testing.T) {
	want := small()
	want.Graph.Initializers = want.Graph.Initializers[:1]
	want.Graph.Nodes = want.Graph.Nodes[:2]
	want.Graph.Outputs = want.Graph.Outputs[:1]
	want.Metadata = map[string]string{}

	var tensor, opset, graph, model message
	tensor.message(tensorDims, []byte{2, 3})
	tensor.integer(tensorType, int64(Float32))
	tensor.integer(tensorLocation, 0)
	tensor.text(tensorName, "W")
	tensor.message(tensorRaw, want.Initializer("W").Raw)
	graph.message(graphInitializer, tensor)
	rest := want.Graph
	rest.Initializers = nil
	graph = append(graph, rest.marshal()...)
	model.message(modelGraph, graph)
	opset.text(opsetDomain, "")
	opset.integer(opsetVersion, Opset)
	model.message(modelOpset, opset)
	model.integer(modelIRVersion, IRVersion)
	model.text(modelProducer, want.Producer)
	model.text(modelProducerVersion, want.ProducerVersion)

	got := must.Get(Check(model))(t)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(Marshal(small()))
	unsigned := small() // changed weights are accepted, too
	delete(unsigned.Metadata, WeightsKey)
	f.Add(Marshal(unsigned))
	refused := files()
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		if data := refused[name].data; len(data) < 1<<12 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m *Model
		var err error
		usage.AtMost(t, uint64(16<<20+2*len(data)), func() { m, err = Check(data) })
		if err != nil {
			return
		}
		again := Marshal(m)
		m, err = Check(again)
		if err != nil {
			t.Fatalf("accepted, but written again refused: %v", err)
		}
		if !bytes.Equal(Marshal(m), again) {
			t.Error("written again twice, the bytes differ")
		}
	})
}
