package align

import (
	"math/rand/v2"
	"slices"
)

// swaps anneals a matching: a trial gives a node another partner, whose node takes the one
// that it leaves (Kirkpatrick, Gelatt, Vecchi, doi:10.1126/science.220.4598.671). Partners
// are proposed among the neighbours of the partners of its neighbours.
type swaps struct {
	*engine
	m       matching // of graph 1; unmatched nodes have the node n2, which has no edges
	inverse matching // of graph 2, or none
	support []float64
	score   float64
	bits    *bitset // of graph 2, where there is memory and all edges weigh 1
	random  rand.PCG
	made    int // trials

	// The nodes of graph 1 with edges that are not shared, and where each is among them, or none.
	open, place []int32

	releases bool    // a match may be worse than none
	unit     float64 // what a shared edge adds
	rounding float64 // what is no better
	chain    chain

	everyChain int     // so many trials one begins a chain
	mobile     *mobile // the nodes that are tried, nil for all

	// How likely changes by −0, −1, … are allowed at a temperature, where all changes are whole.
	likely [mostLikely]float64
	at     float64 // the temperature, 0 where there is no such list

	// The best matching is that before the moves of the journal, while it is kept, else best.
	best      matching
	bestScore float64
	journal   []move
	kept      bool
}

// move gave node i the partner to, and k, or none, the partner from that i had.
type move struct{ i, k, from, to int32 }

func (e *engine) newSwaps(m matching, seed uint64) *swaps {
	n1, n2 := e.a.Nodes(), e.b.Nodes()
	s := &swaps{engine: e, everyChain: trialsOfChain, m: append(matching(nil), m...), inverse: newMatching(n2 + 1), support: make([]float64, n1), random: *rand.NewPCG(seed, 0xa119)}
	if e.plain && n2 <= mostBits {
		s.bits = newBitset(e.b)
	}
	for i, j := range s.m {
		if j == none {
			s.m[i] = int32(n2)
		} else {
			s.inverse[j] = int32(i)
		}
	}
	s.score, s.unit = e.value(m), e.unit()
	s.rounding = rounding * s.unit
	s.releases = e.attributes != nil || slices.ContainsFunc(e.a.out, negative) || slices.ContainsFunc(e.b.out, negative)
	s.open, s.place = make([]int32, 0, n1), newMatching(n1)
	s.sumUp()
	s.best, s.bestScore, s.kept = make(matching, n1), s.score, true
	s.journal = make([]move, 0, n1+1)
	s.chain = chain{moved: make([]int32, n1), moves: make([]move, 0, longestChain+1), queue: make([]int32, 0, 2*longestChain+2)}
	return s
}

// sumUp computes the supports anew.
func (s *swaps) sumUp() {
	for i, j := range s.m {
		s.support[i], _ = s.gain(int32(i), j, none)
		s.settle(int32(i))
	}
}

// settle notes whether a node has edges that are not shared.
func (s *swaps) settle(i int32) {
	at := s.place[i]
	switch open := s.plain && s.support[i] < float64(s.a.Degree(int(i))); {
	case open && at == none:
		s.place[i] = int32(len(s.open))
		s.open = append(s.open, i)
	case !open && at != none:
		last := s.open[len(s.open)-1]
		s.open[at], s.place[last] = last, at
		s.place[i] = none
		s.open = s.open[:len(s.open)-1]
	}
}

func negative(w float32) bool { return w < 0 }

// gain returns what the edges of node i to all neighbours but one would add with a partner,
// and the entry of that one, −1 where it is no neighbour.
func (s *swaps) gain(i, partner, but int32) (sum float64, entry int) {
	entry = -1
	low, high := s.a.start[i], s.a.start[i+1]
	if s.bits != nil {
		row := s.bits.data[int(partner)*s.bits.words : (int(partner)+1)*s.bits.words]
		count := uint64(0)
		for x, k := range s.a.to[low:high] {
			if k == but {
				entry = low + x
				continue
			}
			j := s.m[k]
			count += row[j>>6] >> (j & 63) & 1
		}
		return float64(count), entry
	}
	for x := low; x < high; x++ {
		k := s.a.to[x]
		if k == but {
			entry = x
			continue
		}
		sum += s.pair(x, partner, s.m[k])
	}
	return sum, entry
}

