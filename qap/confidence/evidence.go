package confidence

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// mostSampled bounds how many affinities are looked at to know what chance gives.
const mostSampled = 20_000

// Evidence returns what is known of each match, nil of nodes without one, and nil where the context ends. It takes a row
// of K for each match.
func Evidence(ctx context.Context, in *qap.Instance, m qap.Matching) [][]float64 {
	_, rows := gathered(ctx, in, m)
	return rows
}

func gathered(ctx context.Context, in *qap.Instance, m qap.Matching) (*evidence, [][]float64) {
	e := newEvidence(in, m)
	if m.Size() == 0 {
		return e, make([][]float64, len(m))
	}
	e.sample(ctx)
	for pass := range passes {
		if !e.gather(ctx, pass == passes-1) {
			return nil, nil
		}
		e.trust()
	}
	return e, e.inputs()
}

// passes is how often evidence is gathered, from matches trusted by what was gathered before.
const passes = 3

type evidence struct {
	in      *qap.Instance
	m       qap.Matching
	n1, n2  int
	matched []int // nodes of graph 1
	inverse []int
	row     []float64
	chance  ranks
	node    ranks
	nodes   []float64 // K[p,p], nil where all are alike
	weight  []float64 // of each match, how far it is trusted

	sum, by []float64 // of each vertex the evidence and the weights that it is of

	own, edges1, edges2, both []float64 // of each match: its evidence, and its edges, as affinities tell them
	support                   [][]int   // of each match those that have an affinity to it
}

func newEvidence(in *qap.Instance, m qap.Matching) *evidence {
	e := &evidence{in: in, m: m}
	e.n1, e.n2 = in.Size()
	e.inverse = make([]int, e.n2)
	for a := range e.inverse {
		e.inverse[a] = qap.Unmatched
	}
	for i, a := range m {
		if a != qap.Unmatched {
			e.matched, e.inverse[a] = append(e.matched, i), i
		}
	}
	size := e.n1 * e.n2
	e.row, e.sum, e.by = make([]float64, size), make([]float64, size), make([]float64, size)
	e.weight = make([]float64, len(m))
	for _, i := range e.matched {
		e.weight[i] = 1
	}
	e.own, e.edges1, e.edges2, e.both = make([]float64, len(m)), make([]float64, len(m)), make([]float64, len(m)), make([]float64, len(m))
	e.support = make([][]int, len(m))
	e.nodes = make([]float64, size)
	if in.Affinity.Diagonal(e.nodes); size == 0 || slices.Min(e.nodes) == slices.Max(e.nodes) {
		e.nodes = nil
	}
	return e
}

// sample learns what affinities random pairs have to matches.
func (e *evidence) sample(ctx context.Context) {
	if e.nodes != nil {
		var values []float64
		for p := 0; p < len(e.nodes); p += len(e.nodes)/mostSampled + 1 {
			values = append(values, e.nodes[p])
		}
		e.node = newRanks(values)
	}
	rows := min(len(e.matched), 64)
	var values []float64
	for k := range rows {
		if ctx.Err() != nil {
			break
		}
		i := e.matched[k*len(e.matched)/rows]
		e.in.Affinity.Row(e.row, i*e.n2+e.m[i])
		step := len(e.row)*rows/mostSampled + 1
		for q := k % step; q < len(e.row); q += step {
			if q/e.n2 != i && q%e.n2 != e.m[i] {
				values = append(values, e.row[q])
			}
		}
	}
	e.chance = newRanks(values)
}

