package rgm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// moved returns points in a square of side 100, and others: most of them turned, scaled, moved, noisy and shuffled, with a share of
// strangers on both sides, and as much bent as said; and the truth.
func moved(n int, noise, strangers, bend float64, rng *rand.Rand) (g1, g2 *graphs.Graph, truth qap.Matching) {
	g1, g2 = &graphs.Graph{Name: "a", Nodes: n, Points: make([][]float64, n)}, &graphs.Graph{Name: "b", Nodes: n, Points: make([][]float64, n)}
	sin, cos := math.Sincos(rng.Float64() * 6)
	order := rng.Perm(n)
	truth = make(qap.Matching, n)
	for i := range n {
		x, y := rng.Float64()*100, rng.Float64()*100
		g1.Points[i] = []float64{x, y}
		truth[i] = order[i]
		if rng.Float64() < strangers {
			x, y, truth[i] = rng.Float64()*100, rng.Float64()*100, qap.Unmatched
		}
		x, y = x+bend*math.Sin(y/30), y+bend*math.Cos(x/25)
		x, y = x+noise*rng.NormFloat64(), y+noise*rng.NormFloat64()
		g2.Points[order[i]] = []float64{3*(cos*x-sin*y) + 5, 3*(sin*x+cos*y) - 1}
	}
	return g1, g2, truth
}

// rightShares returns the share of matches, and of partners, that are right.
func rightShares(m, truth qap.Matching) (precision, recall float64) {
	right, partners := 0., 0.
	for i, a := range truth {
		if a != qap.Unmatched {
			partners++
			if m[i] == a {
				right++
			}
		}
	}
	return right / float64(max(1, m.Size())), right / partners
}

// TestManyPoints: points that are turned, scaled and moved are found again with the transform, those without partner left out; all are
// matched where that is asked for.
func TestManyPoints(t *testing.T) {

	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	g1, g2, truth := moved(2000, .05, .3, 0, rng)
	r := must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{}))(t)
	precision, recall := rightShares(r.Matching, truth)
	if r.Placed == nil || math.Abs(r.Transform.Scale-3) > .01 || r.Transform.Angle == nil || precision < .97 || recall < .97 {
		t.Fatalf("%.3f of the matches and %.3f of the partners, transform %+v", precision, recall, r.Placed)
	}
	if r = must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{Complete: true, Fix: []string{"0:0"}}))(t); r.Matched != 2000 || r.Matching[0] != 0 {
		t.Errorf("%d matches, %d the first", r.Matched, r.Matching[0])
	}
	s := must.Get(rgm.Open(rgm.Config{}))(t)
	p := must.Get(s.PrepareMatch(t.Context(), g1, g2, rgm.Options{Complete: true, Fix: []string{"0:0"}}))(t)
	if e := must.Get(p.Evaluate(r.Matching))(t); !e.Valid || e.Objective == nil || math.Abs(*e.Objective-r.Objective) > 1e-6*math.Abs(r.Objective) {
		t.Errorf("evaluated %+v, and it was %v", e, r.Objective)
	}
}

// TestKnownPlaces: known pairs stay and tell the transform, and what must agree does, beside them.
func TestKnownPlaces(t *testing.T) {
	g1, g2, truth := moved(400, .2, .2, 0, rand.New(rand.NewPCG(rand.Uint64(), 12)))
	word := func(g *graphs.Graph, of func(i int) int) {
		values := make([]string, g.Nodes)
		for i := range values {
			values[i] = string(rune('a' + of(i)%3))
		}
		g.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: values}}
	}
	word(g1, func(i int) int { return i })
	inverse := make([]int, g2.Nodes)
	var fix []string
	for i, a := range truth {
		if a != qap.Unmatched {
			inverse[a] = i
			if len(fix) < 2 && a%2 == 0 {
				fix = append(fix, fmt.Sprint(i, ":", a))
			}
		}
	}
	word(g2, func(a int) int { return inverse[a] + a%2 }) // half of them differ
	r := must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{Fix: fix, MustAgree: []string{"kind"}}))(t)
	if r.Placed == nil {
		t.Fatal("no transform")
	}
	for i, a := range r.Matching {
		if a != qap.Unmatched && g1.NodeWords[0].Values[i] != g2.NodeWords[0].Values[a] {
			t.Errorf("%d and %d differ", i, a)
		}
	}
	for _, pair := range fix {
		if i, a, _ := strings.Cut(pair, ":"); fmt.Sprint(r.Matching[must.Get(strconv.Atoi(i))(t)]) != a {
			t.Errorf("%s is not kept", pair)
		}
	}
	if precision, recall := rightShares(r.Matching, truth); precision < .9 || recall < .4 {
		t.Errorf("%.2f of the matches, %.2f of the partners", precision, recall)
	}
}
