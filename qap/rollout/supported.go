package rollout

import (
	"cmp"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// resetSupported puts an environment at the single match that K supports place-th most of
// those that are allowed; at its empty matching, with the seeds of the goal, where there are
// seeds or K supports none.
func (b *batch) resetSupported(env *qap.Environment, place int) {
	env.Reset(nil)
	if env.Matched() > 0 || env.Finished() {
		return
	}
	var allowed []int
	for _, v := range supported(b.instance, b.over) {
		if env.Allowed(v) {
			allowed = append(allowed, v)
		}
	}
	if len(allowed) == 0 {
		return
	}
	n1, n2 := env.Size()
	first, v := qap.NewMatching(n1), allowed[place%len(allowed)]
	first[v/n2] = v % n2
	env.Reset(first)
}

// supportIterations bound the power method: what matters is the order of the largest entries.
const supportIterations = 50

// supported returns the vertices whose entry of the leading eigenvector of K is positive, the
// largest first, what is negative on the way counted as 0; none where over said to stop. The first is where spectral
// matching begins too (Leordeanu, Hebert, ICCV 2005, doi:10.1109/ICCV.2005.20).
func supported(in *qap.Instance, over func() bool) []int {
	n1, n2 := in.Size()
	x, next := make([]float64, n1*n2), make([]float64, n1*n2)
	for v := range x {
		x[v] = 1
	}
	for range supportIterations {
		if k, ok := in.Affinity.(qap.Interruptible); !ok {
			in.Affinity.Multiply(next, x)
		} else if !k.MultiplyUntil(next, x, over) {
			return nil
		}
		largest := 0.0
		for v := range next {
			next[v] = max(next[v], 0)
			largest = max(largest, next[v])
		}
		if largest == 0 {
			return nil
		}
		change := 0.0
		for v := range next {
			next[v] /= largest
			change = max(change, math.Abs(next[v]-x[v]))
		}
		if x, next = next, x; change < 1e-6 {
			break
		}
	}
	var order []int
	for v, support := range x {
		if support > 0 {
			order = append(order, v)
		}
	}
	slices.SortStableFunc(order, func(v, w int) int { return cmp.Compare(x[w], x[v]) })
	return order
}
