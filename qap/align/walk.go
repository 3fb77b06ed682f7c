package align

import (
	"math"
	"time"
)

// The walk that steady matches stay through is at a temperature at which a shared edge makes a match
// e² times as likely, and hotter where not nearly all edges are shared: what is left over may be
// regions that were taken for others, whose matches support each other. Where even more is left
// over steady matches have a margin besides. Chosen on generated graphs of the five models of
// package networks, and tried on the networks of docs/ALIGN.md.
const (
	walkTemperature = 0.5
	hotterWalk      = 0.6
	walkOfTrees     = 0.7 // where less than ofTrees of the larger graph's edges are shared: its other branches fit elsewhere
	ofTrees         = 0.77
	nearlyAll       = 0.98 // of the bound
	many            = 0.9
	marginOfFew     = 2
	walkSamples     = 80
	firstSamples    = 20  // after which what was never elsewhere, nor any neighbour, stays
	chainsOfWalk    = 200 // trials, one of which begins a chain
	trialsOfSample  = 5   // trials a node that may move, fewer from a mean degree of walkDegree on: they take longer
	walkDegree      = 16
	mostWalk        = 2_500_000 // trials
	shortWalk       = 40        // trials a node, of fewer of which steady matches have a margin besides
	leastWalk       = 10        // trials a node without which nothing is steady
)

// walked is what a walk of swaps says of the matches that it began with.
type walked struct {
	always []bool    // there at all samples, nil where time was up before leastWalk trials a node
	share  []float64 // of the samples with the match
	rival  []bool    // something else would fit as well
	whole  bool      // time was left for all samples
	brief  bool      // there were few trials a node
}

// stays walks by swaps from a matching, and records where it came to.
func (e *engine) stays(other *engine, m, inverse matching, temperature float64, walk *samples, mirrored bool) walked {
	if e.b.Edges() < e.a.Edges() { // as Solve
		theirs := other.stays(e, inverse, m, temperature, walk, true)
		if theirs.always == nil {
			return walked{}
		}
		mine := walked{make([]bool, len(m)), make([]float64, len(m)), make([]bool, len(m)), theirs.whole, theirs.brief}
		for i, j := range m {
			if j != none {
				mine.always[i], mine.share[i], mine.rival[i] = theirs.always[j], theirs.share[j], theirs.rival[j]
			}
		}
		return mine
	}
	s := e.newSwaps(m, 0)
	own, w := append(matching(nil), s.m...), walked{always: make([]bool, len(m)), share: make([]float64, len(m)), rival: make([]bool, len(m))}
	for i, j := range m {
		w.always[i] = j != none
	}
	e.rivals(s, w.always)
	for i, j := range m {
		w.rival[i] = j != none && !w.always[i]
	}
	if s.mobile = e.loose(m, temperature); e.watch.Over() {
		return walked{}
	}
	count, made, most := 0, 0, 0
	s.everyChain = chainsOfWalk
	for ; count < walkSamples; count++ {
		trials := min(s.trialsOfSample(), mostWalk/walkSamples)
		s.runUntil(trials, temperature*s.unit, e.watch, time.Time{})
		if e.watch.Over() {
			if count == 0 || made < leastWalk*most {
				return walked{}
			}
			break
		}
		made, most = made+trials, max(most, len(s.mobile.nodes))
		for i, j := range s.m {
			if j == own[i] {
				w.share[i]++
				continue
			}
			w.always[i] = false
			s.mobile.add(int32(i))
			s.mobile.addAround(int32(i))
		}
		if count+1 == firstSamples && made >= shortWalk*most {
			s.mobile = e.moved(own, w.always)
		}
		if max(e.a.Nodes(), e.b.Nodes()) <= mostAskable {
			walk.record(s, mirrored)
		}
	}
	for i := range w.share {
		w.share[i] /= float64(max(count, 1))
	}
	w.whole = count == walkSamples
	w.brief = made < shortWalk*most
	return w
}

// mobile are the nodes of graph 1 that a walk tries to move: others would not leave at its temperature.
type mobile struct {
	nodes  []int32
	has    []bool
	degree int // of all of them
	of     *Graph
}

func (m *mobile) add(i int32) {
	if !m.has[i] {
		m.has[i], m.nodes, m.degree = true, append(m.nodes, i), m.degree+m.of.Degree(int(i))
	}
}

// addAround adds the neighbours of a node but for hubs.
func (m *mobile) addAround(i int32) {
	for _, k := range m.of.Neighbours(int(i)) {
		if m.of.Degree(int(k)) <= walkDegree {
			m.add(k)
		}
	}
}

// looseAt is what an exchange may cost at most, in units of the temperature and of an edge, for a walk to try it.
const looseAt = 7

// loose returns the nodes that an exchange moves at so little cost, as far as witnesses tell that, which is all where other than edges counts.
func (e *engine) loose(m matching, temperature float64) *mobile {
	l := &mobile{has: make([]bool, len(m)), of: e.a}
	if !e.plain || e.hasTerms() {
		for i := range m {
			l.add(int32(i))
		}
		return l
	}
	cost := int(looseAt * temperature)
	inverse, least := m.inverted(e.b.Nodes()), make([]int, len(m))
	e.margins(m, 1, func(i, witnesses, margin int, _ int32, _ int) {
		least[i] = margin
		if witnesses <= 1 {
			l.add(int32(i))
		}
	})
	e.margins(m, cost, func(i, _, _ int, rival int32, less int) {
		if rival == none || l.has[i] {
			return
		}
		if k := inverse[rival]; k == none || less+least[k] <= cost {
			l.add(int32(i))
		}
	})
	return l
}

