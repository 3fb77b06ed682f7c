package qap

import "math"

// Snapshot is a state of an episode: enough to return to it later.
type Snapshot struct {
	Matching Matching
	Steps    int      // since Reset
	Best     Matching // best solution since Reset; nil if there is none
	BestStep int      // step at which it was found

	// Gains, Score and BestScore carry the rounding of the steps so far, so that
	// a restored episode goes on bit for bit as the original would. Where Gains
	// is nil all three are computed afresh.
	Gains            []float64
	Score, BestScore float64
}

// Snapshot returns the current state. Its slices are copies.
func (e *Environment) Snapshot() Snapshot {
	s := Snapshot{
		Matching: e.Matching(), Steps: e.steps, BestStep: e.bestStep,
		Gains: append([]float64{}, e.gains...), Score: e.score,
	}
	if e.HasBest() {
		s.Best, s.BestScore = e.best.Clone(), e.bestScore
	}
	return s
}

// Restore returns to a snapshot. It panics where that is not one of the instance.
func (e *Environment) Restore(s Snapshot) {
	e.Reset(s.Matching)
	e.steps, e.bestStep = s.Steps, s.BestStep
	e.bestValue = math.Inf(-1)
	if s.Best != nil {
		copy(e.best, s.Best)
		e.bestScore = s.BestScore
		if s.Gains == nil {
			e.bestScore = e.instance.Score(s.Best)
		}
		e.bestValue = e.options.Goal.Value(e.instance, e.bestScore, s.Best.Size())
	}
	if s.Gains != nil {
		if len(s.Gains) != len(e.gains) {
			panic("qap: Restore with the gains of another instance")
		}
		copy(e.gains, s.Gains)
		e.forgetChanges()
		e.score = s.Score
	}
}
