package search

import (
	"testing"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

// TestEveryMethodSolves: whatever a method is called, it gives a complete
// assignment of an instance of QAPLIB.
func TestEveryMethodSolves(t *testing.T) {
	in, err := datasets.QAPLIB("chr12a")
	if err != nil {
		t.Fatal(err)
	}
	settings := Settings{Provider: networks.ProviderGo, Rollouts: 2, MaxSteps: 20, Refine: RefineNone, Restarts: 1}
	for _, method := range MethodNames() {
		settings.Model = "qap"
		if method == "ngm" || method == "lcs" { // none ships
			settings.Model = "../../../../docs/vectors/" + method + ".onnx"
		}
		s, err := New(t.Context(), console.Discard(), method, &settings)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Solve(t.Context(), in, settings.Options())
		if err != nil || r.Matching.Size() != 12 || r.Status == qap.Cancelled {
			t.Errorf("%s: %+v, %v", method, r, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
