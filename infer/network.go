//go:build cgo

package infer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Network is a model in an ONNX Runtime session. It must be closed after the
// searches that use it.
type Network struct {
	session *ort.DynamicAdvancedSession
	header  modelfile.Header
	options SessionOptions
}

// Open reads a model file into an ONNX Runtime session. On the CPU it has one
// thread a call: searches run in parallel instead. The file is checked before
// ONNX Runtime sees it. The error wraps ortlib.ErrUnavailable where there is no
// ONNX Runtime library.
func Open(ctx context.Context, model []byte, o SessionOptions) (*Network, error) {
	_, header, err := modelfile.Read(model)
	if err != nil {
		return nil, fmt.Errorf("infer: %w", err)
	}
	if !header.Current() {
		return nil, fmt.Errorf("infer: %w", errOldFormat)
	}
	if err := start(ctx, o); err != nil {
		return nil, err
	}
	var inputs []string
	for _, t := range features.Tensors(header.Features) {
		inputs = append(inputs, t.Name)
	}
	session, err := newSession(model, inputs, []string{modelfile.Output}, o)
	if err != nil {
		return nil, err
	}
	return &Network{session, header, o}, nil
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

// The runtime is loaded once a process and stays.
var (
	startMutex sync.Mutex
	loaded     ortlib.Library
)

// start finds or installs the library and loads it.
func start(ctx context.Context, o SessionOptions) error {
	startMutex.Lock()
	defer startMutex.Unlock()
	if !ort.IsInitialized() {
		found, err := o.library(ctx)
		if err != nil {
			return fmt.Errorf("infer: %w", err)
		}
		ort.SetSharedLibraryPath(found.Path)
		if err := withholdTelemetry(); err != nil {
			return err
		}
		if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
			return fmt.Errorf("infer: ONNX Runtime library %s cannot be loaded (want version %s): %w", found.Path, ortlib.Version, err)
		}
		loaded = found
	}
	if o.Provider == CUDA && loaded.Path != "" && !loaded.HasCUDA() {
		return fmt.Errorf("infer: the ONNX Runtime in use, %s, has no part for CUDA; to mend: run rgm setup --cuda and unset %s, "+
			"and open networks for CUDA before others, or use --provider cpu", loaded.Path, ortlib.LibraryVariable)
	}
	return nil
}

// telemetryVariable is what ONNX Runtime, which otherwise collects data on its use in
// the user's cache folder and sends them, looks at when it is loaded.
const telemetryVariable = "ORT_DISABLE_TELEMETRY"

// withholdTelemetry keeps ONNX Runtime from collecting, unless the environment says
// what it should do.
func withholdTelemetry() error {
	if _, decided := os.LookupEnv(telemetryVariable); decided {
		return nil
	}
	if err := os.Setenv(telemetryVariable, "1"); err != nil {
		return fmt.Errorf("infer: environment variable %s: %w", telemetryVariable, err)
	}
	return nil
}

// RuntimeVersion returns the version of the ONNX Runtime in use, "" before Open.
func RuntimeVersion() string {
	startMutex.Lock()
	defer startMutex.Unlock()
	if !ort.IsInitialized() {
		return ""
	}
	return ort.GetVersion()
}

// Features names the inputs of the network.
func (n *Network) Features() string { return n.header.Features }

// Close frees the session.
func (n *Network) Close() error { return n.session.Destroy() }

// NewBatch binds inputs and outputs for batches of up to size states, so that an
// evaluation allocates nothing.
func (n *Network) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	b := &ortBatch{
		network: n,
		inputs:  features.Make(n.header.Features, size, n1, n2),
		q:       make([]float32, size*n1*n2),
	}
	if len(b.q) == 0 {
		return nil, fmt.Errorf("infer: a batch of %d states of %d×%d vertices is empty", size, n1, n2)
	}
	// ONNX Runtime keeps the addresses beyond the call.
	for _, tensor := range b.inputs {
		b.pins.Pin(&tensor[0])
	}
	b.pins.Pin(&b.q[0])
	if err := b.bind(size, n1, n2); err != nil {
		return nil, errors.Join(n.options.explain(err), b.Close())
	}
	return b, nil
}

// Evaluate runs an ONNX model of any face once and returns its only output. It is
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

// ortBatch is memory bound to a session.
type ortBatch struct {
	network *Network
	inputs  [][]float32
	q       []float32
	pins    runtime.Pinner
	values  []ort.Value // the inputs, and Q
	binding *ort.IoBinding
}

func (b *ortBatch) bind(size, n1, n2 int) error {
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

func (b *ortBatch) Close() error {
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
