package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
)

// instances yields small random instances of every form, named by what they are.
func instances(t testing.TB, visit func(name string, in *qap.Instance)) {
	rng := rand.New(rand.NewPCG(7, 7))
	numbers := func(n int, integer bool) []float64 {
		values := make([]float64, n)
		for k := range values {
			if values[k] = rng.NormFloat64(); integer {
				values[k] = float64(rng.IntN(20) - 6)
			}
		}
		return values
	}
	symmetric := func(m []float64, n int) []float64 {
		for i := range n {
			for j := range i {
				m[i*n+j] = m[j*n+i]
			}
		}
		return m
	}
	sizes := [][2]int{{0, 0}, {0, 3}, {1, 1}, {1, 4}, {2, 2}, {3, 5}, {5, 3}, {4, 4}, {6, 6}, {5, 6}}
	for _, size := range sizes {
		n1, n2 := size[0], size[1]
		for k, integer := range []bool{true, false} {
			sense := []qap.Sense{qap.Minimize, qap.Maximize}[(n1+k)%2]
			name := fmt.Sprintf("%d,%d integer=%v", n1, n2, integer)
			make := func(form string, in *qap.Instance, err error) {
				if err != nil {
					t.Fatal(err)
				}
				visit(form+" "+name, in)
			}
			a, b := numbers(n1*n1, integer), numbers(n2*n2, integer)
			in, err := qap.NewKoopmansBeckmann(n1, n2, a, b, numbers(n1*n2, integer), sense)
			make("kb", in, err)
			in, err = qap.NewKoopmansBeckmann(n1, n2, symmetric(a, n1), symmetric(b, n2), nil, sense)
			make("kb symmetric", in, err)
			in, err = qap.NewDense(n1, n2, numbers(n1*n1*n2*n2, integer), sense)
			make("dense partial", in, err)
			in, err = qap.NewDense(n1, n2, numbers(n1*n1*n2*n2, integer), sense)
			in.Complete = true
			make("dense complete", in, err)
			var entries []qap.Entry
			for range n1 * n2 * 4 {
				entries = append(entries, qap.Entry{P: rng.IntN(n1 * n2), Q: rng.IntN(n1 * n2), Value: numbers(1, integer)[0]})
			}
			in, err = qap.NewSparse(n1, n2, entries, sense)
			make("sparse", in, err)
		}
	}
}

// solutions visits every solution of an instance.
func solutions(in *qap.Instance, visit func(qap.Matching)) {
	n1, n2 := in.Size()
	m := qap.NewMatching(n1)
	taken := make([]bool, n2)
	var extend func(i int)
	extend = func(i int) {
		if i == n1 {
			if in.IsSolution(m) {
				visit(m)
			}
			return
		}
		extend(i + 1)
		for a := range n2 {
			if !taken[a] {
				m[i], taken[a] = a, true
				extend(i + 1)
				m[i], taken[a] = qap.Unmatched, false
			}
		}
	}
	extend(0)
}

func bruteForce(in *qap.Instance) float64 {
	best := math.Inf(-1)
	solutions(in, func(m qap.Matching) { best = max(best, in.Score(m)) })
	return best
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9*(1+math.Abs(x)) }

