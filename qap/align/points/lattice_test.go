package points

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/assignment"
)

// lattice returns the points of a block of cells.
func lattice(counts [3]int, steps [3]place) (points []place) {
	for x := range counts[0] {
		for y := range counts[1] {
			for z := range counts[2] {
				points = append(points, steps[0].times(float64(x)).plus(steps[1].times(float64(y))).plus(steps[2].times(float64(z))))
			}
		}
	}
	return points
}

var square = [3]place{{1}, {0, 1}, {0, 0, 1}}

// hexagon is that of a side of so many points, on a triangular lattice.
func hexagon(side int) (points []place) {
	for x := 1 - side; x < side; x++ {
		for y := 1 - side; y < side; y++ {
			if z := x + y; z > -side && z < side {
				points = append(points, place{float64(x) + float64(y)/2, float64(y) * math.Sqrt(3) / 2})
			}
		}
	}
	return points
}

// symmetries returns the permutations by which points are themselves: all turns and mirrors of axes, and sixths of a turn.
func symmetries(points []place) (all [][]int) {
	var mean place
	for _, p := range points {
		mean = mean.plus(p.times(1 / float64(len(points))))
	}
	key := func(p place) [3]int {
		return [3]int{int(math.Round(p[0] * 100)), int(math.Round(p[1] * 100)), int(math.Round(p[2] * 100))}
	}
	index := map[[3]int]int{}
	for i, p := range points {
		index[key(p.minus(mean))] = i
	}
	try := func(t [3]place) {
		order := make([]int, len(points))
		for i, p := range points {
			x := p.minus(mean)
			at, is := index[key(place{t[0].dot(x), t[1].dot(x), t[2].dot(x)})]
			if !is {
				return
			}
			order[i] = at
		}
		all = append(all, order)
	}
	axes := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for _, order := range axes {
		for signs := range 8 {
			var t [3]place
			for k, axis := range order {
				t[k][axis] = float64(1 - 2*(signs>>k&1))
			}
			try(t)
		}
	}
	for sixth := range 6 {
		sin, cos := math.Sincos(float64(sixth) * math.Pi / 3)
		try([3]place{{cos, -sin}, {sin, cos}, {0, 0, 1}})
		try([3]place{{cos, sin}, {sin, -cos}, {0, 0, 1}})
	}
	return all
}

// seen returns points as they are, shuffled, and others: turned, scaled, mirrored or not, moved, noisy, shuffled, without a share.
func seen(points []place, dimensions int, noise, gone float64, rng *rand.Rand) (a, b [][]float64, truth []int) {
	var t similarity
	t.scale = 0.5 + 3*rng.Float64()
	t.shift = place{rng.NormFloat64() * 50, rng.NormFloat64() * 50, rng.NormFloat64() * 50}
	sin, cos := math.Sincos(rng.Float64() * 2 * math.Pi)
	t.turn = [3]place{{cos, -sin, 0}, {sin, cos, 0}, {0, 0, 1}}
	if dimensions == 3 {
		s2, c2 := math.Sincos(rng.Float64() * 2 * math.Pi)
		t.turn = [3]place{{cos, -sin * c2, sin * s2}, {sin, cos * c2, -cos * s2}, {0, s2, c2}}
	}
	truth = make([]int, len(points))
	for _, i := range rng.Perm(len(points)) {
		truth[i] = assignment.Unassigned
	}
	for _, p := range points {
		a = append(a, append([]float64(nil), p[:dimensions]...))
	}
	for _, i := range rng.Perm(len(points)) {
		if rng.Float64() < gone {
			continue
		}
		p := points[i]
		for k := range dimensions {
			p[k] += noise * rng.NormFloat64()
		}
		y := t.of(p)
		truth[i] = len(b)
		b = append(b, append([]float64(nil), y[:dimensions]...))
	}
	return a, b, truth
}

