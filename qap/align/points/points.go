package points

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/kdtree"
	"github.com/rgm-go/rgm/qap/assignment"
)

// Pair is a point of A and one of B.
type Pair struct{ I, J int }

// Options say how two sets are matched. The zero value is ready for use.
type Options struct {
	Seed     uint64
	Known    []Pair // pairs that are right: they stay matched
	Complete bool   // every point of the smaller set has a partner

	// Score says how much likelier, as a logarithm, what two points have besides their places makes them the same point, nil
	// for nothing; −∞ forbids a pair. Find does not look at it.
	Score func(i, a int) float64
}

// A Match is two sets of points and the transform from one to the other.
type Match struct {
	Transform Transform
	Noise     float64 // standard deviation of a coordinate, in the unit of B
	Partners  float64 // the share of points of A that have a partner
	Right     []Pair  // pairs by their places alone

	a, b    *set
	density []float64 // of B
	reach   []float64
	to      similarity
	rivals  []similarity // as good as it
	noise   float64      // in the unit of the set
}

// Check returns an error of points that are not in the plane or in space.
func Check(a, b [][]float64) error {
	for _, points := range [][][]float64{a, b} {
		if len(points) < 4 || len(points[0]) != len(a[0]) || len(points[0]) < 2 || len(points[0]) > 3 {
			return fmt.Errorf("points: want four points at least in each set, in the plane or in space")
		}
	}
	return nil
}

// Find returns the transform that takes most points of one set onto points of another, nil where none was found that takes more
// than chance does, or ctx ended before.
func Find(ctx context.Context, a, b [][]float64, o Options) *Match {
	if Check(a, b) != nil {
		return nil
	}
	over := func() bool { return ctx.Err() != nil }
	rng := rand.New(rand.NewPCG(o.Seed, 0x706f696e7473))
	m := &Match{a: newSet(a, rng, over), b: newSet(b, rng, over)}
	m.density = m.b.densities(over)
	if over() {
		return nil
	}
	s := newSearch(m.a, m.b, m.density, over)
	for _, p := range o.Known {
		s.known = append(s.known, link{int32(p.I), int32(p.J)})
	}
	best := s.ofKnown()
	if best == nil {
		best = s.transform(rng)
	}
	if best == nil {
		return nil
	}
	m.to = best.similarity
	if len(s.known) == 0 {
		m.to, _ = s.slide(m.to, latticePoints)
	}
	m.to = s.refine(m.to)
	m.rivals, m.reach = s.rivals(best, m.to), s.reach
	m.learn()
	var links []link
	for i, a := range m.Assign(ctx, Options{Known: o.Known}) {
		if a != assignment.Unassigned {
			links, m.Right = append(links, link{int32(i), int32(a)}), append(m.Right, Pair{i, a})
		}
	}
	if t, ok := fit(m.a.at, m.b.at, links, m.a.dimensions); ok && len(links) > m.a.dimensions && ctx.Err() == nil {
		m.to = t
		m.learn()
	}
	return m
}

// learn estimates the noise and the share of points with a partner from how far from the nearest point of B those of A are: a
// partner's distance is normal, a stranger's as of points anywhere (expectation and maximisation).
func (m *Match) learn() {
	const most, rounds, least = 20_000, 60, 1e-7
	step := max(1, len(m.a.at)/most)
	d := m.a.dimensions
	type sample struct{ square, density float64 }
	var all []sample
	var q kdtree.Query
	for i := 0; i < len(m.a.at); i += step {
		y := m.to.of(m.a.at[i])
		a := m.b.nearest(y, 1, &q)[0].ID
		all = append(all, sample{y.apart(m.b.at[a]), m.density[a]})
	}
	typical := 0.0
	for _, s := range all {
		typical += m.b.radius(chance/s.density) / float64(len(all))
	}
	noise, share := typical/2, 0.7
	for range rounds {
		sum, weight := 0.0, 0.0
		for _, s := range all {
			// Both over r^(d−1), which they share.
			partner, stranger := 1/(noise*noise), 2*math.Pi*s.density
			if d == 3 {
				partner, stranger = math.Sqrt(2/math.Pi)/(noise*noise*noise), 4*math.Pi*s.density
			}
			partner *= math.Exp(-s.square / (2 * noise * noise))
			stranger *= math.Exp(-s.density * m.b.volume(math.Sqrt(s.square)))
			w := share * partner / (share*partner + (1-share)*stranger + math.SmallestNonzeroFloat64)
			sum, weight = sum+w*s.square, weight+w
		}
		noise = max(math.Sqrt(sum/(float64(d)*max(weight, 1))), least)
		share = min(max(weight/float64(len(all)), 1e-3), 1-1/float64(len(all)+1))
	}
	m.noise, m.Partners = noise, share
	m.Noise, m.Transform = noise*m.b.unit, m.to.between(m.a, m.b)
}

