package compare

import (
	"context"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/regrow"
)

// matchOptions say how match compares two graphs, and searches.
type matchOptions struct {
	Design
	Search qap.Options
}

type matched struct {
	qap.Result
	Problem Problem
}

// match compares two graphs and searches the best score of any size.
func match(ctx context.Context, g1, g2 graphs.Graph, o matchOptions) (matched, error) {
	p, err := o.Problem(ctx, g1, g2)
	if err != nil {
		return matched{}, err
	}
	r, err := regrow.Solver{}.Solve(ctx, p.Instance, o.Search)
	return matched{r, p}, err
}
