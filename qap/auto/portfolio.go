package auto

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// searcher is a candidate at work.
type searcher interface {
	Run(steps int, target float64)
	Steps() int
	Best() qap.Matching
	BestCost() float64
	BestStep() int
	Tolerance() float64 // what a cost must be less by to be better
}

// adopter is a searcher that goes on from what another found.
type adopter interface {
	adopt(m qap.Matching, cost float64)
}

// search is the portfolio at work on an instance. It depends on the steps made, never on how
// many are left, so that a longer search contains a shorter one.
type search struct {
	ctx    context.Context
	in     *qap.Instance
	o      qap.Options
	n      int
	watch  *qap.Watch // nil: there is none
	pace   *tabu.Pace
	target float64
	sparse bool // large, few flows, and structure; either matrix is symmetric
	cycles bool // large, and branching
	blocks bool // in both matrices
	shares [Components]float64
	prices [Components]float64 // of a step, in swaps of one trajectory
	state  state

	parts      [Components]searcher // nil before their first turn
	turns      [Components]turns
	end        int     // steps of its own at which the turn of state.Last ends
	before     float64 // cost of the best of all when the turn began
	speculates bool    // parts go ahead between their turns

	matched   qap.Matching // by blocks; nil: they do not come in blocks that are alike
	guest     qap.Matching // better than the best of all, of another island; nil: there is none
	guestCost float64
}

// turns is what a candidate had until its last turn ended, in swaps of one trajectory.
type turns struct {
	work   float64
	passed float64 // work by weight
	credit float64 // by success
	rank   float64 // by its best after equal work: 1 is the first
	bests  []mark  // at the ends of turns
}

// mark is the best that a candidate had after so much work: that of all, where it goes on from what
// others find.
type mark struct{ work, cost float64 }

// last returns the work behind the best at the end of the last turn.
func (t *turns) last() float64 { return t.bests[len(t.bests)-1].work }

// at returns the best after so much work, of the last turn that ended by then, or the first.
func (t *turns) at(work float64) float64 {
	cost := t.bests[0].cost
	for _, m := range t.bests {
		if m.work > work {
			break
		}
		cost = m.cost
	}
	return cost
}

// state is how far the search is. Costs are minimised.
type state struct {
	Last     Component // whose turn it is
	Steps    int       // so far
	Found    Component
	BestStep int // Steps when the best was found
	BestCost float64
}

// A turn is turnShare of a candidate's work so far, at least firstTurn·n swaps, of which there are fewer
// on large graphs: firstDeltas by n², but n where candidates take as long to get ready. The first round
// of annealing is its first turn. A relaxation is a turn as a whole, and takes as long as
// relaxationTurn·n swaps; so is a round of annealing from bisections, few of which find nothing better.
const (
	turnShare      = 0.2
	firstTurn      = 10
	firstDeltas    = 20_000_000
	firstOfLong    = 4    // as long for a population with long searches: about one of them
	firstRound     = 2000 // steps of annealing from a bisection
	relaxationTurn = 500
)

// Success doubles a candidate's credit, up to mostCredit; without it fades. Each place that a
// candidate is behind others after equal work leaves behindShare of its turns.
const (
	mostCredit  = 32
	fading      = 0.8
	behindShare = 0.5
)

// newSearch returns a search that is about to begin.
func newSearch(ctx context.Context, in *qap.Instance, o qap.Options, watch *qap.Watch) (*search, error) {
	n, _ := in.Size()
	s := &search{ctx: ctx, in: in, o: o, n: n, watch: watch, pace: tabu.NewPace(n, watch), target: -o.TargetScore(in), guestCost: math.Inf(1)}
	s.state = state{BestCost: math.Inf(1)}
	for k := range s.turns {
		s.turns[k].credit, s.turns[k].rank = 1, behindShare
	}
	s.state.Last = s.look()
	before := 0
	if s.blocks && o.Initial == nil {
		s.matched, before = byBlocks(ctx, in, o.Seed, o.MaxSteps, watch)
	}
	part, err := s.begin(s.state.Last)
	if err != nil {
		return nil, err
	}
	s.parts[s.state.Last] = part
	s.end = s.turnOf(s.state.Last)
	s.before = math.Inf(-1) // whatever it finds, it is no success
	s.note(s.state.Last, before)
	return s, nil
}

// look has the structure of the instance decide on shares, and returns who begins.
func (s *search) look() Component {
	f := structure(s.in)
	order := orderOf(&f)
	s.shares, s.blocks = order.shares, f.blocks()
	if s.n >= largeFrom {
		s.sparse, s.cycles = f.sparse() && f.structured() && !f.OneWay, f.branching()
	}
	for k := range s.prices {
		s.prices[k] = candidates[k].price
	}
	if s.sparse {
		s.prices[Annealing] = f.annealingPrice()
	}
	return order.first
}

// advance searches until a number of steps in all, the target, or the end of the time. It stops at
// the end of a relaxation, whose steps say nothing of the pace, and reports whether it did.
func (s *search) advance(steps int) bool {
	for s.state.Steps < steps && s.state.BestCost > s.target {
		k := s.state.Last
		p := s.parts[k]
		others := s.state.Steps - p.Steps()
		s.speculateBut(k)
		until := min(s.end, steps-others)
		p.Run(until, s.target)
		s.note(k, others)
		if p.Steps() >= s.end {
			s.endTurn()
			if k == Relaxation {
				s.pace = tabu.NewPace(s.n, s.watch)
				return true
			}
		} else if p.Steps() < until {
			break // the target is reached, or the time is over
		}
	}
	return false
}

