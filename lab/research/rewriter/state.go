package rewriter

import (
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// State is a matching that is being rewritten, with what is remembered of it. It may not
// be shared by goroutines.
type State struct {
	moves     *local.State
	n1, n2    int
	scale     float64
	bestScore float64
	best      qap.Matching

	steps, bestStep int
	rewritten       []int // by node of graph 1: the step after which it was, 0 never
	left            []int // by vertex: the step after which it was released, 0 never
	rules           []local.Move
	legal           []bool    // by partner, of the region that rules is of
	greatest        []float64 // by region: the change of its best rule
}

// NewState returns the state of a matching (see local.NewState).
func NewState(in *qap.Instance, m qap.Matching) *State { return newStateUntil(in, m, nil) }

// newStateUntil is NewState, nil where over said to stop on the way (see local.NewStateUntil).
func newStateUntil(in *qap.Instance, m qap.Matching, over func() bool) *State {
	n1, n2 := in.Size()
	moves := local.NewStateUntil(in, m, over)
	if moves == nil {
		return nil
	}
	s := &State{
		moves: moves, n1: n1, n2: n2, rewritten: make([]int, n1), left: make([]int, n1*n2),
		rules: make([]local.Move, n2), legal: make([]bool, n2), greatest: make([]float64, n1),
	}
	s.best, s.bestScore = s.moves.Matching().Clone(), s.moves.Score()
	sum, count := 0.0, 0
	for i := range n1 {
		s.enter(i)
		for a, legal := range s.legal {
			if legal {
				sum, count = sum+math.Abs(s.rules[a].Change), count+1
			}
		}
	}
	if s.scale = 1; sum > 0 {
		s.scale = sum / float64(count)
	}
	return s
}

// Matching returns the present matching, which belongs to the state.
func (s *State) Matching() qap.Matching { return s.moves.Matching() }

// Score returns J of the present matching.
func (s *State) Score() float64 { return s.moves.Score() }

// Scale returns the mean absolute change of score of all rules at the start.
func (s *State) Scale() float64 { return s.scale }

// Best returns the best matching so far, which belongs to the state, and its score.
func (s *State) Best() (qap.Matching, float64) { return s.best, s.bestScore }

// enter finds the rules of a region.
func (s *State) enter(i int) {
	s.greatest[i] = math.Inf(-1)
	for a := range s.n2 {
		if s.rules[a], s.legal[a] = s.moves.Assign(i, a); s.legal[a] {
			s.greatest[i] = max(s.greatest[i], s.rules[a].Change)
		}
	}
}

func squashed(change float64) float32 { return float32(math.Asinh(4 * change)) }

// faded is exp(−2·age/n) of what happened after a step, 0 of what never did.
func (s *State) faded(step int) float32 {
	if step == 0 {
		return 0
	}
	return float32(math.Exp(-2 * float64(s.steps-step) / float64(max(s.n1, s.n2))))
}

// FillRegions writes the questions about all regions, and tells which of them have a rule.
func (s *State) FillRegions(f []float32, open []bool) {
	clear(f)
	most, mean, matched := math.Inf(-1), 0.0, 0
	gain := func(i int) float64 { return s.moves.Gains()[i*s.n2+s.Matching()[i]] }
	for i, a := range s.Matching() {
		s.enter(i)
		most = max(most, s.greatest[i])
		if a != qap.Unmatched {
			mean, matched = mean+gain(i), matched+1
		}
	}
	mean /= float64(max(matched, 1))
	for i, a := range s.Matching() {
		x := f[i*Channels:][:Channels]
		if open[i] = !math.IsInf(s.greatest[i], -1); !open[i] {
			continue
		}
		x[RegionChange] = squashed(s.greatest[i] / s.scale)
		x[RegionSecond] = squashed((s.greatest[i] - most) / s.scale)
		if a == qap.Unmatched {
			x[RegionFree] = 1
		} else {
			x[RegionOwn] = squashed((gain(i) - mean) / s.scale)
		}
		x[RegionAge] = s.faded(s.rewritten[i])
		x[RegionBehind] = squashed((s.bestScore - s.Score()) / s.scale)
		x[RegionStagnant] = 1 - float32(math.Exp(-float64(s.steps-s.bestStep)/float64(max(s.n1, s.n2))))
	}
}

// FillRules writes the questions about all rules of a region, and tells which of them there
// are.
func (s *State) FillRules(f []float32, i int, open []bool) {
	clear(f)
	s.enter(i)
	copy(open, s.legal)
	for a, m := range s.rules {
		x := f[a*Channels:][:Channels]
		x[AsksRule] = 1
		if !s.legal[a] {
			continue
		}
		x[RuleChange] = squashed(m.Change / s.scale)
		x[RuleSecond] = squashed((m.Change - s.greatest[i]) / s.scale)
		if s.Score()+m.Change > s.bestScore+leastRise*s.scale {
			x[RuleBeats] = 1
		}
		x[RuleAge] = s.faded(s.left[i*s.n2+a])
		if m.A == qap.Unmatched {
			x[RuleRelease] = 1
			continue
		}
		if k := s.holder(i, a); k != qap.Unmatched {
			x[RuleHeld], x[RuleHolder] = 1, s.faded(s.rewritten[k])
		}
		if s.best[i] == a {
			x[RuleInBest] = 1
		}
	}
}

// leastRise, in scales, is more than rounding.
const leastRise = 1e-9

// holder returns the node other than i that has partner a.
func (s *State) holder(i, a int) int {
	for k, b := range s.Matching() {
		if b == a && k != i {
			return k
		}
	}
	return qap.Unmatched
}

// Rewrite applies the rule of region i that FillRules asked about as the a-th, and returns
// the change of score over the scale.
func (s *State) Rewrite(i, a int) float64 {
	before := s.Score()
	s.enter(i)
	s.steps++
	if b := s.Matching()[i]; b != qap.Unmatched {
		s.left[i*s.n2+b] = s.steps
	}
	if k := s.holder(i, a); k != qap.Unmatched {
		s.left[k*s.n2+a], s.rewritten[k] = s.steps, s.steps
	}
	s.rewritten[i] = s.steps
	s.moves.Make(s.rules[a])
	if s.Score() > s.bestScore+leastRise*s.scale {
		s.bestScore, s.bestStep = s.Score(), s.steps
		copy(s.best, s.Matching())
	}
	return (s.Score() - before) / s.scale
}
