package paper

import "github.com/rgm-go/rgm/internal/layers"

// sums are pools of what a vertex's neighbours in the association graph have.
type sums struct{ layers.Pools }

func newSums(batch, n1, n2, width int) sums { return sums{layers.NewPools(batch, n1, n2, width)} }

// others fills p so that to Spread it over x makes x the sum over each vertex's
// neighbours: the total less the sums of its row and its column.
func (p sums) others(x []float32, batch, n1, n2, width int) {
	p.Clear()
	for b := range batch {
		for i := range n1 {
			for a := range n2 {
				p.leave(b, i, a, n1, n2, width, x[((b*n1+i)*n2+a)*width:][:width])
			}
		}
	}
	p.total(width)
}

// leave takes what vertex (i, a) of state b has off its row and its column.
func (p sums) leave(b, i, a, n1, n2, width int, x []float32) {
	layers.Axpy(p.Rows[(b*n1+i)*width:][:width], -1, x)
	layers.Axpy(p.Cols[(b*n2+a)*width:][:width], -1, x)
}

// total sets the states' totals by what was taken off the rows.
func (p sums) total(width int) {
	batch := len(p.All) / width
	n1 := len(p.Rows) / len(p.All)
	for b := range batch {
		for i := range n1 {
			layers.Axpy(p.All[b*width:][:width], -1, p.Rows[(b*n1+i)*width:][:width])
		}
	}
}
