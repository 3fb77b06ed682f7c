package rgm_test

import (
	"bytes"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/regrow"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// TestRegularizeNull: every method that keeps to goals seeks J/J0, and what it found is told.
func TestRegularizeNull(t *testing.T) {
	p := must.Get(rgm.Open(rgm.Config{}))(t)
	defer p.Close()
	in := pointSets(t, 9, false)
	want := must.Get(reweigh.ByChance(t.Context(), in, 4))(t)
	for _, method := range []string{rgm.MethodProfile, rgm.MethodRegrow, rgm.MethodGreedyAges} {
		r := must.Get(p.Solve(t.Context(), in, rgm.Options{Method: method, Regularize: "null", Seed: 4}))(t)
		if ratio := r.Score * want.Factor(r.Matching.Size(), 9, 9); ratio != r.OverChance || ratio < 1.5 {
			t.Errorf("%s: over chance %v, want %v, above 1.5 for a noisy copy", method, r.OverChance, ratio)
		}
	}
	if r := must.Get(p.Solve(t.Context(), in, rgm.Options{Method: rgm.MethodProfile}))(t); r.OverChance != 0 {
		t.Errorf("over chance %v without being asked", r.OverChance)
	}
}

// TestNothingStandsOut: where all affinities are alike a warning says so, and where there is no
// time J/m decides.
func TestNothingStandsOut(t *testing.T) {
	var log bytes.Buffer
	p := must.Get(rgm.Open(rgm.Config{Log: slog.New(slog.NewTextHandler(&log, nil))}))(t)
	defer p.Close()
	k := make([]float64, 625)
	for v := range k {
		if v/25/5 != v%25/5 && v/25%5 != v%25%5 {
			k[v] = 2
		}
	}
	in := must.Get(qap.NewDense(5, 5, k, qap.Maximize))(t)
	r := must.Get(p.Solve(t.Context(), in, rgm.Options{Method: rgm.MethodProfile, Regularize: "null"}))(t)
	if math.Abs(r.OverChance-1) > 1e-9 || !strings.Contains(log.String(), "nothing stands out") {
		t.Errorf("over chance %v, log %s", r.OverChance, log.String())
	}
	r = must.Get(p.Solve(t.Context(), pointSets(t, 9, false), rgm.Options{Method: rgm.MethodProfile, Regularize: "null", TimeLimit: time.Nanosecond}))(t)
	if r.OverChance != 0 || !strings.Contains(log.String(), "too short to measure") {
		t.Errorf("over chance %v, log %s", r.OverChance, log.String())
	}
}

// TestNullIsMeasuredFirst: searches that are given the regularizer by themselves say what to do.
func TestNullIsMeasuredFirst(t *testing.T) {
	in, goal := pointSets(t, 5, false), qap.Goal{Regularizer: qap.RegularizeNull}
	for _, s := range []qap.Solver{profile.Solver{Goal: goal}, regrow.Solver{Goal: goal}, auto.Solver{Goal: goal}} {
		if _, err := s.Solve(t.Context(), in, qap.Options{}); err == nil || !strings.Contains(err.Error(), "measured") {
			t.Errorf("%T: error %v", s, err)
		}
	}
}
