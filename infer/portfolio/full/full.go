// Package full has all that rgm solve can do, for package portfolio: besides the
// methods of portfolio.Builtin, the classical solvers and the refinements, and the
// forward pass in Go, which serves where there is no ONNX Runtime. It needs gonum.
package full

import (
	"context"

	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/refine"
)

// MethodFAQ is the method that Options.Restarts counts for.
const MethodFAQ = "faq"

// methodSA is the method of the classical ones that chooses how many nodes to match.
const methodSA = "sa"

// Config returns the configuration of a portfolio with everything. Its fields may be
// changed before portfolio.Open takes it.
func Config() portfolio.Config {
	return portfolio.Config{Go: inGo, Methods: classical(), Refinements: refinements()}
}

// Methods returns all methods of a portfolio of Config, the default first.
func Methods() []portfolio.Method { return append(portfolio.Builtin(), classical()...) }

// inGo reads a model for the forward pass in Go.
func inGo(model []byte) (qap.QFunction, error) {
	network, _, err := models.Load(model)
	if err != nil {
		return nil, err
	}
	return models.QFunction(network), nil
}

// classical returns the methods of package classic.
func classical() []portfolio.Method {
	var all []portfolio.Method
	for _, name := range classic.Methods() {
		m := portfolio.SolverMethod(name, func(o *portfolio.Options) qap.Solver {
			if name == MethodFAQ {
				return classic.FAQ{Restarts: o.Restarts}
			}
			solver, err := classic.New(name)
			if err != nil {
				panic(err) // it has just named it
			}
			return solver
		})
		m.Reduces, m.MatchesAll = true, name != methodSA
		all = append(all, m)
	}
	return all
}

// refinements returns those of package refine.
func refinements() []portfolio.Refinement {
	var all []portfolio.Refinement
	for _, name := range refine.Methods() {
		all = append(all, portfolio.Refinement{Name: name,
			Refine: func(ctx context.Context, in *qap.Instance, m qap.Matching, o qap.Options) (qap.Result, error) {
				return refine.Refine(ctx, in, m, name, o)
			}})
	}
	return all
}
