package request

import (
	"context"
	"slices"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/qaplib"
)

// Search searches a problem; found is told of copies of each better matching. The result has what is known
// of instances of QAPLIB.
func Search(ctx context.Context, p *rgm.Problem, found func(rgm.Incumbent)) (rgm.Result, error) {
	p.OnBest(func(i rgm.Incumbent) {
		i.Matching = slices.Clone(i.Matching)
		found(i)
	})
	result, err := p.Search(ctx)
	if err == nil && p.Instance != nil {
		result.BestKnown, result.GapPercent = qaplib.Compared(p.Instance, result.Objective)
	}
	return result, err
}
