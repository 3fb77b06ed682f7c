package auto

// Component is a search that can have turns.
type Component int

// The components. The first turn, the opening, is of the population that the plan names
// (plan.go).
const (
	Trajectory      Component = iota // one trajectory of tabu search, from the best of the opening
	ShortPopulation                  // a population with many short searches
	LongPopulation                   // a population with few long searches

	Components = 3 // their number
)

// turns says whose turn is next: the trajectory and a population have shares of the turns
// that the plan decides, and success doubles. It counts the turns of each, divided by share
// and credit.
type turns struct {
	plan           plan
	begun          bool
	credit, passed [Components]float64
}

// How credit grows with success and fades without.
const (
	mostCredit = 8
	fading     = 0.9
)

// next returns whose turn follows one of last, which improved the best of all or did not.
func (r *turns) next(last Component, improved bool) Component {
	if !r.begun { // last was the opening
		r.begun = true
		for k := range r.credit {
			r.credit[k] = 1
		}
		return Trajectory
	}
	r.credit[last] = max(1, r.credit[last]*fading)
	if improved {
		r.credit[last] = min(mostCredit, 2*r.credit[last])
	}
	share := r.plan.trajectory
	if last != Trajectory {
		share = 1 - share
	}
	r.passed[last] += 1 / (share * r.credit[last])
	if r.passed[r.plan.population] < r.passed[Trajectory] {
		return r.plan.population
	}
	return Trajectory
}
