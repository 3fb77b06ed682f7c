package infer

// SessionOptions of Open. The zero value is ready for use.
type SessionOptions struct {
	// Progress, if not nil, is told how the installation of the ONNX Runtime
	// library goes on, where it is not installed yet (see ortlib.Options).
	Progress func(stage string, done, total int64)
}

// Tensor is a named float32 input of Evaluate, row-major.
type Tensor struct {
	Name  string
	Shape []int64
	Data  []float32
}
