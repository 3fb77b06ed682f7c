package kernels

// gain.h has the same in C, function by function. Products are converted to float32 so that
// no compiler fuses them with the sum.

// total is the sum of 16 numbers: of those 8 apart first, then 4, 2, 1.
func total(x *[Width]float32) float32 {
	var four [4]float32
	for k := range four {
		four[k] = (x[k] + x[k+8]) + (x[k+4] + x[k+12])
	}
	return (four[0] + four[2]) + (four[1] + four[3])
}

// sum is that of numbers: of those 16 apart first, then total.
func sum(x []float32) float32 {
	var s [Width]float32
	for ; len(x) >= Width; x = x[Width:] {
		for l, v := range x[:Width] {
			s[l] += v
		}
	}
	for l, v := range x {
		s[l] += v
	}
	return total(&s)
}

// dot is the sum of products, in the order of sum.
func dot(x, y []float32) float32 {
	var s [Width]float32
	for ; len(x) >= Width; x, y = x[Width:], y[Width:] {
		for l, v := range x[:Width] {
			s[l] += float32(v * y[l])
		}
	}
	for l, v := range x {
		s[l] += float32(v * y[l])
	}
	return total(&s)
}

// sums writes those of the rows and of the columns of x.
func sums(x, rows, columns []float32) {
	clear(columns)
	for i := range rows {
		row := x[i*len(columns) : (i+1)*len(columns)]
		rows[i] = sum(row)
		for a, v := range row {
			columns[a] += v
		}
	}
}

// addProducts adds x·weights to 16 sums, a row of weights after the other, four sums at a time.
func addProducts(sums *[Width]float32, x []float32, weights [][Width]float32) {
	x = x[:len(weights)]
	for o := 0; o < Width; o += 4 {
		s := (*[4]float32)(sums[o:])
		s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
		for k, v := range x {
			w := (*[4]float32)(weights[k][o:])
			s0 += float32(v * w[0])
			s1 += float32(v * w[1])
			s2 += float32(v * w[2])
			s3 += float32(v * w[3])
		}
		s[0], s[1], s[2], s[3] = s0, s1, s2, s3
	}
}

// addOuters adds to every row k of a gradient the sum over vertices, or nodes, v of x[k·next + v·step]
// times the 16 numbers of v in d: one v after the other, four sums at a time.
func addOuters(gradient [][Width]float32, x []float32, next, step int, d []float32) {
	for k := range gradient {
		for o := 0; o < Width; o += 4 {
			g, at := (*[4]float32)(gradient[k][o:]), k*next
			s0, s1, s2, s3 := g[0], g[1], g[2], g[3]
			for v := o; v < len(d); v += Width {
				z, y := x[at], (*[4]float32)(d[v:])
				s0 += float32(z * y[0])
				s1 += float32(z * y[1])
				s2 += float32(z * y[2])
				s3 += float32(z * y[3])
				at += step
			}
			g[0], g[1], g[2], g[3] = s0, s1, s2, s3
		}
	}
}

// positive is 0 for what is negative: the ReLU. What is no number stays so.
func positive(x *[Width]float32) {
	for o, v := range x {
		if v < 0 {
			x[o] = 0
		}
	}
}

// lanes returns the 16 numbers of a vertex or node.
func lanes(x []float32, v int) *[Width]float32 { return (*[Width]float32)(x[v*Width:]) }

func (s *State) setMeans() {
	byRow, byColumn := 1/float32(s.N2), 1/float32(s.N1)
	row, column := s.RowPart[:s.N1], s.ColumnPart[:s.N2]
	j := 0
	set := func(ofRow, ofColumn func(k int) float32) {
		for i := range s.N1 {
			s.RowMeans[i*Channels+j] = ofRow(i)
		}
		for a := range s.N2 {
			s.ColumnMeans[a*Channels+j] = ofColumn(a)
		}
		j++
	}
	mean := func(int) float32 { return s.Means[j] }
	for k := range vertexChannels {
		sums(s.Vertices[k*s.N1*s.N2:(k+1)*s.N1*s.N2], row, column)
		s.Means[j] = sum(row) * byRow * byColumn
		set(func(i int) float32 { return row[i] * byRow }, func(a int) float32 { return column[a] * byColumn })
	}
	for k := range rowChannels {
		x := s.Rows[k*s.N1 : (k+1)*s.N1]
		s.Means[j] = sum(x) * byColumn
		set(func(i int) float32 { return x[i] }, mean)
	}
	for k := range columnChannels {
		x := s.Columns[k*s.N2 : (k+1)*s.N2]
		s.Means[j] = sum(x) * byRow
		set(mean, func(a int) float32 { return x[a] })
	}
	for k := range stateChannels {
		s.Means[j] = s.State[k]
		set(mean, mean)
	}
}

func (s *State) setParts(w *Weights) {
	all := w.B
	addProducts(&all, s.Means, w.All[:])
	for i := range s.N1 {
		part := lanes(s.RowPart, i)
		*part = all
		addProducts(part, s.RowMeans[i*Channels:], w.Rows[:])
	}
	for a := range s.N2 {
		part := lanes(s.ColumnPart, a)
		*part = [Width]float32{}
		addProducts(part, s.ColumnMeans[a*Channels:], w.Columns[:])
	}
}

