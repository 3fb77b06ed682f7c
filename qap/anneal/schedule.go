package anneal

import "math"

// A round of annealing begins with an exploration, which cools fast and finds two
// temperatures by the share of uphill trials that are made: one where the search still
// goes anywhere, and one where it hardly moves. The rest of the round cools from the
// first to the second, by the same factor in equal times. Shares, not costs, decide, so
// that the unit of the costs does not matter, nor how widely they are spread. A round
// that is short for its graph begins where fewer are made.
const (
	exploration = 0.08 // of a round

	firstShare    = 0.4 // of the exploration
	mostHotShare  = 0.1
	leastHotShare = 0.01
	enoughPasses  = 100 // over all swaps, for mostHotShare
	coldShare     = 0.00005
	coldEnough    = 4 // ·coldShare ends an exploration that took longer

	yield = 0.2 // how fast the exploration corrects the logarithm of a temperature
	drop  = 12  // or by how much in all, where it has few stages
)

// schedule is the temperatures of a round.
type schedule struct {
	temperature float64 // the present one, in the exploration
	hot, cold   float64
	hotShare    float64
	explored    float64 // progress at the end of the exploration, 0 in it

	keeps bool    // the start: the exploration warms
	most  float64 // cost at which that ends
}

// newSchedule returns a schedule whose exploration begins about where changes of a size
// are usual.
func newSchedule(usual float64) schedule {
	return schedule{temperature: portable(usual), hot: usual, cold: usual}
}

// expect takes account of how often the round is going to try every swap.
func (s *schedule) expect(passes float64) {
	s.hotShare = max(leastHotShare, min(mostHotShare, mostHotShare*passes/enoughPasses))
}

// Where most trials bring a facility near a partner, more of those that lead uphill are made while
// the search goes anywhere.
const (
	mappingHotShare   = 0.6
	mappingEnough     = 8192 // trials of a facility, for mappingHotShare
	mappingLeastShare = 0.1
)

// expectTrials is expect of such trials, by how many a facility is going to have.
func (s *schedule) expectTrials(trials float64) {
	s.hotShare = max(mappingLeastShare, min(mappingHotShare, mappingHotShare*trials/mappingEnough))
}

// A round that keeps its start has no exploration: it warms until the cost has risen by as much as the
// round can be expected to take back, and cools from there.
const (
	coldStart   = 1e-3 // ·usual change, the first temperature
	warming     = 0.2  // of the round, in which the temperature rises to the usual change
	keptCooling = 20   // factor

	// How far the cost rises, as a share of n usual changes, about four times what lies
	// between the start and a random assignment. Chosen on mapping, 500 and 1,000 nodes.
	riseOfPass = 0.0011 // ·√passes
	mostRise   = 0.02

	// Trials near partners take back more, by how many a facility has, where places are so many times as
	// far apart as near ones. Chosen on graphs in the plane, communities and small worlds of 1,024 and
	// 4,096 nodes, on tori and a hypercube.
	nearEnough = 6400 // trials, for mostRise
	farApart   = 9
)

// keepingSchedule returns the schedule of a round that keeps its start.
func keepingSchedule(usual float64) schedule {
	first := portable(usual * coldStart)
	return schedule{temperature: first, hot: first, cold: first, keeps: true, most: math.Inf(1)}
}

// expectKept is expect of such a round, given how far its cost may rise as a share of n usual changes,
// the cost of its start, and these changes.
func (s *schedule) expectKept(rise, start, changes float64) {
	s.most = start + min(mostRise, rise)*changes
}

// at returns the temperature after a part of the round.
func (s *schedule) at(progress float64) float64 {
	if s.explored == 0 || s.explored == 1 || s.hot == 0 { // or swaps change nothing
		return s.temperature
	}
	return portable(s.hot * math.Pow(s.cold/s.hot, (progress-s.explored)/(1-s.explored)))
}

// learn takes account of how many trials led uphill, and how many of them were made,
// between two parts of the round, at whose end there is such a cost.
func (s *schedule) learn(progress, until float64, worse, taken int64, cost float64) {
	if s.explored > 0 || worse == 0 {
		return
	}
	if s.keeps {
		s.warm(progress, until, cost)
		return
	}
	least := 1 / (float64(worse) + 1) // what so many trials can tell
	share := (float64(taken) + 0.5) * least
	if share > s.hotShare {
		s.hot = s.temperature
	}
	s.cold = portable(s.temperature / 2) // shares below least cannot be seen
	if until >= exploration && share < coldEnough*max(coldShare, least) || until >= 1 {
		s.explored = min(1, until)
		return
	}
	rate := min(1, max(yield, drop*(until-progress)/exploration))
	want := max(least, firstShare*math.Pow(coldShare/firstShare, min(1, until/exploration)))
	s.temperature = portable(s.temperature * math.Exp(max(-rate, min(rate, rate*math.Log(want/share)))))
}

// warm is learn where the start is kept.
func (s *schedule) warm(progress, until, cost float64) {
	if cost > s.most || until >= warming {
		s.hot, s.cold, s.explored = s.temperature, portable(s.temperature/keptCooling), min(1, until)
		return
	}
	s.temperature = portable(s.temperature * math.Pow(coldStart, (progress-until)/warming))
}
