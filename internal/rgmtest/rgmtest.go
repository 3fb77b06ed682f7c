// Package rgmtest opens solvers for tests.
package rgmtest

import (
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
)

// Open returns a solver with everything, whose networks Go evaluates, its configuration
// changed, until the test ends.
func Open(t testing.TB, changes ...func(c *rgm.Config)) *rgm.Solver {
	t.Helper()
	c := rgm.Config{}
	c.Provider = rgm.ProviderGo
	for _, change := range changes {
		change(&c)
	}
	p := must.Get(rgm.Open(c))(t)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}
