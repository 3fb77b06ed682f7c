//go:build cgo

package infer

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Network is a model in an ONNX Runtime session. It may be shared by goroutines and
// must be closed.
type Network struct{ *runner }

// runner is what a network and its batches share. It does not know the Network, so
// that one that was dropped without Close can be noticed.
type runner struct {
	session *ort.DynamicAdvancedSession
	header  modelfile.Header
	options SessionOptions
	batches pool
}

// Open reads a model file into an ONNX Runtime session. On the CPU it has one
// thread a call: searches run in parallel instead. The file is checked before
// ONNX Runtime sees it. The error wraps ortlib.ErrUnavailable where there is no
// ONNX Runtime library, and none is fetched unless the options say so. A process loads
// one ONNX Runtime, which stays.
func Open(ctx context.Context, model []byte, o SessionOptions) (*Network, error) {
	_, header, err := modelfile.Read(model)
	if err != nil {
		return nil, fmt.Errorf("infer: %w", err)
	}
	if !header.Current() {
		return nil, fmt.Errorf("infer: %w", ErrOldFormat)
	}
	if err := start(ctx, o); err != nil {
		return nil, err
	}
	inputs := lists.Of(features.Tensors(header.Features), func(t features.Tensor) string { return t.Name })
	session, err := newSession(model, inputs, []string{modelfile.Output}, o)
	if err != nil {
		return nil, err
	}
	n := &Network{&runner{session: session, header: header, options: o}}
	// Idle batches are pinned, and the collector ends a process that leaks pins. The
	// goroutine waits for batches that are still in use.
	runtime.AddCleanup(n, func(r *runner) { go r.Close() }, n.runner)
	return n, nil
}

// newSession makes a single-threaded session of a checked model.
func newSession(model []byte, inputs, outputs []string, o SessionOptions) (*ort.DynamicAdvancedSession, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("infer: ONNX Runtime: %w", err)
	}
	defer options.Destroy()
	if err := errors.Join(options.SetIntraOpNumThreads(1), options.SetInterOpNumThreads(1)); err != nil {
		return nil, fmt.Errorf("infer: ONNX Runtime: %w", err)
	}
	if o.Provider == CUDA {
		if err := appendCUDA(options, o.Device); err != nil {
			return nil, o.explain(err)
		}
	}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(model, inputs, outputs, options)
	if err != nil {
		return nil, o.explain(fmt.Errorf("ONNX Runtime refuses the model: %w", err))
	}
	return session, nil
}

// Features names the inputs of the network.
func (n *runner) Features() string { return n.header.Features }

// Whole reports whether many states are better evaluated in one batch than in several side
// by side: so it is on a GPU.
func (n *runner) Whole() bool { return n.options.Provider == CUDA }

// NewBatch binds inputs and outputs for batches of up to size states, so that an
// evaluation allocates nothing. Batches are kept when they are closed and serve the
// next search of the same shape; a closed batch must not be used. After Close the
// error is ErrClosed.
func (n *runner) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	if size <= 0 || n1 <= 0 || n2 <= 0 {
		return nil, fmt.Errorf("infer: a batch of %d states of %d×%d vertices is empty", size, n1, n2)
	}
	shape := batchShape{size, n1, n2}
	idle, err := n.batches.take(shape)
	if err != nil || idle != nil {
		return batchOrNil(idle), err
	}
	b, err := n.bind(shape)
	if err != nil {
		n.batches.forget()
		return nil, err
	}
	return b, nil
}

// batchOrNil keeps a nil pointer from becoming an interface that is not nil.
func batchOrNil(b *ortBatch) qap.QBatch {
	if b == nil {
		return nil
	}
	return b
}

// Close frees the session. It waits for the searches that run; those that begin
// meanwhile or later fail with ErrClosed. Closing a network again does nothing.
func (n *runner) Close() error {
	idle, first := n.batches.close()
	if !first {
		return nil
	}
	return errors.Join(append(lists.Of(idle, (*ortBatch).destroy), n.session.Destroy())...)
}