// gather sums what matches say of every vertex, and counts edges the last time.
func (e *evidence) gather(ctx context.Context, last bool) bool {
	clear(e.sum)
	clear(e.by)
	joined1, joined2 := make([]bool, e.n1), make([]bool, e.n2)
	for _, i := range e.matched {
		if ctx.Err() != nil {
			return false
		}
		a, w := e.m[i], e.weight[i]
		e.in.Affinity.Row(e.row, i*e.n2+a)
		clear(joined1)
		clear(joined2)
		for j := range e.n1 {
			if j == i {
				continue
			}
			row, sum, by := e.row[j*e.n2:(j+1)*e.n2], e.sum[j*e.n2:(j+1)*e.n2], e.by[j*e.n2:(j+1)*e.n2]
			for b, v := range row {
				if b == a {
					continue
				}
				by[b] += w
				if v == 0 {
					sum[b] += w * e.chance.ofZero
					continue
				}
				sum[b] += w * e.chance.of(v)
				joined1[j], joined2[b] = true, true
			}
		}
		if !last {
			continue
		}
		e.edges1[i], e.edges2[i], e.both[i], e.support[i] = 0, 0, 0, nil
		for _, j := range e.matched {
			if joined1[j] {
				e.edges1[i]++
			}
			if joined2[e.m[j]] {
				e.edges2[i]++
			}
			if j != i && e.row[j*e.n2+e.m[j]] != 0 {
				e.both[i]++
				e.support[i] = append(e.support[i], j)
			}
		}
	}
	for p := range e.sum {
		if e.by[p] > 0 {
			e.sum[p] /= e.by[p]
		}
	}
	return true
}

// trust weighs matches by their evidence over that of good ones.
func (e *evidence) trust() {
	var all []float64
	for _, i := range e.matched {
		e.own[i] = e.sum[i*e.n2+e.m[i]] - e.chance.mean
		all = append(all, e.own[i])
	}
	good := max(quantile(all, 0.75), 1e-9)
	for _, i := range e.matched {
		e.weight[i] = min(1, max(0.02, e.own[i]/good))
	}
}

// inputs returns what the Map takes.
func (e *evidence) inputs() [][]float64 {
	rows := make([][]float64, len(e.m))
	var all []float64
	total := 0.0
	for _, i := range e.matched {
		all = append(all, e.own[i])
		total += e.weight[i]
	}
	good, middle, low := quantile(all, 0.75), quantile(all, 0.5), quantile(all, 0.2)
	sizes := math.Log(float64(max(e.n1, e.n2)))
	noNode := 1.0
	if e.nodes != nil {
		noNode = 0
	}
	together := e.together()
	var margins, agree, nodeMargins, weak, closed, degrees, squares float64
	for _, i := range e.matched {
		a := e.m[i]
		own, rival, mean, deviation := e.beside(i, a)
		spread := max(deviation, 1e-3)
		evidence := total * (own - rival)
		degree := max(e.edges1[i], e.edges2[i], 1)
		node, nodeMargin := 0.0, 0.0
		if e.nodes != nil {
			node, nodeMargin = e.besideNodes(i, a)
		}
		margins += clipped((own-rival)/spread, 4)
		agree += e.both[i] / degree
		nodeMargins += nodeMargin
		closed += together[i]
		degrees, squares = degrees+degree, squares+degree*degree
		if e.own[i] < good/2 {
			weak++
		}
		rows[i] = []float64{
			e.own[i] / max(good, 1e-3), e.own[i], math.Asinh(evidence), clipped((own-rival)/spread, 6), clipped((own-mean)/spread, 8),
			math.Asinh(total * e.own[i] / max(e.chance.deviation, 1e-3) / math.Sqrt(total+1)), good, middle / max(good, 1e-3), low / max(good, 1e-3),
			sizes, float64(min(e.n1, e.n2)) / float64(max(e.n1, e.n2)), float64(len(e.matched)) / float64(max(e.n1, e.n2)),
			e.both[i] / degree, math.Log1p(e.both[i]), math.Log1p(degree), total / float64(len(e.matched)),
			node, nodeMargin, noNode, e.both[i] / max(e.edges1[i], 1), e.both[i] / max(e.edges2[i], 1), math.Log((e.edges1[i] + 1) / (e.edges2[i] + 1)),
			together[i],
		}
	}
	n := float64(len(e.matched))
	for _, i := range e.matched {
		rows[i] = append(rows[i], margins/n, agree/n, nodeMargins/n, weak/n,
			closed/n, math.Sqrt(max(0, n*squares/(degrees*degrees)-1)), degrees/(n*n))
	}
	return rows
}

