package rigid

import "slices"

// Options bound a search.
type Options struct {
	Seed  uint64
	Work  int            // entries of rows to look at; 0 for no bound
	Spent func() float64 // asked now and then which part of the time is used, 1 for all; nil where time does not matter

	// Hope is what the first round of hypotheses has to share, as a part of the bound, for the search to go on.
	Hope float64
}

// Result is what was found.
type Result struct {
	Matching []int32 // of graph 1 to graph 2, −1 for none
	Shared   int     // edges
	Work     int     // entries that were looked at
	Rounds   int     // of hypotheses
	GaveUp   bool    // the first round was below Options.Hope
}

// Search aligns two graphs. Its result depends on the seed and the work alone, unless time ended it.
func Search(g1, g2 *Graph, o Options) Result {
	exchanged := g1.edges() < g2.edges()
	if exchanged { // noise is learnt from the graph of more edges
		g1, g2 = g2, g1
	}
	s := &search{options: o, bound: g2.edges()}
	s.rng.seed(o.Seed)
	if s.options.Spent == nil {
		s.options.Spent = func() float64 { return 0 }
	}
	r := Result{}
	p, whole := newPrior(g1, g2, &s.rng, func() bool { return s.options.Spent() >= 1 })
	if whole {
		s.run(newGrowth(g1, g2, p))
		r.Work = s.growth.work
	}
	r.Rounds, r.Shared, r.GaveUp = s.rounds, s.shared, s.hopeless()
	r.Matching = s.best
	if s.best == nil {
		r.Matching = slices.Repeat([]int32{none}, g1.nodes())
	}
	if exchanged {
		r.Matching = inverted(r.Matching, g2.nodes())
	}
	return r
}

func inverted(m []int32, n int) []int32 {
	other := slices.Repeat([]int32{none}, n)
	for i, j := range m {
		if j >= 0 {
			other[j] = int32(i)
		}
	}
	return other
}

// search is one call of Search, from the side of the graph of more edges.
type search struct {
	options Options
	growth  *growth
	rng     random
	bound   int
	shared  int
	best    []int32
	all     []int32 // nodes of graph 1
	matched []int32
	ranked  []ranked
	rounds  int
	looks   int
	spent   float64
}

// hypothesesShare is the part of the work in which hypotheses are made.
const hypothesesShare = 0.4

func (s *search) run(g *growth) {
	s.growth = g
	s.all = make([]int32, g.g1.nodes())
	for i := range s.all {
		s.all[i] = int32(i)
	}
	s.best = slices.Repeat([]int32{none}, g.g1.nodes())
	g.noise = growthNoise
	s.hypothesise()
	if !s.hopeless() {
		s.mend()
	}
}

// growthNoise is that of hypotheses.
const growthNoise = 0.3

// hopeless reports whether the first round found less than the search may go on with.
func (s *search) hopeless() bool { return float64(s.shared) < s.options.Hope*float64(s.bound) }

// ended reports whether a part of the work or of the time is used.
func (s *search) ended(share float64) bool {
	const callsBetweenLooks = 4
	if s.looks++; s.looks%callsBetweenLooks == 0 {
		s.spent = s.options.Spent()
	}
	return s.spent >= share || s.options.Work > 0 && float64(s.growth.work) >= share*float64(s.options.Work)
}

// keep keeps the matching of the growth if it is the best so far.
func (s *search) keep() {
	if shared := s.growth.shared(); shared > s.shared {
		s.shared = shared
		copy(s.best, s.growth.partner1)
	}
	s.growth.work += len(s.growth.g1.To)
}
