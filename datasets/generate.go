package datasets

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"

	"github.com/rgm-go/rgm/internal/suggest"
)

// family is a generator of instances with n nodes.
type family struct {
	name     string
	share    float64
	classes  []string // of QAPLIB whose manner it has
	generate func(n int, rng *rand.Rand) (flow, distance []float64)
}

// families are the generators of Koopmans–Beckmann instances, each in the manner
// of one class of QAPLIB: two integer matrices with zero diagonals, flows and
// distances. None uses any number of QAPLIB. The shares are those of a Mixture.
var families = []family{
	// uniform: both matrices symmetric and uniform, without structure (as rou, tai·a).
	{"uniform", 0.10, []string{"rou", "tai"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		return symmetric(n, uniform(0, 99, rng)), symmetric(n, uniform(0, 99, rng))
	}},
	// grid: city-block distances on a grid, small sparse flows (as nug, sko, tho, wil).
	{"grid", 0.13, []string{"nug", "sko", "tho", "wil"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		return symmetric(n, thinned(between(0.3, 0.9, rng), uniform(0, 10, rng), rng)), gridDistances(n, 1, 1, rng)
	}},
	// clusters: towns in a few regions, flows over many orders of magnitude, in
	// half of the instances asymmetric (as tai·b).
	{"clusters", 0.14, []string{"tai"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		heavy := func() float64 { return math.Floor(math.Pow(10, between(-3, 4, rng))) }
		flow = full(n, heavy)
		if rng.IntN(2) == 0 {
			flow = symmetric(n, heavy)
		}
		return flow, clusterDistances(n, rng)
	}},
	// tree: flows along a weighted tree, from a path to a bush (as chr).
	{"tree", 0.18, []string{"chr"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		return treeFlows(n, rng), symmetric(n, uniform(0, 99, rng))
	}},
	// backboard: components wired by few heavy connections on one or two levels of
	// a grid, distances sometimes squared (as ste, kra).
	{"backboard", 0.12, []string{"ste", "kra"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		levels, power := 1, 1.0
		if rng.Float64() < 0.3 {
			levels = 2
		}
		if rng.Float64() < 0.3 {
			power = 2
		}
		wires := func() float64 { return math.Floor(math.Exp(1 + 1.7*rng.NormFloat64())) }
		return symmetric(n, thinned(between(0.15, 0.5, rng), wires, rng)), gridDistances(n, levels, power, rng)
	}},
	// hypercube: Hamming distances of addresses less 1, few small flows among a
	// part of the nodes (as esc).
	{"hypercube", 0.07, []string{"esc"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		distance = fill(n, func(i, j int) float64 { return float64(bits.OnesCount(uint(i^j)) - 1) })
		busy, share := n/2+rng.IntN(n/2+1), between(0.1, 0.4, rng)
		small := thinned(share, uniform(1, 3, rng), rng)
		flow = full(n, small)
		if rng.IntN(2) == 0 {
			flow = symmetric(n, small)
		}
		for k := range flow {
			if k/n >= busy || k%n >= busy {
				flow[k] = 0
			}
		}
		return flow, distance
	}},
	// levels: asymmetric, one matrix with few values, so that ties are many (as lipa).
	{"levels", 0.06, []string{"lipa"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		return full(n, uniform(0, n-1, rng)), full(n, uniform(0, 2, rng))
	}},
	// typing: asymmetric heavy-tailed frequencies and times that differ by row (as bur).
	{"typing", 0.06, []string{"bur"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		flow = full(n, func() float64 { return math.Floor(math.Exp(2 + 2*rng.NormFloat64())) })
		distance = full(n, uniform(50, 299, rng))
		for i := range n {
			row := between(0.5, 1.5, rng)
			for j := range n {
				distance[i*n+j] = math.Floor(row * distance[i*n+j])
			}
		}
		return flow, distance
	}},
	// circuit: sparse flows that are products, on a grid (as scr).
	{"circuit", 0.07, []string{"scr"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		product := func() float64 { return float64((1 + rng.IntN(99)) * (1 + rng.IntN(19))) }
		return symmetric(n, thinned(between(0.1, 0.35, rng), product, rng)), gridDistances(n, 1, 1, rng)
	}},
	// hamming: city-block distances against distances of random patterns (as had).
	{"hamming", 0.07, []string{"had"}, func(n int, rng *rand.Rand) (flow, distance []float64) {
		patterns := make([]uint64, n)
		for i := range patterns {
			patterns[i] = rng.Uint64() & (1<<min(n, 63) - 1)
		}
		flow = fill(n, func(i, j int) float64 { return float64(bits.OnesCount64(patterns[i] ^ patterns[j])) })
		return flow, gridDistances(n, 1, 1, rng)
	}},
}

// Families returns the names of the families that Generate knows.
func Families() []string {
	return lists.Of(allFamilies(), func(f family) string { return f.name })
}

func allFamilies() []family { return slices.Concat(families, structured) }

// FamiliesLike returns the names of the families in the manner of any of the
// classes of QAPLIB.
func FamiliesLike(classes ...string) []string {
	var names []string
	for _, f := range families {
		if slices.ContainsFunc(f.classes, func(class string) bool { return slices.Contains(classes, class) }) {
			names = append(names, f.name)
		}
	}
	return names
}

