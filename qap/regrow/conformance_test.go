package regrow

import (
	"testing"

	"github.com/rgm-go/rgm/internal/solvertest"
)

func TestConformance(t *testing.T) { solvertest.Test(t, Solver{}) }
