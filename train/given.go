package train

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
)

// Given is an instance that an InstanceList holds.
type Given struct {
	Instance *qap.Instance
	Name     string       // of no other in the list
	Sum      string       // checksum of the content, by which a resumed training notices a change
	Truth    qap.Matching // nil where it is not known, or not asked for
}

// InstanceList is an InstanceSource that also has instances of its own.
type InstanceList interface {
	InstanceSource
	// Given returns the instances to train on, or those to validate with; no
	// instance is in both. Where there are none, Instance makes them.
	Given(validation bool) []Given
}

// PairSource makes pairs of graphs whose true matching is known. The same rng state
// must give the same pair. The larger graph has n nodes.
type PairSource interface {
	Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error)
}

// given returns the instances that a source has for a purpose.
func given(source InstanceSource, validation bool) []Given {
	if list, ok := source.(InstanceList); ok {
		return list.Given(validation)
	}
	return nil
}

// nodes returns the nodes of the larger graph of an instance.
func nodes(in *qap.Instance) int {
	n1, n2 := in.Size()
	return max(n1, n2)
}

// takeSizes replaces the sizes by those of the given instances, if there are any.
func (c *Config) takeSizes(source InstanceSource) {
	list := given(source, false)
	if len(list) == 0 {
		return
	}
	c.Sizes = nil
	for _, g := range list {
		c.Sizes = append(c.Sizes, nodes(g.Instance))
	}
	slices.Sort(c.Sizes)
	c.Sizes = slices.Compact(c.Sizes)
}

// instance returns the instance that a draw names, with its truth where the reward
// asks for it. rng is the draw's stream.
func (d draw) instance(source InstanceSource, c *Config, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	if d.Name != "" {
		g, err := d.given(source)
		if err == nil && c.Reward == RewardF1 && g.Truth == nil {
			err = errNoTruth
		}
		return g.Instance, g.Truth, err
	}
	if c.Reward == RewardF1 {
		known, ok := source.(PairSource)
		if !ok {
			return nil, nil, errNoTruth
		}
		return known.Problem(d.N, rng)
	}
	in, err := source.Instance(d.N, rng)
	return in, nil, err
}

var errNoTruth = fmt.Errorf("train: reward %s: the truth of these instances is not known", RewardF1)

// given returns the instance of a list that a draw names.
func (d draw) given(source InstanceSource) (Given, error) {
	list := given(source, d.Validation)
	k := slices.IndexFunc(list, func(g Given) bool { return g.Name == d.Name })
	if k < 0 {
		return Given{}, fmt.Errorf("instance %s is missing, or has changed and moved between those to train on and those to validate with: put the file back as it was", d.Name)
	}
	if list[k].Sum != d.Sum {
		return Given{}, fmt.Errorf("instance %s has changed since the training began (sha256 %.12s, was %.12s): put the file back as it was", d.Name, list[k].Sum, d.Sum)
	}
	return list[k], nil
}

// newProblems makes the problems for a purpose, those of one size together: the
// given ones, or a pool of each size.
func newProblems(ctx context.Context, source InstanceSource, c *Config, set string, validation bool) ([]*Problem, error) {
	if list := given(source, validation); len(list) > 0 {
		return newGivenPool(ctx, source, c, set, list, validation)
	}
	count := c.Pool
	if validation {
		count = c.ValidationPool
	}
	var problems []*Problem
	for _, n := range c.Sizes {
		pool, err := newPool(ctx, source, c, set, n, count, validation)
		if err != nil {
			return nil, err
		}
		problems = append(problems, pool...)
	}
	return problems, nil
}

// newGivenPool makes a problem of each given instance, sorted by size. Those whose
// local optima are all alike are passed over.
func newGivenPool(ctx context.Context, source InstanceSource, c *Config, set string, list []Given, validation bool) ([]*Problem, error) {
	problems := make([]*Problem, len(list))
	errs := make([]error, len(list))
	parallel.For(len(list), func(k int) {
		d := draw{N: nodes(list[k].Instance), Number: k, Validation: validation, Name: list[k].Name, Sum: list[k].Sum}
		problems[k], errs[k] = newProblem(ctx, source, c, set, d)
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	problems = slices.DeleteFunc(problems, func(p *Problem) bool { return !p.optimaDiffer() })
	if len(problems) == 0 {
		return nil, fmt.Errorf("train: none of the %d given instances, beginning with %s, has local optima of different value: nothing to learn", len(list), list[0].Name)
	}
	slices.SortStableFunc(problems, func(x, y *Problem) int { return cmp.Compare(x.draw.N, y.draw.N) })
	return problems, nil
}

// sizeRuns returns where in problems those of one size begin and end, in their order.
func sizeRuns(problems []*Problem) [][2]int {
	var runs [][2]int
	for k, p := range problems {
		if k == 0 || problems[k-1].draw.N != p.draw.N {
			runs = append(runs, [2]int{k, k})
		}
		runs[len(runs)-1][1] = k + 1
	}
	return runs
}
