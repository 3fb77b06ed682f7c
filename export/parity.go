package export

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/models"
)

// Tolerance is the largest |ΔQ|/(1+|Q|) between ONNX Runtime and the Go forward
// pass that Verify accepts: float32 sums of some hundred terms differ by less
// than a tenth of it.
const Tolerance = 1e-4

// ErrParity is wrapped by the error of a model that ONNX Runtime evaluates to
// other values than Go.
var ErrParity = errors.New("ONNX Runtime and Go disagree")

// parityShapes are the batches that Verify compares: sizes equal, unequal and
// small.
var parityShapes = [][3]int{{1, 5, 5}, {3, 4, 7}, {2, 7, 4}, {2, 12, 12}, {1, 1, 3}}

// Verify evaluates a model file through ONNX Runtime and compares Q with that of
// the network in Go, on random inputs of several shapes.
func Verify(ctx context.Context, data []byte, n models.Network, o infer.SessionOptions) error {
	runtime, err := infer.Open(ctx, data, o)
	if err != nil {
		return err
	}
	defer runtime.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range parityShapes {
		batch, n1, n2 := shape[0], shape[1], shape[2]
		pass := n.NewPass(batch, n1, n2)
		for k, tensor := range pass.Inputs() {
			size := inputSize(n, k, n1*n2)
			for i := range tensor {
				tensor[i] = float32(size * rng.NormFloat64())
			}
		}
		bound, err := runtime.NewBatch(batch, n1, n2)
		if err != nil {
			return err
		}
		for k, tensor := range bound.Inputs() {
			copy(tensor, pass.Inputs()[k])
		}
		got, err := bound.Evaluate()
		if err == nil {
			err = compare(got, pass.Forward(), shape)
		}
		if err := errors.Join(err, bound.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sized is a network whose real inputs are not of about the size 1.
type sized interface {
	InputSize(tensor, vertices int) float64
}

// inputSize is how large a network's random inputs are: about as large as real ones, where
// a sum of many would make its outputs so large that rounding shows.
func inputSize(n models.Network, tensor, vertices int) float64 {
	if s, ok := n.(sized); ok {
		return s.InputSize(tensor, vertices)
	}
	return 1
}

// compare refuses values that differ by more than Tolerance.
func compare(got, want []float32, shape [3]int) error {
	for v, w := range want {
		difference := math.Abs(float64(got[v]) - float64(w))
		if !(difference <= Tolerance*(1+math.Abs(float64(w)))) {
			return fmt.Errorf("%w: Q[%d] of a batch %v is %v and %v", ErrParity, v, shape, got[v], w)
		}
	}
	return nil
}
