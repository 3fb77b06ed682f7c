package matchers

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
)

// SinkhornJA solves the linear relaxation of Johnson and Adams, in which every
// pair of vertices p and q has a variable y[p,q], with a small entropy in place of
// y ≥ 0. It minimises the Kullback–Leibler distance to exp(score/Temperature) by
// Bregman projections, in turn onto the constraints
//
//	Σ_a x[i,a] = 1 and Σ_b y[(i,a),(j,b)] = x[i,a] for every node j of graph 1,
//	the same for the nodes of graph 2, and y[p,q] = y[q,p],
//
// each in closed form, and cools as it goes. The result is the assignment nearest to
// x, or that to which Frank–Wolfe leads from x if it is better: where a problem is
// symmetric, x is no corner and many assignments are nearest. Where one graph is
// smaller, nodes without any affinity are added to it.
//
// It needs max(n1, n2)⁴ numbers. The publication uses one temperature
// for each problem; the cooling here spares the user that choice.
//
// Source: Kushinsky, Maron, Dym, Lipman, SIAM J. Imaging Sciences 12 (2019),
// doi:10.1137/18M1196480.
type SinkhornJA struct {
	Temperature float64 // at the end, in units of the largest |K[p,q]|; default 0.0005
	MaxIter     int     // rounds of projections; default 500
}

// MaxLifted is the greatest graph that SinkhornJA takes, in nodes.
const MaxLifted = 40

// firstTemperature is that of the first round, in units of the largest |K[p,q]|.
const firstTemperature = 0.1

// roundingSteps bound the iterations of Frank–Wolfe from the relaxation's x.
const roundingSteps = 30

// Solve rounds the relaxation's x. A step is a round of
// projections. It returns an error wrapping qap.ErrUnsupported where a graph has
// more than MaxLifted nodes. Options.Initial is no start; it competes with the result.
func (m SinkhornJA) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n1, n2 := in.Size()
	if max(n1, n2) > MaxLifted {
		return qap.Result{}, fmt.Errorf("matchers: graphs of %d and %d nodes: the lifted relaxation takes up to %d: %w", n1, n2, MaxLifted, qap.ErrUnsupported)
	}
	s, err := relaxation.NewSearch(ctx, in, o, relaxation.Barycentre(n1, n2), cmp.Or(m.MaxIter, 500))
	if err != nil {
		return qap.Result{}, err
	}
	l := newLifted(in, &s.Watch)
	cooling := math.Pow(cmp.Or(m.Temperature, 0.0005)/firstTemperature, 1/float64(max(1, s.MaxSteps-1)))
	status := s.Iterate(func() bool {
		if l.round() {
			l.cool(cooling)
		}
		return s.Steps == s.MaxSteps && o.MaxSteps == 0 // the end of the cooling
	})
	if s.Steps > 0 {
		for p := range s.X {
			s.X[p] = l.x[p/n2*l.n+p%n2]
		}
	}
	found := relaxation.NewContest(in)
	found.Enter(s.Project(s.X))
	f := relaxation.NewFrankWolfe(s)
	f.Start(s.X)
	for step := 0; step < roundingSteps && f.Step() > 1e-6; step++ {
		if _, stop := s.Watch.Expired(); stop {
			break
		}
	}
	found.Enter(s.Project(s.X))
	return s.Result(found.Best, o, status), nil
}

// lifted holds the logarithms of the relaxation's variables for two graphs of n
// nodes; vertex p is i·n+a.
type lifted struct {
	n      int
	x      []float64 // n²
	y      []float64 // n⁴; entries between vertices that conflict are not used
	sums   []float64 // scratch: of y over each node's vertices, n²
	before []float64 // x before a round that may be cut
	watch  *qap.Watch
}

