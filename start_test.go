package rgm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
)

// TestFoundByStart: what a search has whose time is up before its first step is credited to
// the start, and to the method what it finds in one step.
func TestFoundByStart(t *testing.T) {
	p, in := rgmtest.Open(t), kinds(t, 10)["QAP"]
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, method := range []string{
		"sm", "rrwm", "ipfp", "faq", rgm.MethodGreedy, rgm.MethodTabu, rgm.MethodAnneal,
	} {
		last := ""
		o := rgm.Options{Method: method, OnBest: func(found rgm.Incumbent) { last = found.FoundBy }}
		r, err := p.Solve(over, in, o)
		if err != nil || r.Steps != 0 || r.FoundBy != qap.ByStart || !in.IsSolution(r.Matching) {
			t.Errorf("%s without time: found by %q after %d steps, %v", method, r.FoundBy, r.Steps, err)
		}
		o.MaxSteps = 1
		r, err = p.Solve(t.Context(), in, o)
		if err != nil || r.FoundBy != method || last != method {
			t.Errorf("%s with a step: found by %q, told of %q, %v", method, r.FoundBy, last, err)
		}
	}
}

// TestMethodsOfTheLab: who asks for a method that rgm-lab has is told so.
func TestMethodsOfTheLab(t *testing.T) {
	err := rgmtest.Open(t).Check(rgm.Options{Method: "gnccp"})
	if want := `"gnccp" (a method of the program rgm-lab): want auto, `; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s…", err, want)
	}
}
