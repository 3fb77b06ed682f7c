package rigid

import (
	"cmp"
	"math"
	"slices"
)

// hypothesis is a pair that is taken for right, and how well it grew.
type hypothesis struct {
	i, j  int32
	seed  uint64
	value float64
}

// What growth is valued by.
const (
	ofShared  = 0.5 // for each end of an edge that is shared
	ofMissing = 0.3 // against, for each that is not
	ofPriors  = 0.1
)

// workOfNode bounds the work of a growth, for each node that it may match.
const workOfNode = 20_000

// test grows a hypothesis to so many nodes, which it returns, and values it.
func (g *growth) test(h *hypothesis, most int, matched []int32) []int32 {
	g.rng.seed(h.seed)
	before := g.work
	g.budget = before + workOfNode*min(most, g.g1.nodes())
	g.match(h.i, h.j)
	g.spread(h.i, h.j)
	matched = g.grow(most, append(matched[:0], h.i))
	g.forget()
	g.budget = math.MaxInt
	h.value = g.value(matched)
	return matched
}

// value returns how well nodes are matched.
func (g *growth) value(matched []int32) float64 {
	sum := 0.0
	for _, i := range matched {
		j := g.partner1[i]
		sum += ofPriors * float64(g.prior.at(i, j))
		for _, k := range g.g1.row(i) {
			if l := g.partner1[k]; l >= 0 {
				if g.g2.joined(l, j) {
					sum += ofShared
				} else {
					sum -= ofMissing
				}
			}
		}
		for _, l := range g.g2.row(j) {
			if k := g.partner2[l]; k >= 0 && !g.g1.joined(k, i) {
				sum -= ofMissing
			}
		}
	}
	g.work += len(matched) * width
	return sum
}

// less returns the value less what the best matching has on the same nodes.
func (s *search) less(matched []int32, value float64) float64 {
	g := s.growth
	g.tick++
	for _, i := range matched {
		g.stamp[i] = g.tick
	}
	for _, i := range matched {
		if s.best[i] < 0 {
			continue
		}
		for _, k := range g.g1.row(i) {
			if g.stamp[k] == g.tick && s.best[k] >= 0 {
				if g.g2.joined(s.best[i], s.best[k]) {
					value -= ofShared
				} else {
					value += ofMissing
				}
			}
		}
	}
	return value
}

// Of a round one part in toMiddle grows to middle nodes, and one in toEnd to the end.
const (
	firstRound, mostInRound = 192, 3000
	small, middle           = 50, 250
	toMiddle, toEnd         = 8, 32
	partners                = 8    // hypotheses with one node of graph 1
	unlikely                = 2000 // nodes most unlike the mean, of which many hypotheses begin
	pool                    = 4000 // nodes of graph 2 that are looked through
	idleRounds              = 3
)

// hypothesise makes rounds of hypotheses, twice as many each time, while they find better matchings.
func (s *search) hypothesise() {
	g := s.growth
	n1 := int32(g.g1.nodes())
	anchors, partnersOf := outstanding(&g.prior.of1, unlikely), outstanding(&g.prior.of2, pool)
	idle := 0
	for count := firstRound; !s.ended(hypothesesShare) && s.shared < s.bound && idle < idleRounds; count = min(2*count, mostInRound) {
		before := s.shared
		lost := s.lostNodes()
		var round []hypothesis
		for len(round) < count && (!s.ended(hypothesesShare) || len(round) == 0) {
			i := s.rng.below(n1)
			if s.rng.coin() || int(n1) > 4*len(anchors) {
				u := s.rng.uniform()
				i = anchors[int(u*u*float64(len(anchors)))]
			}
			near := false
			if len(lost) > 0 && s.rng.coin() {
				i = lost[s.rng.below(int32(len(lost)))]
				if row := g.g1.row(i); s.rng.coin() && len(row) > 0 {
					i = row[s.rng.below(int32(len(row)))]
				}
				near = s.best[i] >= 0 && g.g2.degree(s.best[i]) > 0
			}
			if near {
				row := g.g2.row(s.best[i])
				for range partners {
					round = s.add(round, i, row[s.rng.below(int32(len(row)))])
				}
				continue
			}
			for _, j := range s.likeliest(i, partnersOf) {
				round = s.add(round, i, j)
			}
		}
		round = s.select1(round, middle, count/toMiddle, false)
		s.select1(round, math.MaxInt, count/toEnd, true)
		if idle++; s.shared > before || 5*s.shared < 4*s.bound {
			idle = 0
		}
		if s.rounds++; s.rounds == 1 && s.hopeless() {
			return
		}
	}
}

