// Package relaxation is what methods that work on a soft assignment share: a run with its limits,
// products with K, also with one that has no negative entry, and the steps of Frank and Wolfe.
// qap/classic and research/classic have the methods.
package relaxation

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// Search is one run of a method over one instance.
type Search struct {
	In       *qap.Instance
	N1, N2   int
	X        []float64 // the soft assignment
	Watch    qap.Watch
	MaxSteps int
	Steps    int

	moved bool // whether a step was taken to its end
	lap   assignment.Solver
	timed
}

// NewSearch starts from Options.Initial, else from start, else from the uniform
// soft assignment 1/(n1·n2). It checks the two.
func NewSearch(ctx context.Context, in *qap.Instance, o qap.Options, start []float64, maxIter int) (*Search, error) {
	n1, n2 := in.Size()
	s := &Search{In: in, N1: n1, N2: n2, X: make([]float64, n1*n2), Watch: o.Watch(ctx, in), MaxSteps: maxIter}
	if o.MaxSteps > 0 {
		s.MaxSteps = o.MaxSteps
	}
	s.long = n1*n2 >= leastTimed
	switch {
	case o.Initial != nil:
		if err := in.CheckMatching(o.Initial); err != nil {
			return nil, err
		}
		Indicate(s.X, o.Initial, n2)
	case start != nil:
		if len(start) != n1*n2 {
			return nil, fmt.Errorf("relaxation: start has %d entries, want %d·%d", len(start), n1, n2)
		}
		for p, v := range start {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("relaxation: start[%d,%d] is %v: want a finite number", p/n2, p%n2, v)
			}
		}
		copy(s.X, start)
	default:
		for p := range s.X {
			s.X[p] = 1 / float64(n1*n2)
		}
	}
	return s, nil
}

// Iterate calls step until it has converged or a limit is reached. A step leaves
// X as good as it got.
func (s *Search) Iterate(step func() (converged bool)) qap.Status {
	if len(s.X) == 0 {
		return qap.Converged
	}
	for s.Steps = 0; s.Steps < s.MaxSteps; {
		if status, stop := s.Watch.Expired(); stop {
			return status
		}
		s.Steps++
		s.keep()
		converged := step()
		if s.restore() {
			continue // the watch tells why
		}
		s.moved = true
		if converged {
			return qap.Converged
		}
	}
	return qap.MaxSteps
}

// Project returns the complete assignment with the greatest sum of scores.
func (s *Search) Project(score []float64) qap.Matching {
	return append(qap.Matching{}, s.AtEnd().Maximize(score, s.N1, s.N2)...)
}

// Result is that of a matching, or of the initial one if that is better. In place of no
// match at all it has the best one, if its node affinity is above 0.
func (s *Search) Result(m qap.Matching, o qap.Options, status qap.Status) qap.Result {
	if m.Size() == 0 {
		nodes := make([]float64, s.N1*s.N2)
		s.In.Affinity.Diagonal(nodes)
		best := 0.0
		for p, v := range nodes {
			if v > best {
				best = v
				for i := range m {
					m[i] = qap.Unmatched
				}
				m[p/s.N2] = p % s.N2
			}
		}
	}
	result := qap.NewResult(s.In, m, status)
	if o.Initial != nil && s.In.IsSolution(o.Initial) {
		if first := qap.NewResult(s.In, o.Initial.Clone(), status); first.Score > result.Score {
			result = first
		}
	}
	if _, reached := s.Watch.Reached(0, 0, result.Score); reached {
		result.Status = qap.Target
	}
	result.Steps = s.Steps
	if !s.moved && status.OutOfTime() {
		result.FoundBy = qap.ByStart
	}
	return result
}

// Method is one that ends with a soft assignment.
type Method struct {
	Start   []float64 // soft assignment to start from, n1×n2; nil is uniform
	MaxIter int
	Relax   func(s *Search) qap.Status // improves s.X until it has converged or a limit is reached
}

// Solve projects what the method ends with.
func (m Method) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	s, err := NewSearch(ctx, in, o, m.Start, m.MaxIter)
	if err != nil {
		return qap.Result{}, err
	}
	status := m.Relax(s)
	return s.Result(s.Project(s.X), o, status), nil
}

// Soft returns what the method ends with.
func (m Method) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	s, err := NewSearch(ctx, in, qap.Options{}, m.Start, m.MaxIter)
	if err != nil {
		return nil, err
	}
	m.Relax(s)
	return s.X, nil
}

// Indicate sets x to the 0/1 matrix of a matching.
func Indicate(x []float64, m qap.Matching, n2 int) {
	clear(x)
	for i, a := range m {
		if a != qap.Unmatched {
			x[i*n2+a] = 1
		}
	}
}

// Distance returns the Euclidean distance of two vectors.
func Distance(x, y []float64) float64 {
	sum := 0.0
	for p, v := range x {
		d := v - y[p]
		sum += d * d
	}
	return math.Sqrt(sum)
}

// Dot returns the scalar product of two vectors.
func Dot(x, y []float64) float64 {
	sum := 0.0
	for p, v := range x {
		sum += v * y[p]
	}
	return sum
}

// SumToOne divides x by the sum of its absolute values. It reports whether that is
// not 0.
func SumToOne(x []float64) bool {
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(v)
	}
	if sum == 0 {
		return false
	}
	for p := range x {
		x[p] /= sum
	}
	return true
}
