package population

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// A Search is a population and what becomes of it. It may not be shared by
// goroutines. Running it allocates nothing, and gives the same for a seed and a number
// of steps on any machine, however the steps are cut into portions.
type Search struct {
	settings Settings
	n        int
	segment  int // swaps
	improver *tabu.Improver
	cross    *crossover
	growth   *growth // nil where no child is grown
	rng      *rand.Rand

	members  []member
	renewing int     // the member that is being disturbed or filled in; their number while breeding
	kept     int     // the best member when the round began, which stays as it is; -1 is none
	failed   int     // children without a better best
	stale    int     // rounds without one
	bestOf   float64 // cost of the best since all members were random
	child    []int32

	best     []int32
	bestCost float64
	bestStep int
	target   float64 // of Run
}

// member is an assignment, locations by facility, and its cost: infinite where it is
// yet to be filled in.
type member struct {
	assignment []int32
	cost       float64
}

// New returns a search that is about to begin, from initial where it is not nil. It
// returns an error for settings or an initial matching that cannot be, and one
// wrapping qap.ErrUnsupported unless tabu.Serves the instance. The watch (nil: there is none)
// ends what takes long between swaps on large graphs; Run makes no more of them then.
func New(in *qap.Instance, settings Settings, initial qap.Matching, seed uint64, watch *qap.Watch) (*Search, error) {
	if settings.Size < 2 {
		return nil, fmt.Errorf("population: %d members: want at least 2", settings.Size)
	}
	improver, err := tabu.NewImprover(in, seed, watch)
	if err != nil {
		return nil, err
	}
	n, _ := in.Size()
	s := &Search{
		settings: settings, n: n, segment: max(1, int(settings.Segment*float64(n))),
		improver: improver, cross: newCrossover(improver, n, settings.Around),
		rng:     rand.New(rand.NewPCG(seed, 0x909)),
		members: make([]member, settings.Size), kept: -1,
		child: make([]int32, n), best: make([]int32, n), bestCost: math.Inf(1), bestOf: math.Inf(1), target: math.Inf(-1),
	}
	if settings.Grown > 0 {
		s.growth = newGrowth(improver, n, watch)
	}
	for k := range s.members {
		s.members[k] = member{make([]int32, n), math.Inf(1)}
	}
	if initial == nil {
		s.fill()
	} else if err := tabu.CheckInitial(in, initial); err != nil {
		return nil, err
	} else {
		copy(s.child, improver.Assignment(initial))
	}
	s.improve()
	return s, nil
}

// Steps returns the swaps made.
func (s *Search) Steps() int { return s.improver.Steps() }

// Best returns the best matching found.
func (s *Search) Best() qap.Matching { return s.improver.Matching(s.best) }

// BestCost returns the cost of Best: the negative of its score.
func (s *Search) BestCost() float64 { return s.bestCost }

// BestStep returns Steps when Best was found.
func (s *Search) BestStep() int { return s.bestStep }

// Tolerance is what a cost must be less by to be better, more than 0 where costs are
// not exact.
func (s *Search) Tolerance() float64 { return s.improver.Tolerance() }

// Scatter tells how the members that are filled in scatter around the best one: their
// mean cost above it, and the mean share of places in which they differ from it.
func (s *Search) Scatter() (above, apart float64) {
	best, others := &s.members[s.bestMember()], 0.0
	for k := range s.members {
		m := &s.members[k]
		if m == best || math.IsInf(m.cost, 1) {
			continue
		}
		others++
		above += m.cost - best.cost
		apart += float64(differences(m.assignment, best.assignment)) / float64(s.n)
	}
	return above / max(others, 1), apart / max(others, 1)
}

// Run searches until a number of steps in all, until a cost is at most target, or until the
// watch ends it between two swaps.
func (s *Search) Run(steps int, target float64) {
	s.target = target
	for s.Steps() < steps && s.bestCost > target && !s.improver.Over() {
		ended := s.improver.Run(steps, target)
		s.keepBest()
		if ended {
			s.place()
			s.breed()
			s.improve()
		}
	}
}

// improve begins a tabu search from the child.
func (s *Search) improve() {
	s.improver.Restart(s.child, s.settings.Tenure, s.segment)
	s.keepBest()
}

func (s *Search) keepBest() {
	cost := s.improver.Cost()
	if cost < s.bestOf-s.improver.Tolerance() {
		s.bestOf, s.failed, s.stale = cost, 0, 0
	}
	better := cost < s.bestCost-s.improver.Tolerance()
	// A search that has reached the target goes no further, however little is gained.
	if better || cost <= s.target && cost < s.bestCost {
		s.bestCost, s.bestStep = cost, s.improver.BestStep()
		s.improver.Best(s.best)
	}
}

