// Package refine improves a matching that some other method found.
//
// No refinement returns a worse solution than it was given.
package refine

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/tabu"

	"github.com/rgm-go/rgm/internal/suggest"
)

// methods are the refinements by name. Each starts from Options.Initial.
var methods = []struct {
	name   string
	solver qap.Solver
}{
	{"rewrite", Rewrite{}},
	{"ipfp", classic.IPFP{}},
	{"tabu", tabu.Solver{}},
}

// Methods returns the names that Refine knows.
func Methods() []string {
	names := make([]string, len(methods))
	for k, m := range methods {
		names[k] = m.name
	}
	return names
}

// Refine improves a matching of an instance by the method of a name:
//
//   - rewrite: local rewrite (see Rewrite);
//   - ipfp: integer projected fixed points from the matching (see classic.IPFP);
//   - tabu: tabu search from it (see package tabu).
//
// Options.Initial is not used. The result's Steps and Status are the refinement's.
// An unknown name, a matching of another instance, or an instance that the method
// does not serve (wrapping qap.ErrUnsupported) is an error.
func Refine(ctx context.Context, in *qap.Instance, m qap.Matching, method string, o qap.Options) (qap.Result, error) {
	if err := in.CheckMatching(m); err != nil {
		return qap.Result{}, err
	}
	for _, known := range methods {
		if known.name != method {
			continue
		}
		o.Initial = m
		result, err := known.solver.Solve(ctx, in, o)
		if err != nil {
			return qap.Result{}, fmt.Errorf("refine: %w", err)
		}
		if before := qap.NewResult(in, m.Clone(), result.Status); before.Score > result.Score && in.IsSolution(m) {
			result.Matching, result.Score, result.Objective = before.Matching, before.Score, before.Objective
		}
		return result, nil
	}
	return qap.Result{}, fmt.Errorf("refine: method %q: want %s", method, suggest.OneOf(Methods()...))
}
