package models

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/features"
)

func BenchmarkForward(b *testing.B) {
	for _, architecture := range []string{ArchitectureGain, ArchitecturePaper, ArchitectureWeighted} {
		for _, n := range []int{10, 30} {
			b.Run(fmt.Sprintf("%s/n=%d", architecture, n), func(b *testing.B) {
				net, err := New(Config{Architecture: architecture}, rand.New(rand.NewPCG(1, 1)))
				if err != nil {
					b.Fatal(err)
				}
				pass := net.NewPass(1, n, n)
				for b.Loop() {
					pass.Forward()
				}
				b.ReportMetric(float64(b.N)*float64(n*n)/b.Elapsed().Seconds(), "vertices/s")
			})
		}
	}
}

func BenchmarkForwardBackward(b *testing.B) {
	for _, architecture := range []string{ArchitectureGain, ArchitecturePaper, ArchitectureWeighted} {
		b.Run(architecture+"/n=20/batch=16", func(b *testing.B) {
			net, err := New(Config{Architecture: architecture}, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				b.Fatal(err)
			}
			pass := net.NewPass(16, 20, 20)
			gradient := NewGradient(net)
			dq := make([]float32, 16*400)
			for v := range 16 * 400 { // costs and permutations, where the network is the paper's
				if architecture != ArchitectureGain {
					pass.Inputs()[0][v*features.PaperChannels+features.NegativeEdges] = 0.3
					if v/20%20 == v%20 {
						pass.Inputs()[0][v*features.PaperChannels+features.Solution] = 1
					}
				}
			}
			if architecture == ArchitectureWeighted {
				for k := range pass.Inputs()[1] {
					pass.Inputs()[1][k] = 0.3
				}
			}
			for b.Loop() {
				pass.Forward()
				pass.Backward(dq, gradient)
			}
			b.ReportMetric(16*float64(b.N)/b.Elapsed().Seconds(), "states/s")
		})
	}
}
