package matchers

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"

	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// eachMethod runs a test for every method.
func eachMethod(t *testing.T, test func(t *testing.T, s qap.Solver)) {
	for _, m := range methods {
		t.Run(m.name, func(t *testing.T) { test(t, m.solver) })
	}
}

// TestFound: what the methods find at their defaults, by instance: objective and steps.
func TestFound(t *testing.T) {
	names := []string{"chr12a", "esc16a", "nug12", "rou12", "tai12b"}
	for method, want := range map[string][5][2]int{
		"gagm":  {{23628, 42}, {94, 42}, {824, 42}, {260900, 42}, {42754534, 42}},
		"psm":   {{17510, 391}, {114, 1000}, {660, 1000}, {257800, 1000}, {48726695, 464}},
		"gnccp": {{11760, 1073}, {68, 135}, {590, 710}, {238134, 670}, {41010687, 1524}},
		"bpf":   {{11560, 1412}, {68, 285}, {590, 943}, {238134, 919}, {39574839, 1681}},
		"zacr":  {{27208, 50}, {70, 50}, {596, 50}, {245168, 50}, {49891525, 50}},
		"sa":    {{10096, 57600}, {68, 102400}, {578, 57600}, {235528, 57600}, {39464925, 57600}},
	} {
		for _, m := range methods {
			for k, name := range names {
				if m.name != method {
					continue
				}
				r, err := m.solver.Solve(t.Context(), instances.QAPLIB(t, name), qap.Options{})
				if err != nil || r.Objective != float64(want[k][0]) || r.Steps != want[k][1] {
					t.Errorf("%s, %s: %v after %d steps (%v), want %v", method, name, r.Objective, r.Steps, err, want[k])
				}
			}
		}
	}
	limits := qap.Options{Limits: qap.Limits{MaxSteps: 2}}
	if r, err := (SinkhornJA{}).Solve(t.Context(), instances.QAPLIB(t, "chr12a"), limits); err != nil || r.Objective != 26230 || r.Steps != 2 {
		t.Errorf("skja: %v after %d steps, %v", r.Objective, r.Steps, err)
	}
	if _, err := (SinkhornJA{}).Solve(t.Context(), instances.QAPLIB(t, "esc64a"), limits); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("skja, 64 nodes: %v", err)
	}
}

func TestConformance(t *testing.T) { eachMethod(t, solvertest.Test) }

func TestMethodsFindAnObviousMatching(t *testing.T) { eachMethod(t, solvertest.Obvious) }

func TestTimeLimits(t *testing.T) {
	eachMethod(t, func(t *testing.T, s qap.Solver) {
		if s != (SinkhornJA{}) { // an iteration is over n⁴ variables
			solvertest.InTime(t, s)
		}
	})
}

func TestSoftAssignments(t *testing.T) {
	solvertest.Renamed(t, GraduatedAssignment{})
	solvertest.Renamed(t, PSM{})
	solvertest.FormsAgree(t, GraduatedAssignment{})
	solvertest.FormsAgree(t, PSM{})
	solvertest.NegativeDiagonal(t, PSM{})
}

func TestSpectralRadius(t *testing.T) {
	// K = diag(1, −3, 2, 0)
	k := make([]float64, 16)
	k[0], k[5], k[10] = 1, -3, 2
	in := must.Get(qap.NewDense(2, 2, k, qap.Maximize))(t)
	s := must.Get(relaxation.NewSearch(context.Background(), in, qap.Options{}, nil, 0))(t)
	if got := spectralRadius(s); math.Abs(got-3) > 1e-3 {
		t.Errorf("%v, want 3", got)
	}
}

