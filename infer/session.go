package infer

import (
	"context"
	"errors"

	"github.com/rgm-go/rgm/infer/ortlib"
)

// A Provider computes for an ONNX Runtime session.
type Provider int

const (
	CPU  Provider = iota
	CUDA          // an NVIDIA GPU, with ONNX Runtime's build for it (ortlib.CUDA)
)

// SessionOptions of Open. The zero value is ready for use.
type SessionOptions struct {
	// Provider computes (CPU). A process loads one ONNX Runtime, with its first
	// network: for CUDA open that first; the same ONNX Runtime then serves CPU too.
	Provider Provider
	Device   int // which GPU, as CUDA numbers them, from 0

	// Progress, if not nil, is told how the installation of the ONNX Runtime
	// library goes on, where it is not installed yet (see ortlib.Options). The build
	// for CUDA is not installed by Open, since it is 290 MB: ortlib.Locate does that.
	Progress func(stage string, done, total int64)
}

// ErrClosed is the error of a search with a Network that was closed.
var ErrClosed = errors.New("infer: the network is closed")

// library returns the ONNX Runtime that can serve the provider.
func (o SessionOptions) library(ctx context.Context) (ortlib.Library, error) {
	if o.Provider == CUDA {
		return ortlib.Find(ortlib.CUDA)
	}
	return ortlib.Locate(ctx, ortlib.Options{Progress: o.Progress})
}

// errOldFormat says that a graph takes inputs that this program no longer makes.
var errOldFormat = errors.New("the model is of format 1, whose inputs are no longer made; to mend: rgm export MODEL -o FILE.onnx writes its weights in the present format, or use --provider go")

// Tensor is a named float32 input of Evaluate, row-major.
type Tensor struct {
	Name  string
	Shape []int64
	Data  []float32
}