// together returns of each match how many of those that have an affinity to it have one to each other: where all have, they
// may have been taken for others together.
func (e *evidence) together() []float64 {
	shares := make([]float64, len(e.m))
	mine := make([]bool, len(e.m))
	for _, i := range e.matched {
		near := e.support[i]
		for _, j := range near {
			mine[j] = true
		}
		pairs := 0
		step := len(near)/mostLooked + 1
		looked := 0
		for k := 0; k < len(near); k += step {
			looked++
			for _, l := range e.support[near[k]] {
				if mine[l] {
					pairs++
				}
			}
		}
		if len(near) > 1 {
			shares[i] = float64(pairs) / float64(looked*(len(near)-1))
		}
		for _, j := range near {
			mine[j] = false
		}
	}
	return shares
}

// mostLooked bounds the supporters of a match of which it is looked at which support each other.
const mostLooked = 32

// beside returns the evidence of a match, the greatest of the alternatives of either node, and the mean and deviation of
// them all.
func (e *evidence) beside(i, a int) (own, rival, mean, deviation float64) {
	own, rival = e.sum[i*e.n2+a], math.Inf(-1)
	count, sum, squares := 0.0, 0.0, 0.0
	add := func(v float64) {
		rival = max(rival, v)
		count, sum, squares = count+1, sum+v, squares+v*v
	}
	for b := range e.n2 {
		if b != a {
			add(e.sum[i*e.n2+b])
		}
	}
	for j := range e.n1 {
		if j != i {
			add(e.sum[j*e.n2+a])
		}
	}
	if count == 0 {
		return own, own, own, 0
	}
	mean = sum / count
	return own, rival, mean, math.Sqrt(max(0, squares/count-mean*mean))
}

// besideNodes returns what the nodes themselves say for a match, and by how much more than for an alternative.
func (e *evidence) besideNodes(i, a int) (own, margin float64) {
	own = e.node.of(e.nodes[i*e.n2+a])
	rival := 0.0
	for b := range e.n2 {
		if b != a {
			rival = max(rival, e.node.of(e.nodes[i*e.n2+b]))
		}
	}
	for j := range e.n1 {
		if j != i {
			rival = max(rival, e.node.of(e.nodes[j*e.n2+a]))
		}
	}
	return own, own - rival
}

func clipped(v, most float64) float64 { return min(most, max(-most, v)) }

// quantile returns that of values, which it sorts.
func quantile(values []float64, share float64) float64 {
	slices.Sort(values)
	return values[int(share*float64(len(values)-1)+0.5)]
}

// ranks takes a value to the negative logarithm of the share of a sample that is as great.
type ranks struct {
	from            []float64 // values, falling
	score           []float64 // of values between the one before and this one
	ofZero          float64
	mean, deviation float64 // of the sample
}

func newRanks(values []float64) ranks {
	r := ranks{score: []float64{math.Log(float64(len(values) + 1))}}
	if len(values) == 0 {
		r.score[0] = 0
		return r
	}
	slices.SortFunc(values, func(x, y float64) int { return cmp.Compare(y, x) })
	n := float64(len(values))
	for k := 1; k <= len(values); k += max(1, k/6) {
		v := values[k-1]
		if len(r.from) > 0 && v == r.from[len(r.from)-1] {
			continue
		}
		r.from = append(r.from, v)
		r.score = append(r.score, 0)
	}
	for k, v := range r.from { // of equal values the middle rank counts
		first, _ := slices.BinarySearchFunc(values, v, func(x, y float64) int { return cmp.Compare(y, x) })
		next := len(values)
		if k+1 < len(r.from) {
			next, _ = slices.BinarySearchFunc(values, r.from[k+1], func(x, y float64) int { return cmp.Compare(y, x) })
		}
		r.score[k+1] = -math.Log((float64(first+next)/2 + 1) / (n + 1))
	}
	r.ofZero = r.of(0)
	sum, squares := 0.0, 0.0
	for _, v := range values {
		s := r.of(v)
		sum, squares = sum+s, squares+s*s
	}
	r.mean = sum / n
	r.deviation = math.Sqrt(max(0, squares/n-r.mean*r.mean))
	return r
}

// of returns the score of a value.
func (r *ranks) of(v float64) float64 {
	low, high := 0, len(r.from)
	for low < high {
		if middle := (low + high) / 2; r.from[middle] > v {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(r.from) && r.from[low] == v {
		return r.score[low+1]
	}
	return r.score[low]
}
