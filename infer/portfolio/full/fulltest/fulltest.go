// Package fulltest opens portfolios for tests.
package fulltest

import (
	"testing"

	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/infer/portfolio/full"
	"github.com/rgm-go/rgm/internal/must"
)

// Open returns a portfolio with everything, whose networks Go evaluates, its configuration
// changed, until the test ends.
func Open(t testing.TB, changes ...func(c *portfolio.Config)) *portfolio.Portfolio {
	t.Helper()
	c := full.Config()
	c.Provider = portfolio.ProviderGo
	for _, change := range changes {
		change(&c)
	}
	p := must.Get(portfolio.Open(c))(t)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}
