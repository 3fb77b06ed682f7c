package train

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// HeldOut is a set of instances to judge policies on.
type HeldOut struct {
	config   Config
	problems []*Problem
}

// NewHeldOut draws the instances that a training of a configuration would validate
// with, and looks for their references: ValidationPool of each size. With a seed that no
// training had they are instances that none has seen.
func NewHeldOut(ctx context.Context, c Config, source InstanceSource) (*HeldOut, error) {
	c.takeSizes(source)
	if err := c.Validate(); err != nil {
		return nil, err
	}
	h := &HeldOut{config: c}
	var err error
	h.problems, err = newProblems(ctx, source, &h.config, features.Gain, true)
	return h, err
}

// Sizes returns the nodes of the larger graph of each instance.
func (h *HeldOut) Sizes() []int {
	return lists.Of(h.problems, func(p *Problem) int { return nodes(p.Instance) })
}

// Families returns the family of each instance: what its name begins with, before any
// digit or mark.
func (h *HeldOut) Families() []string {
	return lists.Of(h.problems, func(p *Problem) string { return familyOf(p.Instance.Name) })
}

// InPercent makes gaps those to the objectives that best knows, in percent of them, in
// place of spreads. An instance whose best objective is not known, or is 0, is an error.
func (h *HeldOut) InPercent(best func(*qap.Instance) (float64, bool)) error {
	for _, p := range h.problems {
		v, known := best(p.Instance)
		if !known || v == 0 {
			return fmt.Errorf("train: %s: no best objective is known, or it is 0: gaps are no percentages", p.Instance.Name)
		}
		p.reference, p.spread = p.Instance.ScoreOf(v), math.Abs(v)/100
	}
	return nil
}

// Gaps returns how far a policy falls short of the reference of each instance, in
// spreads (docs/TRAINING.md) or percent: means over ValidationRuns searches, each of so many
// rollouts at a time of StepsPerNode·n steps from random matchings. The searches of two
// policies have the same starts. An instance may have a gap below 0.
func (h *HeldOut) Gaps(ctx context.Context, policy rollout.Policy, rollouts int) ([]float64, error) {
	start, runs := NewTrial(&h.config).start, h.config.ValidationRuns
	gaps := make([]float64, len(h.problems)*runs)
	errs := make([]error, len(gaps))
	parallel.For(len(gaps), func(k int) {
		if errs[k] = ctx.Err(); errs[k] != nil {
			return
		}
		p := h.problems[k/runs]
		solver := rollout.Solver{Policy: policy, Rollouts: rollouts, Start: start, Rules: p.rules}
		result, err := solver.Solve(ctx, p.Instance, qap.Options{
			Seed:   uint64(k%runs) + 1,
			Limits: qap.Limits{MaxSteps: max(int(h.config.StepsPerNode*float64(nodes(p.Instance))), 1)},
		})
		gaps[k], errs[k] = p.shortfall(&result), err
	})
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	means := make([]float64, len(h.problems))
	for k, gap := range gaps {
		means[k/runs] += gap / float64(runs)
	}
	return means, nil
}
