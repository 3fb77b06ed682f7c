package train

import (
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// The values of Config.Goal. Instances whose solutions are complete keep to that.
const (
	GoalAny      = "any"      // the best matching of any size
	GoalComplete = "complete" // of min(n1, n2) nodes
	GoalInliers  = "inliers"  // of a number of nodes that is drawn for each instance; a regularizer shapes the way there
	GoalMixed    = "mixed"    // one of these, drawn for each instance
)

func goals() []string { return []string{GoalAny, GoalComplete, GoalInliers, GoalMixed} }

// RegularizeMixed is the value of Config.Regularize that draws a regularizer for
// each instance. The others are those of qap.ParseRegularizer but for null.
const RegularizeMixed = "mixed"

// mostOutliers is how far below min(n1, n2) a drawn number of inliers lies at most.
const mostOutliers = 6

// setGoal draws what is sought in an instance: the instance, marked complete where
// it is to be, and the goal.
func (c *Config) setGoal(in *qap.Instance, rng *rand.Rand) (*qap.Instance, qap.Goal, error) {
	if in.Complete {
		return in, qap.Goal{}, nil
	}
	kind := c.Goal
	if kind == GoalMixed {
		kind = []string{GoalAny, GoalAny, GoalComplete, GoalInliers}[rng.IntN(4)]
	}
	switch kind {
	case GoalComplete:
		marked := *in
		marked.Complete = true
		return &marked, qap.Goal{}, nil
	case GoalInliers:
		n1, n2 := in.Size()
		most := min(n1, n2)
		least := max(most-mostOutliers, min(2, most))
		goal := qap.Goal{Inliers: least + rng.IntN(most-least+1)}
		if c.Goal != GoalInliers || c.Regularize == RegularizeMixed {
			return in, goal, nil
		}
		var err error // the paper's "AR + IC"
		goal.Regularizer, err = parseRegularizer(c.Regularize)
		return in, goal, err
	}
	r, err := c.regularizer(rng)
	return in, qap.Goal{Regularizer: r}, err
}

// regularizer returns the regularizer of an instance.
func (c *Config) regularizer(rng *rand.Rand) (qap.Regularizer, error) {
	if c.Regularize != RegularizeMixed {
		return parseRegularizer(c.Regularize)
	}
	const plain, least, most = 0.3, 0.3, 2 // share without; exponents of 1/m^p
	drawn := []qap.Regularizer{
		qap.RegularizeF1, qap.RegularizeF2, qap.RegularizeF3,
		qap.RegularizeMean(least + (most-least)*rng.Float64()), qap.RegularizeMean(1),
	}[rng.IntN(5)]
	if rng.Float64() < plain {
		return qap.Regularizer{}, nil
	}
	return drawn, nil
}

// parseRegularizer reads a value of Config.Regularize other than RegularizeMixed; none
// is also what configurations from before there was a choice hold, nothing.
func parseRegularizer(text string) (qap.Regularizer, error) {
	if text == "" {
		return qap.Regularizer{}, nil
	}
	r, err := qap.ParseRegularizer(text)
	if err == nil && r.Unknown() {
		return r, fmt.Errorf("regularizer %s: it is measured on every instance, which trainings do not", text)
	}
	return r, err
}
