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

// A round that keeps its start begins where so many of its trials that lead uphill would be made, and
// cools by a factor.
const (
	keptShare   = 0.1
	keptCooling = 20
)

// keepingSchedule returns a schedule without exploration, given some changes uphill.
func keepingSchedule(changes []float64) schedule {
	low, high := 0.0, 0.0
	for _, change := range changes {
		high = max(high, change)
	}
	for range 50 {
		middle, made := (low+high)/2, 0.0
		for _, change := range changes {
			made += math.Exp(-change / middle)
		}
		if made > keptShare*float64(len(changes)) {
			high = middle
		} else {
			low = middle
		}
	}
	return schedule{temperature: portable(high), hot: portable(high), cold: portable(high / keptCooling), explored: math.SmallestNonzeroFloat64}
}

// at returns the temperature after a part of the round.
func (s *schedule) at(progress float64) float64 {
	if s.explored == 0 || s.explored == 1 || s.hot == 0 { // or swaps change nothing
		return s.temperature
	}
	return portable(s.hot * math.Pow(s.cold/s.hot, (progress-s.explored)/(1-s.explored)))
}

// learn takes account of how many trials led uphill, and how many of them were made,
// between two parts of the round.
func (s *schedule) learn(progress, until float64, worse, taken int64) {
	if s.explored > 0 || worse == 0 {
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
