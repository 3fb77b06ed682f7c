// Package bisect maps facilities with few flows onto places, from the whole to the parts: halves of the
// facilities with little flow between them go to halves of the places, and so on. It takes
// milliseconds for a thousand facilities, and what it finds is a start for searches that
// improve it.
//
// Sources: Pellegrini, Roman, HPCN Europe 1996, doi:10.1007/3-540-61142-8_588, for halves of both
// graphs at once, drawn to those placed before; Karypis, Kumar, SIAM J. Scientific Computing 20
// (1998), doi:10.1137/S1064827595287997, for halves by way of smaller graphs; Fiduccia, Mattheyses,
// 19th Design Automation Conference (1982), doi:10.1109/DAC.1982.1585498, for what moves between them.
package bisect

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Places are where facilities go.
type Places interface {
	Order() []int        // all, parts of which are near each other, and parts of these
	Half(part []int) int // where to divide a part of the order, which it may bring into another
	Distance(a, b int) float64
}

// Map returns a matching of the facilities of flows, as many as places. Each bisection is the best
// of a number of tries.
func Map(flows *Flows, places Places, tries int, seed uint64) qap.Matching {
	n := flows.Size()
	m := &mapping{
		flows: flows, places: places, tries: max(1, tries), rng: rand.New(rand.NewPCG(seed, 0xb15e)),
		at: qap.NewMatching(n), local: make([]int32, n),
	}
	whole := part{make([]int32, n), places.Order()}
	for i := range n {
		whole.facilities[i], m.local[i] = int32(i), -1
		m.at[i] = whole.middle()
	}
	for parts := []part{whole}; len(parts) > 0; parts = parts[1:] {
		if len(parts[0].places) > 1 {
			one, other := m.split(parts[0])
			parts = append(parts, one, other)
		}
	}
	return m.at
}

// mapping is the work of Map.
type mapping struct {
	flows  *Flows
	places Places
	tries  int
	rng    *rand.Rand
	at     qap.Matching // place of each facility: of those yet to be placed, in the middle of their part
	local  []int32      // number of each facility in the part at hand, −1 elsewhere
}

// part is facilities and the places that they go to, as many.
type part struct {
	facilities []int32
	places     []int
}

func (p *part) middle() int { return p.places[len(p.places)/2] }

// split divides a part.
func (m *mapping) split(p part) (one, other part) {
	half := m.places.Half(p.places)
	one.places, other.places = p.places[:half], p.places[half:]
	g := m.induced(p, &one, &other)
	sides, least := []bool(nil), 0.0
	b := bisection{rng: m.rng, first: half}
	for range m.tries {
		found := b.bisect(g)
		if cut := g.cut(found); sides == nil || cut < least {
			sides, least = found, cut
		}
	}
	for k, i := range p.facilities {
		to := &one
		if sides[k] {
			to = &other
		}
		to.facilities = append(to.facilities, i)
		m.at[i] = to.middle()
	}
	return one, other
}

// induced returns the flows within a part. What draws a facility to one half of the places is where
// its partners outside are.
func (m *mapping) induced(p part, one, other *part) *graph {
	n := len(p.facilities)
	partners := 0
	for k, i := range p.facilities {
		m.local[i] = int32(k)
		partners += int(m.flows.first[i+1] - m.flows.first[i])
	}
	g := newGraph(n, partners)
	for k := range g.weight {
		g.weight[k] = 1
	}
	left, right := samples(one.places), samples(other.places)
	within := (m.between(left, left) + m.between(right, right)) / 2
	across := m.between(left, right) - within
	for k, i := range p.facilities {
		partners, flow := m.flows.Partners(int(i))
		for e, j := range partners {
			if l := m.local[j]; l >= 0 {
				g.partner, g.flow = append(g.partner, l), append(g.flow, flow[e])
			} else if across > 0 {
				outside := m.at[j : j+1]
				g.pull[k] += flow[e] * (m.between(outside, left) - m.between(outside, right)) / across
			}
		}
		g.first = append(g.first, int32(len(g.partner)))
	}
	for _, i := range p.facilities {
		m.local[i] = -1
	}
	return g
}

// mostSamples is how many places stand for those of a half.
const mostSamples = 6

func samples(places []int) []int {
	if len(places) <= mostSamples {
		return places
	}
	some := make([]int, mostSamples)
	for k := range some {
		some[k] = places[(2*k+1)*len(places)/(2*mostSamples)]
	}
	return some
}

// between is the mean distance between two sets of places.
func (m *mapping) between(a, b []int) float64 {
	sum := 0.0
	for _, c := range a {
		for _, d := range b {
			sum += m.places.Distance(c, d)
		}
	}
	return sum / float64(len(a)*len(b))
}