// TestLiftedRelaxation: the rounds lead to a point of the polytope, and its score
// is no less than the best assignment's, as that of a relaxation.
func TestLiftedRelaxation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	in := must.Get(qap.NewDense(4, 4, solvertest.SignedMatrix(rng, 16), qap.Maximize))(t)
	watch := qap.Limits{}.Watch(context.Background(), in)
	l := newLifted(in, &watch)
	for range 4000 {
		l.round()
		l.cool(0.997)
	}
	l.round()
	score := 0.0
	for p := range 16 {
		score += math.Exp(l.x[p]) * in.Affinity.At(p, p)
		sums := map[int]float64{} // of y[p,q] over the vertices q of each node of graph 1
		for q := range 16 {
			if p/4 != q/4 && p%4 != q%4 {
				score += math.Exp(l.y[p*16+q]) * in.Affinity.At(p, q)
				sums[q/4] += math.Exp(l.y[p*16+q])
			}
		}
		for j, sum := range sums {
			if math.Abs(sum-math.Exp(l.x[p])) > 1e-2 {
				t.Errorf("Σ y[%d,(%d,·)] is %v, x %v", p, j, sum, math.Exp(l.x[p]))
			}
		}
	}
	best := math.Inf(-1)
	for range 2000 {
		best = max(best, in.Score(qap.RandomMatching(4, 4, rng)))
	}
	if score < best-1e-2*math.Abs(best) {
		t.Errorf("the relaxation scores %v, an assignment %v", score, best)
	}
}

// TestZACRFindsOutliers: two graphs of points on a line share five points and each
// has three of its own.
func TestZACRFindsOutliers(t *testing.T) {
	const n, shared = 8, 5
	one := []float64{0, 7, 11, 30, 53, 101, 158, 233}
	two := []float64{0, 7, 11, 30, 53, 90, 177, 299}
	k := make([]float64, n*n*n*n)
	for p := range n * n {
		for q := range n * n {
			i, a, j, b := p/n, p%n, q/n, q%n
			if i != j && a != b {
				d := math.Abs(one[i]-one[j]) - math.Abs(two[a]-two[b])
				k[p*n*n+q] = math.Exp(-d * d)
			}
		}
	}
	in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
	for _, m := range []ZACR{{}, {Inliers: shared}} {
		result := must.Get(m.Solve(context.Background(), in, qap.Options{}))(t)
		for i, a := range result.Matching {
			want := qap.Unmatched
			if i < shared {
				want = i
			}
			if a != want {
				t.Errorf("%+v: node %d goes to %d, want %d", m, i, a, want)
			}
		}
	}
}

// TestLiftedRelaxationLooksAtTheClock: a round over 40 nodes takes longer than a search may go
// over its limit, here of processor time.
func TestLiftedRelaxationLooksAtTheClock(t *testing.T) {
	if _, ok := cputime.Taken(); !ok {
		t.Skip("the processor time cannot be told here")
	}
	const n, limit, allowed = MaxLifted, 100 * time.Millisecond, 25 * time.Millisecond
	rng := rand.New(rand.NewPCG(5, 6))
	in := must.Get(qap.NewKoopmansBeckmann(n, n, solvertest.RandomMatrix(rng, n), solvertest.RandomMatrix(rng, n), nil, qap.Minimize))(t)
	over := time.Hour
	for range 3 { // the collector of memory takes its time too
		start := cputime.Clock()
		result, _ := solvertest.Check(t, qap.WithClock(context.Background(), cputime.Clock), SinkhornJA{}, in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
		over = min(over, cputime.Clock().Sub(start)-limit)
		if result.Status != qap.TimeLimit {
			t.Fatalf("status %q", result.Status)
		}
	}
	if over > allowed {
		t.Errorf("%v over its limit of %v", over, limit)
	}
}

// TestGapsOnQAPLIB holds methods to what they reached on instances of up to 20
// nodes when they were written, and a little more.
func TestGapsOnQAPLIB(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	for name, m := range map[string]struct {
		solver qap.Solver
		most   float64
	}{
		"gnccp": {GNCCP{}, 7},
		"bpf":   {BPF{}, 6},
		"sa":    {Annealing{}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			if gap := instances.ClassGap(t, m.solver, 20); gap > m.most {
				t.Errorf("gap %.2f %%, want at most %v", gap, m.most)
			}
		})
	}
}
