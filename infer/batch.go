//go:build cgo

package infer

import (
	"errors"
	"runtime"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/qap/features"
)

// ortBatch is memory bound to a session.
type ortBatch struct {
	network *runner
	shape   batchShape
	inUse   bool // by the network's pool, which guards it
	inputs  [][]float32
	q       []float32
	pins    runtime.Pinner
	values  []ort.Value // the inputs, and Q
	binding *ort.IoBinding
}

// bind makes a batch, as one that is in use.
func (n *runner) bind(s batchShape) (*ortBatch, error) {
	b := &ortBatch{
		network: n, shape: s, inUse: true,
		inputs: features.Make(n.header.Features, s.size, s.n1, s.n2),
		q:      make([]float32, s.size*s.n1*s.n2),
	}
	// ONNX Runtime keeps the addresses beyond the call.
	for _, tensor := range b.inputs {
		b.pins.Pin(&tensor[0])
	}
	b.pins.Pin(&b.q[0])
	if err := b.bind(); err != nil {
		return nil, errors.Join(n.options.explain(err), b.destroy())
	}
	return b, nil
}

// floats is how much memory a batch holds.
func (b *ortBatch) floats() int {
	sum := len(b.q)
	for _, tensor := range b.inputs {
		sum += len(tensor)
	}
	return sum
}

func (b *ortBatch) bind() error {
	size, n1, n2 := b.shape.size, b.shape.n1, b.shape.n2
	for k, t := range features.Tensors(b.network.header.Features) {
		if err := b.add(b.inputs[k], size, t.Dims(n1, n2)...); err != nil {
			return err
		}
	}
	if err := b.add(b.q, size, n1, n2); err != nil {
		return err
	}
	binding, err := b.network.session.CreateIoBinding()
	if err != nil {
		return err
	}
	b.binding = binding
	return errors.Join(b.bindInputs(), b.binding.BindOutput(modelfile.Output, b.values[len(b.inputs)]))
}

// add makes memory a tensor for ONNX Runtime.
func (b *ortBatch) add(data []float32, size int, dims ...int) error {
	shape := ort.NewShape(int64(size))
	for _, d := range dims {
		shape = append(shape, int64(d))
	}
	tensor, err := ort.NewTensor(shape, data)
	if err == nil {
		b.values = append(b.values, tensor)
	}
	return err
}

func (b *ortBatch) bindInputs() error {
	for k, t := range features.Tensors(b.network.header.Features) {
		if err := b.binding.BindInput(t.Name, b.values[k]); err != nil {
			return err
		}
	}
	return nil
}

func (b *ortBatch) Inputs() [][]float32 { return b.inputs }

func (b *ortBatch) Evaluate() ([]float32, error) {
	o := b.network.options
	if o.Provider == CUDA { // binding is what copies the inputs to the device
		if err := b.bindInputs(); err != nil {
			return nil, o.explain(err)
		}
	}
	if err := b.network.session.RunWithBinding(b.binding); err != nil {
		return nil, o.explain(err)
	}
	return b.q, nil
}

// Close gives the batch back to its network.
func (b *ortBatch) Close() error { return b.network.batches.giveBack(b) }

// destroy frees the batch.
func (b *ortBatch) destroy() error {
	var errs []error
	if b.binding != nil {
		errs = append(errs, b.binding.Destroy())
	}
	for _, v := range b.values {
		errs = append(errs, v.Destroy())
	}
	b.pins.Unpin()
	return errors.Join(errs...)
}
