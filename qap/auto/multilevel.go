package auto

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Where nodes of both matrices come in blocks, the smallest blocks are found first, and matched as nodes of a small
// instance, in which blocks may come in blocks again. Inside them nodes are placed in any order: a
// trajectory mends that in a few swaps, where it hardly ever exchanges two blocks.
const (
	leastJump     = 2    // of the product of both distances at which groups are joined, where blocks end: on tai-e 2.2 to 9
	mostNodes     = 500  // whose joining takes a small part of a second
	mostColumns   = 256  // by which rows are compared: by few of them, blocks do not stand out
	smallSteps    = 4000 // swaps of the small instance, ·its nodes
	smallPatience = 1000 // and those without a better matching that end it, ·its nodes
	smallShare    = 4    // of a limit these take one part
	blockPatience = 10   // swaps without a better matching that end the trajectory, ·n
	meanLevels    = 1024 // means are rounded, so that costs are exact
	smallBlocks   = 6    // nodes in the mean: of these the clearest are taken,
	largeBlocks   = 12   // and else the smallest of up to so many
	joining       = 2    // nanoseconds that joining takes, ·n³: 10 ms for 175 nodes
)

// byBlocks returns a matching that brings blocks to blocks, nil where these are not alike, and how many swaps it took, those of
// blocks too: most at most, where that is not 0.
func byBlocks(ctx context.Context, in *qap.Instance, seed uint64, most int, watch *qap.Watch) (qap.Matching, int) {
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	n, _ := in.Size()
	if _, _, linear := kb.Entries(); n > mostNodes || linear.NonZeros > 0 {
		return nil, 0
	}
	if watch != nil {
		if left, limited := watch.Remaining(); limited && left < 3*joining*time.Duration(n*n*n) {
			return nil, 0 // a search has more of so short a time
		}
	}
	from, to := blocksOf(kb.A(), kb.B(), n)
	alike := func(x, y []int) bool { return len(x) == len(y) }
	if len(from) < 2 || !slices.EqualFunc(from, to, alike) {
		return nil, 0
	}
	small, err := between(in, from, to)
	if err != nil {
		return nil, 0 // its numbers are too large
	}
	limits := qap.Limits{MaxSteps: smallSteps * len(from), Patience: smallPatience * len(from)}
	if most > 0 {
		limits.MaxSteps = min(limits.MaxSteps, max(1, most/smallShare))
	}
	if watch != nil {
		if left, limited := watch.Remaining(); limited {
			limits.TimeLimit = max(1, left/smallShare)
		}
	}
	r, err := Solver{}.Solve(ctx, small, qap.Options{Seed: seed, Limits: limits})
	if err != nil || r.Matching.Size() < len(from) {
		return nil, r.Steps
	}
	m := qap.NewMatching(n)
	for x, y := range r.Matching {
		if !alike(from[x], to[y]) {
			return nil, r.Steps
		}
		for k, i := range from[x] {
			m[i] = to[y][k]
		}
	}
	steps := r.Steps
	if steps == most {
		return m, steps
	}
	limits = qap.Limits{Patience: blockPatience * n, MaxSteps: max(0, most-steps)}
	if r, err = (tabu.Solver{}).Solve(ctx, in, qap.Options{Seed: seed, Initial: m, Limits: limits}); err != nil {
		return nil, steps
	}
	return r.Matching, steps + r.Steps
}

// between is the instance of blocks: a pair of them has the sum of what its nodes have in one matrix, and
// the mean in the other. Blocks that differ in size cost more than all else.
func between(in *qap.Instance, from, to [][]int) (*qap.Instance, error) {
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	m, a, b := len(from), sumsOf(kb.A(), from), sumsOf(kb.B(), to)
	for x := range m {
		for y := range m {
			b[x*m+y] /= float64(len(to[x]) * len(to[y]))
		}
	}
	largest := func(of []float64) float64 { return max(slices.Max(of), -slices.Min(of), math.SmallestNonzeroFloat32) }
	scale := meanLevels / largest(b)
	for k := range b {
		b[k] = math.Round(scale * b[k])
	}
	apart := -in.ScoreOf(1) * 4 * float64(m) * largest(a) * meanLevels
	linear := make([]float64, m*m)
	for x := range m {
		for y := range m {
			if len(from[x]) != len(to[y]) {
				linear[x*m+y] = apart
			}
		}
	}
	return qap.NewKoopmansBeckmann(m, m, a, b, linear, in.Sense)
}

