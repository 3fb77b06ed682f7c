package rollout_test

import (
	"testing"

	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	. "github.com/rgm-go/rgm/qap/rollout"
)

func TestConformance(t *testing.T) {
	for name, p := range policies {
		t.Run(name, func(t *testing.T) {
			solvertest.Test(t, &Solver{Policy: p, Rollouts: 3, Rules: qap.EnvironmentOptions{Autofill: true, Release: true}})
		})
	}
}
