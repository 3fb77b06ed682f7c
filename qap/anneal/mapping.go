package anneal

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/splitmix"
	"github.com/rgm-go/rgm/qap"
)

// mapping makes trials over few flows and distances by a topology, in memory that grows with both.
// Most trials bring a facility near one of its partners, in exchange for the one that is there: on
// large graphs these are the few swaps that are worth a trial once the search is no longer hot.
type mapping struct {
	*state
	k *qap.Mapping
	t *qap.Topology

	first     []int32 // of each facility in partner and flow, and their end
	partner   []int32
	flow      []float64 // in the sense in which costs are minimised
	place     []int32   // of each facility; those behind the given ones have no flows
	holder    []int32   // facility of each place
	outer     []uint16  // coordinates of each facility's place
	inner     []uint16
	near      []int32 // nearPlaces of each place, unless it is in a hierarchy
	apart     float64 // how many times as far as these places are from each other
	threshold []float64
	best      []int32
}

const (
	nearPlaces    = 24 // of a place; a trial takes one of them, half of the time one of the first nearestPlaces
	nearestPlaces = 8
	nearOfOneSide = 4 // coordinates on each side, among which near places are looked for

	// Of sixteen trials so many are of any two facilities.
	anywhere         = 2
	anywhereInGroups = 8 // of a hierarchy
)

// newMapping returns the trials from an assignment of cost.
func newMapping(k *qap.Mapping, sense float64, start qap.Matching, s *state) *mapping {
	t := k.Topology()
	n := t.Places()
	n1, _ := k.Size()
	m := &mapping{
		state: s, k: k, t: t, first: make([]int32, n+1), place: make([]int32, n), holder: make([]int32, n),
		outer: make([]uint16, n), inner: make([]uint16, n), threshold: make([]float64, thresholds), best: make([]int32, n),
	}
	if t.Levels() == nil {
		m.near = nearOf(t)
		m.apart = m.farness()
	}
	for i := range n1 {
		partner, flow := k.Partners(i)
		m.partner = append(m.partner, partner...)
		for _, f := range flow {
			m.flow = append(m.flow, sense*f)
		}
		m.first[i+1] = int32(len(m.partner))
	}
	for i := n1; i < n; i++ {
		m.first[i+1] = m.first[i]
	}
	for k := range m.threshold {
		m.threshold[k] = portable(-math.Log((float64(k) + 0.5) / thresholds))
	}
	for c := range m.holder {
		m.holder[c] = -1
	}
	for i, c := range start {
		m.put(i, c)
	}
	spare := n1
	for c, i := range m.holder {
		if i < 0 {
			m.put(spare, c)
			spare++
		}
	}
	copy(m.best, m.place)
	return m
}

// put places a facility.
func (m *mapping) put(i, c int) {
	outer, inner := m.t.Coordinates(c)
	m.place[i], m.holder[c] = int32(c), int32(i)
	m.outer[i], m.inner[i] = uint16(outer), uint16(inner)
}

// nearOf returns the nearPlaces places nearest to each place, itself left out; of equally near ones
// those a little on.
func nearOf(t *qap.Topology) []int32 {
	n := t.Places()
	if n < 2 {
		return nil
	}
	origin := t.From(0)
	sides := [2]int{len(origin.Outer), len(origin.Inner)}
	// The nearest coordinates on each side, from each.
	var lists [2][][]int
	for side, size := range sides {
		for x := range size {
			place := x
			if side == 0 {
				place *= sides[1]
			}
			from := t.From(place)
			row := [2][]float64{from.Outer, from.Inner}[side]
			order := make([]int, size)
			for y := range order {
				order[y] = (x + y) % size
			}
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[a], row[b]) })
			lists[side] = append(lists[side], order[:min(size, 2*nearOfOneSide)])
		}
	}
	near := make([]int32, 0, n*nearPlaces)
	type candidate struct {
		place    int
		distance float64
	}
	var list []candidate
	for c := range n {
		list = list[:0]
		from := t.From(c)
		outer, inner := t.Coordinates(c)
		for _, x := range lists[0][outer] {
			for _, y := range lists[1][inner] {
				if d := x*sides[1] + y; d != c {
					list = append(list, candidate{d, from.To(x, y)})
				}
			}
		}
		slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
		for k := range nearPlaces {
			near = append(near, int32(list[k%len(list)].place))
		}
	}
	return near
}

// farness returns how many times as far as near places any two are from each other, in the mean.
func (m *mapping) farness() float64 {
	draws, any, near := m.random, 0.0, 0.0
	for c := range m.holder {
		any += m.t.Distance(c, draws.Below(len(m.holder)))
		near += m.t.Distance(c, int(m.near[c*nearPlaces+draws.Below(nearPlaces)]))
	}
	return any / max(near, 1)
}

