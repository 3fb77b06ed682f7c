package rgm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// wholeTable makes the tests below measure all sizes, for the table of
// lab/notes/BENCHMARKS.md.
const wholeTable = "RGM_TEST_LIMITS"

// searches are the ways to search an instance that the table has.
func searches(p *rgm.Solver) []rgm.Options {
	var all []rgm.Options
	for _, method := range p.Methods() {
		all = append(all, rgm.Options{Method: method})
	}
	for _, refine := range p.Refinements() {
		all = append(all, rgm.Options{Method: rgm.MethodGreedy, Refine: refine})
	}
	return append(all, rgm.Options{Affinity: rgm.AffinityLearned},
		rgm.Options{Method: rgm.MethodProfile, Affinity: rgm.AffinityLearned})
}

// kinds are the instances of the table by the number of nodes.
func kinds(t testing.TB, n int) map[string]*qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	a, b := make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = float64(rng.IntN(100)), float64(rng.IntN(100))
	}
	product := must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t)
	return map[string]*qap.Instance{"QAP": product, "dense": pointSets(t, n, false), "sparse": pointSets(t, n, true)}
}

// label names a search in the table.
func label(o rgm.Options) string {
	words := []string{o.Method}
	if o.Method == "" {
		words[0] = rgm.MethodRGM
	}
	if o.Refine != "" {
		words = append(words, "refined by "+o.Refine)
	}
	if o.Affinity != "" {
		words = append(words, "learned affinity")
	}
	return strings.Join(words, ", ")
}

// sizes are the numbers of nodes that are measured: all of the table, or the least.
func sizes() []int {
	if os.Getenv(wholeTable) != "" {
		return []int{10, 50, 100}
	}
	return []int{10}
}

// everySearch runs a test for each size, kind of instance and search of the table.
func everySearch(t *testing.T, test func(t *testing.T, p *rgm.Solver, in *qap.Instance, o rgm.Options)) {
	p := rgmtest.Open(t)
	for _, n := range sizes() {
		for kind, in := range kinds(t, n) {
			for _, o := range searches(p) {
				t.Run(fmt.Sprintf("%d/%s/%s", n, kind, label(o)), func(t *testing.T) { test(t, p, in, o) })
			}
		}
	}
}

// attempts is how often a search may go over what is allowed: the collector of memory may
// have had the processor.
const attempts = 5

// clockOf returns a context for time limits, and the clock that tells how long a search
// took: of processor time, where it can be told. Learned affinities have deadlines of the
// wall's clock; that nothing goes on after them is told by the processor's all the same,
// but in the table.
func clockOf(o rgm.Options) (context.Context, func() time.Time) {
	if o.Affinity == "" {
		return solvertest.Clocked(), solvertest.Clock()
	}
	if os.Getenv(wholeTable) != "" {
		return context.Background(), time.Now
	}
	return context.Background(), solvertest.Clock()
}

// noModel reports whether a method was refused because it has no pretrained model.
func noModel(err error) bool {
	option := new(rgm.OptionError)
	return errors.As(err, &option) && option.Option == "Model"
}

// report prints a cell of the table.
func report(t *testing.T, over time.Duration, status qap.Status) {
	if os.Getenv(wholeTable) != "" {
		fmt.Printf("%s\t%.1f ms\t%s\n", t.Name(), over.Seconds()*1e3, status)
	}
}

// TestTimeLimitsHold: whatever the method, affinity and refinement, a search ends within
// 20 ms and 5 % of its time limit.
func TestTimeLimitsHold(t *testing.T) {
	limit := 50 * time.Millisecond
	if os.Getenv(wholeTable) != "" {
		limit = 200 * time.Millisecond
	}
	allowed := 20*time.Millisecond + limit/20
	everySearch(t, func(t *testing.T, p *rgm.Solver, in *qap.Instance, o rgm.Options) {
		o.TimeLimit = limit
		ctx, clock := clockOf(o)
		least, status := time.Duration(math.MaxInt64), qap.Status("")
		for range attempts {
			start, began := clock(), time.Now()
			r, err := p.Solve(ctx, in, o)
			took := clock().Sub(start)
			if o.Affinity != "" { // on an idle machine threads side by side take more than the wall's time
				took = min(took, time.Since(began))
			}
			if errors.Is(err, qap.ErrUnsupported) || noModel(err) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			least, status = min(least, took-limit), r.Status
			if least <= allowed {
				break
			}
		}
		if report(t, least, status); least > allowed {
			t.Errorf("%v over its limit of %v", least, limit)
		}
	})
}

// TestLongestTimeLimit: as much time as there can be is not none.
func TestLongestTimeLimit(t *testing.T) {
	in := kinds(t, 10)["QAP"]
	r, err := rgmtest.Open(t).Solve(t.Context(), in, rgm.Options{Method: rgm.MethodTabu, TimeLimit: math.MaxInt64, MaxSteps: 3})
	if err != nil || r.Steps != 3 || r.Status != qap.MaxSteps {
		t.Errorf("%d steps, status %s, error %v", r.Steps, r.Status, err)
	}
}

// TestCancelledSoon: a cancelled search returns within 20 ms.
func TestCancelledSoon(t *testing.T) {
	const until, allowed = 30 * time.Millisecond, 20 * time.Millisecond
	everySearch(t, func(t *testing.T, p *rgm.Solver, in *qap.Instance, o rgm.Options) {
		o.TimeLimit = time.Minute
		least := time.Duration(math.MaxInt64)
		for range attempts {
			_, clock := clockOf(rgm.Options{}) // whatever is searched
			ctx, cancel := context.WithCancel(context.Background())
			var cancelled time.Time
			time.AfterFunc(until, func() {
				cancelled = clock()
				cancel()
			})
			r, err := p.Solve(ctx, in, o)
			ended := clock()
			if errors.Is(err, qap.ErrUnsupported) || noModel(err) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			if <-ctx.Done(); r.Status != qap.Cancelled {
				return // it ended by itself before
			}
			if least = min(least, ended.Sub(cancelled)); least <= allowed {
				break
			}
		}
		if report(t, least, qap.Cancelled); least > allowed {
			t.Errorf("returned %v after its cancellation", least)
		}
	})
}