// Generate returns a random instance of a family with n ≥ 2 nodes, to be
// minimised. Flows and distances change roles in half of the instances, and both
// graphs are relabelled at random. The same rng state gives the same instance.
func Generate(name string, n int, rng *rand.Rand) (*qap.Instance, error) {
	f, err := familyOf(name, n)
	if err != nil {
		return nil, err
	}
	a, b := f.generate(n, rng)
	if rng.IntN(2) == 0 {
		a, b = b, a
	}
	in, err := qap.NewKoopmansBeckmann(n, n, relabelled(a, n, rng), relabelled(b, n, rng), nil, qap.Minimize)
	if err != nil {
		return nil, err
	}
	in.Name = fmt.Sprintf("%s-%d", name, n)
	return in, nil
}

// maxGenerated bounds the nodes of a generated instance.
const maxGenerated = 1024

// familyOf returns the family of a name, if it has instances of n nodes.
func familyOf(name string, n int) (family, error) {
	k := slices.Index(Families(), name)
	if k < 0 {
		return family{}, unknownFamily(name)
	}
	if n < 2 || n > maxGenerated {
		return family{}, fmt.Errorf("datasets: a generated instance of %d nodes: want 2..%d", n, maxGenerated)
	}
	return allFamilies()[k], nil
}

// Mixture draws instances of families, some more often than others.
type Mixture struct {
	Families []string // names; where it is empty, those in the manner of a class of QAPLIB
}

// Instance returns a random instance with n nodes.
func (m Mixture) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	chosen, total := families, 1.0
	if len(m.Families) > 0 {
		var err error
		if chosen, err = familiesNamed(m.Families); err != nil {
			return nil, err
		}
		total = 0
		for _, f := range chosen {
			total += f.share
		}
	}
	at := total * rng.Float64()
	for _, f := range chosen {
		if at -= f.share; at < 0 {
			return Generate(f.name, n, rng)
		}
	}
	return Generate(chosen[0].name, n, rng)
}

// familiesNamed returns families in the order of their names.
func familiesNamed(names []string) ([]family, error) {
	var chosen []family
	for _, name := range names {
		k := slices.Index(Families(), name)
		if k < 0 {
			return nil, unknownFamily(name)
		}
		chosen = append(chosen, allFamilies()[k])
	}
	return chosen, nil
}

func unknownFamily(name string) error {
	return fmt.Errorf("datasets: unknown family %q: want %s", name, suggest.OneOf(Families()...))
}

func between(from, to float64, rng *rand.Rand) float64 { return from + (to-from)*rng.Float64() }

// uniform returns a draw of integers from..to.
func uniform(from, to int, rng *rand.Rand) func() float64 {
	return func() float64 { return float64(from + rng.IntN(to-from+1)) }
}

// thinned draws 0 instead, but for a share of the draws.
func thinned(share float64, draw func() float64, rng *rand.Rand) func() float64 {
	return func() float64 {
		if v := draw(); rng.Float64() < share {
			return v
		}
		return 0
	}
}

// fill returns the n×n matrix of value(i, j), with a zero diagonal.
func fill(n int, value func(i, j int) float64) []float64 {
	m := make([]float64, n*n)
	for i := range n {
		for j := range n {
			if i != j {
				m[i*n+j] = value(i, j)
			}
		}
	}
	return m
}

func full(n int, draw func() float64) []float64 {
	return fill(n, func(int, int) float64 { return draw() })
}

func symmetric(n int, draw func() float64) []float64 {
	m := make([]float64, n*n)
	for i := range n {
		for j := range i {
			m[i*n+j] = draw()
			m[j*n+i] = m[i*n+j]
		}
	}
	return m
}

// gridDistances returns city-block distances, to a power, of n places of a grid as
// square as can be; with two levels each place is on either, at random.
func gridDistances(n, levels int, power float64, rng *rand.Rand) []float64 {
	side := int(math.Ceil(math.Sqrt(float64(n))))
	level := make([]int, n)
	for i := range level {
		level[i] = rng.IntN(levels)
	}
	return fill(n, func(i, j int) float64 {
		d := abs(i/side-j/side) + abs(i%side-j%side) + abs(level[i]-level[j])
		return math.Pow(float64(d), power)
	})
}

// clusterDistances returns distances, rounded, of points around 2 to 5 centres in
// a square of side 100.
func clusterDistances(n int, rng *rand.Rand) []float64 {
	centres := make([][2]float64, 2+rng.IntN(4))
	for c := range centres {
		centres[c] = [2]float64{between(0, 100, rng), between(0, 100, rng)}
	}
	spread := between(3, 20, rng)
	points := make([][2]float64, n)
	for i := range points {
		c := centres[rng.IntN(len(centres))]
		points[i] = [2]float64{c[0] + spread*rng.NormFloat64(), c[1] + spread*rng.NormFloat64()}
	}
	return fill(n, func(i, j int) float64 {
		return math.Round(10 * math.Hypot(points[i][0]-points[j][0], points[i][1]-points[j][1]))
	})
}

// treeFlows returns flows 1..99 along the edges of a random tree: a path, a tree
// whose branches stay short, or any.
func treeFlows(n int, rng *rand.Rand) []float64 {
	flow := make([]float64, n*n)
	shape := rng.IntN(3)
	for i := 1; i < n; i++ {
		parent := i - 1
		switch shape {
		case 1:
			parent = max(0, i-3) + rng.IntN(min(i, 3))
		case 2:
			parent = rng.IntN(i)
		}
		flow[i*n+parent] = float64(1 + rng.IntN(99))
		flow[parent*n+i] = flow[i*n+parent]
	}
	return flow
}

// relabelled returns the matrix with its nodes in a random order.
func relabelled(m []float64, n int, rng *rand.Rand) []float64 {
	order := rng.Perm(n)
	return fill(n, func(i, j int) float64 { return m[order[i]*n+order[j]] })
}