// pair returns what an edge of graph 1 adds if its ends have these partners.
func (s *swaps) pair(x int, partner, of int32) float64 {
	n2 := int32(s.b.Nodes())
	if s.bits != nil {
		return float64(s.bits.data[int(partner)*s.bits.words+int(of)>>6] >> (of & 63) & 1)
	}
	if partner == n2 || of == n2 {
		return 0
	}
	if s.plain {
		if s.b.Degree(int(partner)) > s.b.Degree(int(of)) {
			partner, of = of, partner
		}
		if s.b.find(int(partner), int(of)) >= 0 {
			return 1
		}
		return 0
	}
	if y := s.b.find(int(partner), int(of)); y >= 0 {
		return s.product(x, y)
	}
	return 0
}

// node returns the term of a node in the objective.
func (s *swaps) node(i, partner int32) float64 {
	if !s.hasTerms() || int(partner) == s.b.Nodes() {
		return 0
	}
	return s.term(int(i), int(partner))
}

// run makes trials at a temperature. The exchanges of a chain are as many.
func (s *swaps) run(trials int, temperature float64) {
	s.list(temperature)
	n2 := uint64(s.b.Nodes())
	for made := 0; made < trials; made++ {
		i, j := s.propose(n2)
		if s.fixed1[i] != none {
			continue
		}
		k := s.inverse[j]
		if k == i || s.fixed2[j] != none || !s.problem.May(int(i), int(j)) {
			continue
		}
		if made%s.everyChain == 0 {
			made += s.chainFrom(i, j, temperature)
			continue
		}
		s.try(i, j, k, temperature)
	}
	if s.releases { // the sums of rows that add up to less than nothing
		for i, j := range s.m {
			if s.fixed1[i] == none && s.support[i]+s.node(int32(i), j) < 0 {
				s.try(int32(i), int32(n2), none, temperature)
			}
		}
	}
}

// propose returns a node and a partner for it. Three quarters of the nodes have an edge
// that is not shared, and the partner might share it; else, of eight, seven times the partner
// is a neighbour of a neighbour's, and once any node.
func (s *swaps) propose(n2 uint64) (i, j int32) {
	r, r2 := s.random.Uint64(), s.random.Uint64()
	i = none
	var x int
	if len(s.open) > 0 && r&3 != 0 {
		i = s.open[below(r, uint64(len(s.open)))]
	}
	if i != none && (s.mobile == nil || s.mobile.has[i]) {
		x = s.unshared(i, r2)
	} else {
		if s.mobile == nil {
			i = int32(below(r, uint64(len(s.m))))
		} else {
			i = s.mobile.nodes[below(r, uint64(len(s.mobile.nodes)))]
		}
		degree := s.a.Degree(int(i))
		if r>>4&7 == 0 || degree == 0 {
			return i, s.any(i, r2)
		}
		x = s.a.start[i] + below(r2, uint64(degree))
	}
	of := int(s.m[s.a.to[x]])
	if of < int(n2) {
		if d := uint64(s.b.Degree(of)); d > 0 {
			return i, s.b.to[s.b.start[of]+below(r2<<32, d)]
		}
	}
	return i, s.any(i, r2)
}

// any returns a random node of graph 2, of the class of a node of graph 1 where that has one there.
func (s *swaps) any(i int32, r uint64) int32 {
	if s.members != nil {
		if of := s.members[s.problem.Class1[i]]; len(of) > 0 {
			return of[below(r, uint64(len(of)))]
		}
	}
	return int32(below(r, uint64(s.b.Nodes())))
}

// unshared returns an entry of the row of a node that is not shared, though there is one.
func (s *swaps) unshared(i int32, r uint64) int {
	low, high := s.a.start[i], s.a.start[i+1]
	x := low + below(r, uint64(high-low))
	for s.pair(x, s.m[i], s.m[s.a.to[x]]) != 0 {
		if x++; x == high {
			x = low
		}
	}
	return x
}

// below returns a number below n from the upper half of a random one.
func below(r, n uint64) int { return int(r >> 32 * n >> 32) }