// note keeps what a part found, where others made so many steps.
func (s *search) note(k Component, others int) {
	p, all := s.parts[k], &s.state
	all.Steps = others + p.Steps()
	if p.BestCost() < all.BestCost {
		all.Found, all.BestCost, all.BestStep = k, p.BestCost(), others+p.BestStep()
	}
}

// endTurn pays for the turn, hands what others found to whose turn it was, and begins the
// next turn.
func (s *search) endTurn() {
	all := &s.state
	s.pay(all.Last, all.BestCost < s.before)
	s.rank()
	if a, ok := s.parts[all.Last].(adopter); ok {
		if m, cost := s.elite(); cost < s.parts[all.Last].BestCost() {
			a.adopt(m, cost)
		}
	}
	k := s.next()
	if s.parts[k] == nil {
		part, err := s.begin(k)
		if err != nil {
			panic(err) // the instance is served, and the start complete: it cannot be
		}
		s.parts[k] = s.speculatorOf(part)
	}
	all.Last, s.before = k, all.BestCost
	s.end = s.parts[k].Steps() + s.turnOf(k)
}

// pay counts the work of a turn by weight, and has the credit follow what it brought.
func (s *search) pay(k Component, improved bool) {
	t := &s.turns[k]
	work := float64(s.parts[k].Steps())*s.prices[k] - t.work
	t.work, t.passed = t.work+work, t.passed+work/s.weight(k)
	behind := t.work
	if k == Trajectory {
		behind = 0
		for l := range s.turns {
			behind += s.turns[l].work
		}
	}
	t.bests = append(t.bests, mark{behind, s.parts[k].BestCost()})
	if improved {
		t.credit = min(mostCredit, 2*t.credit)
	} else {
		t.credit = max(1, t.credit*fading)
	}
}

// rank orders the candidates that had turns by their best after equal work: each is compared
// with who has the best of all, after as much work as either had.
func (s *search) rank() {
	lead := &s.turns[s.state.Found]
	var behind [Components]float64
	var tried []Component
	for k := range s.turns {
		if t := &s.turns[k]; len(t.bests) > 0 {
			tried = append(tried, Component(k))
			work := min(t.last(), lead.last())
			behind[k] = t.at(work) - lead.at(work)
		}
	}
	slices.SortStableFunc(tried, func(k, l Component) int { return cmp.Compare(behind[k], behind[l]) })
	worth := 1.0
	for _, k := range tried {
		s.turns[k].rank = worth
		worth *= behindShare
	}
}

// weight is what divides the work of a candidate.
func (s *search) weight(k Component) float64 {
	t := &s.turns[k]
	return s.shares[k] * t.credit * t.rank
}

// next returns whose turn is next: whose work by weight is the least when it ends.
func (s *search) next() Component {
	best, least := Trajectory, math.Inf(1)
	for k := range Components {
		t := &s.turns[k]
		if end := t.passed + s.workOf(Component(k))/s.weight(Component(k)); end < least {
			best, least = Component(k), end
		}
	}
	return best
}

// workOf returns the work of the present or next turn.
func (s *search) workOf(k Component) float64 {
	first := max(1, min(firstTurn*s.n, firstDeltas/(s.n*s.n)))
	switch k {
	case Annealing:
		if s.sparse {
			return max(firstRound*s.prices[k], float64(first)) + s.turns[k].work
		}
	case Relaxation:
		return float64(relaxationTurn * s.n)
	case LongPopulation:
		first = firstOfLong * max(first, s.n)
	case GrownPopulation: // a child on a large graph takes long
		first = firstTurn * s.n
	default: // and so does getting ready
		first = max(first, s.n)
	}
	return max(float64(first), turnShare*s.turns[k].work)
}

// turnOf returns the steps of a turn.
func (s *search) turnOf(k Component) int { return max(1, int(s.workOf(k)/s.prices[k])) }

// begin returns a candidate that is about to begin.
func (s *search) begin(k Component) (searcher, error) {
	switch k {
	case Trajectory:
		return newWalk(s)
	case Annealing:
		return newAnnealed(s)
	case Relaxation:
		return newRelaxed(s)
	}
	settings := candidates[k].settings
	if k == GrownPopulation && s.cycles {
		settings = population.GrownAmongNeighbors()
	}
	start := s.o.Initial
	if k == BlocksPopulation && s.matched != nil {
		start = s.matched
	}
	return population.New(s.in, settings, start, s.o.Seed, s.watch)
}

// random returns a random matching.
func (s *search) random(stream uint64) qap.Matching {
	return qap.RandomMatching(s.n, s.n, rand.New(rand.NewPCG(s.o.Seed, stream)))
}

func (s *search) at() *state      { return &s.state }
func (s *search) foundBy() string { return candidates[s.state.Found].foundBy }

func (s *search) best() qap.Matching { return s.parts[s.state.Found].Best() }

// elite returns the best of all, of other islands too.
func (s *search) elite() (qap.Matching, float64) {
	if s.guest != nil && s.guestCost < s.state.BestCost {
		return s.guest, s.guestCost
	}
	return s.best(), s.state.BestCost
}

// incumbent is the best of all.
func (s *search) incumbent() qap.Incumbent {
	found := qap.NewIncumbent(s.in, s.best(), -s.state.BestCost, s.state.BestStep)
	found.FoundBy = s.foundBy()
	return found
}
