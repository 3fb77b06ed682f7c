package bound

import (
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// OfFlows returns what no complete matching of flows and distances scores more than, for graphs of
// one size: the better of two bounds that take some n³ operations.
//
// That of Gilmore and Lawler: facility i at location c costs at least the least product of the other
// flows of i with the other distances of c, and the assignment of these costs bounds the whole. By
// projection, where flows or distances are symmetric: permutations are orthogonal matrices that keep
// the vector of ones, and over all such matrices the eigenvalues of both matrices, in opposite
// order, give the least. The former is strong where few costs matter, the latter where all are alike.
// Where all numbers are integers the bound is one that a score may have.
//
// An error that wraps qap.ErrUnsupported says that the instance is of another form.
//
// Sources: Gilmore, SIAM J. Applied Mathematics 10 (1962), doi:10.1137/0110022; Lawler, Management
// Science 9 (1963), doi:10.1287/mnsc.9.4.586; Hadley, Rendl, Wolkowicz, Mathematics of Operations
// Research 17 (1992), doi:10.1287/moor.17.3.727.
func OfFlows(in *qap.Instance) (float64, error) {
	f, err := flowsOf(in)
	if err != nil {
		return 0, err
	}
	return -f.reachable(max(f.gilmoreLawler(), f.projection())), nil
}

// Reachable returns the greatest score of at most a bound that a complete matching of flows and
// distances may have, which is less than the bound where all numbers are integers.
func Reachable(in *qap.Instance, score float64) float64 {
	f, err := flowsOf(in)
	if err != nil {
		return score
	}
	return -f.reachable(-score)
}

// flows is an instance as costs that are minimised: Σ a[i,j]·b[p(i),p(j)] + Σ linear[i,p(i)].
type flows struct {
	n            int
	a, b, linear []float64 // diagonals of a and b are 0
	symmetric    [2]bool
	integer      bool
	lap          assignment.Solver
}

func flowsOf(in *qap.Instance) (*flows, error) {
	kb, ok := in.Affinity.(*qap.KoopmansBeckmann)
	n1, n2 := in.Size()
	if !ok || n1 != n2 || n1 == 0 {
		return nil, fmt.Errorf("bound: want flows and distances of one size: %w", qap.ErrUnsupported)
	}
	f := &flows{n: n1, a: kb.A(), b: slices.Clone(kb.B()), linear: slices.Clone(kb.Linear())}
	cost := -in.ScoreOf(1)
	for k := range f.b {
		f.b[k] *= cost
		f.linear[k] *= cost
	}
	_, _, f.symmetric[0], f.symmetric[1] = kb.Transposed()
	a, b, linear := kb.Entries()
	f.integer = a.Integer && b.Integer && linear.Integer
	return f, nil
}

// gilmoreLawler is that bound on the costs.
func (f *flows) gilmoreLawler() float64 {
	n := f.n
	a, b := f.others(f.a), f.others(f.b)
	for c := range n {
		slices.Reverse(b[c*(n-1) : (c+1)*(n-1)])
	}
	cost := slices.Clone(f.linear)
	for i := range n {
		flow := a[i*(n-1) : (i+1)*(n-1)]
		for c := range n {
			sum := 0.0
			for k, d := range b[c*(n-1) : (c+1)*(n-1)] {
				sum += flow[k] * d
			}
			cost[i*n+c] += sum
		}
	}
	return f.assigned(cost)
}

// others returns the rows of a matrix without the diagonal, each in order.
func (f *flows) others(m []float64) []float64 {
	n := f.n
	rows := make([]float64, 0, n*(n-1))
	for i := range n {
		rows = append(append(rows, m[i*n:i*n+i]...), m[i*n+i+1:(i+1)*n]...)
		slices.Sort(rows[i*(n-1):])
	}
	return rows
}

// assigned is the least cost of an assignment, less what rounding may have added.
func (f *flows) assigned(cost []float64) float64 {
	sum, size := 0.0, 0.0
	for i, c := range f.lap.Minimize(cost, f.n, f.n) {
		sum += cost[i*f.n+c]
		size += math.Abs(cost[i*f.n+c])
	}
	return sum - rounding*size
}

// projection is the bound by projection on the costs, −Inf where neither matrix is symmetric.
func (f *flows) projection() float64 {
	if !f.symmetric[0] && !f.symmetric[1] {
		return math.Inf(-1)
	}
	n := f.n
	a, b := f.symmetrised(f.a), f.symmetrised(f.b) // with one that is symmetric the cost is the same
	sums := func(m []float64) (rows []float64, all float64) {
		rows = make([]float64, n)
		for i := range n {
			for _, v := range m[i*n : (i+1)*n] {
				rows[i] += v
			}
			all += rows[i]
		}
		return rows, all
	}
	rowsA, allA := sums(a)
	rowsB, allB := sums(b)
	cost := slices.Clone(f.linear)
	for i, u := range rowsA {
		for c, v := range rowsB {
			cost[i*n+c] += 2 / float64(n) * u * v
		}
	}
	ofA, ofB := projectedEigenvalues(a, n), projectedEigenvalues(b, n)
	slices.Sort(ofA)
	slices.Sort(ofB)
	slices.Reverse(ofB)
	least, size := 0.0, 0.0
	for k, u := range ofA {
		least += u * ofB[k]
		size += math.Abs(u * ofB[k])
	}
	both := allA / float64(n) * (allB / float64(n))
	return least - eigenError*float64(n)*size + f.assigned(cost) - both - rounding*math.Abs(both)
}

// eigenError bounds the relative error of sums of products of eigenvalues, divided by n.
const eigenError = 1e-13

// symmetrised is (m + mᵀ)/2.
func (f *flows) symmetrised(m []float64) []float64 {
	half := make([]float64, len(m))
	for i := range f.n {
		for j := range f.n {
			half[i*f.n+j] = (m[i*f.n+j] + m[j*f.n+i]) / 2
		}
	}
	return half
}

// reachable is the least cost from a bound on that a matching may have: where all numbers are
// integers, costs are multiples of what divides all products.
func (f *flows) reachable(bound float64) float64 {
	if !f.integer {
		return bound
	}
	step := divisor(f.a) * divisor(f.b)
	if f.symmetric[0] && f.symmetric[1] {
		step *= 2 // every pair counts twice
	}
	if of := divisor(f.linear); of > 0 {
		step = greatestDivisor(step, of)
	}
	if step == 0 || math.Abs(bound) >= 1<<52 {
		return bound
	}
	return step*math.Ceil(bound/step-1e-6) + 0 // never −0
}

// divisor is the greatest number that divides all of some integers, 0 where all are 0.
func divisor(values []float64) float64 {
	of := 0.0
	for _, v := range values {
		if of = greatestDivisor(of, math.Abs(v)); of == 1 {
			break
		}
	}
	return of
}

func greatestDivisor(x, y float64) float64 {
	for y != 0 {
		x, y = y, math.Mod(x, y)
	}
	return x
}
