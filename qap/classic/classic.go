package classic

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// A search is one run of a method over one instance.
type search struct {
	in       *qap.Instance
	n1, n2   int
	x        []float64 // the soft assignment
	watch    qap.Watch
	maxSteps int

	steps int
	moved bool // whether a step was taken to its end
	lap   assignment.Solver
	timed
}

// newSearch starts from Options.Initial, else from start, else from the uniform
// soft assignment 1/(n1·n2). It checks the two.
func newSearch(ctx context.Context, in *qap.Instance, o qap.Options, start []float64, maxIter int) (*search, error) {
	n1, n2 := in.Size()
	s := &search{in: in, n1: n1, n2: n2, x: make([]float64, n1*n2), watch: o.Watch(ctx, in), maxSteps: maxIter}
	if o.MaxSteps > 0 {
		s.maxSteps = o.MaxSteps
	}
	s.long = n1*n2 >= leastTimed
	switch {
	case o.Initial != nil:
		if err := in.CheckMatching(o.Initial); err != nil {
			return nil, err
		}
		indicate(s.x, o.Initial, n2)
	case start != nil:
		if len(start) != n1*n2 {
			return nil, fmt.Errorf("classic: start has %d entries, want %d·%d", len(start), n1, n2)
		}
		for p, v := range start {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("classic: start[%d,%d] is %v: want a finite number", p/n2, p%n2, v)
			}
		}
		copy(s.x, start)
	default:
		for p := range s.x {
			s.x[p] = 1 / float64(n1*n2)
		}
	}
	return s, nil
}

// iterate calls step until it has converged or a limit is reached. A step leaves
// x as good as it got.
func (s *search) iterate(step func() (converged bool)) qap.Status {
	if len(s.x) == 0 {
		return qap.Converged
	}
	for s.steps = 0; s.steps < s.maxSteps; {
		if status, stop := s.watch.Expired(); stop {
			return status
		}
		s.steps++
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

// project returns the complete assignment with the greatest sum of scores.
func (s *search) project(score []float64) qap.Matching {
	return append(qap.Matching{}, s.atEnd().Maximize(score, s.n1, s.n2)...)
}

// result is that of a matching, or of the initial one if that is better. In place of no
// match at all it has the best one, if its node affinity is above 0.
func (s *search) result(m qap.Matching, o qap.Options, status qap.Status) qap.Result {
	if m.Size() == 0 {
		nodes := make([]float64, s.n1*s.n2)
		s.in.Affinity.Diagonal(nodes)
		best := 0.0
		for p, v := range nodes {
			if v > best {
				best = v
				for i := range m {
					m[i] = qap.Unmatched
				}
				m[p/s.n2] = p % s.n2
			}
		}
	}
	result := qap.NewResult(s.in, m, status)
	if o.Initial != nil && s.in.IsSolution(o.Initial) {
		if first := qap.NewResult(s.in, o.Initial.Clone(), status); first.Score > result.Score {
			result = first
		}
	}
	if _, reached := s.watch.Reached(0, 0, result.Score); reached {
		result.Status = qap.Target
	}
	result.Steps = s.steps
	if !s.moved && status.OutOfTime() {
		result.FoundBy = qap.ByStart
	}
	return result
}

// A relaxation is a method that works on a soft assignment.
type relaxation interface {
	newSearch(ctx context.Context, in *qap.Instance, o qap.Options) (*search, error)
	// relax improves s.x until it has converged or a limit is reached.
	relax(s *search) qap.Status
}

// solve projects what a relaxation ends with.
func solve(ctx context.Context, in *qap.Instance, o qap.Options, r relaxation) (qap.Result, error) {
	s, err := r.newSearch(ctx, in, o)
	if err != nil {
		return qap.Result{}, err
	}
	status := r.relax(s)
	return s.result(s.project(s.x), o, status), nil
}

// soft is what a relaxation ends with.
func soft(ctx context.Context, in *qap.Instance, r relaxation) ([]float64, error) {
	s, err := r.newSearch(ctx, in, qap.Options{})
	if err != nil {
		return nil, err
	}
	r.relax(s)
	return s.x, nil
}

// indicate sets x to the 0/1 matrix of a matching.
func indicate(x []float64, m qap.Matching, n2 int) {
	clear(x)
	for i, a := range m {
		if a != qap.Unmatched {
			x[i*n2+a] = 1
		}
	}
}

// or returns value, or what stands for 0.
func or[T int | float64](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// distance returns the Euclidean distance of two vectors.
func distance(x, y []float64) float64 {
	sum := 0.0
	for p, v := range x {
		d := v - y[p]
		sum += d * d
	}
	return math.Sqrt(sum)
}

// dot returns the scalar product of two vectors.
func dot(x, y []float64) float64 {
	sum := 0.0
	for p, v := range x {
		sum += v * y[p]
	}
	return sum
}