func (m *mapping) bestLocations() []int32 { return m.best }

func (m *mapping) run() {
	n := int(m.n)
	for ; m.step < m.until; m.step++ {
		for range n {
			i, j := m.draw()
			if i == j {
				continue
			}
			delta := m.delta(i, j)
			if delta > 0 {
				m.worse++
				if delta >= m.temperature*m.threshold[m.random.Next()>>(64-thresholdBits)] {
					continue
				}
				m.taken++
			}
			if m.unsaved != 0 && m.cost+delta >= m.state.best-m.tolerance {
				m.save()
			}
			c, d := int(m.place[i]), int(m.place[j])
			m.put(i, d)
			m.put(j, c)
			m.cost += delta
			if m.cost < m.state.best-m.tolerance {
				m.state.best, m.bestStep, m.unsaved = m.cost, m.step+1, 1
			}
		}
	}
	if m.unsaved != 0 {
		m.save()
	}
}

// draw returns two facilities to swap.
func (m *mapping) draw() (i, j int) {
	n := int(m.n)
	bits := m.random.Next()
	i = int(bits & 0xffffffff * uint64(n) >> 32)
	from, to := m.first[i], m.first[i+1]
	bits >>= 32
	levels, any := m.t.Levels(), uint64(anywhere)
	if levels != nil {
		any = anywhereInGroups
	}
	if bits%16 < any || from == to {
		return i, m.random.Below(n)
	}
	bits >>= 4
	partner := int(m.place[m.partner[from+int32(bits&0xfff*uint64(to-from)>>12)]])
	bits >>= 12
	if levels != nil {
		size := levels[int(bits%uint64(max(1, len(levels)-1)))] // the whole is a group too
		return i, int(m.holder[partner/size*size+m.random.Below(size)])
	}
	width := uint64(nearPlaces)
	if bits&1 == 0 {
		width = nearestPlaces
	}
	return i, int(m.holder[m.near[partner*nearPlaces+int(bits>>1%width)]])
}

func (m *mapping) save() {
	m.unsaved = 0
	copy(m.best, m.place)
}

// delta is the change of cost by swapping i and j.
func (m *mapping) delta(i, j int) float64 {
	c, d := m.t.From(int(m.place[i])), m.t.From(int(m.place[j]))
	if c.Except < 0 {
		return m.moved(i, int32(j), &c, &d) + m.moved(j, int32(i), &d, &c)
	}
	return m.movedNested(i, int32(j), &c, &d) + m.movedNested(j, int32(i), &d, &c)
}

// moved is the change of cost if i goes from one place to another, but for its flow with other.
func (m *mapping) moved(i int, other int32, from, to *qap.Distances) float64 {
	sum := 0.0
	a, b := m.first[i], m.first[i+1]
	flow := m.flow[a:b]
	for k, j := range m.partner[a:b] {
		if j == other {
			continue
		}
		x, y := m.outer[j], m.inner[j]
		sum += float64(flow[k] * ((to.Outer[x] + to.Inner[y]) - (from.Outer[x] + from.Inner[y])))
	}
	return sum
}

// movedNested is moved in a hierarchy.
func (m *mapping) movedNested(i int, other int32, from, to *qap.Distances) float64 {
	sum := 0.0
	a, b := m.first[i], m.first[i+1]
	flow := m.flow[a:b]
	for k, j := range m.partner[a:b] {
		if j == other {
			continue
		}
		x, y := int(m.outer[j]), int(m.inner[j])
		sum += float64(flow[k] * (to.To(x, y) - from.To(x, y)))
	}
	return sum
}

// NewMapped returns a search as New does, for a qap.Mapping of at least two places. One that is kept
// begins so cold that it improves its start, in place of leaving it behind.
func NewMapped(in *qap.Instance, start qap.Matching, kept bool, seed uint64, length int) *Search {
	k := in.Affinity.(*qap.Mapping)
	rng := rand.New(rand.NewPCG(seed, 0xa22e))
	cost := -in.Score(start)
	s := newState(state{n: int64(k.Topology().Places()), cost: cost, best: cost, random: splitmix.Source(rng.Uint64())})
	m := newMapping(k, -in.ScoreOf(1), start, s)
	search := &Search{s: s, trials: m, length: max(1, length)}
	search.facilities, _ = k.Size()
	s.tolerance = 1e-9 * math.Abs(cost) // rounding of sums
	search.usual = search.usualChange()
	search.schedule = newSchedule(search.usual)
	if kept {
		search.keep()
	}
	return search
}
