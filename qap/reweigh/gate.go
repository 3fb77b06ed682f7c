package reweigh

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Gate chooses between given and learned affinities. It may be shared by goroutines.
type Gate struct{ network qap.QFunction }

// The names of gates in a Decision.
const (
	GateNetwork = "network"
	GateRule    = "rule"
)

// NewGate returns the gate of a network of the feature set features.Gate: the logistic
// function of its answer is the F1 that it expects of a candidate.
func NewGate(network qap.QFunction) (*Gate, error) {
	if set := network.Features(); set != features.Gate {
		return nil, fmt.Errorf("reweigh: a network over the features %q: want %q", set, features.Gate)
	}
	return &Gate{network}, nil
}

// Rule returns the gate without learning: learned affinities wherever there are, the
// given ones by J/m where these have signs. It is the network's control, and at least as
// good on the kinds of pairs that were compared (cmd/rgm-lab/notes/MATCHING_RESULTS.md).
func Rule() *Gate { return &Gate{} }

func (g *Gate) name() string {
	if g.network == nil {
		return GateRule
	}
	return GateNetwork
}

// choose returns one of some candidates and what is expected of each, nothing by the
// rule.
func (g *Gate) choose(ctx context.Context, c *Comparison, among []Candidate) (Candidate, []float32, error) {
	if g.network == nil {
		return c.byRule(among), nil, nil
	}
	answers, err := ask(ctx, g.network, len(among), features.GateChannels, func(k int, dst []float32) { c.Ask(dst, among[k]) })
	if err != nil {
		return Candidate{}, nil, err
	}
	return among[greatest(answers)], answers, nil
}

// byRule returns the candidate that the rule wants or, of the same side, the one whose
// size is the nearest.
func (c *Comparison) byRule(among []Candidate) Candidate {
	wanted := Candidate{Learned: true, Size: c.chosen}
	if c.learned.profile == nil {
		wanted = Candidate{Size: c.by(qap.RegularizeMean(1))}
	}
	best := among[0]
	for _, k := range among {
		if closer := abs(k.Size-wanted.Size) < abs(best.Size-wanted.Size); k.Learned == wanted.Learned && (closer || best.Learned != wanted.Learned) {
			best = k
		}
	}
	return best
}

// Choose returns the instance by which the gate expects to match best, to be maximised:
// with learned affinities or with the given ones, of which the best score J is sought or
// J/m, by Decision.Regularizer. Where the goal has a count of inliers, or everything is to
// be matched, only the affinities are chosen. So they are where it has a regularizer, which
// decides on the number of matches by the given ones whatever these matches are chosen by:
// Decision.Inliers. The rest is as in Affinity.Reweigh.
//
// For a search that keeps to no regularizer, shifts asks for a constant off the given
// affinities instead, by which the size that has the best J/m, or one near it, has the
// best score: Decision.Shifted.
func (g *Gate) Choose(ctx context.Context, a *Affinity, in *qap.Instance, goal qap.Goal, shifts bool) (*qap.Instance, Decision, error) {
	if err := serves(in); err != nil {
		return nil, Decision{}, err
	}
	chosen, d, err := g.decide(ctx, a, in, goal, shifts)
	d.Gate = g.name()
	return concluded(in, chosen, d, err)
}

