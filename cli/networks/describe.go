package networks

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
)

// Description is what rgm inspect prints; docs/CLI_JSON.md says what each field
// means.
type Description struct {
	File           string            `json:"file"`
	Kind           string            `json:"kind"`
	Architecture   string            `json:"architecture"`
	Features       string            `json:"features"`
	Opset          int64             `json:"opset"`
	Inputs         []valueShape      `json:"inputs"`
	Outputs        []valueShape      `json:"outputs"`
	Parameters     []parameterShape  `json:"parameters"`
	ParameterCount int64             `json:"parameter_count"`
	Metadata       map[string]string `json:"metadata"`
	Training       json.RawMessage   `json:"training,omitempty"`
	Progress       *Progress         `json:"progress,omitempty"`
	WeightsSHA256  string            `json:"weights_sha256"`
}

// valueShape is an input or output: a dimension is a number, or a name where any
// number will do.
type valueShape struct {
	Name  string `json:"name"`
	Shape []any  `json:"shape"`
}

type parameterShape struct {
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
	Count int64   `json:"count"`
}

// The keys of a model's metadata that have a field of their own.
const (
	metadataArchitecture = "architecture"
	metadataFeatures     = "features"
	metadataTraining     = "training"
)

// Describe describes a model, or the model that a checkpoint would be exported as.
func Describe(path string) (*Description, error) {
	kind, data, progress, err := modelOf(path)
	if err != nil {
		return nil, err
	}
	m, err := onnx.Check(data)
	if err != nil {
		return nil, ModelError{fmt.Errorf("%s: not a model of this program: %w", path, err)}
	}
	d := &Description{
		File: path, Kind: kind, Architecture: m.Metadata[metadataArchitecture], Features: m.Metadata[metadataFeatures],
		Opset: m.Opset, Inputs: shapes(m.Graph.Inputs), Outputs: shapes(m.Graph.Outputs),
		Metadata: m.Metadata, WeightsSHA256: onnx.WeightsDigest(m), Progress: progress,
	}
	if modelfile.SelfContained(m) {
		d.Kind = "self-contained " + kind
	}
	if text := m.Metadata[metadataTraining]; json.Valid([]byte(text)) {
		d.Training = json.RawMessage(text)
	}
	for _, key := range []string{metadataArchitecture, metadataFeatures, metadataTraining, onnx.WeightsKey} {
		delete(d.Metadata, key)
	}
	d.addParameters(m.Graph.Initializers)
	return d, nil
}

// modelOf returns the bytes of a model file, of a checkpoint those of its export, and where
// its training stands.
func modelOf(path string) (kind string, data []byte, progress *Progress, err error) {
	if !isCheckpoint(path) {
		data, err = Read(path)
		return kindModel, data, nil, err
	}
	n, err := Load(path)
	if err != nil {
		return "", nil, nil, err
	}
	data, err = export.Marshal(n.Network, n.Training)
	return n.Kind, data, n.Progress, err
}

// addParameters lists the weights: what is a number or of whole numbers is part of
// the graph.
func (d *Description) addParameters(initializers []onnx.Tensor) {
	for _, t := range initializers {
		if t.Type != onnx.Float32 || len(t.Dims) == 0 {
			continue
		}
		count := int64(1)
		for _, size := range t.Dims {
			count *= size
		}
		d.Parameters = append(d.Parameters, parameterShape{t.Name, t.Dims, count})
		d.ParameterCount += count
	}
}

func shapes(values []onnx.ValueInfo) []valueShape {
	var all []valueShape
	for _, v := range values {
		s := valueShape{Name: v.Name, Shape: []any{}}
		for _, dim := range v.Dims {
			if dim.Name != "" {
				s.Shape = append(s.Shape, dim.Name)
			} else {
				s.Shape = append(s.Shape, dim.Size)
			}
		}
		all = append(all, s)
	}
	return all
}

// Print shows the description to people.
func (d *Description) Print(out io.Writer) error {
	pairs := [][2]string{
		{"file", d.File}, {"kind", d.Kind}, {"architecture", d.Architecture}, {"features", d.Features},
		{"opset", fmt.Sprint(d.Opset)},
	}
	for _, v := range d.Inputs {
		pairs = append(pairs, [2]string{"input", v.Name + " " + shapeText(v.Shape)})
	}
	for _, v := range d.Outputs {
		pairs = append(pairs, [2]string{"output", v.Name + " " + shapeText(v.Shape)})
	}
	for _, key := range slices.Sorted(maps.Keys(d.Metadata)) {
		pairs = append(pairs, [2]string{key, d.Metadata[key]})
	}
	if d.Progress != nil {
		pairs = append(pairs, d.Progress.pairs()...)
	}
	pairs = append(pairs,
		[2]string{"training", string(d.Training)},
		[2]string{"weights sha256", d.WeightsSHA256},
		[2]string{"parameters", fmt.Sprintf("%d in %d tensors:", d.ParameterCount, len(d.Parameters))},
	)
	if err := report.WritePairs(out, pairs); err != nil {
		return err
	}
	rows := lists.Of(d.Parameters, func(p parameterShape) []string { return []string{fmt.Sprint(p.Count), shapeText(p.Shape), p.Name} })
	return report.WriteTable(out, []string{"count", "shape", "name"}, rows)
}

// shapeText writes a shape as [batch, n1, n2, 20].
func shapeText[D any](dims []D) string {
	return "[" + strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", ", "), "[]") + "]"
}
