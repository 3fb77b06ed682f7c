package points

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap/assignment"
)

// pair returns points at random in a square or cube of side 100, and noisy ones that are turned, scaled, moved and
// shuffled; a share of both sets has no partner.
func pair(n, dimensions int, noise, strangers float64, mirrored bool, rng *rand.Rand) (a, b [][]float64, truth []int, scale float64) {
	s := similarity{scale: 0.1 + 5*rng.Float64(), shift: place{rng.NormFloat64() * 500, rng.NormFloat64() * 500, 7}}
	sin, cos := math.Sincos(rng.Float64() * 2 * math.Pi)
	s.turn = [3]place{{cos, -sin, 0}, {sin, cos, 0}, {0, 0, 1}}
	if dimensions == 3 {
		s2, c2 := math.Sincos(rng.Float64() * 2 * math.Pi)
		s.turn = [3]place{{cos, -sin * c2, sin * s2}, {sin, cos * c2, -cos * s2}, {0, s2, c2}}
	}
	if mirrored {
		s.turn[0] = s.turn[0].times(-1)
	}
	random := func() (p place) {
		for k := range dimensions {
			p[k] = rng.Float64() * 100
		}
		return p
	}
	order := rng.Perm(n)
	a, b, truth = make([][]float64, n), make([][]float64, n), make([]int, n)
	for i := range a {
		p := random()
		a[i] = append(a[i], p[:dimensions]...)
		truth[i] = order[i]
		if rng.Float64() < strangers {
			p, truth[i] = random(), assignment.Unassigned
		}
		for k := range dimensions {
			p[k] += noise * rng.NormFloat64()
		}
		y := s.of(p)
		b[order[i]] = append(b[order[i]], y[:dimensions]...)
	}
	return a, b, truth, s.scale
}

func right(assigned, truth []int) (matched, right, partners float64) {
	for i, a := range assigned {
		if truth[i] != assignment.Unassigned {
			partners++
		}
		if a != assignment.Unassigned {
			matched++
			if a == truth[i] {
				right++
			}
		}
	}
	return matched, right, partners
}

// TestFind: the transform, the noise and the share of partners are found, and with them who is who, in the plane and in space, mirrored or not.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		n, dimensions             int
		noise, strangers, correct float64
	}{{100, 2, .3, .3, .8}, {1000, 2, .1, .3, .95}, {300, 3, .5, .3, .9}, {1000, 2, 0, 0, 1}, {3000, 2, .05, 0, .98}} {
		seed := rand.Uint64()
		for k, mirrored := range []bool{false, true} {
			a, b, truth, scale := pair(c.n, c.dimensions, c.noise, c.strangers, mirrored, rand.New(rand.NewPCG(seed, uint64(k))))
			m := Find(t.Context(), a, b, Options{})
			if m == nil {
				t.Fatalf("%v, seed %d: no transform", c, seed)
			}
			matched, right, partners := right(m.Assign(t.Context(), Options{}), truth)
			if math.Abs(m.Transform.Scale/scale-1) > .02 || m.Transform.Mirrored != mirrored || right < c.correct*max(matched, partners) ||
				c.noise > 0 && math.Abs(m.Noise/scale/c.noise-1) > .3 {
				t.Errorf("%v, seed %d: %v of %v matches of %v partners, %+v for scale %v, noise %v", c, seed, right, matched, partners, m.Transform, scale, m.Noise/scale)
			}
			for i, p := range a {
				if truth[i] == assignment.Unassigned || i > 10 {
					continue
				}
				for d := range c.dimensions {
					y := m.Transform.Shift[d]
					for l, x := range p {
						y += m.Transform.Scale * m.Transform.Turn[d][l] * x
					}
					if miss := math.Abs(y - b[truth[i]][d]); miss > 6*c.noise*scale+1e-3*scale {
						t.Errorf("%v, seed %d: point %d is off by %v", c, seed, i, miss)
					}
				}
			}
		}
	}
}

// TestFindNothing: points that have nothing to do with each other have no transform; nor have those at one place, and those on a line
// or far away, or a context that has ended, do no harm.
func TestFindNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 3))
	a, b, _, _ := pair(300, 2, 0, 1, false, rng)
	if m := Find(t.Context(), a, b, Options{}); m != nil {
		t.Errorf("%+v of strangers", m.Transform)
	}
	same, line := make([][]float64, 80), make([][]float64, 80)
	for i := range same {
		same[i], line[i] = []float64{1, 2}, []float64{1e59 * rng.Float64(), 3}
	}
	for _, points := range [][][]float64{same, line} {
		if m := Find(t.Context(), points, points, Options{}); m != nil {
			m.Assign(t.Context(), Options{Complete: true})
		}
		Find(t.Context(), points, a, Options{})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if m := Find(ended, a, a, Options{}); m != nil {
		t.Error("found by a context that has ended")
	}
}

// TestComplete: every point of the smaller set has a partner, known pairs stay, and what is forbidden is not matched.
func TestComplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 4))
	a, b, _, _ := pair(200, 2, .1, .4, false, rng)
	b = b[:150]
	m := Find(t.Context(), a, b, Options{})
	if m == nil {
		t.Fatal("no transform")
	}
	assigned := m.Assign(t.Context(), Options{Complete: true, Known: []Pair{{3, 4}}})
	taken := map[int]bool{}
	for _, a := range assigned {
		if a != assignment.Unassigned && taken[a] {
			t.Fatal("a point twice")
		}
		taken[a] = a != assignment.Unassigned
	}
	delete(taken, assignment.Unassigned)
	if len(taken) != 150 || assigned[3] != 4 {
		t.Errorf("%d matches, point 3 with %d", len(taken), assigned[3])
	}
}

// TestSameSeed: one seed, one result.
func TestSameSeed(t *testing.T) {
	a, b, _, _ := pair(500, 2, .2, .3, false, rand.New(rand.NewPCG(1, 5)))
	one, two := Find(t.Context(), a, b, Options{Seed: 7}), Find(t.Context(), a, b, Options{Seed: 7})
	if !slices.Equal(one.Assign(t.Context(), Options{}), two.Assign(t.Context(), Options{})) {
		t.Error("other matches")
	}
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			from, to, truth, _ := pair(n, 2, 1/math.Sqrt(float64(n)), .3, false, rand.New(rand.NewPCG(1, 6)))
			for b.Loop() {
				matched, correct, partners := right(Find(b.Context(), from, to, Options{}).Assign(b.Context(), Options{}), truth)
				b.ReportMetric(100*correct/matched, "%right")
				b.ReportMetric(100*correct/partners, "%found")
			}
		})
	}
}
