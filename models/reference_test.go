package models

import (
	"slices"

	"github.com/rgm-go/rgm/qap/features"
)

// weights64 holds a network's parameters in float64 by name, for the reference
// implementations below.
type weights64 map[string][]float64

func weightsOf(n Network) weights64 {
	w := weights64{}
	for _, p := range n.Parameters() {
		for _, v := range p.Data {
			w[p.Name] = append(w[p.Name], float64(v))
		}
	}
	return w
}

// product is x·w for one row x.
func product(x, w []float64) []float64 {
	width := len(w) / len(x)
	y := make([]float64, width)
	for i, v := range x {
		for k := range y {
			y[k] += v * w[i*width+k]
		}
	}
	return y
}

func sum(vectors ...[]float64) []float64 {
	y := slices.Clone(vectors[0])
	for _, v := range vectors[1:] {
		for k := range y {
			y[k] += v[k]
		}
	}
	return y
}

func scaled(x []float64, factor float64) []float64 {
	y := slices.Clone(x)
	for k := range y {
		y[k] *= factor
	}
	return y
}

func rectified(x []float64) []float64 {
	y := slices.Clone(x)
	for k := range y {
		y[k] = max(y[k], 0)
	}
	return y
}

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
func gainReference(w weights64, f [][]float64, n1, n2 int) []float64 {
	const in = features.GainChannels
	mean := func(pick func(v int) bool) []float64 {
		total, count := make([]float64, in), 0.0
		for v := range f {
			if pick(v) {
				total = sum(total, f[v])
				count++
			}
		}
		return scaled(total, 1/count)
	}
	all := product(mean(func(int) bool { return true }), w["embed.all"])
	var advantages []float64
	hMean := make([]float64, len(w["embed.b"]))
	for p := range f {
		row := mean(func(q int) bool { return q/n2 == p/n2 })
		col := mean(func(q int) bool { return q%n2 == p%n2 })
		h := rectified(sum(product(f[p], w["embed.w"]), product(row, w["embed.row"]), product(col, w["embed.col"]), all, w["embed.b"]))
		hMean = sum(hMean, scaled(h, 1/float64(n1*n2)))
		u := rectified(sum(product(h, w["advantage.w1"]), w["advantage.b1"]))
		advantages = append(advantages, product(u, w["advantage.w2"])[0]+product(f[p], w["advantage.skip"])[0])
	}
	if bias := w["advantage.b2"]; bias != nil { // no duelling
		for v := range advantages {
			advantages[v] += bias[0]
		}
		return advantages
	}
	t := rectified(sum(product(hMean, w["value.w1"]), w["value.b1"]))
	return dueled(product(t, w["value.w2"])[0]+w["value.b2"][0], advantages)
}

// paperReference evaluates the paper's equations 8 and 9 on the association
// graph itself: every edge of every vertex, O(n⁴) edges, none of the identities.
// k is the scaled affinity matrix, x the solution.
// What a vertex takes in of others depends on the architecture.
func paperReference(w weights64, k func(p, q int) float64, x []float64, n1, n2, iterations int, architecture string) []float64 {
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
						released = sum(released, scaled(e[q], x[q]))
					}
					continue
				}
				support = sum(support, scaled(e[q], x[q]*k(p, q)))
				if architecture == ArchitectureWeighted {
					near = sum(near, scaled(e[q], k(p, q)))
				} else {
					near = sum(near, e[q])
				}
				weight += k(q, q)
				edges = sum(edges, rectified(scaled(w["theta5"], k(p, q))))
			}
			others := product(scaled(near, 1/m), w["theta2"])
			if architecture == ArchitectureMatched {
				others = sum(product(released, w["theta2"]), product(scaled(support, 1/float64(min(n1, n2))), w["theta9"]))
			}
			weight /= m
			if architecture == ArchitectureMatched {
				weight = k(p, p) / float64(min(n1, n2))
			}
			next[p] = rectified(sum(
				scaled(w["theta1"], x[p]),
				others,
				scaled(w["theta3"], weight),
				product(scaled(edges, 1/m), w["theta4"]),
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
		h5 := rectified(sum(product(e[p], w["theta6"]), w["b1"]))
		if dueling {
			value += product(h5, w["theta7"])[0] / float64(n)
		}
		advantages = append(advantages, product(h5, w["theta8"])[0]+w["b3"][0])
	}
	if !dueling {
		return advantages
	}
	return dueled(value, advantages)
}
