// Package export writes Q-networks as ONNX files that ONNX Runtime, and any other
// program that reads ONNX, evaluates.
//
// Equal networks give equal bytes. A file is put in its place only after ONNX
// Runtime has given the same Q as the Go forward pass for it.
package export

import (
	"cmp"
	"context"
	"fmt"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
)

// producer is what the files name as the program that wrote them.
const producer = "rgm"

// Marshal returns the model file of a network. training says how its weights came
// to be, as JSON; it goes into the metadata.
func Marshal(n models.Network, training string) ([]byte, error) {
	g, err := network(n)
	if err != nil {
		return nil, err
	}
	return marshal(g, models.HeaderOf(n, training).Metadata()), nil
}

func marshal(g *graph, metadata map[string]string) []byte {
	m := &onnx.Model{IRVersion: onnx.IRVersion, Opset: onnx.Opset, Producer: producer, Metadata: metadata, Graph: g.Graph}
	m.Metadata[onnx.WeightsKey] = onnx.WeightsDigest(m)
	return onnx.Marshal(m)
}

// Write verifies the model file of a network and puts it at path.
func Write(ctx context.Context, path string, n models.Network, training string, o infer.SessionOptions) error {
	data, err := Marshal(n, training)
	if err != nil {
		return err
	}
	if err := Verify(ctx, data, n, o); err != nil {
		return fmt.Errorf("export: %s not written: %w", path, err)
	}
	return Save(path, data)
}

// Save puts the bytes of a model file at path, whole or not at all.
func Save(path string, data []byte) error {
	if err := atomicfile.Write(path, atomicfile.Bytes(data)); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// WriteSelfContained verifies and writes a model that takes an instance, matchings and,
// for the architecture gain, the memory of the episode instead of features, for use from
// any language. form is what the instance is given as; other architectures than gain take
// an affinity matrix only.
func WriteSelfContained(ctx context.Context, path string, n models.Network, training string, form Form, o infer.SessionOptions) error {
	data, err := MarshalSelfContained(n, training, form)
	if err != nil {
		return err
	}
	if err := verifySelfContained(ctx, data, n, form, o); err != nil {
		return fmt.Errorf("export: %s not written: %w", path, err)
	}
	return Save(path, data)
}

// MarshalSelfContained returns the file that WriteSelfContained writes.
func MarshalSelfContained(n models.Network, training string, form Form) ([]byte, error) {
	g, err := selfContained(n, form)
	if err != nil {
		return nil, err
	}
	metadata := models.HeaderOf(n, training).Metadata()
	metadata[modelfile.SelfContainedKey] = string(cmp.Or(form, Lawler))
	return marshal(g, metadata), nil
}
