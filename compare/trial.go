package compare

import (
	"cmp"
	"context"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/regrow"
)

// trial makes each of some ways to compare two graphs, and searches it shortly. It returns what is found of each, and
// which is best: the first of the greatest value. It ends with the first error.
func trial[W, R any](ways []W, search func(W) (R, error), value func(R) float64) (found []R, best int, err error) {
	for k, way := range ways {
		r, err := search(way)
		if err != nil {
			return nil, 0, err
		}
		if found = append(found, r); value(r) > value(found[best]) {
			best = k
		}
	}
	return found, best, nil
}

// A search of affinities takes trialSteps steps for each node of the larger graph, where there are at most trialPairs
// pairs of edges: some milliseconds.
const (
	trialSteps = 20
	trialPairs = 1 << 21
)

// shortSearch returns what a search of trialSteps a node finds.
func shortSearch(ctx context.Context, in *qap.Instance) (qap.Result, error) {
	n1, n2 := in.Size()
	r, err := regrow.Solver{}.Solve(ctx, in, qap.Options{Limits: qap.Limits{MaxSteps: trialSteps * max(n1, n2)}})
	return r, cmp.Or(err, ended(ctx))
}

func scoreOf(r qap.Result) float64 { return r.Score }

// A short alignment takes alignTrials trials for each node, of graphs of at most mostAligned nodes.
const (
	mostAligned = 20_000
	alignTrials = 100
)

// shortAlignments aligns two graphs in some ways, each within a share of the time left.
func shortAlignments(ctx context.Context, share int, ways ...*align.Problem) (found []align.Result, best int, err error) {
	options := align.Options{Limits: qap.Limits{MaxSteps: alignTrials * max(ways[0].A.Nodes(), ways[0].B.Nodes(), 500)}}
	if left, limited := qap.Remaining(ctx); limited {
		options.TimeLimit = max(left/time.Duration(share), 1)
	}
	return trial(ways, func(p *align.Problem) (align.Result, error) { return align.Solve(ctx, p, options) }, func(r align.Result) float64 { return float64(r.Shared) })
}