func TestFindsTheOptimum(t *testing.T) {
	instances(t, func(name string, in *qap.Instance) {
		result, err := Solver{}.Solve(context.Background(), in, qap.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := bruteForce(in)
		if !near(result.Score, want) || result.Status != qap.Optimal {
			t.Errorf("%s: %s %v, the optimum is %v", name, result.Status, result.Score, want)
		}
		if !result.HasBound || !near(result.Bound, result.Objective) {
			t.Errorf("%s: bound %v, the optimum is %v", name, result.Bound, result.Objective)
		}
		if err := in.CheckMatching(result.Matching); err != nil || !in.IsSolution(result.Matching) {
			t.Errorf("%s: %v is no solution (%v)", name, result.Matching, err)
		}
	})
}

// TestBoundIsValidAtEveryNode starts from a bad solution that never improves, so
// that limits strike in the middle of the search.
func TestBoundIsValidAtEveryNode(t *testing.T) {
	instances(t, func(name string, in *qap.Instance) {
		want := bruteForce(in)
		for nodes := 1; nodes < 40; nodes++ {
			s := newSearch(in, qap.Limits{MaxSteps: nodes}.Watch(context.Background(), in))
			root := rootNode(in, s.transposed, s.stopped)
			s.prepare(root)
			worst := math.Inf(1)
			solutions(in, func(m qap.Matching) {
				if score := in.Score(m); score < worst {
					worst, s.best = score, m.Clone()
				}
			})
			s.bestCost = -worst
			if bound := -s.run(root); bound < want-1e-9*(1+math.Abs(want)) {
				t.Fatalf("%s: after %d nodes bound %v, the optimum is %v", name, nodes, bound, want)
			}
			if s.status == "" {
				break
			}
		}
	})
}

func never() bool { return false }

// TestBoundLeavesCostsUnchanged: what the dual ascent moves adds up to what it was.
func TestBoundLeavesCostsUnchanged(t *testing.T) {
	instances(t, func(name string, in *qap.Instance) {
		n1, n2 := in.Size()
		transposed := n1 > n2
		root := rootNode(in, transposed, never)
		s := newBounder(len(root.rows), len(root.cols), largeCost(magnitude(root)), never)
		before := root.bound
		for range 5 {
			s.pass(root, math.Inf(1))
			if root.bound < before-1e-9*(1+math.Abs(before)) {
				t.Fatalf("%s: the bound falls from %v to %v", name, before, root.bound)
			}
			before = root.bound
		}
		solutions(in, func(m qap.Matching) {
			if got, want := root.cost(m, transposed), -in.Score(m); !near(got, want) {
				t.Fatalf("%s: %v costs %v, want %v", name, m, got, want)
			}
		})
	})
}

// cost is what a matching of all rows and columns of the root costs.
func (t *node) cost(m qap.Matching, transposed bool) float64 {
	_, m2 := t.size()
	var vertices []int
	for i, a := range m {
		if transposed {
			i, a = a, i
		}
		if i >= 0 && a >= 0 {
			vertices = append(vertices, i*m2+a)
		}
	}
	cost := t.fixed
	for _, p := range vertices {
		cost += t.linear[p]
		for _, q := range vertices {
			cost += t.quad[p*len(t.linear)+q]
		}
	}
	return cost
}

// TestQAPLIB proves optima of QAPLIB; those of n > 12 take longer.
func TestQAPLIB(t *testing.T) {
	for _, name := range qaplib.Names() {
		in := must.Get(qaplib.Open(name))(t)
		if n, _ := in.Size(); n > 14 || testing.Short() && n > 10 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			result := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{TimeLimit: time.Minute}}))(t)
			t.Logf("%s %v, bound %v, %d nodes, %v", result.Status, result.Objective, result.Bound, result.Steps, time.Since(began))
			if best, _ := qaplib.BestKnown(name); result.Objective != best.Value || result.Status != qap.Optimal {
				t.Errorf("%s %v, bound %v: the optimum is %v", result.Status, result.Objective, result.Bound, best.Value)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	in := must.Get(qaplib.Open("nug20"))(t)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for want, solve := range map[qap.Status]func() (qap.Result, error){
		qap.Cancelled: func() (qap.Result, error) { return Solver{}.Solve(cancelled, in, qap.Options{}) },
		qap.TimeLimit: func() (qap.Result, error) {
			return Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{TimeLimit: 300 * time.Millisecond}})
		},
		qap.Target: func() (qap.Result, error) {
			return Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{Target: 2700, HasTarget: true}})
		},
	} {
		result, err := solve()
		if err != nil || result.Status != want {
			t.Errorf("status %s (%v), want %s", result.Status, err, want)
		}
		if result.Objective != in.Objective(in.Score(result.Matching)) || !in.IsSolution(result.Matching) {
			t.Errorf("%s: %+v is not a solution of its objective", want, result)
		}
		if result.HasBound && result.Bound > 2570 {
			t.Errorf("%s: bound %v above the optimum", want, result.Bound)
		}
	}
}

func TestSameSeedSameSearch(t *testing.T) {
	in, _ := qaplib.Open("chr12a")
	first, _ := Solver{}.Solve(context.Background(), in, qap.Options{Seed: 3})
	second, _ := Solver{}.Solve(context.Background(), in, qap.Options{Seed: 3})
	if !slices.Equal(first.Matching, second.Matching) || first.Steps != second.Steps {
		t.Errorf("%v, then %v", first, second)
	}
}

func TestUnsupported(t *testing.T) {
	in := must.Get(qap.NewSparse(51, 50, nil, qap.Maximize))(t)
	if _, err := (Solver{}).Solve(context.Background(), in, qap.Options{}); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("a large instance gives %v, want ErrUnsupported", err)
	}
}

// TestBoundOfFlows: given the time, the dual ascent raises the bound of the whole instance above that
// of package bound, never above the optimum; given the optimum, it is proved where the bound meets it.
func TestBoundOfFlows(t *testing.T) {
	for _, name := range []string{"nug12", "chr12a", "had12", "tai12a", "bur26a", "esc16f"} {
		in := must.Get(qaplib.Open(name))(t)
		best, _ := qaplib.BestKnown(name)
		known := in.ScoreOf(best.Value)
		first := must.Get(bound.OfFlows(in))(t)
		raised, err := Bound(context.Background(), in, known, qap.Limits{})
		if err != nil || raised < known || raised > first || raised == first && first > known {
			t.Errorf("%s: %v after %v, the optimum is %v (%v)", name, raised, first, known, err)
		}
		if immediate, err := Bound(context.Background(), in, known, qap.Limits{TimeLimit: 1}); err != nil || immediate != max(first, known) {
			t.Errorf("%s: %v without time, want %v (%v)", name, immediate, first, err)
		}
	}
}
