// Package full has all that rgm solve can do, for package portfolio: besides the
// methods of portfolio.Builtin, the classical solvers and the refinements, and the
// forward pass in Go, which serves where there is no ONNX Runtime. It needs gonum.
package full

import (
	"context"
	"slices"

	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/refine"
)

// MethodFAQ is the method that Options.Restarts counts for.
const MethodFAQ = "faq"

// Config returns the configuration of a portfolio with everything. Its fields may be
// changed before portfolio.Open takes it.
func Config() portfolio.Config {
	return portfolio.Config{Go: inGo, Methods: append(append(classical(), aligning()), registered.methods...), Refinements: append(refinements(), registered.refinements...)}
}

// Methods returns all methods of a portfolio of Config, the default first.
func Methods() []portfolio.Method { return append(portfolio.Builtin(), Config().Methods...) }

// registered are those of Register.
var registered struct {
	methods     []portfolio.Method
	refinements []portfolio.Refinement
}

// Register adds a method to every Config that is made afterwards, and so to the program that
// calls it before its command line is read: --method has it. A method of the same name takes its
// place. It must not be called while Config is.
func Register(m portfolio.Method) {
	registered.methods = append(slices.DeleteFunc(registered.methods, func(other portfolio.Method) bool { return other.Name == m.Name }), m)
}

// RegisterRefinement does the same for a refinement.
func RegisterRefinement(r portfolio.Refinement) {
	registered.refinements = append(slices.DeleteFunc(registered.refinements, func(other portfolio.Refinement) bool { return other.Name == r.Name }), r)
}

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
		m.Reduces, m.MatchesAll = true, true
		all = append(all, m)
	}
	return all
}

// aligning returns the alignment of two graphs that are flows and distances.
func aligning() portfolio.Method {
	m := portfolio.SolverMethod("align", func(o *portfolio.Options) qap.Solver { return align.Solver{Threads: o.Threads} })
	m.MatchesAll = true
	return m
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