func (g *Gate) decide(ctx context.Context, a *Affinity, in *qap.Instance, goal qap.Goal, shifts bool) (*qap.Instance, Decision, error) {
	c, reason, err := a.Compare(ctx, in)
	if err != nil || reason != "" {
		return nil, Decision{Reason: reason}, err
	}
	among, fixed := c.among(goal)
	chosen, answers, err := g.choose(ctx, c, among)
	if err != nil {
		return nil, Decision{}, err
	}
	d := Decision{Learned: chosen.Learned}
	if d.Learned && !c.complete && !goal.Regularizer.None() && goal.Inliers == 0 {
		d.Inliers = chosen.Size
	}
	for k, v := range answers {
		expected := &d.ExpectedGiven
		if among[k].Learned {
			expected = &d.ExpectedLearned
		}
		*expected = max(*expected, logistic(float64(v)))
	}
	if !d.Learned {
		d.Reason = ReasonGate
		if c.learned.profile == nil {
			d.Reason = ReasonSigned
		}
	}
	if d.Learned {
		if !fixed {
			learned, err := shifted(ctx, c.learned.instance, offsetOf(c.learned.hull, chosen.Size, 1))
			return learned, d, err
		}
		return c.learned.instance, d, nil
	}
	byMean := !fixed && chosen.Size != c.by(qap.Regularizer{})
	if byMean && !shifts {
		d.Regularizer = qap.RegularizeMean(1)
	}
	if !byMean || !shifts {
		return nil, d, nil
	}
	hull, err := hullOf(ctx, c.in, c.given.profile)
	if err != nil {
		return nil, Decision{}, err
	}
	d.Shifted = true
	now, err := shifted(ctx, c.given.instance, offsetOf(hull, chosen.Size, c.measures.Greatest))
	return now, d, err
}

// among returns the candidates for a goal; fixed tells that the goal decides on their
// size.
func (c *Comparison) among(goal qap.Goal) (list []Candidate, fixed bool) {
	size := 0
	switch {
	case goal.Inliers > 0:
		size = goal.Inliers
	case c.complete:
		size = c.given.most()
	case goal.Regularizer.None():
		return c.Candidates, false
	default:
		size = max(c.by(goal.Regularizer), goal.Fixed.Size())
	}
	list = append(list, Candidate{Size: size})
	if c.learned.profile != nil && size > 0 {
		list = append(list, Candidate{Learned: true, Size: size})
	}
	return list, true
}

// logistic returns 1/(1 + e^−x).
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Compare searches the best matchings of all sizes by given and by learned affinities. A
// reason in place of a comparison says why there is nothing to choose. The error is why
// the context ended too early, or the network's.
func (a *Affinity) Compare(ctx context.Context, in *qap.Instance) (*Comparison, string, error) {
	in, m, s, err := prepared(ctx, in)
	if err != nil {
		return nil, "", err
	}
	n1, n2 := in.Size()
	switch {
	case m.Greatest == 0:
		return nil, ReasonNoEdges, nil
	case min(n1, n2) <= LeastSize:
		return nil, ReasonSmall, nil
	}
	signed := m.Least < 0
	free := *in
	free.Complete = false
	c := &Comparison{in: &free, complete: in.Complete, measures: &m, structure: s, chosen: min(n1, n2)}
	if c.given.profile, err = m.measure(ctx, in); err != nil {
		return nil, "", err
	}
	c.given.instance = in
	if !signed {
		if err := c.learn(ctx, a); err != nil {
			return nil, "", err
		}
	}
	if err := c.look(ctx); err != nil {
		return nil, "", err
	}
	c.collect()
	return c, "", nil
}

// learn searches by learned affinities.
func (c *Comparison) learn(ctx context.Context, a *Affinity) error {
	t, err := a.tabulate(ctx, c.measures)
	if err != nil {
		return err
	}
	c.phi = [2]float64{t.at(0), t.at(leastLog)}
	if c.learned.instance, err = t.mapped(ctx, c.given.instance, c.measures); err != nil {
		return err
	}
	search, cancel := within(ctx, sizingShare)
	defer cancel()
	if c.learned.profile = searchProfile(search, c.learned.instance, sizingStarts(c.learned.instance)); c.learned.profile == nil {
		return whyEnded(ctx)
	}
	sizes := newSizes(c.in, c.measures, c.learned.profile)
	c.answers, err = a.askSizes(ctx, sizes)
	if err == nil {
		c.learned.hull, err = hullOf(ctx, c.learned.instance, c.learned.profile)
	}
	if err != nil {
		return err
	}
	wanted := LeastSize + greatest(c.answers)
	c.chosen = c.learned.hull[nearestOnHull(c.learned.hull, wanted)].size
	return nil
}
