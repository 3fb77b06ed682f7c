package infer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// onCUDA marks the process in which the tests of CUDA run: a process has one ONNX
// Runtime, and the other tests take the build for the CPU.
const onCUDA = "RGM_TEST_ON_CUDA"

// inCUDAProcess runs the test again in a process of its own, and returns true there.
func inCUDAProcess(t *testing.T) bool {
	t.Helper()
	if os.Getenv(onCUDA) != "" {
		return true
	}
	if _, err := ortlib.Find(ortlib.CUDA); errors.Is(err, ortlib.ErrUnavailable) {
		t.Skipf("needs the build for CUDA: %v", err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), onCUDA+"=1")
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "--- SKIP") {
		t.Skip("see above")
	}
	return false
}

// openOn opens the shipped model for a provider, or skips the test where that needs
// a GPU and there is none.
func openOn(t testing.TB, p infer.Provider) *infer.Network {
	t.Helper()
	if _, err := os.Stat("/dev/nvidiactl"); err != nil && p == infer.CUDA {
		t.Skipf("needs a GPU: %v", err)
	}
	data, err := pretrained.Model("qap")
	if err != nil {
		t.Fatal(err)
	}
	net, err := infer.Open(context.Background(), data, infer.SessionOptions{Provider: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { net.Close() })
	return net
}

// TestCUDAGivesTheSameQ evaluates 1,000 states of a random walk on the CPU and on
// the GPU: Q differs by at most 1e-4 of its size, and the best vertex is the same.
func TestCUDAGivesTheSameQ(t *testing.T) {
	if !inCUDAProcess(t) {
		return
	}
	onGPU, onCPU := openOn(t, infer.CUDA), openOn(t, infer.CPU)
	const n, steps, tolerance = 20, 1000, 1e-4
	rng := rand.New(rand.NewPCG(1, 2))
	in, err := datasets.Mixture{}.Instance(n, rng)
	if err != nil {
		t.Fatal(err)
	}
	env := qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
	inputs, err := features.New(features.Gain, in)
	if err != nil {
		t.Fatal(err)
	}
	extractor := inputs.NewExtractor(env, steps)
	var batches [2]qap.QBatch
	for k, net := range []*infer.Network{onGPU, onCPU} {
		if batches[k], err = net.NewBatch(1, n, n); err != nil {
			t.Fatal(err)
		}
		defer batches[k].Close()
	}
	for step := range steps {
		var q [2][]float32
		for k, b := range batches {
			extractor.Fill(b.Inputs(), 0)
			if q[k], err = b.Evaluate(); err != nil {
				t.Fatal(err)
			}
		}
		scale, difference := 0.0, 0.0
		for v := range q[0] {
			scale = max(scale, math.Abs(float64(q[1][v])))
			difference = max(difference, math.Abs(float64(q[0][v]-q[1][v])))
		}
		if difference > tolerance*scale {
			t.Fatalf("step %d: Q differs by %g, its size is %g", step, difference, scale)
		}
		if a, b := argmax(q[0]), argmax(q[1]); a != b {
			t.Fatalf("step %d: the GPU prefers vertex %d, the CPU %d", step, a, b)
		}
		env.Step(rng.IntN(n * n))
		extractor.Observe()
	}
}

func argmax(q []float32) int {
	best := 0
	for v := range q {
		if q[v] > q[best] {
			best = v
		}
	}
	return best
}

// BenchmarkProviders times one evaluation by size and batch, on the CPU and, where
// there is a GPU, on CUDA: set RGM_TEST_ON_CUDA=1 for that.
func BenchmarkProviders(b *testing.B) {
	providers := map[string]infer.Provider{"cpu": infer.CPU}
	if os.Getenv(onCUDA) != "" {
		providers["cuda"] = infer.CUDA
		openOn(b, infer.CUDA) // first, so that its ONNX Runtime is the one loaded
	}
	for name, p := range providers {
		net := openOn(b, p)
		for _, n := range []int{12, 30, 64, 100} {
			for _, size := range []int{1, 8, 64} {
				b.Run(fmt.Sprintf("%s/n=%d/batch=%d", name, n, size), func(b *testing.B) {
					batch, err := net.NewBatch(size, n, n)
					if err != nil {
						b.Fatal(err)
					}
					defer batch.Close()
					for b.Loop() {
						if _, err := batch.Evaluate(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "states/s")
				})
			}
		}
	}
}
