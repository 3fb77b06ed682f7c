package anneal

// engine makes the trials in Go. It does exactly what the kernel in C does
// (kernel_steps.h), which says why.
type engine[C cell, S sum] struct {
	*memory[C]
	*state
}

// The constants of kernel_types.h.
const (
	partnersOfRow = 8 // trials of one facility in a row, so that what they read is at hand
	lanes         = 8 // sums over a row of float64, added up at its end
)

func (e engine[C, S]) run() {
	n := int(e.n)
	for ; e.step < e.until; e.step++ {
		i := 0
		for trial := range n {
			if trial%partnersOfRow == 0 {
				i = e.random.Below(n)
			}
			j := e.random.Below(n - 1)
			if j >= i {
				j++
			}
			delta := e.delta(i, j)
			if delta > 0 {
				e.worse++
				if delta >= e.temperature*e.threshold[e.random.Next()>>(64-thresholdBits)] {
					continue
				}
				e.taken++
			}
			if e.unsaved != 0 && e.cost+delta >= e.state.best-e.tolerance {
				e.save()
			}
			e.exchange(i, j)
			e.cost += delta
			if e.cost < e.state.best-e.tolerance {
				e.state.best, e.bestStep, e.unsaved = e.cost, e.step+1, 1
			}
		}
	}
	if e.unsaved != 0 {
		e.save()
	}
}

func (e engine[C, S]) save() {
	e.unsaved = 0
	copy(e.memory.best, e.p)
}

// delta is the change of cost by swapping i and j.
func (e engine[C, S]) delta(i, j int) float64 {
	var delta float64
	if e.lists != 0 {
		c, d := e.row(e.distance[0], int(e.p[i])), e.row(e.distance[0], int(e.p[j]))
		delta = float64(e.moved(i, j, c, d) + e.moved(j, i, d, c))
	} else {
		delta = float64(e.dense(i, j))
	}
	if e.state.linear != 0 {
		n, c, d := int(e.n), int(e.p[i]), int(e.p[j])
		ofI, ofJ := e.memory.linear[i*n:(i+1)*n], e.memory.linear[j*n:(j+1)*n]
		delta += (ofI[d] - ofI[c]) + (ofJ[c] - ofJ[d])
	}
	return delta
}

func (e engine[C, S]) row(matrix []C, k int) []C {
	width := int(e.width)
	return matrix[k*width : (k+1)*width]
}

// dense is delta by whole rows, but for the linear term.
func (e engine[C, S]) dense(i, j int) S {
	var sum, both, between S
	for t := range int(e.terms) {
		flowI, flowJ := e.row(e.flow[t], i), e.row(e.flow[t], j)
		c, d := e.row(e.distance[t], int(e.p[i])), e.row(e.distance[t], int(e.p[j]))
		sum += product[C, S](flowI, flowJ, d, c)
		both += S(flowI[j])
		between += S(c[j])
	}
	if e.terms == 1 {
		between += between
	}
	return sum + S(both*between)
}

// product is Σ (a−b)·(c−d) over a row.
func product[C cell, S sum](a, b, c, d []C) S {
	var s0, s1, s2, s3, s4, s5, s6, s7 S
	for k := 0; k+lanes <= len(a); k += lanes {
		a, b, c, d := (*[lanes]C)(a[k:]), (*[lanes]C)(b[k:]), (*[lanes]C)(c[k:]), (*[lanes]C)(d[k:])
		s0 += S(S(a[0]-b[0]) * S(c[0]-d[0])) // converted, so that no product is fused
		s1 += S(S(a[1]-b[1]) * S(c[1]-d[1]))
		s2 += S(S(a[2]-b[2]) * S(c[2]-d[2]))
		s3 += S(S(a[3]-b[3]) * S(c[3]-d[3]))
		s4 += S(S(a[4]-b[4]) * S(c[4]-d[4]))
		s5 += S(S(a[5]-b[5]) * S(c[5]-d[5]))
		s6 += S(S(a[6]-b[6]) * S(c[6]-d[6]))
		s7 += S(S(a[7]-b[7]) * S(c[7]-d[7]))
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// moved is the change of cost if i goes from where distances are from to where they are
// to, but for its flow with other.
func (e engine[C, S]) moved(i, other int, from, to []C) S {
	var sum S
	for k := e.first[i]; k < e.first[i+1]; k++ {
		partner := e.partner[k]
		if l := e.p[partner]; int(partner) != other {
			sum += S(S(e.weight[k]) * (S(to[l]) - S(from[l])))
		}
	}
	return sum
}

// exchange swaps the locations of i and j.
func (e engine[C, S]) exchange(i, j int) {
	c, d := e.p[i], e.p[j]
	e.p[i], e.p[j] = d, c
	if e.lists != 0 {
		return
	}
	for t := range int(e.terms) {
		for c := range int(e.n) {
			row := e.row(e.distance[t], c)
			row[i], row[j] = row[j], row[i]
		}
	}
}
