package paper

import (
	"gonum.org/v1/gonum/blas"

	"github.com/rgm-go/rgm/internal/layers"
)

// matchedNeighbours is what the architecture paper-matched (ours) has in the place of the
// sum over all neighbours, A·Eᵗ·θ2/m: sums over the matched vertices alone,
//
//	C·(x∘Eᵗ)·θ2 + W·(x∘Eᵗ)·θ9/n,  n = min(n1, n2),
//
// where C is 1 between vertices that share a node. The first are the at most two matches
// that an action would release, the second what supports it. W is n·K over the Scale of a
// step (see variant), so that a sum over W is in units of the reward whatever the
// size of the graphs: with three iterations the exact change of a revocable action, but for the
// edge between two matches that go, is within reach (lab/notes/EXPERIMENTS.md). It costs n·n² products of embeddings, not n⁴.
type matchedNeighbours struct {
	pass *pass

	at       []int     // the matched vertices of one state
	columns  []float32 // W from every vertex to them
	e        []float32 // x∘Eᵗ of them
	released []float32 // e·θ2
	support  []float32 // e·θ9/n

	dreleased, dsupport []float32
}

func newMatchedNeighbours(p *pass) *matchedNeighbours {
	m := &matchedNeighbours{pass: p}
	m.resize(min(p.n1, p.n2))
	return m
}

// resize makes memory for as many matched vertices: more than a matching has, if inputs
// come from elsewhere.
func (m *matchedNeighbours) resize(most int) {
	floats := func(width int) []float32 { return make([]float32, most*width) }
	d := m.pass.net.hidden
	m.at, m.columns = make([]int, 0, most), floats(m.pass.n1*m.pass.n2)
	m.e, m.released, m.support = floats(d), floats(d), floats(d)
	m.dreleased, m.dsupport = floats(d), floats(d)
}

// state returns the rows of a state's vertices.
func (m *matchedNeighbours) state(rows []float32, b int) []float32 {
	size := m.pass.n1 * m.pass.n2 * m.pass.net.hidden
	return rows[b*size:][:size]
}

// solution is x of a vertex.
func (m *matchedNeighbours) solution(b, v int) float32 {
	p := m.pass
	return p.inputs[0][(b*p.n1*p.n2+v)*channels+solution]
}

// look gathers the matched vertices of a state, W to them and x times their embeddings, and
// returns how many they are.
func (m *matchedNeighbours) look(b int, embeddings []float32) int {
	p := m.pass
	vertices := p.n1 * p.n2
	m.at = m.at[:0]
	for v := range vertices {
		if m.solution(b, v) != 0 {
			m.at = append(m.at, v)
		}
	}
	k := len(m.at)
	if k*p.net.hidden > len(m.e) {
		matched := m.at
		m.resize(k)
		m.at = append(m.at, matched...)
	}
	for v := range vertices {
		row := p.inputs[1][(b*vertices+v)*vertices:][:vertices]
		for c, q := range m.at {
			m.columns[v*k+c] = row[q]
		}
	}
	d := p.net.hidden
	for c, q := range m.at {
		row := m.e[c*d : (c+1)*d]
		copy(row, m.state(embeddings, b)[q*d:])
		layers.Scale(row, m.solution(b, q))
	}
	return k
}

// share is 1/n.
func (m *matchedNeighbours) share() float32 { return 1 / float32(min(m.pass.n1, m.pass.n2)) }

// join adds to next what the vertices take in of their matched neighbours' embeddings.
func (m *matchedNeighbours) join(next, embeddings []float32) {
	p := m.pass
	d, vertices := p.net.hidden, p.n1*p.n2
	for b := range p.batch {
		k := m.look(b, embeddings)
		if k == 0 {
			continue
		}
		theta2, theta9 := layers.Matrix(d, d, p.net.theta2.Data), layers.Matrix(d, d, p.net.theta9.Data)
		layers.MatrixProduct(blas.NoTrans, blas.NoTrans, 1, layers.Matrix(k, d, m.e), theta2, 0, layers.Matrix(k, d, m.released))
		layers.MatrixProduct(blas.NoTrans, blas.NoTrans, m.share(), layers.Matrix(k, d, m.e), theta9, 0, layers.Matrix(k, d, m.support))
		y := m.state(next, b)
		layers.MatrixProduct(blas.NoTrans, blas.NoTrans, 1, layers.Matrix(vertices, k, m.columns), layers.Matrix(k, d, m.support), 1, layers.Matrix(vertices, d, y))
		for c, q := range m.at {
			m.conflicts(q, func(v int) { layers.Axpy(y[v*d:(v+1)*d], 1, m.released[c*d:(c+1)*d]) })
		}
	}
}

// conflicts calls f with the vertices that share one node with q.
func (m *matchedNeighbours) conflicts(q int, f func(v int)) {
	n1, n2 := m.pass.n1, m.pass.n2
	i, a := q/n2, q%n2
	for b := range n2 {
		if b != a {
			f(i*n2 + b)
		}
	}
	for j := range n1 {
		if j != i {
			f(j*n2 + a)
		}
	}
}

// back adds the gradients of θ2 and θ9, given that of join's sums, and sets dembeddings to
// that of the embeddings that it was given.
func (m *matchedNeighbours) back(dembeddings, dnext, embeddings, dtheta2, dtheta9 []float32) {
	p := m.pass
	d, vertices := p.net.hidden, p.n1*p.n2
	clear(dembeddings)
	for b := range p.batch {
		k := m.look(b, embeddings)
		if k == 0 {
			continue
		}
		dy, de := m.state(dnext, b), m.e
		layers.MatrixProduct(blas.Trans, blas.NoTrans, 1, layers.Matrix(vertices, k, m.columns), layers.Matrix(vertices, d, dy), 0, layers.Matrix(k, d, m.dsupport))
		clear(m.dreleased[:k*d])
		for c, q := range m.at {
			m.conflicts(q, func(v int) { layers.Axpy(m.dreleased[c*d:(c+1)*d], 1, dy[v*d:(v+1)*d]) })
		}
		dreleased, dsupport := layers.Matrix(k, d, m.dreleased), layers.Matrix(k, d, m.dsupport)
		layers.MatrixProduct(blas.Trans, blas.NoTrans, 1, layers.Matrix(k, d, m.e), dreleased, 1, layers.Matrix(d, d, dtheta2))
		layers.MatrixProduct(blas.Trans, blas.NoTrans, m.share(), layers.Matrix(k, d, m.e), dsupport, 1, layers.Matrix(d, d, dtheta9))
		theta2, theta9 := layers.Matrix(d, d, p.net.theta2.Data), layers.Matrix(d, d, p.net.theta9.Data)
		layers.MatrixProduct(blas.NoTrans, blas.Trans, 1, dreleased, theta2, 0, layers.Matrix(k, d, de))
		layers.MatrixProduct(blas.NoTrans, blas.Trans, m.share(), dsupport, theta9, 1, layers.Matrix(k, d, de))
		for c, q := range m.at {
			row := m.state(dembeddings, b)[q*d : (q+1)*d]
			copy(row, de[c*d:])
			layers.Scale(row, m.solution(b, q))
		}
	}
}
