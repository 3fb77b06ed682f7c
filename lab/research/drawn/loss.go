package drawn

import (
	"math"

	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/qap"
)

// crossEntropy returns the mean −log share of the true matches, and writes its derivative by
// the logarithms, times share.
func crossEntropy(logs, dlogs []float32, truth qap.Matching, n2 int, share float64) (loss float64) {
	clear(dlogs)
	each := 1 / float64(truth.Size())
	for i, a := range truth {
		if a != qap.Unmatched {
			loss -= each * float64(logs[i*n2+a])
			dlogs[i*n2+a] = float32(-each * share)
		}
	}
	return loss
}

// objective returns −(sᵀWs + Fᵀs) of the soft matching s whose logarithms are given, W and
// F being the edges and nodes of the inputs, and writes its derivative by the logarithms,
// times share. W is symmetric.
func objective(logs, dlogs []float32, inputs [][]float32, share float64) (loss float64) {
	shares := make([]float64, len(logs))
	for p, x := range logs {
		shares[p] = math.Exp(float64(x))
	}
	for p, s := range shares {
		support := 0.0
		for q, w := range inputs[1][p*len(shares) : (p+1)*len(shares)] {
			support += float64(w) * shares[q]
		}
		node := float64(inputs[0][p*soft.Channels+soft.NodeAffinity])
		loss -= s * (support + node)
		dlogs[p] = float32(-s * (2*support + node) * share)
	}
	return loss
}
