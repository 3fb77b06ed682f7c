package onnx

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
)

// small returns y = relu(x·W), with a node of every kind of attribute beside it.
func small() *Model {
	pairs := NewInt64("", []int64{2}, []int64{-1, 6})
	m := &Model{
		IRVersion:       IRVersion,
		Opset:           Opset,
		Producer:        "rgm",
		ProducerVersion: "test",
		Metadata:        map[string]string{"b": "2", "a": "1", "c": "ünï"},
		Graph: Graph{
			Name: "small",
			Nodes: []Node{
				{Op: "MatMul", Inputs: []string{"x", "W"}, Outputs: []string{"h"}, Name: "product"},
				{Op: "Relu", Inputs: []string{"h"}, Outputs: []string{"y"}},
				{Op: "Gemm", Inputs: []string{"y", "V", ""}, Outputs: []string{"g"}, Attributes: []Attribute{
					{"alpha", float32(0.5)}, {"transB", int64(1)},
				}},
				{Op: "Constant", Outputs: []string{"shape"}, Attributes: []Attribute{{"value", &pairs}}},
				{Op: "Reshape", Inputs: []string{"g", "shape"}, Outputs: []string{"z"}},
				{Op: "ReduceMean", Inputs: []string{"z"}, Outputs: []string{"mean"}, Attributes: []Attribute{
					{"axes", []int64{0, -1}}, {"keepdims", int64(0)},
				}},
				{Op: "Constant", Outputs: []string{"one"}, Attributes: []Attribute{{"value_float", float32(1)}}},
			},
			Initializers: []Tensor{
				NewFloat32("W", []int64{2, 3}, []float32{1, 2, 3, -4, 5, float32(math.Inf(1))}),
				NewFloat32("V", []int64{3, 3}, make([]float32, 9)),
				NewFloat32("unused", nil, []float32{7}),
			},
			Inputs:  []ValueInfo{{"x", Float32, []Dim{{Name: "batch"}, {Size: 2}}}},
			Outputs: []ValueInfo{{"y", Float32, []Dim{{Name: "batch"}, {Size: 3}}}, {"mean", Float32, nil}},
		},
	}
	m.Metadata[WeightsKey] = WeightsDigest(m)
	return m
}

func TestRoundTrip(t *testing.T) {
	want := small()
	got := must.Get(Check(Marshal(want)))(t)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestMarshalIsDeterministic(t *testing.T) {
	first := Marshal(small())
	for range 20 { // maps have another order each time
		if !bytes.Equal(Marshal(small()), first) {
			t.Fatal("equal models gave other bytes")
		}
	}
}

func TestMarshalPanicsOnUnknownValue(t *testing.T) {
	defer func() {
		if got, want := recover(), `onnx: attribute "axis": a value of type int`; got != want {
			t.Errorf("panic %v, want %s", got, want)
		}
	}()
	m := small()
	m.Graph.Nodes[0].Attributes = []Attribute{{"axis", 1}}
	Marshal(m)
}

func TestTensors(t *testing.T) {
	m := small()
	floats, err := m.Initializer("W").Float32s()
	if err != nil || !reflect.DeepEqual(floats, []float32{1, 2, 3, -4, 5, float32(math.Inf(1))}) {
		t.Errorf("W is %v (%v)", floats, err)
	}
	shape := m.Graph.Nodes[3].Attributes[0].Value.(*Tensor)
	if want := NewInt64(shape.Name, []int64{2}, []int64{-1, 6}); !reflect.DeepEqual(*shape, want) {
		t.Errorf("shape is %v, want %v", *shape, want)
	}
	if m.Initializer("none") != nil {
		t.Error("found an initializer that is not there")
	}
	_, err = shape.Float32s()
	if want := `onnx: tensor "` + shape.Name + `": elements are of type 7, want 1`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	_, err = (&Tensor{Name: "T", Type: Float32, Dims: []int64{2}, Raw: make([]byte, 5)}).Float32s()
	if want := `onnx: tensor "T": 5 bytes, want 8 for the dimensions [2]`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestWeightsDigest(t *testing.T) {
	digest := WeightsDigest(small())
	same := small()
	initializers := same.Graph.Initializers
	initializers[0], initializers[2] = initializers[2], initializers[0]
	if WeightsDigest(same) != digest {
		t.Error("the digest depends on the order of the initializers")
	}
	for name, change := range map[string]func(*Tensor){
		"name":  func(w *Tensor) { w.Name = "w" },
		"shape": func(w *Tensor) { w.Dims = []int64{3, 2} },
		"data":  func(w *Tensor) { w.Raw[3] ^= 1 },
	} {
		m := small()
		change(m.Initializer("W"))
		if WeightsDigest(m) == digest {
			t.Errorf("another %s has the same digest", name)
		}
	}
}

// checkWithPython has the official library check the file, write it again and
// compute the digest from its documentation.
const checkWithPython = `
import hashlib, onnx, struct, sys
data = open(sys.argv[1], "rb").read()
model = onnx.load_model_from_string(data)
onnx.checker.check_model(model, full_check=True)
assert model.SerializeToString() == data, "written otherwise"
number = lambda v: struct.pack("<q", v)
digest = hashlib.sha256()
for t in sorted(model.graph.initializer, key=lambda t: t.name):
    digest.update(number(len(t.name)) + t.name.encode() + number(t.data_type) + number(len(t.dims)))
    digest.update(b"".join(map(number, t.dims)) + number(len(t.raw_data)) + t.raw_data)
metadata = {p.key: p.value for p in model.metadata_props}
assert metadata["weights_sha256"] == digest.hexdigest(), "another digest"
`

func TestOfficialChecker(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.onnx")
	if err := os.WriteFile(file, Marshal(small()), 0o644); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(testdata.PythonWithONNX(t), "-c", checkWithPython, file).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestInputsMayBeLeftOut(t *testing.T) {
	if text := string(Marshal(small())); !strings.Contains(text, "\x0a\x01y\x0a\x01V\x0a\x00") {
		t.Error("the input \"\" of Gemm is not in the file")
	}
}
