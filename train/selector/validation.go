package selector

import (
	"context"
	"math"
	"time"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap/auto"
)

// Validation is mean log-gaps (LogGap) on instances that nothing was learned from, after
// each of the times of validationShares.
type Validation struct {
	Instances  int      `json:"instances"`
	Learned    float64  `json:"learned"`
	First      *float64 `json:"first,omitempty"` // of the network that training began with, if it was given
	Rule       float64  `json:"rule"`
	RoundRobin float64  `json:"round_robin"`
	Fixed      float64  `json:"fixed"`  // the one component that is best on all of them
	Oracle     float64  `json:"oracle"` // the component that is best, instance by instance
}

// validationShares are the parts of an instance's time after which gaps are measured.
var validationShares = []float64{1, 0.25, 0.0625}

// newChooser makes the chooser of a search.
type newChooser = func() auto.Chooser

// ChooserOf returns what makes choosers that ask a network.
func ChooserOf(n *auto.Network) func() auto.Chooser {
	return func() auto.Chooser {
		learned, err := auto.Learned(n)
		if err != nil {
			panic(err) // it has the right features
		}
		return learned
	}
}

func fixed(k auto.Component) newChooser {
	return func() auto.Chooser { return auto.Fixed(k) }
}

func validate(ctx context.Context, records []Recorded, n *auto.Network) (Validation, error) {
	v := Validation{
		Instances: len(records), Learned: meanLogGap(ctx, records, ChooserOf(n)), Rule: meanLogGap(ctx, records, auto.Rule),
		RoundRobin: meanLogGap(ctx, records, auto.RoundRobin), Fixed: math.Inf(1),
	}
	least := make([]float64, len(records)*len(validationShares))
	for j := range least {
		least[j] = math.Inf(1)
	}
	for k := range auto.Component(auto.Components) {
		gaps := logGaps(ctx, records, fixed(k))
		v.Fixed = min(v.Fixed, mean(gaps))
		for j, gap := range gaps {
			least[j] = min(least[j], gap)
		}
	}
	v.Oracle = mean(least)
	return v, ctx.Err()
}

func meanLogGap(ctx context.Context, records []Recorded, chooser newChooser) float64 {
	return mean(logGaps(ctx, records, chooser))
}

// logGaps returns the log-gaps that a chooser leaves, for each record after each time. If
// the context ends, some are missing.
func logGaps(ctx context.Context, records []Recorded, chooser newChooser) []float64 {
	gaps := make([]float64, len(records)*len(validationShares))
	parallel.For(len(gaps), func(j int) {
		if ctx.Err() != nil {
			return
		}
		r := records[j/len(validationShares)]
		d := time.Duration(validationShares[j%len(validationShares)] * float64(r.Time))
		s := r.Replay(chooser(), d)
		gaps[j] = LogGap(&r.Features, s.BestCost, r.Best())
	})
	return gaps
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}
