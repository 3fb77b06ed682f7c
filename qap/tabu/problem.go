package tabu

import (
	"math"

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
	linear           []float64 // [facility, location]
	symmetric        bool      // the distance is
	facilitiesSecond bool      // facilities are the nodes of graph 2
}

func newProblem(in *qap.Instance, kb *qap.KoopmansBeckmann) problem {
	n, _ := in.Size()
	p := problem{n: n, flow: scaled(kb.A(), in.Sense), distance: kb.B(), linear: scaled(kb.Linear(), in.Sense)}
	symmetricA, symmetricB := isSymmetric(kb.A(), n), isSymmetric(kb.B(), n)
	p.symmetric = symmetricA || symmetricB
	if symmetricA != symmetricB {
		p.facilitiesSecond = symmetricA
	} else {
		p.facilitiesSecond = nonzeros(kb.B()) < nonzeros(kb.A())
	}
	if p.facilitiesSecond {
		p.flow, p.distance, p.linear = p.distance, p.flow, transposed(p.linear, n)
	}
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

// terms is the number of products a pair of facilities needs: with a symmetric
// distance flow + flowᵀ stands for both directions.
func (p *problem) terms() int {
	if p.symmetric {
		return 1
	}
	return 2
}

// isInteger tells whether all data are integers.
func (p *problem) isInteger() bool {
	for _, m := range [][]float64{p.flow, p.distance, p.linear} {
		for _, v := range m {
			if v != math.Trunc(v) {
				return false
			}
		}
	}
	return true
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
	n := p.n
	flow, rowSum := 0.0, 0.0 // of flow + flowᵀ
	for i := range n {
		sum := 0.0
		for j := range n {
			both := math.Abs(p.flow[i*n+j]) + math.Abs(p.flow[j*n+i])
			flow = max(flow, both)
			sum += both
		}
		rowSum = max(rowSum, sum)
	}
	distance := maxAbs(p.distance)
	potential := rowSum*distance + maxAbs(p.linear)
	return 4*potential + 2*flow*distance + 8*spread(p.flow)*spread(p.distance)
}

// dense tells whether hardly any flow or distance between two nodes is 0.
func (p *problem) dense() bool {
	const zeros = 0.1 // of all pairs
	pairs := p.n * (p.n - 1)
	least := (1 - zeros) * float64(pairs)
	return float64(nonzeros(p.flow)) > least && float64(nonzeros(p.distance)) > least
}

func spread(values []float64) float64 {
	least, most := 0.0, 0.0
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	return most - least
}

func maxAbs(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	return largest
}

func nonzeros(values []float64) int {
	count := 0
	for _, v := range values {
		if v != 0 {
			count++
		}
	}
	return count
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
	for i := range n {
		for j := range n {
			t[j*n+i] = m[i*n+j]
		}
	}
	return t
}

func isSymmetric(m []float64, n int) bool {
	for i := range n {
		for j := range i {
			if m[i*n+j] != m[j*n+i] {
				return false
			}
		}
	}
	return true
}
