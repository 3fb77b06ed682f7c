package models_test

import (
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap/features"
)

// gainReference is Gain's definition for one state, vertex by vertex.
func gainReference(w modeltest.Weights, f [][]float64, n1, n2 int) []float64 {
	const in = features.GainChannels
	mean := func(pick func(v int) bool) []float64 {
		total, count := make([]float64, in), 0.0
		for v := range f {
			if pick(v) {
				total = modeltest.Sum(total, f[v])
				count++
			}
		}
		return modeltest.Scaled(total, 1/count)
	}
	all := modeltest.Product(mean(func(int) bool { return true }), w["embed.all"])
	var advantages []float64
	hMean := make([]float64, len(w["embed.b"]))
	for p := range f {
		row := mean(func(q int) bool { return q/n2 == p/n2 })
		col := mean(func(q int) bool { return q%n2 == p%n2 })
		h := modeltest.Rectified(modeltest.Sum(modeltest.Product(f[p], w["embed.w"]), modeltest.Product(row, w["embed.row"]), modeltest.Product(col, w["embed.col"]), all, w["embed.b"]))
		hMean = modeltest.Sum(hMean, modeltest.Scaled(h, 1/float64(n1*n2)))
		u := modeltest.Rectified(modeltest.Sum(modeltest.Product(h, w["advantage.w1"]), w["advantage.b1"]))
		advantages = append(advantages, modeltest.Product(u, w["advantage.w2"])[0]+modeltest.Product(f[p], w["advantage.skip"])[0])
	}
	if bias := w["advantage.b2"]; bias != nil { // no duelling
		for v := range advantages {
			advantages[v] += bias[0]
		}
		return advantages
	}
	t := modeltest.Rectified(modeltest.Sum(modeltest.Product(hMean, w["value.w1"]), w["value.b1"]))
	return modeltest.Dueled(modeltest.Product(t, w["value.w2"])[0]+w["value.b2"][0], advantages)
}
