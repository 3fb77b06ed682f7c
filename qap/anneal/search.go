package anneal

import (
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/rgm-go/rgm/internal/splitmix"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// A Search anneals as many steps at a time as its user wants. It may not be shared by
// goroutines. Running allocates nothing, and goes the same way for a seed on any
// machine, however it is cut up.
type Search struct {
	view       *tabu.View // nil of a mapping
	facilities int        // of a mapping
	trials     trials
	s          *state

	schedule schedule
	begin    int     // steps when the round began
	length   int     // of the round
	stageEnd int     // steps until which the temperature stays
	progress float64 // at the beginning of the stage
	usual    float64 // size of a change at the start
	start    float64 // cost of the start, where a round keeps it
}

// trials are made with one type of numbers.
type trials interface {
	run()
	delta(i, j int) float64
	bestLocations() []int32
}

// A stage, during which the temperature stays, is a round's length by stages, but at
// most mostTrials.
const (
	stages     = 1024
	mostTrials = 1 << 16
)

// New returns a search from an assignment of an instance with at least two nodes, whose
// first round takes a number of steps. Each further round takes twice as many as the
// one before. It returns an error wrapping qap.ErrUnsupported unless tabu search Serves
// the instance, and an error if start is not a complete assignment.
func New(in *qap.Instance, start qap.Matching, seed uint64, length int) (*Search, error) {
	view, err := tabu.NewView(in)
	if err == nil {
		err = tabu.CheckInitial(in, start)
	}
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0xa22e))
	s := newSearch(view, view.Assignment(start), -in.Score(start), rng.Uint64(), kernels()[0])
	s.length = max(1, length)
	return s, nil
}

// NewKept is New of a search whose first round keeps the start: it warms no more than it can cool again
// in its steps.
func NewKept(in *qap.Instance, start qap.Matching, seed uint64, length int) (*Search, error) {
	s, err := New(in, start, seed, length)
	if err == nil {
		s.keep()
	}
	return s, err
}

// keep has the first round keep its start.
func (s *Search) keep() { s.start, s.schedule = s.s.cost, keepingSchedule(s.usual) }

func newSearch(v *tabu.View, start qap.Matching, cost float64, seed uint64, k kernel) *Search {
	lists := v.Symmetric && countFlows(v, len(start)) < len(start)*fewPartners(len(start))
	return newSearchOf(v, elementFor(v, lists), lists, start, cost, seed, k)
}

// fewPartners is how many partners of a facility, in the mean, lists serve: one takes
// as long as about 40 entries of a row.
func fewPartners(n int) int { return n / 40 }

// element is the type of the numbers inside.
type element int

const (
	int8Element element = iota // of lists
	int16Element
	float64Element
)

// elementFor returns the smallest type that computes a view, by lists or not, without overflow. Small ones
// are at hand in a core's own cache.
func elementFor(v *tabu.View, lists bool) element {
	const widest = 1 << 14 // so that differences of entries of rows are numbers too
	flow, distance := v.FlowEntries, v.DistanceEntries.Size
	largest := max(flow.Pair, distance)
	switch {
	case !v.Integer || largest >= widest || 8*flow.RowSum*distance >= 1<<31:
		return float64Element
	case lists && largest <= math.MaxInt8:
		return int8Element
	}
	return int16Element
}

// newSearchOf returns a search with a type of numbers, by lists or not.
func newSearchOf(v *tabu.View, e element, lists bool, start qap.Matching, cost float64, seed uint64, k kernel) *Search {
	s := newState(state{n: int64(len(start)), terms: int64(termsOf(v)), cost: cost, best: cost, tolerance: v.Tolerance(), random: splitmix.Source(seed)})
	if lists {
		s.lists = 1
	}
	search := &Search{view: v, s: s}
	switch e {
	case int8Element:
		search.trials = newCompiled[int8, int32](v, e, start, s, lists, k)
	case int16Element:
		search.trials = newCompiled[int16, int32](v, e, start, s, lists, k)
	default:
		search.trials = newCompiled[float64, float64](v, e, start, s, lists, k)
	}
	search.usual = search.usualChange()
	search.schedule = newSchedule(search.usual)
	return search
}

// compiled are trials by a kernel.
type compiled[C cell, S sum] struct {
	engine[C, S]
	kernel  kernel
	element element
}

func newCompiled[C cell, S sum](v *tabu.View, e element, start qap.Matching, s *state, lists bool, k kernel) *compiled[C, S] {
	m := newMemory[C](v, start, lists)
	s.width = int64(widthOf[C](len(start)))
	if m.linear != nil {
		s.linear = 1
	}
	return &compiled[C, S]{engine[C, S]{m, s}, k, e}
}

