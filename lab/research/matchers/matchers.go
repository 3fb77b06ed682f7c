// Package matchers has classical methods that the paper compares with and that win nowhere beside
// those of qap/classic and the searches: graduated assignment, probabilistic spectral matching, two
// that follow paths, one for outliers, a lifted linear program, simulated annealing. They are structs
// whose zero value is ready for use, as there; whoever imports the package has them as methods.
//
// Every result matches min(n1, n2) nodes, except where solutions may be smaller and the method,
// zacr or sa, chooses their size too.
package matchers

import (
	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/qap"
)

// methods are the solvers with their default parameters, by name.
var methods = []struct {
	name   string
	solver qap.Solver
}{
	{"gagm", GraduatedAssignment{}},
	{"psm", PSM{}},
	{"gnccp", GNCCP{}},
	{"bpf", BPF{}},
	{"zacr", ZACR{}},
	{"skja", SinkhornJA{}},
	{"sa", Annealing{}},
}

func init() {
	for _, of := range methods {
		m := rgm.SolverMethod(of.name, func(*rgm.Search) qap.Solver { return of.solver })
		m.Reduces, m.MatchesAll = true, of.name != "sa"
		rgm.Register(m)
	}
}
