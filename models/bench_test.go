package models

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

func BenchmarkForward(b *testing.B) {
	for _, n := range []int{10, 30} {
		b.Run(fmt.Sprintf("gain/n=%d", n), func(b *testing.B) {
			pass := benchmarked(b).NewPass(1, n, n)
			for b.Loop() {
				pass.Forward()
			}
			b.ReportMetric(float64(b.N)*float64(n*n)/b.Elapsed().Seconds(), "vertices/s")
		})
	}
}

func BenchmarkForwardBackward(b *testing.B) {
	b.Run("gain/n=20/batch=16", func(b *testing.B) {
		net := benchmarked(b)
		pass, gradient, dq := net.NewPass(16, 20, 20), NewGradient(net), make([]float32, 16*400)
		for b.Loop() {
			pass.Forward()
			pass.Backward(dq, gradient)
		}
		b.ReportMetric(16*float64(b.N)/b.Elapsed().Seconds(), "states/s")
	})
}

func benchmarked(b *testing.B) Network {
	return must.Get(New(Config{Architecture: ArchitectureGain}, rand.New(rand.NewPCG(1, 1))))(b)
}
