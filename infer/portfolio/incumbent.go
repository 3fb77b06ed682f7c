package portfolio

import (
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
)

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
func (s *solve) listener(onBest func(infer.Incumbent)) func(infer.Incumbent) {
	if onBest == nil {
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
		found.Elapsed = time.Since(s.start)
		onBest(found)
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
