package full_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
)

// wholeTable makes the tests below measure all sizes, for the table of
// docs/BENCHMARKS.md.
const wholeTable = "RGM_TEST_LIMITS"

// searches are the ways to search an instance that the table has.
func searches(p *portfolio.Portfolio) []portfolio.Options {
	var all []portfolio.Options
	for _, method := range p.Methods() {
		all = append(all, portfolio.Options{Method: method})
	}
	for _, refine := range p.Refinements() {
		all = append(all, portfolio.Options{Method: portfolio.MethodGreedy, Refine: refine})
	}
	return append(all, portfolio.Options{Affinity: portfolio.AffinityLearned},
		portfolio.Options{Method: portfolio.MethodProfile, Affinity: portfolio.AffinityLearned})
}

// kinds are the instances of the table by the number of nodes.
func kinds(t testing.TB, n int) map[string]*qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	a, b := make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = float64(rng.IntN(100)), float64(rng.IntN(100))
	}
	product, err := qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*qap.Instance{"QAP": product, "dense": pointSets(t, n, false), "sparse": pointSets(t, n, true)}
}

// label names a search in the table.
func label(o portfolio.Options) string {
	words := []string{o.Method}
	if o.Method == "" {
		words[0] = portfolio.MethodRGM
	}
	if o.Refine != "" {
		words = append(words, "refined by "+o.Refine)
	}
	if o.Affinity != "" {
		words = append(words, "learned affinity")
	}
	return strings.Join(words, ", ")
}

// TestTimeLimitsHold: whatever the method, affinity and refinement, a search ends within
// 20 ms and 5 % of its time limit. On a busy machine a second and third attempt count.
func TestTimeLimitsHold(t *testing.T) {
	sizes, limits := []int{10}, []time.Duration{50 * time.Millisecond}
	if os.Getenv(wholeTable) != "" {
		sizes, limits = []int{10, 50, 100}, []time.Duration{200 * time.Millisecond}
	}
	p := open(t)
	for _, n := range sizes {
		for kind, in := range kinds(t, n) {
			for _, o := range searches(p) {
				for _, limit := range limits {
					o.TimeLimit = limit
					over, status := time.Duration(0), qap.Status("")
					allowed := 20*time.Millisecond + limit/20
					for range 3 {
						start := time.Now()
						r, err := p.Solve(context.Background(), in, o)
						over, status = time.Since(start)-limit, r.Status
						if errors.Is(err, qap.ErrUnsupported) {
							status = "unsupported"
						} else if err != nil {
							t.Error(err)
						}
						if over <= allowed {
							break
						}
					}
					if os.Getenv(wholeTable) != "" {
						fmt.Printf("LIMIT\t%d\t%s\t%s\t%v\t%.1f\t%s\n", n, kind, label(o), limit, over.Seconds()*1e3, status)
					}
					if over > allowed {
						t.Errorf("%s, %d nodes, %s: %v over its limit of %v", kind, n, label(o), over, limit)
					}
				}
			}
		}
	}
}

// TestCancelledSoon: a cancelled search returns within 20 ms.
func TestCancelledSoon(t *testing.T) {
	sizes := []int{10}
	if os.Getenv(wholeTable) != "" {
		sizes = []int{10, 50, 100}
	}
	p := open(t)
	for _, n := range sizes {
		for kind, in := range kinds(t, n) {
			for _, o := range searches(p) {
				o.Options = infer.Options{TimeLimit: time.Minute}
				took, status := time.Duration(0), qap.Status("")
				for range 3 {
					ctx, cancel := context.WithCancel(context.Background())
					const until = 30 * time.Millisecond
					start := time.Now()
					time.AfterFunc(until, cancel)
					r, err := p.Solve(ctx, in, o)
					took, status = time.Since(start)-until, r.Status
					if err != nil && !errors.Is(err, qap.ErrUnsupported) {
						t.Error(err)
					}
					if cancel(); took <= 20*time.Millisecond || status != qap.Cancelled {
						break
					}
				}
				if status != qap.Cancelled {
					continue // it ended by itself before
				}
				if os.Getenv(wholeTable) != "" {
					fmt.Printf("CANCEL\t%d\t%s\t%s\t\t%.1f\t%s\n", n, kind, label(o), took.Seconds()*1e3, status)
				}
				if took > 20*time.Millisecond {
					t.Errorf("%s, %d nodes, %s: returned %v after its cancellation", kind, n, label(o), took)
				}
			}
		}
	}
}
