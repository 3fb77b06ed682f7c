package anneal

import "math"

// A round of annealing begins with an exploration, which cools fast and finds two
// temperatures by the share of uphill trials that are made: one where the search still
// goes anywhere, and one where it hardly moves. The rest of the round cools from the
// first to the second, by the same factor in equal times. Shares, not costs, decide, so
// that the unit of the costs does not matter, nor how widely they are spread.
const (
	exploration = 0.08 // of a round

	firstShare = 0.4 // of the exploration
	hotShare   = 0.1
	coldShare  = 0.00005

	yield = 0.2 // how fast the exploration corrects the logarithm of a temperature
)

// schedule is the temperatures of a round.
type schedule struct {
	temperature float64 // the present one, in the exploration
	hot, cold   float64
	searching   bool // for where the exploration begins, from above
}

// newSchedule returns a schedule for changes of at most a size.
func newSchedule(largest float64) schedule {
	return schedule{temperature: largest, hot: largest, searching: true}
}

// at returns the temperature after a part of the round.
func (s *schedule) at(progress float64) float64 {
	if progress < exploration || s.cold == 0 {
		return portable(s.temperature)
	}
	return portable(s.hot * math.Pow(s.cold/s.hot, (progress-exploration)/(1-exploration)))
}

// learn takes account of how many trials led uphill, and how many of them were made,
// under the temperature after a part of the round.
func (s *schedule) learn(progress float64, worse, taken int64) {
	if progress >= exploration && s.cold > 0 || worse == 0 {
		return
	}
	share := (float64(taken) + 0.5) / (float64(worse) + 1)
	if s.searching && share > firstShare {
		s.temperature = portable(s.temperature / 2)
		s.hot = s.temperature
		return
	}
	s.searching = false
	want := firstShare * math.Pow(coldShare/firstShare, min(1, progress/exploration))
	if want > hotShare {
		s.hot = s.temperature
	}
	s.cold = s.temperature
	s.temperature = portable(s.temperature * math.Exp(max(-yield, min(yield, yield*math.Log(want/share)))))
}
