package infer

import (
	"context"
	"errors"

	"github.com/rgm-go/rgm/infer/ortlib"
)

// A Provider computes for an ONNX Runtime session.
type Provider int

const (
	CPU  Provider = iota // the processor
	CUDA                 // an NVIDIA GPU, with ONNX Runtime's build for it (ortlib.CUDA)
)

// SessionOptions of Open. The zero value is ready for use.
type SessionOptions struct {
	// Provider computes (CPU). A process loads one ONNX Runtime, with its first
	// network: for CUDA open that first; the same ONNX Runtime then serves CPU too.
	Provider Provider
	Device   int // which GPU, as CUDA numbers them, from 0

	// Library is the file of ONNX Runtime's shared library ("": what ortlib.Find finds:
	// $ONNXRUNTIME_LIB, or what is installed in the user's cache).
	Library string

	// Install fetches the library for the CPU into the user's cache where there is none
	// (never): 113 MB, by npm or HTTP; see ortlib.Locate. The build for CUDA is not
	// installed by Open, since it is 290 MB: ortlib.Locate does that.
	Install bool

	// Again installs also where that has failed within the last day.
	Again bool

	// Progress, if not nil, is told how the installation goes on (see ortlib.Options).
	Progress func(stage string, done, total int64)

	// KeepTelemetry leaves ONNX Runtime's collection of data on its use, in the user's
	// cache folder and over the network, as the library has it. Otherwise it is turned
	// off when the library is loaded, by the environment variable
	// ORT_DISABLE_TELEMETRY=1, unless it is set: the library reads nothing else.
	KeepTelemetry bool
}

// library returns the ONNX Runtime that can serve the provider.
func (o SessionOptions) library(ctx context.Context) (ortlib.Library, error) {
	switch {
	case o.Library != "":
		return ortlib.At(o.Library)
	case o.Provider == CUDA:
		return ortlib.Find(ortlib.CUDA)
	case o.Install:
		return ortlib.Locate(ctx, ortlib.Options{Progress: o.Progress, Again: o.Again})
	}
	return ortlib.Find(ortlib.CPU)
}

// The errors of Open that a caller can do something about, wrapped.
var (
	// ErrOldFormat: the graph takes inputs that are no longer made. Its weights, which
	// models.Load reads, can be exported anew or evaluated in Go.
	ErrOldFormat = errors.New("the model is of format 1, whose inputs are no longer made; remedy: export its weights in the present format")

	// ErrNoCUDA: the ONNX Runtime in use has no part for CUDA. A process loads one only:
	// networks for CUDA must be opened before others.
	ErrNoCUDA = errors.New("the ONNX Runtime in use has no part for CUDA")
)

// ErrClosed is the error of a search with a Network that was closed.
var ErrClosed = errors.New("infer: the network is closed")

// Tensor is a named float32 input of Evaluate, row-major.
type Tensor struct {
	Name  string
	Shape []int64
	Data  []float32
}
