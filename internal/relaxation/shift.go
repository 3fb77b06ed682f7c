package relaxation

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Shifted is K plus a constant for each kind of entry, so that none is negative,
// or K itself.
//
// The constants are the same for all vertices, so a product costs O(n1·n2) more
// than one with K: with row sums R, column sums C and the sum T of x, the entries
// between p and the vertices that do not conflict with it add T − R − C + x[p],
// those between p and the others R + C − 2·x[p].
type Shifted struct {
	*Search
	edge, conflict, node float64 // what is added to entries of each kind
	rows, columns        []float64
}

// NonNegative returns K, shifted if the uniform soft assignment scores below 0. The
// diagonal is shifted wherever one of its entries is negative: it adds the same to all
// complete matchings, between which these methods choose, and a walk or a power method
// would take it for a repulsion of every vertex from itself. Where the time is up, entries
// may stay negative.
func NonNegative(s *Search) *Shifted {
	k := &Shifted{Search: s, rows: make([]float64, s.N1), columns: make([]float64, s.N2)}
	x, product := make([]float64, len(s.X)), make([]float64, len(s.X))
	if len(x) == 0 {
		return k
	}
	for p := range x {
		x[p] = 1 / float64(len(x))
	}
	if s.Multiply(product, x); Dot(x, product) >= 0 {
		s.In.Affinity.Diagonal(x)
		k.node = -min(0, slices.Min(x))
		return k
	}
	least := leastEntries(s.In, &s.Watch)
	k.edge, k.conflict, k.node = -min(0, least.edge), -min(0, least.conflict), -min(0, least.node)
	return k
}

// Multiply sets dst to the product with x.
func (k *Shifted) Multiply(dst, x []float64) {
	k.Search.Multiply(dst, x)
	if k.edge == 0 && k.conflict == 0 && k.node == 0 {
		return
	}
	clear(k.rows)
	clear(k.columns)
	total := 0.0
	for p, v := range x {
		k.rows[p/k.N2] += v
		k.columns[p%k.N2] += v
		total += v
	}
	for p, v := range x {
		lines := k.rows[p/k.N2] + k.columns[p%k.N2]
		dst[p] += k.edge*(total-lines+v) + k.conflict*(lines-2*v) + k.node*v
	}
}

// minima are bounds from below of the entries of K: between vertices that do not
// conflict, between those that do, and on the diagonal.
type minima struct{ edge, conflict, node float64 }

func leastEntries(in *qap.Instance, watch *qap.Watch) minima {
	n1, n2 := in.Size()
	diagonal := make([]float64, n1*n2)
	in.Affinity.Diagonal(diagonal)
	least := minima{math.Inf(1), math.Inf(1), slices.Min(diagonal)}
	if kb, ok := in.Affinity.(*qap.KoopmansBeckmann); ok {
		least.edge, least.conflict = leastProducts(kb, in.Sense)
		return least
	}
	row := diagonal
	for p := range row {
		if p%RowsBetweenLooks == 0 {
			if _, stop := watch.Expired(); stop {
				break
			}
		}
		in.Affinity.Row(row, p)
		for q, v := range row {
			switch {
			case q == p:
			case q/n2 == p/n2 || q%n2 == p%n2:
				least.conflict = min(least.conflict, v)
			default:
				least.edge = min(least.edge, v)
			}
		}
	}
	return least
}

// leastProducts bounds the entries of K = ±A⊗B by the products of the extremes of
// A and B. Between vertices that conflict a factor is on a diagonal.
func leastProducts(kb *qap.KoopmansBeckmann, sense qap.Sense) (edge, conflict float64) {
	n1, n2 := kb.Size()
	a, b, _ := kb.Given()
	diagonalA, restA := extremes(a, n1)
	diagonalB, restB := extremes(b, n2)
	edge = leastProduct(restA, restB, sense)
	conflict = min(leastProduct(diagonalA, restB, sense), leastProduct(restA, diagonalB, sense))
	return edge, conflict
}

// interval holds the least and the greatest of some numbers.
type interval struct{ least, greatest float64 }

// extremes returns those of the entries of an n×n matrix on its diagonal and off it.
func extremes(m []float64, n int) (diagonal, rest interval) {
	diagonal = interval{math.Inf(1), math.Inf(-1)}
	rest = diagonal
	for k, v := range m {
		kind := &rest
		if k/n == k%n {
			kind = &diagonal
		}
		kind.least, kind.greatest = min(kind.least, v), max(kind.greatest, v)
	}
	return diagonal, rest
}

// leastProduct returns the least product of numbers of two intervals, in the
// sense that is maximised; of an empty interval there is none.
func leastProduct(x, y interval, sense qap.Sense) float64 {
	least := math.Inf(1)
	if x.least > x.greatest || y.least > y.greatest {
		return least
	}
	for _, u := range []float64{x.least, x.greatest} {
		for _, v := range []float64{y.least, y.greatest} {
			if sense == qap.Minimize {
				v = -v
			}
			least = min(least, u*v)
		}
	}
	return least
}