func (t *compiled[C, S]) run() {
	if t.kernel == goKernel {
		t.engine.run()
		return
	}
	t.kernel.run(t.element, t.state, unsafe.Pointer(&t.cells[0]), t.places, t.reals)
}

func (t *compiled[C, S]) bestLocations() []int32 { return t.memory.best }

// usualChange returns the root of the mean square of the changes by some swaps. It
// draws more where none changes anything, as between sparse graphs; 0 if none does.
func (s *Search) usualChange() float64 {
	const some, most = 128, 128 * 128
	n, draws, squares := int(s.s.n), s.s.random, 0.0
	for k := 0; k < some || squares == 0 && k < most; k++ {
		i := draws.Below(n)
		j := (i + 1 + draws.Below(n-1)) % n
		delta := s.trials.delta(i, j)
		squares += float64(delta * delta)
	}
	return math.Sqrt(squares / some)
}

// Run searches until a number of steps in all, or until a cost is at most target, which
// is looked at after every stage.
func (s *Search) Run(steps int, target float64) {
	for s.Steps() < steps && s.BestCost() > target {
		if s.Steps() >= s.stageEnd {
			s.nextStage()
		}
		s.runUntil(min(steps, s.stageEnd))
		if s.Steps() == s.stageEnd {
			s.endStage(s.part())
		}
	}
}

// part returns the part of the round that is over.
func (s *Search) part() float64 { return float64(s.Steps()-s.begin) / float64(s.length) }

// nextStage begins a stage of the round, or of a new one.
func (s *Search) nextStage() {
	if s.Steps() >= s.begin+s.length {
		s.begin, s.length = s.Steps(), 2*s.length
		s.schedule = newSchedule(s.usual)
	}
	steps := max(1, min(s.length/stages, mostTrials/int(s.s.n)))
	s.expect(s.length)
	s.beginStage(s.part(), min(steps, s.begin+s.length-s.Steps()))
}

// beginStage begins a stage of so many steps after a part of the round.
func (s *Search) beginStage(progress float64, steps int) {
	s.progress, s.stageEnd = progress, s.Steps()+steps
	s.s.temperature, s.s.worse, s.s.taken = s.schedule.at(progress), 0, 0
}

// expect tells the schedule how many steps the round has.
func (s *Search) expect(steps int) {
	switch {
	case s.schedule.keeps:
		s.schedule.expectKept(s.rise(steps), s.start, float64(s.s.n)*s.usual)
	case s.view == nil:
		s.schedule.expectTrials(float64(steps))
	default:
		s.schedule.expect(s.passes(steps))
	}
}

// rise returns how far the cost may rise, as a share of n usual changes, in a round of so many steps
// that keeps its start.
func (s *Search) rise(steps int) float64 {
	rise := riseOfPass * math.Sqrt(s.passes(steps))
	if m, mapped := s.trials.(*mapping); mapped && m.near != nil {
		rise = max(rise, mostRise*math.Sqrt(float64(steps)/nearEnough)*min(1, m.apart*m.apart/(farApart*farApart)))
	}
	return rise
}

// passes returns how often so many steps try every swap.
func (s *Search) passes(steps int) float64 { return 2 * float64(steps) / float64(s.s.n-1) }

// runUntil runs until a step of the stage.
func (s *Search) runUntil(step int) {
	s.s.until = int64(step)
	s.trials.run()
}

// endStage learns from a stage that ends after a part of the round.
func (s *Search) endStage(progress float64) {
	s.schedule.learn(s.progress, progress, s.s.worse, s.s.taken, s.s.cost)
}

// Steps returns the steps made.
func (s *Search) Steps() int { return int(s.s.step) }

// Best returns the best matching found.
func (s *Search) Best() qap.Matching {
	assignment := qap.NewMatching(int(s.s.n))
	for i, c := range s.trials.bestLocations() {
		assignment[i] = int(c)
	}
	if s.view == nil { // of a mapping, where facilities without flows come last
		return assignment[:s.facilities]
	}
	return s.view.Assignment(assignment)
}

// BestCost returns the cost of Best: the negative of its score.
func (s *Search) BestCost() float64 { return s.s.best }

// BestStep returns Steps when Best was found.
func (s *Search) BestStep() int { return int(s.s.bestStep) }

// Tolerance returns what a cost must be less by to be better.
func (s *Search) Tolerance() float64 { return s.s.tolerance }