// add appends a hypothesis, grown to a few nodes.
func (s *search) add(round []hypothesis, i, j int32) []hypothesis {
	h := hypothesis{i: i, j: j, seed: s.rng.pcg.Uint64()}
	s.matched = s.growth.test(&h, small, s.matched)
	h.value = s.less(s.matched, h.value)
	s.growth.release(s.matched)
	return append(round, h)
}

// select1 grows the best of a round further, and returns them; at the end they are whole matchings.
func (s *search) select1(round []hypothesis, most, count int, whole bool) []hypothesis {
	g := s.growth
	slices.SortStableFunc(round, func(x, y hypothesis) int { return cmp.Compare(y.value, x.value) })
	for k := range round {
		if k >= count || k >= 2 && s.ended(hypothesesShare) {
			return round[:k]
		}
		h := &round[k]
		s.matched = g.test(h, most, s.matched)
		h.value = s.less(s.matched, h.value)
		if !whole {
			g.release(s.matched)
			continue
		}
		g.rest(s.all)
		s.keep()
		g.release(s.all)
		if s.shared == s.bound {
			break
		}
	}
	return round
}

// likeliest returns nodes of graph 2 that may be the partner of a node, the likeliest first; of equals by chance.
func (s *search) likeliest(i int32, from []int32) []int32 {
	p := s.growth.prior
	s.ranked = s.ranked[:0]
	row := p.of1.row(i)
	for _, j := range from {
		d := squared(row, p.of2.row(j))
		s.ranked = append(s.ranked, ranked{j, p.ratio[binOf(d)] - 0.3*float32(math.Log1p(float64(d))) + 1e-6*float32(s.rng.uniform())})
	}
	s.growth.work += len(from) * width
	top := make([]int32, 0, partners)
	for range min(partners, len(s.ranked)) {
		best := 0
		for k := range s.ranked {
			if s.ranked[k].by > s.ranked[best].by {
				best = k
			}
		}
		top = append(top, s.ranked[best].node)
		s.ranked[best].by = float32(math.Inf(-1))
	}
	return top
}

// ranked is a node and what it is ranked by.
type ranked struct {
	node int32
	by   float32
}

// outstanding returns the nodes whose descriptions are the longest, those first.
func outstanding(t *table, most int) []int32 {
	zero := make([]float32, t.width)
	all := make([]ranked, t.rows())
	for i := range all {
		all[i] = ranked{int32(i), squared(t.row(int32(i)), zero)}
	}
	slices.SortStableFunc(all, func(x, y ranked) int { return cmp.Compare(y.by, x.by) })
	nodes := make([]int32, min(most, len(all)))
	for k := range nodes {
		nodes[k] = all[k].node
	}
	return nodes
}

// lostNodes returns the nodes of graph 1 at edges of the smaller graph that the best matching loses, where it keeps
// most.
func (s *search) lostNodes() []int32 {
	if 2*s.shared <= s.bound {
		return nil
	}
	g := s.growth
	inverse := make([]int32, g.g2.nodes())
	for j := range inverse {
		inverse[j] = none
	}
	for i, j := range s.best {
		if j >= 0 {
			inverse[j] = int32(i)
		}
	}
	var lost []int32
	g.g2.each(func(k, l int32) {
		if i, j := inverse[k], inverse[l]; i >= 0 && j >= 0 && !g.g1.joined(i, j) {
			lost = append(lost, i, j)
		}
	})
	return lost
}
