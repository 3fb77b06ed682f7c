//go:build cgo

package infer

import (
	"context"
	"errors"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/rgm-go/rgm/internal/onnx"
)

// Evaluate runs an ONNX model of any inputs once and returns its only output. It is
// meant for models that NewBatch does not fit, such as self-contained exports.
func Evaluate(ctx context.Context, model []byte, o SessionOptions, inputs ...Tensor) (output []float32, err error) {
	m, err := onnx.Check(model)
	if err != nil {
		return nil, fmt.Errorf("infer: %w", err)
	}
	if err := start(ctx, o); err != nil {
		return nil, err
	}
	var names []string
	var values []ort.Value
	defer func() {
		for _, v := range values {
			err = errors.Join(err, v.Destroy())
		}
	}()
	for _, t := range inputs {
		v, err := ort.NewTensor(ort.NewShape(t.Shape...), t.Data)
		if err != nil {
			return nil, fmt.Errorf("infer: input %s: %w", t.Name, err)
		}
		names, values = append(names, t.Name), append(values, v)
	}
	session, err := newSession(model, names, []string{m.Graph.Outputs[0].Name}, o)
	if err != nil {
		return nil, err
	}
	defer session.Destroy()
	outputs := []ort.Value{nil}
	if err := session.Run(values, outputs); err != nil {
		return nil, o.explain(err)
	}
	values = append(values, outputs[0])
	result, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return nil, fmt.Errorf("infer: the model's output is no float32 tensor")
	}
	return append([]float32(nil), result.GetData()...), nil
}
