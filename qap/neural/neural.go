// Package neural matches graphs by one evaluation of a network that gives a soft matching
// (models.NGM): the assignment of the greatest likelihood is the result.
package neural

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
	"github.com/rgm-go/rgm/qap/features"
)

// Solver matches min(n1, n2) nodes. Of the limits it heeds the context, before it begins.
type Solver struct{ Q qap.QFunction }

// Soft returns the logarithms of the soft matching of an instance, n1×n2.
func (s Solver) Soft(in *qap.Instance) ([]float64, error) {
	if s.Q == nil || s.Q.Features() != features.NGM {
		return nil, fmt.Errorf("neural: want a network that gives soft matchings: one that takes the features %s", features.NGM)
	}
	n1, n2 := in.Size()
	if n1*n2 == 0 {
		return nil, nil
	}
	if n1*n2 > features.MostPaperVertices {
		return nil, fmt.Errorf("neural: graphs of %d and %d nodes have more than %d vertices: %w", n1, n2, features.MostPaperVertices, qap.ErrUnsupported)
	}
	batch, err := s.Q.NewBatch(1, n1, n2)
	if err != nil {
		return nil, err
	}
	defer batch.Close()
	if err := features.FillNGM(batch.Inputs(), 0, in); err != nil {
		return nil, err
	}
	logs, err := batch.Evaluate()
	if err != nil {
		return nil, err
	}
	soft := make([]float64, len(logs))
	for v, x := range logs {
		if soft[v] = float64(x); soft[v]-soft[v] != 0 {
			return nil, fmt.Errorf("neural: the network gives %v for vertex %d: a model with other weights is needed", x, v)
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