func (s *State) setHidden(w *Weights) {
	vertices := s.N1 * s.N2
	var all [Width]float32
	var x [vertexChannels]float32
	for i := range s.N1 {
		row := lanes(s.RowPart, i)
		for a := range s.N2 {
			v := i*s.N2 + a
			h, column := lanes(s.H, v), lanes(s.ColumnPart, a)
			for o := range h {
				h[o] = row[o] + column[o]
			}
			for k := range x {
				x[k] = s.Vertices[k*vertices+v]
			}
			addProducts(h, x[:], w.Vertices[:])
			positive(h)
			for o, z := range h {
				all[o] += z
			}
		}
	}
	copy(s.HSum, all[:])
}

func (s *State) setAdvantages(w *Weights) {
	for v := range s.N1 * s.N2 {
		u := lanes(s.U, v)
		*u = w.B1
		addProducts(u, lanes(s.H, v)[:], w.W1[:])
		positive(u)
		var q [Width]float32
		for o, z := range u {
			q[o] = z * w.W2[o]
		}
		s.Q[v] = total(&q)
	}
}

func (s *State) addSkip(w *Weights) {
	vertices := s.N1 * s.N2
	rowSkip, columnSkip := w.Skip[vertexChannels:], w.Skip[vertexChannels+rowChannels:]
	columns := s.ColumnPart[:s.N2]
	for a := range columns {
		columns[a] = 0
		for k := range columnChannels {
			columns[a] += float32(columnSkip[k] * s.Columns[k*s.N2+a])
		}
	}
	for k := range vertexChannels {
		scale := w.Skip[k]
		q := s.Q[:vertices]
		for v, x := range s.Vertices[k*vertices : (k+1)*vertices] {
			q[v] += float32(scale * x)
		}
	}
	for i := range s.N1 {
		row := float32(0)
		for k := range rowChannels {
			row += float32(rowSkip[k] * s.Rows[k*s.N1+i])
		}
		for a, q := range s.Q[i*s.N2 : (i+1)*s.N2] {
			s.Q[i*s.N2+a] = q + (row + columns[a])
		}
	}
}

func (s *State) forward(w *Weights) {
	s.setMeans()
	s.setParts(w)
	s.setHidden(w)
	s.setAdvantages(w)
	s.addSkip(w)
}

func (s *State) addSkipGradient(g *Weights) {
	vertices := s.N1 * s.N2
	j := 0
	for ; j < vertexChannels; j++ {
		g.Skip[j] += dot(s.Vertices[j*vertices:(j+1)*vertices], s.Q)
	}
	rows, columns := s.RowPart[:s.N1], s.ColumnPart[:s.N2]
	sums(s.Q, rows, columns)
	for k := range rowChannels {
		g.Skip[j] += dot(s.Rows[k*s.N1:(k+1)*s.N1], rows)
		j++
	}
	for k := range columnChannels {
		g.Skip[j] += dot(s.Columns[k*s.N2:(k+1)*s.N2], columns)
		j++
	}
}

func (s *State) secondBack(w, g *Weights) {
	for v := range s.N1 * s.N2 {
		d, dq := lanes(s.DH, v), s.Q[v]
		for o, z := range lanes(s.U, v) {
			g.W2[o] += float32(dq * z)
			if d[o] = 0; z != 0 {
				d[o] = dq * w.W2[o]
			}
			g.B1[o] += d[o]
		}
	}
	addOuters(g.W1[:], s.H, 1, Width, s.DH)
}

func (s *State) setHiddenBack(w *Weights) {
	var transposed [Width][Width]float32
	for k := range transposed {
		for j := range transposed[k] {
			transposed[k][j] = w.W1[j][k]
		}
	}
	mean := *lanes(s.HSum, 0)
	for v := range s.N1 * s.N2 {
		d, z := lanes(s.DH, v), mean
		addProducts(&z, d[:], transposed[:])
		for o, h := range lanes(s.H, v) {
			if h == 0 {
				z[o] = 0
			}
		}
		*d = z
	}
}

func (s *State) firstBack(g *Weights) {
	vertices := s.N1 * s.N2
	clear(s.ColumnPart[:s.N2*Width])
	for i := range s.N1 {
		var row [Width]float32
		for a := range s.N2 {
			column := lanes(s.ColumnPart, a)
			for o, z := range lanes(s.DH, i*s.N2+a) {
				row[o] += z
				column[o] += z
			}
		}
		*lanes(s.RowPart, i) = row
	}
	addOuters(g.Vertices[:], s.Vertices, vertices, 1, s.DH)
}

func (s *State) backward(w, g *Weights) {
	s.addSkipGradient(g)
	s.secondBack(w, g)
	s.setHiddenBack(w)
	s.firstBack(g)
	addOuters(g.Rows[:], s.RowMeans, 1, Channels, s.RowPart)
	addOuters(g.Columns[:], s.ColumnMeans, 1, Channels, s.ColumnPart)
	all := lanes(s.HSum, 0)
	*all = [Width]float32{}
	for i := range s.N1 {
		for o, z := range lanes(s.RowPart, i) {
			all[o] += z
		}
	}
	addOuters(g.All[:], s.Means, 1, Channels, s.HSum)
	for o, z := range all {
		g.B[o] += z
	}
}
