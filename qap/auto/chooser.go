package auto

// Component is a search that can have turns.
type Component int

// The components. Whatever the chooser, the first turn, the opening, is of the
// population that the plan names (plan.go).
const (
	Trajectory      Component = iota // one trajectory of tabu search, from the best of the opening
	ShortPopulation                  // a population with many short searches
	LongPopulation                   // a population with few long searches
	Restarts                         // trajectories from random assignments, by Luby's sequence

	Components = 4 // their number
)

func (k Component) String() string {
	return [...]string{"trajectory", "short", "long", "luby"}[k]
}

// A Chooser gives the turns of one search.
type Chooser interface {
	// Next returns whose turn is next, after a turn that has just ended. The state must
	// not be kept.
	Next(s *State) Component
}

// State is what a search looks like at the end of a turn. Costs are minimised.
type State struct {
	Features Features
	Budget   int // swaps that the search will probably have in all
	Opening  Component

	Turns    int // so far
	Last     Component
	Steps    int // swaps so far
	Found    Component
	BestStep int // Steps when the best was found
	BestCost float64
	Parts    [Components]Progress
}

// Progress is how far a component is.
type Progress struct {
	Turns    int
	Steps    int
	BestStep int     // of its own steps
	Cost     float64 // of its best, infinite before its first turn
	Gain     float64 // by how much its last turn improved the best of all; 0 for the opening
}

// Fixed gives every turn to one component.
func Fixed(k Component) Chooser { return fixed(k) }

type fixed Component

func (f fixed) Next(*State) Component { return Component(f) }

// RoundRobin gives the components their turns in a circle.
func RoundRobin() Chooser { return roundRobin{} }

type roundRobin struct{}

func (roundRobin) Next(s *State) Component { return (s.Last + 1) % Components }

// Named returns what makes the unlearned chooser of a name, nil for an unknown one.
func Named(name string) func() Chooser {
	switch name {
	case "rule":
		return Rule
	case "round-robin":
		return RoundRobin
	}
	for k := range Component(Components) {
		if name == k.String() {
			return func() Chooser { return Fixed(k) }
		}
	}
	return nil
}

// Names returns the names of the unlearned choosers, the default first.
func Names() []string {
	names := []string{"rule", "round-robin"}
	for k := range Component(Components) {
		names = append(names, k.String())
	}
	return names
}

// Rule is the unlearned rule: the trajectory and a population have shares of the turns
// that the features of the instance decide, and success doubles.
func Rule() Chooser { return &rule{} }

// rule counts the turns of each, divided by share and credit.
type rule struct {
	credit, passed [Components]float64
}

// How credit grows with success and fades without.
const (
	mostCredit = 8
	fading     = 0.9
)

func (r *rule) Next(s *State) Component {
	plan, last := planFor(s.Features), s.Last
	if s.Turns == 1 {
		for k := range r.credit {
			r.credit[k] = 1
		}
		return Trajectory
	}
	r.credit[last] = max(1, r.credit[last]*fading)
	if s.Parts[last].Gain > 0 {
		r.credit[last] = min(mostCredit, 2*r.credit[last])
	}
	share := plan.trajectory
	if last != Trajectory {
		share = 1 - share
	}
	r.passed[last] += 1 / (share * r.credit[last])
	if r.passed[plan.population] < r.passed[Trajectory] {
		return plan.population
	}
	return Trajectory
}