func newLifted(in *qap.Instance, watch *qap.Watch) *lifted {
	n1, n2 := in.Size()
	n := max(n1, n2)
	l := &lifted{n: n, x: make([]float64, n*n), y: make([]float64, n*n*n*n), sums: make([]float64, n*n), before: make([]float64, n*n), watch: watch}
	values := make([]float64, n1*n2)
	in.Affinity.Diagonal(values)
	largest := 0.0
	for p, v := range values {
		l.x[p/n2*n+p%n2] = v
		largest = max(largest, math.Abs(v))
	}
	for p := range n1 * n2 {
		if p%relaxation.RowsBetweenLooks == 0 && l.expired() {
			break
		}
		clear(values)
		in.Affinity.AddRow(values, p, 1)
		row := l.y[(p/n2*n+p%n2)*n*n:]
		for q, v := range values {
			row[q/n2*n+q%n2] = v
			largest = max(largest, math.Abs(v))
		}
	}
	if largest > 0 {
		l.cool(firstTemperature * largest)
	}
	return l
}

// cool multiplies the temperature by a factor. Scores and multipliers stay.
func (l *lifted) cool(factor float64) {
	for p := range l.x {
		l.x[p] /= factor
	}
	m := l.n * l.n
	for p := range m {
		if p%relaxation.RowsBetweenLooks == 0 && l.expired() {
			return
		}
		for k := range l.y[p*m : (p+1)*m] {
			l.y[p*m+k] /= factor
		}
	}
}

// expired reports whether the time is up. What it cuts leaves y unusable.
func (l *lifted) expired() bool {
	_, expired := l.watch.Expired()
	return expired
}

// round projects onto each set of constraints. Where the time is up on the way, it returns
// false, and x is what it was.
func (l *lifted) round() bool {
	copy(l.before, l.x)
	whole := l.project(l.n, 1) && l.symmetrize() && l.project(1, l.n) && l.symmetrize()
	if !whole {
		copy(l.x, l.before)
	}
	return whole
}

// project projects onto the constraints of the nodes i of one graph: vertex p is
// s·i + t·a. With W[p,j] = Σ_b y[p,(j,b)], the nearest point has x[p]ⁿ in
// proportion to x[p]·Π_j W[p,j], and y[p,(j,b)] in proportion to what it was. It returns
// false where the time is up.
func (l *lifted) project(s, t int) bool {
	n := l.n
	x := make([]float64, n)
	for i := range n {
		if l.expired() {
			return false
		}
		for a := range n {
			p := s*i + t*a
			row := l.y[p*n*n : (p+1)*n*n]
			sum := l.x[p]
			for j := range n {
				if j != i {
					w := logSumExp(row[s*j:], n, t, a)
					l.sums[a*n+j] = w
					sum += w
				}
			}
			x[a] = sum / float64(n)
		}
		total := logSumExp(x, n, 1, -1)
		for a := range n {
			p := s*i + t*a
			row := l.y[p*n*n : (p+1)*n*n]
			l.x[p] = x[a] - total
			for j := range n {
				if j == i {
					continue
				}
				shift := l.x[p] - l.sums[a*n+j]
				for b := range n {
					row[s*j+t*b] += shift
				}
			}
		}
	}
	return true
}

// symmetrize makes y[p,q] and y[q,p] their geometric mean; false where the time is up.
func (l *lifted) symmetrize() bool {
	m := l.n * l.n
	for p := range m {
		if p%relaxation.RowsBetweenLooks == 0 && l.expired() {
			return false
		}
		for q := range p {
			mean := (l.y[p*m+q] + l.y[q*m+p]) / 2
			l.y[p*m+q], l.y[q*m+p] = mean, mean
		}
	}
	return true
}

// logSumExp returns log Σ exp(values[stride·k]) over k < count other than skip; −Inf
// for none.
func logSumExp(values []float64, count, stride, skip int) float64 {
	greatest := math.Inf(-1)
	for k := range count {
		if k != skip {
			greatest = max(greatest, values[stride*k])
		}
	}
	if math.IsInf(greatest, -1) {
		return greatest
	}
	sum := 0.0
	for k := range count {
		if k != skip {
			sum += math.Exp(values[stride*k] - greatest)
		}
	}
	return greatest + math.Log(sum)
}
