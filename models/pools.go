package models

import "github.com/rgm-go/rgm/internal/layers"

// pools are the means of a [batch, n1, n2, width] tensor over the vertices that
// share a node of graph 1 (rows), of graph 2 (cols), and over all (all).
type pools struct {
	rows []float32 // [batch, n1, width]
	cols []float32 // [batch, n2, width]
	all  []float32 // [batch, width]
}

func newPools(batch, n1, n2, width int) pools {
	return pools{
		rows: make([]float32, batch*n1*width),
		cols: make([]float32, batch*n2*width),
		all:  make([]float32, batch*width),
	}
}

// average fills the pools with the means of x.
func (p pools) average(x []float32, batch, n1, n2, width int) {
	p.clear()
	byRow, byCol := 1/float32(n2), 1/float32(n1)
	for b := range batch {
		all := p.all[b*width : (b+1)*width]
		for i := range n1 {
			row := p.rows[(b*n1+i)*width:][:width]
			for a := range n2 {
				v := x[((b*n1+i)*n2+a)*width:][:width]
				layers.Axpy(row, byRow, v)
				layers.Axpy(p.cols[(b*n2+a)*width:][:width], byCol, v)
			}
			layers.Axpy(all, byCol, row)
		}
	}
}

// spread adds to each vertex of y what its row, its column and the state have in
// p. It leaves p.rows changed.
func (p pools) spread(y []float32, batch, n1, n2, width int) {
	for b := range batch {
		all := p.all[b*width : (b+1)*width]
		for i := range n1 {
			row := p.rows[(b*n1+i)*width:][:width]
			layers.Axpy(row, 1, all)
			for a := range n2 {
				addBoth(y[((b*n1+i)*n2+a)*width:][:width], row, p.cols[(b*n2+a)*width:][:width])
			}
		}
	}
}

// addBoth is y += u + v.
func addBoth(y, u, v []float32) {
	if len(y) >= layers.Wide {
		layers.Axpy(y, 1, u)
		layers.Axpy(y, 1, v)
		return
	}
	u, v = u[:len(y)], v[:len(y)]
	for k := range y {
		y[k] += u[k] + v[k]
	}
}

// others fills p so that to spread it over x makes x the sum over each vertex's
// neighbours: the total less the sums of its row and its column.
func (p pools) others(x []float32, batch, n1, n2, width int) {
	p.clear()
	for b := range batch {
		for i := range n1 {
			for a := range n2 {
				p.leave(b, i, a, n1, n2, width, x[((b*n1+i)*n2+a)*width:][:width])
			}
		}
	}
	p.total(width)
}

func (p pools) clear() {
	clear(p.rows)
	clear(p.cols)
	clear(p.all)
}

// leave takes what vertex (i, a) of state b has off its row and its column.
func (p pools) leave(b, i, a, n1, n2, width int, x []float32) {
	layers.Axpy(p.rows[(b*n1+i)*width:][:width], -1, x)
	layers.Axpy(p.cols[(b*n2+a)*width:][:width], -1, x)
}

// total sets the states' totals by what was taken off the rows.
func (p pools) total(width int) {
	batch := len(p.all) / width
	n1 := len(p.rows) / len(p.all)
	for b := range batch {
		for i := range n1 {
			layers.Axpy(p.all[b*width:][:width], -1, p.rows[(b*n1+i)*width:][:width])
		}
	}
}

// gather fills p with the sums of dy over rows, columns and states: the gradient
// of spread.
func (p pools) gather(dy []float32, batch, n1, n2, width int) {
	p.average(dy, batch, n1, n2, width)
	layers.Scale(p.rows, float32(n2))
	layers.Scale(p.cols, float32(n1))
	layers.Scale(p.all, float32(n1*n2))
}

// duel turns advantages, [batch, vertices], and state values, [batch], into Q in
// place: v + a − mean a (paper, equation 9; Wang et al. 2016, arXiv:1511.06581).
func duel(a, v []float32) {
	if len(v) == 0 || len(a) == 0 {
		return
	}
	vertices := len(a) / len(v)
	for b, value := range v {
		state := a[b*vertices : (b+1)*vertices]
		shift := value - mean(state)
		for k := range state {
			state[k] += shift
		}
	}
}

// duelBack turns dq in place into the gradient of the advantages and writes that
// of the state values.
func duelBack(dq, dv []float32) {
	if len(dv) == 0 || len(dq) == 0 {
		return
	}
	vertices := len(dq) / len(dv)
	for b := range dv {
		state := dq[b*vertices : (b+1)*vertices]
		average := mean(state)
		dv[b] = average * float32(vertices)
		for k := range state {
			state[k] -= average
		}
	}
}

func mean(x []float32) float32 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	return float32(sum / float64(len(x)))
}
