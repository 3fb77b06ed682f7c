// Package soft matches graphs by one evaluation of a network that gives a soft matching: the
// assignment of the greatest likelihood is the result. It holds what the networks of packages ngm
// and lcs have in common: the features, the normalisation, the solver, and the method by which a
// portfolio calls it.
package soft

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// Solver matches min(n1, n2) nodes. Of the limits it heeds the context, before it begins.
type Solver struct{ Q qap.QFunction }

// Soft returns the logarithms of the soft matching of an instance, n1×n2.
func (s Solver) Soft(in *qap.Instance) ([]float64, error) {
	if s.Q == nil || s.Q.Features() != Set {
		return nil, fmt.Errorf("soft: want a network that gives soft matchings: one that takes the features %s", Set)
	}
	n1, n2 := in.Size()
	if n1*n2 == 0 {
		return nil, nil
	}
	if n1*n2 > MostVertices {
		return nil, fmt.Errorf("soft: graphs of %d and %d nodes have more than %d vertices: %w", n1, n2, MostVertices, qap.ErrUnsupported)
	}
	batch, err := s.Q.NewBatch(1, n1, n2)
	if err != nil {
		return nil, err
	}
	defer batch.Close()
	if err := Fill(batch.Inputs(), 0, in); err != nil {
		return nil, err
	}
	logs, err := batch.Evaluate()
	if err != nil {
		return nil, err
	}
	soft := make([]float64, len(logs))
	for v, x := range logs {
		if soft[v] = float64(x); soft[v]-soft[v] != 0 {
			return nil, fmt.Errorf("soft: the network gives %v for vertex %d: a model with other weights is needed", x, v)
		}
	}
	return soft, nil
}

// Solve implements qap.Solver.
func (s Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	watch := o.Watch(ctx, in)
	status, stopped := watch.Expired()
	n1, n2 := in.Size()
	soft := make([]float64, n1*n2)
	if !stopped {
		status = qap.Converged
		found, err := s.Soft(in)
		if err != nil {
			return qap.Result{}, err
		}
		copy(soft, found)
	}
	var lap assignment.Solver
	r := qap.NewResult(in, qap.Matching(lap.Maximize(soft, n1, n2)).Clone(), status)
	r.Steps = 1
	return r, nil
}

// RegisterMethod makes the networks of an architecture a method of the same name.
func RegisterMethod(architecture string) {
	rgm.Register(rgm.Method{
		Name: architecture, Network: true, Architecture: architecture, Reduces: true, MatchesAll: true,
		Search: func(ctx context.Context, in *qap.Instance, q qap.QFunction, o rgm.Search) (qap.Result, error) {
			return Solver{q}.Solve(ctx, in, qap.Options{Limits: o.Limits(), Seed: o.Seed, Initial: o.Initial})
		},
	})
}
