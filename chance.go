package rgm

import (
	"context"
	"errors"
	"fmt"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// unmeasured stands for the regularizer null until chance is measured, which belongs to the search.
var unmeasured = qap.NewRegularizer(qap.RegularizeNull.String(), func(_, _, _ int) float64 { return 1 })

// measureChance puts J/J0 of the instance in the place of the regularizer null. Where the time
// is too short for it, J/m decides.
func (s *solve) measureChance(ctx context.Context) error {
	if !s.byChance || s.given.Complete || s.o.Goal.Inliers > 0 { // all solutions share the factor
		return nil
	}
	if s.o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, share(ctx, chanceShare))
		defer cancel()
	}
	measured, err := reweigh.ByChance(ctx, s.given, s.o.Seed)
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		s.byChance = false
		s.o.Goal.Regularizer = qap.RegularizeMean(1)
		s.solver.warnOnce("the time is too short to measure what chance matches: J/m decides how many nodes are matched", s.given.Name)
		return nil
	case err != nil:
		return err
	}
	s.chance, s.o.Goal.Regularizer = measured, measured
	return nil
}

// chanceShare is the share of the time left that measuring chance takes at most.
const chanceShare = 0.3

// standsOut is by how much a matching is better than one by chance at least, else nothing stands
// out. Of 400 pairs of 6 to 60 points that correspond but for noise the least had 1.14; of as many
// unrelated ones a third is below with 6 to 10 nodes, while larger ones are above, since all points of a plane
// are alike in what shuffled edges lack.
const standsOut = 1.1

// overChance returns by how much a result is better than matchings as large by chance, 0
// where that was not measured, and tells where nothing stands out.
func (s *solve) overChance(r *qap.Result) float64 {
	m := r.Matching.Size()
	if s.chance.None() || m == 0 {
		return 0
	}
	n1, n2 := s.given.Size()
	ratio := r.Score * s.chance.Factor(m, n1, n2)
	if ratio < standsOut && !s.options.Unlogged {
		s.solver.warnOnce(fmt.Sprintf("nothing stands out: chance alone matches nearly as well (less than %g times); told once", standsOut), s.given.Name)
	}
	return ratio
}

// warnOnce logs a warning once.
func (s *Solver) warnOnce(text, instance string) {
	if _, told := s.told.LoadOrStore(text, true); !told {
		s.config.Log.Warn(text, "instance", instance)
	}
}
