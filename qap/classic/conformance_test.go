package classic

import (
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

func TestConformance(t *testing.T) { eachMethod(t, solvertest.Test) }

// eachMethod runs a test for every method.
func eachMethod(t *testing.T, test func(t *testing.T, s qap.Solver)) {
	for _, name := range Methods() {
		t.Run(name, func(t *testing.T) {
			s := must.Get(New(name))(t)
			test(t, s)
		})
	}
}
