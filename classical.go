package rgm

import (
	"context"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/refine"
)

// MethodFAQ is the method that Search.Restarts counts for.
const MethodFAQ = "faq"

// Methods returns all methods that every Solver has, the default first.
func Methods() []Method {
	return slices.Concat(builtin(), classical(), []Method{alignment()}, registered.methods)
}

// Refinements returns the values of Options.Refine besides RefineNone and names of models.
func Refinements() []string { return refine.Methods() }

// registered are those of Register.
var registered struct {
	methods     []Method
	refinements []Refinement
}

// Register adds a method to every Solver that is opened afterwards, and so to the program that
// calls it before its command line is read: --method has it. A method of the same name takes its
// place. It must not be called while Open is.
func Register(m Method) {
	registered.methods = append(slices.DeleteFunc(registered.methods, func(other Method) bool { return other.Name == m.Name }), m)
}

// RegisterRefinement does the same for a refinement.
func RegisterRefinement(r Refinement) {
	registered.refinements = append(slices.DeleteFunc(registered.refinements, func(other Refinement) bool { return other.Name == r.Name }), r)
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
func classical() []Method {
	var all []Method
	for _, name := range classic.Methods() {
		m := SolverMethod(name, func(o *Search) qap.Solver {
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

// alignment returns the alignment of two graphs that are flows and distances.
func alignment() Method {
	m := SolverMethod("align", func(o *Search) qap.Solver { return align.Solver{Threads: o.Threads} })
	m.MatchesAll = true
	return m
}

// refinements returns those of package refine.
func refinements() []Refinement {
	var all []Refinement
	for _, name := range refine.Methods() {
		all = append(all, Refinement{Name: name,
			Refine: func(ctx context.Context, in *qap.Instance, m qap.Matching, o qap.Options) (qap.Result, error) {
				return refine.Refine(ctx, in, m, name, o)
			}})
	}
	return all
}
