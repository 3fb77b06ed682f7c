package tabu

import (
	"github.com/rgm-go/rgm/qap"
)

// problem is an instance as the search sees it: facilities i, j are assigned to
// locations c, d, and the cost
//
//	Σ flow[i,j]·distance[p(i),p(j)] + Σ linear[i,p(i)]
//
// is minimised. Either matrix of the instance may be the flow: the distance is
// symmetric if one of them is, and else the flow has more zeros, because facilities
// without flow to a moved one cost nothing.
type problem struct {
	n                int
	flow, distance   []float64 // n×n, diagonals 0
	flowT, distanceT []float64 // transposed, to be read along rows
	linear           []float64 // [facility, location]
	symmetric        bool      // the distance is
	facilitiesSecond bool      // facilities are the nodes of graph 2

	flowEntries, distanceEntries, linearEntries qap.Entries // but for the sign
}

func newProblem(in *qap.Instance, kb *qap.KoopmansBeckmann) problem {
	n, _ := in.Size()
	at, bt, symmetricA, symmetricB := kb.Transposed()
	a, b, linear := kb.Entries()
	p := problem{n: n, distance: kb.B(), distanceT: bt, linear: scaled(kb.Linear(), in.Sense), symmetric: symmetricA || symmetricB}
	p.flow = scaled(kb.A(), in.Sense)
	if p.flowT = p.flow; !symmetricA {
		p.flowT = scaled(at, in.Sense)
	}
	if symmetricA != symmetricB {
		p.facilitiesSecond = symmetricA
	} else {
		p.facilitiesSecond = b.NonZeros < a.NonZeros
	}
	if p.facilitiesSecond {
		p.flow, p.distance = p.distance, p.flow
		p.flowT, p.distanceT = p.distanceT, p.flowT
		a, b = b, a
		if linear.NonZeros > 0 {
			p.linear = transposed(p.linear, n)
		}
	}
	p.flowEntries, p.distanceEntries, p.linearEntries = a, b, linear
	return p
}

// assignment turns a matching into locations by facility, or back.
func (p *problem) assignment(m qap.Matching) qap.Matching {
	if !p.facilitiesSecond {
		return m.Clone()
	}
	inverse := qap.NewMatching(p.n)
	for i, a := range m {
		inverse[a] = i
	}
	return inverse
}

// cost returns that of locations by facility.
func (p *problem) cost(locations []int32) float64 {
	sum := 0.0
	for i, c := range locations {
		flow, distance := p.flow[i*p.n:(i+1)*p.n], p.distance[int(c)*p.n:(int(c)+1)*p.n]
		for j, d := range locations {
			sum += flow[j] * distance[d]
		}
		sum += p.linear[i*p.n+int(c)]
	}
	return sum
}

// terms is the number of products a pair of facilities needs: with a symmetric
// distance flow + flowᵀ stands for both directions.
func (p *problem) terms() int {
	if p.symmetric {
		return 1
	}
	return 2
}

// isInteger reports whether all data are integers.
func (p *problem) isInteger() bool {
	return p.flowEntries.Integer && p.distanceEntries.Integer && p.linearEntries.Integer
}

// tolerance is what a cost must be less by to be better: 0 where all are exact, as of
// integers whose sums a float64 holds, else their rounding.
func (p *problem) tolerance() float64 {
	const mostExact = 1 << 53
	largest := p.largest()
	if p.isInteger() && float64(p.n)*largest < mostExact {
		return 0
	}
	return roundOff * largest
}

// largest bounds every number a step computes: a delta is four potentials and what
// flows between its two facilities; an update of it multiplies differences of
// differences, each up to twice the spread of a matrix.
func (p *problem) largest() float64 {
	flow, distance := &p.flowEntries, &p.distanceEntries
	potential := flow.RowSum*distance.Size + p.linearEntries.Size
	return 4*potential + 2*flow.Pair*distance.Size + 8*(flow.Most-flow.Least)*(distance.Most-distance.Least)
}

// dense reports whether hardly any flow or distance between two nodes is 0.
func (p *problem) dense() bool {
	const zeros = 0.1 // of all pairs
	pairs := p.n * (p.n - 1)
	least := (1 - zeros) * float64(pairs)
	return float64(p.flowEntries.NonZeros) > least && float64(p.distanceEntries.NonZeros) > least
}

func scaled(values []float64, sense qap.Sense) []float64 {
	if sense == qap.Minimize {
		return values
	}
	negative := make([]float64, len(values))
	for k, v := range values {
		negative[k] = -v
	}
	return negative
}

func transposed(m []float64, n int) []float64 {
	t := make([]float64, n*n)
	transpose(t, m, n, n, 0, n)
	return t
}

// transpose writes rows from … to − 1 of m, of n entries each width after the one before, as
// columns of t: in tiles, so that what is written stays in the processor's cache.
func transpose[E any](t, m []E, n, width, from, to int) {
	const tile = 32
	for first := 0; first < n; first += tile {
		last := min(n, first+tile)
		for i := from; i < to; i++ {
			row := m[i*width : i*width+n]
			for j := first; j < last; j++ {
				t[j*width+i] = row[j]
			}
		}
	}
}
