package rgm

import (
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
)

// Incumbent is a better matching than those before, while the search goes on.
type Incumbent struct {
	Objective float64      `json:"objective" doc:"in the instance's own sense"`
	Elapsed   float64      `json:"elapsed" doc:"seconds since the search began"`
	Steps     int          `json:"steps" doc:"steps until then"`
	FoundBy   string       `json:"found_by" doc:"what found it: policy, tabu, profile, …"`
	Matching  qap.Matching `json:"matching,omitempty" doc:"graph 2's node for each node of graph 1, from 0; -1 unmatched"` // valid during the call of OnBest
	Lower     *float64     `json:"lower_bound,omitempty" doc:"of a distance: no edits cost less"`
	Score     float64      `json:"-"` // as the search keeps it, with the rounding of its sums
}

// told remembers the last solution that Options.OnBest was told.
type told struct {
	any   bool
	value float64
}

// listener returns what passes solutions of a stage on: in the instance's own terms,
// on the clock of the whole, and only better ones. It is nil where nobody listens.
//
// Where the weakest matches are released afterwards, better is what the method finds, and
// what is told is the matches that are left: the last solution told is the result.
func (s *solve) listener() func(infer.Incumbent) {
	if s.onBest == nil {
		return nil
	}
	return func(found infer.Incumbent) {
		goal := s.o.Goal
		if s.reduces() {
			goal.Inliers = 0
		}
		least, most := goal.Sizes(s.in)
		m := found.Matching.Size()
		value := goal.Value(s.in, found.Score, m)
		if m < least || m > most || s.told.any && value <= s.told.value+rounding*max(value, -value) {
			return
		}
		s.told = told{true, value}
		if found.FoundBy == "" || found.FoundBy == infer.ByPolicy && !s.method.Network {
			found.FoundBy = s.method.Name
		}
		if s.reduces() {
			found.Matching = s.reduced(found.Matching)
		}
		if s.in != s.given || s.reduces() {
			found.Score = s.given.Score(found.Matching)
			found.Objective = s.given.Objective(found.Score)
		}
		s.onBest(Incumbent{
			Objective: found.Objective, Elapsed: time.Since(s.start).Seconds(), Steps: found.Steps, FoundBy: found.FoundBy,
			Matching: found.Matching, Score: found.Score,
		})
	}
}

// rounding is the relative error of scores that a search keeps.
const rounding = 1e-12

// tell passes on what a stage ended with.
func (s *solve) tell(r qap.Result, onBest func(infer.Incumbent)) {
	if onBest != nil {
		last := qap.NewIncumbent(s.in, r.Matching, r.Score, r.Steps)
		last.FoundBy = r.FoundBy
		onBest(infer.Incumbent{Incumbent: last})
	}
}
