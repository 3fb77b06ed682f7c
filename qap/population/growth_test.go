package population

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

// withLinear returns an instance of a family with flows both ways and a linear term.
func withLinear(t *testing.T, family string, n int) *qap.Instance {
	t.Helper()
	kb := instances.Generated(t, family, n, 1).Affinity.(*qap.KoopmansBeckmann)
	rng := rand.New(rand.NewPCG(5, 5))
	a, b, linear := append([]float64(nil), kb.A()...), append([]float64(nil), kb.B()...), make([]float64, n*n)
	for k := range linear {
		linear[k] = float64(rng.IntN(50))
		if a[k] != 0 {
			a[k] += float64(rng.IntN(5))
		}
		if b[k] != 0 {
			b[k] += float64(rng.IntN(5))
		}
	}
	return must.Get(qap.NewKoopmansBeckmann(n, n, a, b, linear, qap.Minimize))(t)
}

// costAt returns what facility i costs at location c beside those that are placed.
func costAt(s *Search, child []int32, i, c int) float64 {
	flow, distance, n := s.improver.Flow(), s.improver.Distance(), s.n
	sum := s.improver.Linear()[i*n+c]
	for k, d := range child {
		if d >= 0 && k != i {
			sum += flow[i*n+k]*distance[c*n+int(d)] + flow[k*n+i]*distance[int(d)*n+c]
		}
	}
	return sum
}

// TestGrowthPlacesTheMostUrgent: at every step the facility of most regret among those
// that are reached goes where it costs least, by costs computed anew.
func TestGrowthPlacesTheMostUrgent(t *testing.T) {
	for name, in := range map[string]*qap.Instance{
		"neighbours": instances.Generated(t, "neighbours", 20, 1), "tree": instances.Generated(t, "tree", 17, 1), "both ways": withLinear(t, "neighbours", 12),
	} {
		s := must.Get(New(in, Grown(), nil, 3, nil))(t)
		g, rng := s.growth, rand.New(rand.NewPCG(1, 2))
		for range 10 {
			shuffle(s.child, rng)
			g.release(s.child, 1+rng.IntN(s.n), rng)
			g.begin(s.child)
			for len(g.waiting) > 0 {
				regrets := map[int32]float64{}
				most := math.Inf(-1)
				for _, i := range g.waiting {
					if g.options[i].reached {
						regrets[i] = regretOf(s, int(i))
						most = max(most, regrets[i])
					}
				}
				i := g.take(rng)
				if regret, reached := regrets[i]; len(regrets) > 0 && (!reached || regret != most) {
					t.Fatalf("%s: facility %d of regret %v comes next (%v), the most is %v", name, i, regret, reached, most)
				}
				c := g.locationFor(i, s.child, rng)
				for d, free := range g.free {
					if free && costAt(s, s.child, int(i), d) < costAt(s, s.child, int(i), int(c)) {
						t.Fatalf("%s: facility %d goes to %d, %d costs less", name, i, c, d)
					}
				}
				s.child[i] = c
				g.place(i, c, s.child)
			}
			if !isPermutation(s.child) {
				t.Fatalf("%s: grown to %v", name, s.child)
			}
		}
	}
}

// regretOf returns what a facility loses without its best location.
func regretOf(s *Search, i int) float64 {
	least, second, free := math.Inf(1), math.Inf(1), 0
	for c, isFree := range s.growth.free {
		if !isFree {
			continue
		}
		free++
		x := costAt(s, s.child, i, c)
		least, second = min(least, x), max(least, min(second, x))
	}
	if free == 1 {
		return 0
	}
	return second - least
}

// TestReleaseKeepsConnected facilities, as many as asked for.
func TestReleaseKeepsConnected(t *testing.T) {
	s := must.Get(New(instances.Generated(t, "neighbours", 30, 1), Grown(), nil, 3, nil))(t)
	for keep := 1; keep <= s.n; keep++ {
		shuffle(s.child, s.rng)
		s.growth.release(s.child, keep, s.rng)
		kept, begin := 0, -1
		for i, c := range s.child {
			if c >= 0 {
				kept, begin = kept+1, i
			}
		}
		seen, border := map[int32]bool{int32(begin): true}, []int32{int32(begin)}
		for len(border) > 0 {
			i := border[0]
			border = border[1:]
			for _, p := range s.growth.partnersOf(i) {
				if s.child[p.facility] >= 0 && !seen[p.facility] {
					seen[p.facility] = true
					border = append(border, p.facility)
				}
			}
		}
		if kept != keep || len(seen) != keep {
			t.Errorf("kept %d, of them %d connected, want %d", kept, len(seen), keep)
		}
	}
}

// TestGrownFindsNarrowFunnels: growth finds the optimum, which is known, of graphs where
// crossover does not in as many swaps.
func TestGrownFindsNarrowFunnels(t *testing.T) {
	in := instances.Generated(t, "neighbours", 72, 1)
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	optimum := min(sum(kb.A()), sum(kb.B())) // all flow goes to neighbours, at distance 1
	o := qap.Options{Limits: qap.Limits{MaxSteps: 400_000, Target: optimum, HasTarget: true}}
	for want, settings := range map[qap.Status]Settings{qap.Target: Grown(), qap.MaxSteps: Long()} {
		result, err := Solver{Settings: settings}.Solve(context.Background(), in, o)
		if err != nil || result.Status != want {
			t.Errorf("%s with %v (%v), want %s; the optimum is %v", result.Status, result.Objective, err, want, optimum)
		}
	}
}

// BenchmarkGrowth reports what a child costs that grows from a single facility.
func BenchmarkGrowth(b *testing.B) {
	for _, family := range []string{"tree", "neighbours"} {
		b.Run(family, func(b *testing.B) {
			s := must.Get(New(instances.Generated(b, family, 72, 1), Grown(), nil, 1, nil))(b)
			b.ReportAllocs()
			for b.Loop() {
				s.fill()
			}
		})
	}
}

// TestGrowthEnds: what is left when the search is over is matched at once.
func TestGrowthEnds(t *testing.T) {
	const n, placed = watchedFrom, 7
	looks, limit := 0, math.MaxInt
	clock := qap.WithClock(t.Context(), func() time.Time {
		if looks++; looks > limit {
			return time.Unix(1, 0)
		}
		return time.Unix(0, 0)
	})
	watch := qap.Limits{TimeLimit: time.Second}.Watch(clock, instances.Generated(t, "mapping", n, 1))
	s := must.Get(New(instances.Generated(t, "mapping", n, 1), Grown(), nil, 1, &watch))(t)
	looks, limit = 0, placed
	s.fill()
	if looks != placed+1 || !isPermutation(s.child) {
		t.Errorf("%d looks at the clock, child %v", looks, s.child)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := instances.Generated(t, "mapping", n, 1)
	if r, err := (Solver{Settings: Grown()}).Solve(ctx, in, qap.Options{}); err != nil || r.Status != qap.Cancelled || !in.IsSolution(r.Matching) {
		t.Errorf("cancelled before it begins: %+v (%v)", r, err)
	}
}