// outcome is what an exchange of partners would bring.
type outcome struct{ change, gainI, gainK float64 }

// weigh returns what it brings to give node i the partner j, which k has, or none.
func (s *swaps) weigh(i, j, k int32) outcome {
	from := s.m[i]
	gain, entry := s.gain(i, j, k)
	o := outcome{gain - s.support[i] + s.node(i, j) - s.node(i, from), gain, 0}
	if k == none {
		return o
	}
	o.gainK, _ = s.gain(k, from, i)
	o.change += o.gainK - s.support[k] + s.node(k, from) - s.node(k, j)
	if entry >= 0 { // the edge between them counts in the support of both
		after := s.pair(entry, j, from)
		o.change += s.pair(entry, from, j) + after
		o.gainI += after
		o.gainK += after
	}
	return o
}

// change returns how the score would change if node i got the partner j of node k.
func (s *swaps) change(i, j, k int32) float64 { return s.weigh(i, j, k).change }

// try gives node i the partner j, which k had, or none had, if the temperature allows.
func (s *swaps) try(i, j, k int32, temperature float64) {
	if k != none && s.most(i, j, k) < hopeless*temperature {
		s.random.Uint64() // as allows
		return
	}
	if o := s.weigh(i, j, k); s.allows(o.change, temperature) {
		s.perform(move{i, k, s.m[i], j}, o)
	}
}

// perform makes a move of a known outcome.
func (s *swaps) perform(v move, o outcome) {
	s.exchange(v)
	s.support[v.i] = o.gainI
	if v.k != none {
		s.support[v.k] = o.gainK
	}
	s.settle(v.i)
	if v.k != none {
		s.settle(v.k)
	}
	s.score += o.change
	s.note(v)
}

// exchange makes a move, but for the supports of its own nodes.
func (s *swaps) exchange(v move) {
	s.shift(v.i, v.k, v.from, v.to)
	s.m[v.i], s.inverse[v.to] = v.to, v.i
	s.inverse[v.from] = v.k
	if v.k != none {
		s.shift(v.k, v.i, v.to, v.from)
		s.m[v.k] = v.from
	}
}

// shift changes the supports of the neighbours of a node but one as its partner changes.
func (s *swaps) shift(i, but, from, to int32) {
	for x := s.a.start[i]; x < s.a.start[i+1]; x++ {
		if k := s.a.to[x]; k != but {
			if d := s.pair(x, to, s.m[k]) - s.pair(x, from, s.m[k]); d != 0 {
				s.support[k] += d
				s.settle(k)
			}
		}
	}
}

// note keeps the journal, or the best matching where it grows too long.
func (s *swaps) note(v move) {
	if s.score > s.bestScore+s.rounding {
		s.bestScore, s.kept = s.score, true
		s.journal = s.journal[:0]
		return
	}
	if !s.kept {
		return
	}
	s.journal = append(s.journal, v)
	if len(s.journal) == cap(s.journal) {
		s.Best()
	}
}

// restart goes on from a matching of a known score.
func (s *swaps) restart(m matching, score float64) {
	copy(s.m, m)
	for j := range s.inverse {
		s.inverse[j] = none
	}
	for i, j := range s.m {
		if int(j) < s.b.Nodes() {
			s.inverse[j] = int32(i)
		}
	}
	s.sumUp()
	s.score, s.bestScore, s.kept = score, score, true
	s.journal = s.journal[:0]
}

// Result returns a copy of the best matching.
func (s *swaps) Result() matching {
	return s.matched(append(matching(nil), s.Best()...))
}

// matched has the nodes without a partner have none, in place of the node n2.
func (e *engine) matched(m matching) matching {
	for i, j := range m {
		if int(j) == e.b.Nodes() {
			m[i] = none
		}
	}
	return m
}

// Best returns the best matching so far, valid until the next call.
func (s *swaps) Best() matching {
	if s.kept {
		copy(s.best, s.m)
		for x := len(s.journal) - 1; x >= 0; x-- {
			v := s.journal[x]
			s.best[v.i] = v.from
			if v.k != none {
				s.best[v.k] = v.to
			}
		}
		s.kept = false
	}
	return s.best
}
