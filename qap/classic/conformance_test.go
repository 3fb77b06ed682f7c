package classic

import (
	"testing"

	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

func TestConformance(t *testing.T) { eachMethod(t, solvertest.Test) }

// eachMethod runs a test for every method.
func eachMethod(t *testing.T, test func(t *testing.T, s qap.Solver)) {
	for _, name := range Methods() {
		t.Run(name, func(t *testing.T) {
			s, err := New(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, s)
		})
	}
}