// sumsOf adds up a matrix by pairs of groups.
func sumsOf(m []float64, groups [][]int) []float64 {
	n, sums := 0, make([]float64, len(groups)*len(groups))
	for _, g := range groups {
		n += len(g)
	}
	for x, g := range groups {
		for y, h := range groups {
			for _, i := range g {
				for _, j := range h {
					sums[x*len(groups)+y] += m[i*n+j]
				}
			}
		}
	}
	return sums
}

// blocksOf joins nodes of each matrix whose rows are alike, the nearest groups first, until the next joins
// would be of groups that are much farther apart in both; nil where there is no such place. Small blocks
// come first.
func blocksOf(a, b []float64, n int) (ofA, ofB [][]int) {
	joinsA, apartA := joinsOf(a, n)
	joinsB, apartB := joinsOf(b, n)
	at, most := -1, float64(leastJump)
	for k := n / 2; k <= n-2 && n-k >= n/largeBlocks && (at < 0 || n-k >= n/smallBlocks); k++ {
		if last := apartA[k-1] * apartB[k-1]; last > 0 && apartA[k]*apartB[k]/last >= most {
			at, most = k, apartA[k]*apartB[k]/last
		}
	}
	if at < 0 {
		return nil, nil
	}
	return groupsAfter(joinsA[:at], n), groupsAfter(joinsB[:at], n)
}

// groupsAfter returns the groups of nodes after joins, small ones first.
func groupsAfter(joins [][2]int, n int) [][]int {
	groups := make([][]int, n)
	for i := range groups {
		groups[i] = []int{i}
	}
	for _, j := range joins {
		groups[j[0]], groups[j[1]] = append(groups[j[0]], groups[j[1]]...), nil
	}
	groups = slices.DeleteFunc(groups, func(g []int) bool { return g == nil })
	slices.SortStableFunc(groups, func(x, y []int) int { return len(x) - len(y) })
	return groups
}

// joinsOf joins the two groups whose nodes are nearest to each other in the mean, until all are one: the
// second of each pair becomes part of the first. Heights are how far apart they were.
func joinsOf(m []float64, n int) (joins [][2]int, heights []float64) {
	stride := (n + mostColumns - 1) / mostColumns
	apart := make([]float64, n*n)
	for i := range n {
		for j := range i {
			d := distanceOf(m, n, i, j, stride)
			apart[i*n+j], apart[j*n+i] = d, d
		}
	}
	size, nearest := make([]float64, n), make([]int, n)
	renew := func(i int) {
		nearest[i] = -1
		for j := range n {
			if j != i && size[j] > 0 && (nearest[i] < 0 || apart[i*n+j] < apart[i*n+nearest[i]]) {
				nearest[i] = j
			}
		}
	}
	for i := range n {
		size[i] = 1
	}
	for i := range n {
		renew(i)
	}
	for range n - 1 {
		x := -1
		for i := range n {
			if size[i] > 0 && (x < 0 || apart[i*n+nearest[i]] < apart[x*n+nearest[x]]) {
				x = i
			}
		}
		y := nearest[x]
		joins, heights = append(joins, [2]int{x, y}), append(heights, apart[x*n+y])
		for k := range n {
			mean := (size[x]*apart[x*n+k] + size[y]*apart[y*n+k]) / (size[x] + size[y])
			apart[x*n+k], apart[k*n+x] = mean, mean
		}
		size[x], size[y] = size[x]+size[y], 0
		for i := range n {
			if size[i] > 0 && (i == x || nearest[i] == x || nearest[i] == y) {
				renew(i)
			}
		}
	}
	return joins, heights
}