// place puts the improved child where it belongs.
func (s *Search) place() {
	if s.renewing < len(s.members) {
		s.replace(s.renewing)
		s.renewing++
		return
	}
	s.failed++
	s.improver.Best(s.child)
	cost, worst := s.improver.Cost(), 0
	for k, m := range s.members {
		if m.cost == cost && s.isCopy(m.assignment) {
			return
		}
		if m.cost > s.members[worst].cost {
			worst = k
		}
	}
	if cost <= s.members[worst].cost {
		s.replace(worst)
	}
}

func (s *Search) replace(k int) {
	s.improver.Best(s.members[k].assignment)
	s.members[k].cost = s.improver.Cost()
}

// isCopy reports whether the child and a member differ in hardly any place.
func (s *Search) isCopy(assignment []int32) bool {
	return differences(s.child, assignment) <= s.n/50
}

// breed makes the next child.
func (s *Search) breed() {
	if s.renewing >= len(s.members) && s.failed >= s.settings.Children {
		s.beginRound()
	}
	if s.renewing == s.kept {
		s.renewing++
	}
	if s.renewing >= len(s.members) {
		s.mate()
		return
	}
	if m := s.members[s.renewing]; math.IsInf(m.cost, 1) {
		s.fill()
	} else {
		copy(s.child, m.assignment)
		s.disturb()
	}
}

// beginRound has all members but the best disturbed, or all filled in anew where
// that has long been of no use.
func (s *Search) beginRound() {
	s.renewing, s.failed = 0, 0
	s.stale++
	if s.settings.Rounds > 0 && s.stale > s.settings.Rounds {
		for k := range s.members {
			s.members[k].cost = math.Inf(1)
		}
		s.kept, s.stale, s.bestOf = -1, 0, math.Inf(1)
		return
	}
	s.kept = s.bestMember()
}

func (s *Search) bestMember() int {
	best := 0
	for k, m := range s.members {
		if m.cost < s.members[best].cost {
			best = k
		}
	}
	return best
}

// mate crosses two members, the first the better one of two.
func (s *Search) mate() {
	size := len(s.members)
	x, y := s.rng.IntN(size), s.rng.IntN(size-1)
	if y >= x {
		y++
	}
	if rival := s.rng.IntN(size); rival != y && s.members[rival].cost < s.members[x].cost {
		x = rival
	}
	first, second := s.members[x].assignment, s.members[y].assignment
	if s.grows() {
		copy(s.child, first)
		s.grow()
		return
	}
	switch {
	case differences(first, second) <= 2:
		copy(s.child, first)
		s.disturb()
	case s.settings.Uniform > 0 && s.rng.Float64() < s.settings.Uniform:
		s.cross.uniform(s.child, first, second, s.rng)
	default:
		s.cross.block(s.child, first, second, s.rng)
	}
}

// disturb moves a share of the child's facilities around one random cycle.
func (s *Search) disturb() {
	if s.grows() {
		s.grow()
		return
	}
	moved := min(s.n, max(3, int(s.settings.Disturb*float64(s.n))))
	order := s.cross.order
	shuffle(order, s.rng)
	for i := moved - 1; i > 0; i-- {
		x, y := order[i], order[s.rng.IntN(i)]
		s.child[x], s.child[y] = s.child[y], s.child[x]
	}
}

// fill makes a child of no member.
func (s *Search) fill() {
	shuffle(s.child, s.rng)
	if s.grows() {
		s.growth.release(s.child, 1, s.rng)
		s.growth.complete(s.child, s.rng)
	}
}

// grows reports whether to grow the next child.
func (s *Search) grows() bool {
	return s.growth != nil && s.rng.Float64() < s.settings.Grown
}

// grow keeps a connected part of the child, as large as a block, and grows the rest.
func (s *Search) grow() {
	keep := 1
	if s.rng.Float64() >= s.settings.Anew {
		keep = blockSize(s.n, s.rng)
	}
	s.growth.release(s.child, keep, s.rng)
	s.growth.complete(s.child, s.rng)
}

// shuffle makes a random permutation.
func shuffle(p []int32, rng *rand.Rand) {
	for i := range p {
		j := rng.IntN(i + 1)
		p[i] = p[j]
		p[j] = int32(i)
	}
}

func differences(x, y []int32) int {
	count := 0
	for i, c := range x {
		if c != y[i] {
			count++
		}
	}
	return count
}