// trialsOfSample returns how many trials there are between two samples.
func (s *swaps) trialsOfSample() int {
	n := len(s.mobile.nodes)
	return trialsOfSample * min(n, walkDegree*n*n/max(1, s.mobile.degree))
}

// A chain of exchanges that costs nothing says that the matches it replaces are not steady, and one that
// costs up to costOfSmall edges where these hang together with fewer nodes than smallPart, of more than
// twice as many: the fewer nodes the more places where they would fit.
const (
	smallPart   = 32
	costOfSmall = 2
	rivalNoise  = 0.15 // what features of rivals are to withstand
	lostOfRival = 3    // what a chain may lose besides its first exchange, in edges

	nearestRivals, leavesOfRivals = 15, 8 // nodes that a chain begins with, and leaves of the tree that they are sought in
	beyondHub                     = 10    // neighbours, of more of which those of a node's neighbour are not near it
)

// rivals clears the matches that a chain of exchanges would replace at little cost: one that begins
// with one of the nearest nodes by features, so that regions are compared that no short walk joins.
func (e *engine) rivals(s *swaps, stays []bool) {
	if max(e.a.Nodes(), e.b.Nodes()) > largeGraph || !e.place(rivalNoise, 0, nil, nil) {
		return
	}
	near, _ := e.nearest(nearestRivals, leavesOfRivals)
	size, small := s.parts(), min(smallPart, len(s.m)/2)
	around := make([]int32, len(s.m)) // of each node the last one that it was near
	for i := range s.m {
		if e.fixed1[i] != none || !stays[i] {
			continue
		}
		if e.watch.Over() {
			return
		}
		s.mark(around, int32(i))
		to, _ := near.of(i)
		for _, j := range to {
			if s.m[i] == j || !s.conceivable(int32(i), j, around) {
				continue
			}
			if !stays[i] {
				break
			}
			s.grow(int32(i), j, lostOfRival, lostOfRival)
			for _, v := range s.chain.moves[:s.chain.kept] {
				for _, x := range []int32{v.i, v.k} {
					if x != none && (s.chain.best >= -s.rounding || size[x] < small && s.chain.best >= -costOfSmall*s.unit) {
						stays[x] = false
					}
				}
			}
			s.takeBack(0)
		}
	}
}

// parts returns with how many nodes every node hangs together by shared edges.
func (s *swaps) parts() []int {
	joined, size := newSets(len(s.m)), make([]int, len(s.m))
	for i := range s.m {
		for x := s.a.start[i]; x < s.a.start[i+1]; x++ {
			if k := s.a.to[x]; s.pair(x, s.m[i], s.m[k]) != 0 {
				joined.join(i, int(k))
			}
		}
	}
	for i := range s.m {
		size[joined.of(i)]++
	}
	for i := range s.m {
		size[i] = size[joined.of(i)]
	}
	return size
}

// mark notes which nodes are near a node, up to two edges away but for those beyond hubs.
func (s *swaps) mark(around []int32, i int32) {
	around[i] = i + 1
	for _, k := range s.a.Neighbours(int(i)) {
		around[k] = i + 1
		if s.a.Degree(int(k)) <= beyondHub {
			for _, l := range s.a.Neighbours(int(k)) {
				around[l] = i + 1
			}
		}
	}
}

// conceivable reports whether a chain that gives node i the partner j could come back: of nodes that are far from each other
// every neighbour that follows loses its other edges first, as does the one that it replaces.
func (s *swaps) conceivable(i, j int32, around []int32) bool {
	lost := s.support[i]
	if k := s.inverse[j]; k != none {
		if around[k] == i+1 {
			return true
		}
		lost += s.support[k]
	}
	if lost <= costOfSmall*s.unit {
		return true
	}
	if s.b.Degree(int(j)) > widestChain {
		return false
	}
	least := math.Inf(1) // that one replaced loses, less the two edges that are won
	for _, l := range s.b.Neighbours(int(j)) {
		if k := s.inverse[l]; k != none {
			least = min(least, s.support[k]-2*s.unit)
		} else {
			least = -2 * s.unit
		}
	}
	total := 0.0
	for x := s.a.start[i]; x < s.a.start[i+1]; x++ {
		if k := s.a.to[x]; s.pair(x, s.m[i], s.m[k]) != 0 {
			if total += least + s.support[k] - 2*s.unit; total > lostOfRival*s.unit {
				return false
			}
		}
	}
	return true
}

// moved returns the nodes that were elsewhere at some sample, and their neighbours but for hubs.
func (e *engine) moved(own matching, always []bool) *mobile {
	l := &mobile{has: make([]bool, len(own)), of: e.a}
	for i, j := range own {
		if int(j) != e.b.Nodes() && !always[i] {
			l.add(int32(i))
			l.addAround(int32(i))
		}
	}
	return l
}
