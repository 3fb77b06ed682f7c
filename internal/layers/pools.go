package layers

// Pools are the means of a [batch, n1, n2, width] tensor over the vertices that
// share a node of graph 1 (rows), of graph 2 (cols), and over all (all).
type Pools struct {
	Rows []float32 // [batch, n1, width]
	Cols []float32 // [batch, n2, width]
	All  []float32 // [batch, width]
}

// NewPools returns pools of zeros.
func NewPools(batch, n1, n2, width int) Pools {
	return Pools{
		Rows: make([]float32, batch*n1*width),
		Cols: make([]float32, batch*n2*width),
		All:  make([]float32, batch*width),
	}
}

// Average fills the pools with the means of x.
func (p Pools) Average(x []float32, batch, n1, n2, width int) {
	p.Clear()
	byRow, byCol := 1/float32(n2), 1/float32(n1)
	for b := range batch {
		all := p.All[b*width : (b+1)*width]
		for i := range n1 {
			row := p.Rows[(b*n1+i)*width:][:width]
			for a := range n2 {
				v := x[((b*n1+i)*n2+a)*width:][:width]
				Axpy(row, byRow, v)
				Axpy(p.Cols[(b*n2+a)*width:][:width], byCol, v)
			}
			Axpy(all, byCol, row)
		}
	}
}

// Spread adds to each vertex of y what its row, its column and the state have in
// p. It leaves p.Rows changed.
func (p Pools) Spread(y []float32, batch, n1, n2, width int) {
	for b := range batch {
		all := p.All[b*width : (b+1)*width]
		for i := range n1 {
			row := p.Rows[(b*n1+i)*width:][:width]
			Axpy(row, 1, all)
			for a := range n2 {
				AddBoth(y[((b*n1+i)*n2+a)*width:][:width], row, p.Cols[(b*n2+a)*width:][:width])
			}
		}
	}
}

// AddBoth is y += u + v.
func AddBoth(y, u, v []float32) {
	if len(y) >= wide {
		Axpy(y, 1, u)
		Axpy(y, 1, v)
		return
	}
	u, v = u[:len(y)], v[:len(y)]
	for k := range y {
		y[k] += u[k] + v[k]
	}
}

// Clear sets all to 0.
func (p Pools) Clear() {
	clear(p.Rows)
	clear(p.Cols)
	clear(p.All)
}

// Gather fills p with the sums of dy over rows, columns and states: the gradient
// of Spread.
func (p Pools) Gather(dy []float32, batch, n1, n2, width int) {
	p.Average(dy, batch, n1, n2, width)
	Scale(p.Rows, float32(n2))
	Scale(p.Cols, float32(n1))
	Scale(p.All, float32(n1*n2))
}

// Duel turns advantages, [batch, vertices], and state values, [batch], into Q in
// place: v + a − mean a (paper, equation 9; Wang et al. 2016, arXiv:1511.06581).
func Duel(a, v []float32) {
	if len(v) == 0 || len(a) == 0 {
		return
	}
	vertices := len(a) / len(v)
	for b, value := range v {
		state := a[b*vertices : (b+1)*vertices]
		shift := value - Mean(state)
		for k := range state {
			state[k] += shift
		}
	}
}

// DuelBack turns dq in place into the gradient of the advantages and writes that
// of the state values.
func DuelBack(dq, dv []float32) {
	if len(dv) == 0 || len(dq) == 0 {
		return
	}
	vertices := len(dq) / len(dv)
	for b := range dv {
		state := dq[b*vertices : (b+1)*vertices]
		average := Mean(state)
		dv[b] = average * float32(vertices)
		for k := range state {
			state[k] -= average
		}
	}
}

// Mean is the mean of x, added up in float64.
func Mean(x []float32) float32 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	return float32(sum / float64(len(x)))
}

// AverageStates writes the mean of x, [batch, vertices, width], over the vertices.
func AverageStates(dst, x []float32, batch, vertices, width int) {
	clear(dst)
	share := 1 / float32(vertices)
	for b := range batch {
		state := dst[b*width : (b+1)*width]
		for v := range vertices {
			Axpy(state, share, x[(b*vertices+v)*width:][:width])
		}
	}
}
