package auto

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Options is the number of things to do that a network is asked about: to give the turns
// to a component, or, the last, to go on by Rule.
const Options = Components + 1

// Learned returns a chooser that asks a network with the features.Selector set about
// every option, and does what promises most. It must be closed.
func Learned(q qap.QFunction) (*LearnedChooser, error) {
	if q.Features() != features.Selector {
		return nil, fmt.Errorf("auto: a network of %s features: want %s", q.Features(), features.Selector)
	}
	batch, err := q.NewBatch(1, 1, Options)
	if err != nil {
		return nil, err
	}
	return &LearnedChooser{batch: batch}, nil
}

// LearnedChooser is a Chooser with a network. Where that cannot be evaluated, it goes on
// as Rule does, and Err tells why.
type LearnedChooser struct {
	batch qap.QBatch
	rule  rule
	err   error
}

func (l *LearnedChooser) Next(s *State) Component {
	byRule := l.rule.Next(s)
	if l.err != nil {
		return byRule
	}
	Ask(s, byRule, l.batch.Inputs()[0])
	q, err := l.batch.Evaluate()
	if err != nil {
		l.err = err
		return byRule
	}
	return choice(q, byRule)
}

// caution is how much more than the rule a component must promise, in log-gap (see
// package selector): what was learned from some families misleads on others.
const caution = 0.05

// choice returns the component with the greatest answer, the first of equal ones, unless
// that about the rule is as good.
func choice(q []float32, byRule Component) Component {
	best := Components
	most := q[Components] + caution
	for k, answer := range q[:Components] {
		if answer > most {
			best, most = k, answer
		}
	}
	if best == Components {
		return byRule
	}
	return Component(best)
}

// Err returns why the network could not be evaluated, nil if it always could.
func (l *LearnedChooser) Err() error { return l.err }

// Close frees what the evaluation needs.
func (l *LearnedChooser) Close() error { return l.batch.Close() }

// Ask writes the questions about all options in a state in which the rule has chosen:
// Options rows of features.SelectorChannels numbers.
func Ask(s *State, byRule Component, x []float32) {
	clear(x)
	first := x[:features.SelectorChannels]
	askOfInstance(&s.Features, first)
	n := float64(s.Features.N)
	perNode := func(swaps int) float64 { return float64(swaps) / (100 * n) }
	first[features.BudgetSwaps] = float32(math.Log(0.01 + perNode(s.Budget)))
	first[features.SpentBudget] = float32(min(1, float64(s.Steps)/float64(s.Budget)))
	since := s.Steps - s.BestStep
	first[features.AllStagnant] = float32(float64(since) / float64(s.Steps))
	first[features.SinceBest] = float32(math.Log1p(perNode(since)))
	if s.Opening == ShortPopulation {
		first[features.OpeningShort] = 1
	}
	for k := range Options {
		row := x[k*features.SelectorChannels : (k+1)*features.SelectorChannels]
		copy(row, first[:features.FirstOption])
		row[features.FirstOption+k] = 1
		component := Component(k)
		if k == Components {
			component = byRule
		}
		if component == byRule {
			row[features.ByRule] = 1
		}
		s.askOf(component, row, perNode)
	}
}

// askOfInstance writes the channels of the instance.
func askOfInstance(f *Features, x []float32) {
	pair := func(channel int, v [2]float64) {
		x[channel], x[channel+1] = float32(min(v[0], v[1])), float32(max(v[0], v[1]))
	}
	x[features.SizeOf] = float32(math.Log(float64(f.N) / 30))
	pair(features.LeastDensity, f.Density)
	pair(features.LeastLikeness, f.Likeness)
	pair(features.LeastDominance, [2]float64{math.Log(0.1 + f.Dominance[0]), math.Log(0.1 + f.Dominance[1])})
	for k, symmetric := range f.Symmetric {
		if symmetric {
			x[features.Symmetries] += 0.5
		}
		if f.Narrow[k] && f.Likeness[1-k] > strangers {
			x[features.IsNarrow] = 1
		}
	}
	x[features.Distance] = float32(f.Apart)
}

// askOf writes the channels of a component, and that of how its opening scattered.
func (s *State) askOf(k Component, x []float32, perNode func(int) float64) {
	own := &s.Parts[k]
	// Costs count in what separates a random assignment from the best one.
	unit := s.Features.RandomCost - s.BestCost
	relative := func(cost float64) float32 {
		if !(unit > 0) || cost <= 0 {
			return 0
		}
		return float32(math.Asinh(min(1000*cost/unit, 1e4)) / 4)
	}
	x[features.Ruggedness] = relative(s.Features.Above)
	x[features.OwnShare] = float32(float64(own.Steps) / float64(s.Steps))
	x[features.OwnSwaps] = float32(math.Log1p(perNode(own.Steps)))
	if own.Turns == 0 {
		x[features.OwnUntried] = 1
	} else {
		x[features.OwnBehind] = relative(own.Cost - s.BestCost)
		x[features.OwnStagnant] = float32(float64(own.Steps-own.BestStep) / float64(max(own.Steps, 1)))
		x[features.OwnGain] = relative(own.Gain)
	}
	if s.Found == k {
		x[features.OwnHolds] = 1
	}
	if s.Last == k {
		x[features.HadLast] = 1
	}
	others := math.Inf(1)
	for j := range s.Parts {
		if Component(j) != k {
			others = min(others, s.Parts[j].Cost)
		}
	}
	if !math.IsInf(others, 1) {
		x[features.OthersBehind] = relative(others - s.BestCost)
	}
}