// pairScore returns how much likelier, as a logarithm, a pair at a squared distance is the same point than two strangers.
func (m *Match) pairScore(square, density float64) float64 {
	n1, n2 := float64(len(m.a.at)), float64(len(m.b.at))
	strangers := max(1-m.Partners*n1/n2, 1/(n2+1))
	d := float64(m.a.dimensions)
	return math.Log(m.Partners/(1-m.Partners)) - math.Log(strangers*density) - d/2*math.Log(2*math.Pi*m.noise*m.noise) - square/(2*m.noise*m.noise)
}

// Value returns how much likelier, as a logarithm, a pair is the same point than two strangers, by their places.
func (m *Match) Value(i, a int) float64 {
	return m.pairScore(m.to.of(m.a.at[i]).apart(m.b.at[a]), m.density[a])
}

// Assign returns the point of B for each of A, or assignment.Unassigned: the assignment of the greatest sum of Value and Options.Score.
func (m *Match) Assign(ctx context.Context, o Options) []int {
	fixed1, fixed2 := make(map[int]int, len(o.Known)), make(map[int]bool, len(o.Known))
	for _, k := range o.Known {
		fixed1[k.I], fixed2[k.J] = k.J, true
	}
	assigned := assignment.MaximizeSparse(ctx, m.choices(ctx, fixed1, fixed2, o.Score, 0), len(m.b.at))
	for i, a := range fixed1 {
		assigned[i] = a
	}
	if o.Complete {
		m.complete(assigned, o.Score)
	}
	return assigned
}

// Choices returns the partners of each point of A that are worth more than least, with what they are worth as Assign counts it.
func (m *Match) Choices(ctx context.Context, o Options, least float64) [][]assignment.Choice {
	return m.choices(ctx, nil, nil, o.Score, least)
}

// Crowd returns, as a logarithm, how many points of B there are in a ball as wide as the noise, in the mean.
func (m *Match) Crowd() float64 {
	sum := 0.0
	for _, d := range m.density {
		sum += math.Log(d*m.b.volume(m.noise)) / float64(len(m.density))
	}
	return sum
}

// choices returns the likely partners of each point.
func (m *Match) choices(ctx context.Context, fixed1 map[int]int, fixed2 map[int]bool, extra func(i, a int) float64, least float64) [][]assignment.Choice {
	const most = 12
	all := make([][]assignment.Choice, len(m.a.at))
	var q kdtree.Query
	for i, p := range m.a.at {
		if _, fixed := fixed1[i]; fixed {
			continue
		}
		if i%betweenLooks == 0 && ctx.Err() != nil {
			break
		}
		y := m.to.of(p)
		for _, f := range m.b.nearest(y, min(most, len(m.b.at)), &q) {
			a := int(f.ID)
			score := m.pairScore(y.apart(m.b.at[a]), m.density[a])
			if extra != nil {
				score += extra(i, a)
			}
			if score > least && !fixed2[a] {
				all[i] = append(all[i], assignment.Choice{Column: a, Score: score})
			}
		}
	}
	return all
}

// complete gives every point of the smaller set a partner: the nearest that is free, and then any; none that is forbidden.
func (m *Match) complete(assigned []int, extra func(i, a int) float64) {
	may := func(i, a int) bool { return extra == nil || !math.IsInf(extra(i, a), -1) }
	taken := make([]bool, len(m.b.at))
	var left []int
	for i, a := range assigned {
		if a == assignment.Unassigned {
			left = append(left, i)
		} else {
			taken[a] = true
		}
	}
	var free []int
	var data []float32
	for a, is := range taken {
		if !is {
			free = append(free, a)
			data = append(data, m.b.data[a*m.b.dimensions:(a+1)*m.b.dimensions]...)
		}
	}
	if len(left) == 0 || len(free) == 0 {
		return
	}
	const most = 16
	tree := kdtree.New(data, m.b.dimensions, func() bool { return false })
	choices := make([][]assignment.Choice, len(left))
	var q kdtree.Query
	for k, i := range left {
		y := m.to.of(m.a.at[i])
		x := [3]float32{float32(y[0]), float32(y[1]), float32(y[2])}
		tree.Search(x[:m.b.dimensions], most, kdtree.All, &q)
		for _, f := range q.Nearest {
			if !may(i, free[f.ID]) {
				continue
			}
			choices[k] = append(choices[k], assignment.Choice{Column: int(f.ID), Score: 1e6 - math.Sqrt(float64(f.Distance))})
		}
	}
	given := assignment.MaximizeSparse(context.Background(), choices, len(free))
	clear(taken)
	for k, f := range given {
		if f != assignment.Unassigned {
			assigned[left[k]], taken[free[f]] = free[f], true
		}
	}
	next := 0
	for k, f := range given {
		if f != assignment.Unassigned {
			continue
		}
		for next < len(free) && taken[free[next]] {
			next++
		}
		if next < len(free) && may(left[k], free[next]) {
			assigned[left[k]] = free[next]
			next++
		}
	}
}
