//go:build !cgo

package infer

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/qap"
)

// Network cannot be opened in a program built without cgo.
type Network struct{ header modelfile.Header }

// Open fails: ONNX Runtime needs cgo. The error wraps ortlib.ErrUnavailable.
func Open(_ context.Context, model []byte, _ SessionOptions) (*Network, error) {
	_, header, err := modelfile.Read(model)
	if err == nil && !header.Current() {
		err = ErrOldFormat
	}
	if err != nil {
		return nil, fmt.Errorf("infer: %w", err)
	}
	return nil, fmt.Errorf("infer: %w; this program was built without cgo; remedy: build with CGO_ENABLED=1", ortlib.ErrUnavailable)
}

// Evaluate fails: there is no ONNX Runtime.
func Evaluate(context.Context, []byte, SessionOptions, ...Tensor) ([]float32, error) {
	return nil, ortlib.ErrUnavailable
}

// RuntimeVersion returns "".
func RuntimeVersion() string { return "" }

// Features names the inputs of the network.
func (n *Network) Features() string { return n.header.Features }

// Close does nothing.
func (n *Network) Close() error { return nil }

// NewBatch fails: there is no ONNX Runtime.
func (n *Network) NewBatch(int, int, int) (qap.QBatch, error) { return nil, ortlib.ErrUnavailable }
