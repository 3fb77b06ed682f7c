package belief

import (
	"context"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// Name is what results of Start are found by.
const Name = "bp"

const (
	steps       = 40 // for a guess of the noise
	stepsAtOnce = 10 // between two matchings
)

// noises are the guesses of the share of edges that are in one graph alone.
var noises = []float64{0.1, 0.2, 0.3}

// Start proposes the matchings of belief propagation by hand, for several guesses of the noise, of
// graphs of at most MostPairs pairs.
func Start() align.Start {
	return align.Start{Name: Name, Propose: func(ctx context.Context, p *align.Problem, _ qap.Matching, _ uint64, offer align.Offer) error {
		if p.A.Nodes()*p.B.Nodes() > MostPairs {
			return nil
		}
		watch := qap.Limits{}.Watch(ctx, nil)
		pair := NewPair(p.A, p.B)
		for _, noise := range noises {
			b := NewBeliefs(pair, Model{Degree: max(1, pair.MeanDegree()), Noise: noise})
			for step := range steps {
				if watch.Over() {
					return nil
				}
				if b.Step(); (step+1)%stepsAtOnce == 0 {
					offer(align.Proposal{Matching: qap.Matching(pair.Match(b.S))})
				}
			}
		}
		return nil
	}}
}
