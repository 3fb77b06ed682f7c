package drawn

import (
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/lab/research/rewriter"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/refine"
)

const (
	rewritings      = 3    // ·n rewritings of an episode
	rewriteDiscount = 0.9  // γ
	rewriteEntropy  = 0.01 // weight of the rule picker's entropy, which is raised
)

// rewriting is one step of an episode.
type rewriting struct {
	region, rule           int
	openRegions, openRules []bool
	reward                 float64
}

// rewrite plays an episode from a random matching, with regions and rules drawn by the
// network's probabilities, and returns its loss per step: the actor-critic of Chen and Tian.
// The region picker's Q is to be the discounted sum of what this and later rewritings add to
// the score; the rule picker follows the policy gradient with that sum less Q as advantage.
func (t *Trainer) rewrite(x example, gradient [][]float32, share float64) (float64, error) {
	n1, n2 := x.instance.Size()
	s := rewriter.NewState(x.instance, qap.RandomMatching(n1, n2, x.rng))
	steps, input := t.play(s, x, n1, n2)
	if len(steps) == 0 {
		return 0, nil
	}
	rows := len(steps) * (n1 + n2)
	pass, giveBack := t.lend(1, rows)
	defer giveBack()
	copy(pass.Inputs()[0], input)
	q, dq := pass.Forward(), make([]float32, rows)
	loss, sums, each := 0.0, discounted(steps), 1/float64(len(steps))
	for k := len(steps) - 1; k >= 0; k-- {
		at := k * (n1 + n2)
		loss += each * steps[k].learn(q[at:at+n1], q[at+n1:at+n1+n2], dq[at:at+n1], dq[at+n1:at+n1+n2], sums[k], share*each)
	}
	if gradient != nil {
		pass.Backward(dq, gradient)
	}
	return loss, nil
}

// discounted returns the discounted sum of the rewards from each step on.
func discounted(steps []rewriting) []float64 {
	sums, after := make([]float64, len(steps)), 0.0
	for k := len(steps) - 1; k >= 0; k-- {
		after = steps[k].reward + rewriteDiscount*after
		sums[k] = after
	}
	return sums
}

// play returns the steps of an episode and the questions that were asked: of every step
// those about regions and then those about rules.
func (t *Trainer) play(s *rewriter.State, x example, n1, n2 int) (steps []rewriting, input []float32) {
	regions, giveBackRegions := t.lend(1, n1)
	defer giveBackRegions()
	rules, giveBackRules := t.lend(1, n2)
	defer giveBackRules()
	for range rewritings * max(n1, n2) {
		step := rewriting{openRegions: make([]bool, n1), openRules: make([]bool, n2)}
		s.FillRegions(regions.Inputs()[0], step.openRegions)
		if step.region = rewriter.Draw(regions.Forward(), step.openRegions, x.rng); step.region < 0 {
			break
		}
		s.FillRules(rules.Inputs()[0], step.region, step.openRules)
		step.rule = rewriter.Draw(rules.Forward(), step.openRules, x.rng)
		input = slices.Concat(input, regions.Inputs()[0][:n1*rewriter.Channels], rules.Inputs()[0][:n2*rewriter.Channels])
		step.reward = s.Rewrite(step.region, step.rule)
		steps = append(steps, step)
	}
	return steps, input
}

// learn returns the loss of a step after which the discounted sum of rewards was a number,
// and writes its gradient, times share.
func (s *rewriting) learn(regions, rules, dregions, drules []float32, sum, share float64) float64 {
	miss := float64(regions[s.region]) - sum
	dregions[s.region] = float32(share * miss)

	largest, total := math.Inf(-1), 0.0
	for a, open := range s.openRules {
		if open {
			largest = max(largest, float64(rules[a]))
		}
	}
	for a, open := range s.openRules {
		if open {
			total += math.Exp(float64(rules[a]) - largest)
		}
	}
	logarithm := func(a int) float64 { return float64(rules[a]) - largest - math.Log(total) }
	entropy := 0.0
	for a, open := range s.openRules {
		if open {
			entropy -= math.Exp(logarithm(a)) * logarithm(a)
		}
	}
	advantage := -miss
	for a, open := range s.openRules {
		if !open {
			continue
		}
		l := logarithm(a)
		d := advantage*math.Exp(l) + rewriteEntropy*math.Exp(l)*(l+entropy)
		if a == s.rule {
			d -= advantage
		}
		drules[a] = float32(share * d)
	}
	return miss*miss/2 - advantage*logarithm(s.rule) - rewriteEntropy*entropy
}

// overGreedy compares with greedy rewriting of another random matching.
func (t *Trainer) overGreedy(ctx context.Context, x example) (float64, error) {
	n1, n2 := x.instance.Size()
	o := qap.Options{Initial: qap.RandomMatching(n1, n2, x.rng)}
	learned, err := rewriter.Solver{Q: models.QFunction(t.network)}.Solve(ctx, x.instance, o)
	if err != nil {
		return 0, err
	}
	greedy, err := refine.Rewrite{}.Solve(ctx, x.instance, o)
	return (learned.Score - greedy.Score) / rewriter.NewState(x.instance, o.Initial).Scale(), err
}
