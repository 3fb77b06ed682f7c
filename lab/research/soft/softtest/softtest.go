// Package softtest has the definitions that tests of soft matchings compare with.
package softtest

import (
	"math"

	"github.com/rgm-go/rgm/lab/research/soft"
)

// Sinkhorn normalises a square of scores, in which dummy nodes have score 0, by
// dividing.
func Sinkhorn(scores []float64, n1, n2 int) []float64 {
	n := max(n1, n2)
	x := make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, n)
		for a := range x[i] {
			x[i][a] = 1
			if i < n1 && a < n2 {
				x[i][a] = math.Exp(scores[i*n2+a])
			}
		}
	}
	for range soft.Rounds {
		for i := range n {
			total := 0.0
			for a := range n {
				total += x[i][a]
			}
			for a := range n {
				x[i][a] /= total
			}
		}
		for a := range n {
			total := 0.0
			for i := range n {
				total += x[i][a]
			}
			for i := range n {
				x[i][a] /= total
			}
		}
	}
	logs := make([]float64, n1*n2)
	for v := range logs {
		logs[v] = math.Log(x[v/n2][v%n2])
	}
	return logs
}
