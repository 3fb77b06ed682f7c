package regrow

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// FusionMoves is what the search is measured against: proposals that grow greedily from a
// random node along the edges of graph 1, improved node by node, each fused with the best
// (Hutschenreiter et al., ICCV 2021, whose parts are single nodes and whose fusions are solved by
// QPBO). It needs a time limit.
type FusionMoves struct{}

func (FusionMoves) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	r := newRun(ctx, in, qap.Goal{}, o)
	r.start(nil)
	for !r.stopped() {
		r.Reset(nil)
		for _, i := range r.grownOrder() {
			best, at := 0.0, -1
			for a, gain := range r.Gains[i*r.N2 : (i+1)*r.N2] {
				if r.Inverse[a] == qap.Unmatched && (at < 0 || gain > best || gain == best && r.random.IntN(2) == 0) {
					best, at = gain, a
				}
			}
			if at >= 0 && best >= 0 {
				r.Add(i, at)
			}
		}
		for _, i := range r.random.Perm(r.N1) {
			r.improve(i)
		}
		r.fuse()
		r.steps++
	}
	return r.result(), nil
}

// grownOrder lists the nodes of graph 1, each but the first of a part after a neighbour.
func (r *run) grownOrder() []int {
	order, listed := make([]int, 0, r.N1), make([]bool, r.N1)
	list := func(i int) {
		if !listed[i] {
			listed[i] = true
			order = append(order, i)
		}
	}
	for _, first := range r.random.Perm(r.N1) {
		list(first)
		for k := len(order) - 1; k < len(order); k++ {
			if r.near == nil {
				continue
			}
			near := r.near[order[k]]
			for _, x := range rand.New(rand.NewPCG(r.random.Uint64(), 1)).Perm(len(near)) {
				list(int(near[x]))
			}
		}
	}
	return order
}
