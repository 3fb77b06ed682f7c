package train

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// GuidedSource is an InstanceSource that has a soft matching of every instance, by
// another solver or network, for the policy to imitate (the paper's "NGM + RGM").
type GuidedSource interface {
	InstanceSource
	// Guide returns the soft matching of an instance that the source made: n1·n2
	// numbers of at least 0, row-major, the greater the more the vertex is wanted.
	Guide(in *qap.Instance) ([]float64, error)
}

// Aims are the weights of what an update learns from; the critic's is that of a policy
// gradient, which learns it from the rewards.
type Aims struct{ Reward, Guide, Critic float64 }

// Aims returns the weights after a share of the budget. Without a guide there is
// nothing but rewards to learn from, whatever GuideShare says.
func (c *Config) Aims(progress float64) Aims {
	if c.Guide == GuideNone {
		return Aims{Reward: 1, Critic: 1}
	}
	if progress < c.GuideShare {
		return Aims{0, 1, 1}
	}
	return Aims{1, c.GuideWeight, 1}
}

// guide returns what the policy shall imitate on a problem for which tabu search
// found a solution; nil if nothing.
func (c *Config) guide(source InstanceSource, p *Problem, found qap.Matching) ([]float32, error) {
	if c.Guide == GuideNone || p.draw.Validation {
		return nil, nil
	}
	if c.Guide == GuideTabu {
		_, n2 := p.Instance.Size()
		return hardGuide(found, n2), nil
	}
	guided, ok := source.(GuidedSource)
	if !ok {
		return nil, fmt.Errorf("train: guide %s: it belongs to instances of its own, and these come without one: name those too, or take guide = %s", c.Guide, GuideTabu)
	}
	values, err := guided.Guide(p.Instance)
	if err != nil {
		return nil, err
	}
	return newGuide(p.Instance, values)
}

// newGuide checks a soft matching of an instance.
func newGuide(in *qap.Instance, values []float64) ([]float32, error) {
	n1, n2 := in.Size()
	if len(values) != n1*n2 {
		return nil, fmt.Errorf("train: guide of %s: %d numbers, want %d·%d", in.Name, len(values), n1, n2)
	}
	largest := 0.0
	for v, value := range values {
		if !(value >= 0) || math.IsInf(value, 1) {
			return nil, fmt.Errorf("train: guide of %s: %v for node %d and node %d: want finite numbers of at least 0", in.Name, value, v/n2, v%n2)
		}
		largest = max(largest, value)
	}
	if largest == 0 {
		return nil, fmt.Errorf("train: guide of %s: all numbers are 0: want some vertex above it", in.Name)
	}
	guide := make([]float32, len(values))
	for v, value := range values {
		guide[v] = float32(value / largest)
	}
	return guide, nil
}

// hardGuide is a matching as a guide.
func hardGuide(m qap.Matching, n2 int) []float32 {
	guide := make([]float32, len(m)*n2)
	for i, a := range m {
		if a != qap.Unmatched {
			guide[i*n2+a] = 1
		}
	}
	return guide
}