// TestLattices: of points on a lattice all are found, but for a symmetry of all of them: never one period off.
func TestLattices(t *testing.T) {
	for _, c := range []struct {
		name        string
		points      []place
		dimensions  int
		noise, gone float64
		least       float64
	}{
		{"square", lattice([3]int{60, 60, 1}, square), 2, 0, 0, 1},
		{"square, noise", lattice([3]int{60, 60, 1}, square), 2, .05, 0, .99},
		{"square, noise, gone", lattice([3]int{60, 60, 1}, square), 2, .05, .1, .99},
		{"rectangle, noise", lattice([3]int{60, 25, 1}, square), 2, .05, 0, .99},
		{"parallelogram", lattice([3]int{40, 20, 1}, [3]place{{1}, {.5, math.Sqrt(3) / 2}}), 2, .02, 0, .99},
		{"hexagon, noise", hexagon(25), 2, .05, 0, .99},
		{"hexagon, gone", hexagon(25), 2, .02, .2, .99},
		{"line", lattice([3]int{300, 1, 1}, square), 2, 0, 0, 1},
		{"line, noise", lattice([3]int{300, 1, 1}, square), 2, .05, 0, .99},
		{"cube, noise", lattice([3]int{12, 12, 12}, square), 3, .05, 0, .99},
		{"box, gone", lattice([3]int{14, 10, 7}, square), 3, .02, .1, .99},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := rand.Uint64()
			a, b, truth := seen(c.points, c.dimensions, c.noise, c.gone, rand.New(rand.NewPCG(seed, 9)))
			m := Find(t.Context(), a, b, Options{Seed: seed})
			if m == nil {
				t.Fatalf("seed %d: no transform", seed)
			}
			assigned, best, partners := m.Assign(t.Context(), Options{}), 0., 0.
			for _, order := range symmetries(c.points) {
				right := 0.
				partners = 0
				for i, j := range order {
					if truth[j] == assignment.Unassigned {
						continue
					}
					partners++
					if assigned[i] == truth[j] {
						right++
					}
				}
				best = max(best, right)
			}
			if best < c.least*partners {
				t.Errorf("seed %d: %v of %v right", seed, best, partners)
			}
		})
	}
}

// TestKnown: as many known pairs as there are dimensions tell the transform of a lattice, mirrored or not, with noise; one pair tells
// which period it is.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name              string
		points            []place
		dimensions, known int
		noise             float64
	}{
		{"square, two", lattice([3]int{40, 40, 1}, square), 2, 2, .02},
		{"square, four", lattice([3]int{40, 40, 1}, square), 2, 4, .05},
		{"box, three", lattice([3]int{11, 11, 11}, square), 3, 3, .02},
		{"box, six", lattice([3]int{11, 11, 11}, square), 3, 6, .05},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := rand.Uint64()
			rng := rand.New(rand.NewPCG(seed, 10))
			a, b, truth := seen(c.points, c.dimensions, c.noise, 0, rng)
			if rng.IntN(2) == 0 {
				for i := range b {
					b[i][0] = -b[i][0]
				}
			}
			// Corners first, which lie on no line and in no plane, and then any.
			n := len(c.points)
			corners := []int{0, 39, 40 * 39}
			if c.dimensions == 3 {
				corners = []int{0, 10, 11 * 11 * 10}
			}
			var known []Pair
			for k := range c.known {
				i := rng.IntN(n)
				if k < len(corners) {
					i = corners[k]
				}
				known = append(known, Pair{i, truth[i]})
			}
			m := Find(t.Context(), a, b, Options{Seed: seed, Known: known})
			if m == nil {
				t.Fatalf("seed %d: no transform", seed)
			}
			// The two or three known pairs leave a mirror open, under which the lattice is itself.
			matched, right, partners := right(m.Assign(t.Context(), Options{Known: known}), truth)
			if c.known > c.dimensions && right < .99*partners || matched < .99*partners {
				t.Errorf("seed %d: %v of %v right of %v", seed, right, matched, partners)
			}
		})
	}
	seed := rand.Uint64()
	a, b, truth := seen(lattice([3]int{50, 31, 1}, square), 2, .05, .2, rand.New(rand.NewPCG(seed, 11)))
	at := 700
	for truth[at] == assignment.Unassigned {
		at++
	}
	m := Find(t.Context(), a, b, Options{Seed: seed, Known: []Pair{{at, truth[at]}}})
	if m == nil {
		t.Fatalf("seed %d: no transform", seed)
	}
	y := m.to.of(m.a.at[at])
	if off := math.Sqrt(y.apart(m.b.at[truth[at]])); off > .3*m.b.radius(1/m.density[truth[at]]) {
		t.Errorf("seed %d: the known pair is off by %v", seed, off)
	}
}
