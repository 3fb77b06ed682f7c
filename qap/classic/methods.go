package classic

import (
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/qap"

	"github.com/rgm-go/rgm/internal/suggest"
)

// methods are the solvers with their default parameters, by name.
var methods = []struct {
	name   string
	solver qap.Solver
}{
	{"sm", SpectralMatching{}},
	{"rrwm", RRWM{}},
	{"ipfp", IPFP{}},
	{"faq", FAQ{}},
}

// Methods returns the names that New knows.
func Methods() []string {
	names := make([]string, len(methods))
	for k, m := range methods {
		names[k] = m.name
	}
	return names
}

// New returns the method of a name, with its default parameters.
func New(name string) (qap.Solver, error) {
	for _, m := range methods {
		if m.name == name {
			return m.solver, nil
		}
	}
	names := Methods()
	slices.Sort(names)
	return nil, fmt.Errorf("classic: method %q: want %s", name, suggest.OneOf(names...))
}
