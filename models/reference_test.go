package models_test

import (
	"slices"

	. "github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap/features"
)

func dueled(value float64, advantages []float64) []float64 {
	average := 0.0
	for _, a := range advantages {
		average += a / float64(len(advantages))
	}
	q := slices.Clone(advantages)
	for v := range q {
		q[v] += value - average
	}
	return q
}

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
	return dueled(modeltest.Product(t, w["value.w2"])[0]+w["value.b2"][0], advantages)
}

// paperReference evaluates the paper's equations 8 and 9 on the association
// graph itself: every edge of every vertex, O(n⁴) edges, none of the identities.
// k is the scaled affinity matrix, x the solution.
// What a vertex takes in of others depends on the architecture.
func paperReference(w modeltest.Weights, k func(p, q int) float64, x []float64, n1, n2, iterations int, architecture string) []float64 {
	n, d := n1*n2, len(w["theta1"])
	m := float64((n1 - 1) * (n2 - 1))
	adjacent := func(p, q int) bool { return p/n2 != q/n2 && p%n2 != q%n2 }
	e := make([][]float64, n)
	for p := range e {
		e[p] = make([]float64, d)
	}
	for range iterations {
		next := make([][]float64, n)
		for p := range next {
			near, released, support, weight, edges := make([]float64, d), make([]float64, d), make([]float64, d), 0.0, make([]float64, d)
			for q := range n {
				if !adjacent(p, q) {
					if q != p {
						released = modeltest.Sum(released, modeltest.Scaled(e[q], x[q]))
					}
					continue
				}
				support = modeltest.Sum(support, modeltest.Scaled(e[q], x[q]*k(p, q)))
				if architecture == ArchitectureWeighted {
					near = modeltest.Sum(near, modeltest.Scaled(e[q], k(p, q)))
				} else {
					near = modeltest.Sum(near, e[q])
				}
				weight += k(q, q)
				edges = modeltest.Sum(edges, modeltest.Rectified(modeltest.Scaled(w["theta5"], k(p, q))))
			}
			others := modeltest.Product(modeltest.Scaled(near, 1/m), w["theta2"])
			if architecture == ArchitectureMatched {
				others = modeltest.Sum(modeltest.Product(released, w["theta2"]), modeltest.Product(modeltest.Scaled(support, 1/float64(min(n1, n2))), w["theta9"]))
			}
			weight /= m
			if architecture == ArchitectureMatched {
				weight = k(p, p) / float64(min(n1, n2))
			}
			next[p] = modeltest.Rectified(modeltest.Sum(
				modeltest.Scaled(w["theta1"], x[p]),
				others,
				modeltest.Scaled(w["theta3"], weight),
				modeltest.Product(modeltest.Scaled(edges, 1/m), w["theta4"]),
			))
		}
		e = next
	}
	var advantages []float64
	dueling, value := w["theta7"] != nil, 0.0
	if dueling {
		value = w["b2"][0]
	}
	for p := range e {
		h5 := modeltest.Rectified(modeltest.Sum(modeltest.Product(e[p], w["theta6"]), w["b1"]))
		if dueling {
			value += modeltest.Product(h5, w["theta7"])[0] / float64(n)
		}
		advantages = append(advantages, modeltest.Product(h5, w["theta8"])[0]+w["b3"][0])
	}
	if !dueling {
		return advantages
	}
	return dueled(value, advantages)
}
