package bound

import "math"

// pass goes over the nodes of a graph in their order, or back.
func (d *Dual) pass(side int, back bool, stopped func() bool) bool {
	v := &d.view[side]
	for k := range v.nodes {
		x := k
		if back {
			x = v.nodes - 1 - k
		}
		if k%nodesBetweenLooks == nodesBetweenLooks-1 && stopped() {
			return false
		}
		d.visit(side, x, back)
	}
	return true
}

const nodesBetweenLooks = 16

// retained is the weight of the assignment beside the pairs of a node, whose weight is
// 1 each. With more of it the first sweeps gain less and the last ones more.
func (d *Dual) retained() float64 { return min(1.5+0.2*float64(d.swept), 10) }

// transferredShare is the share of what a side can spare of an affinity that it lends.
const transferredShare = 0.5

// visit collects what node x's choices are worth in its pairs and hands what they lack
// to the best out to the pairs with nodes that the pass comes to later.
func (d *Dual) visit(side, x int, back bool) {
	v := &d.view[side]
	worth := d.worth(side, x)
	later := 0
	for _, t := range v.of[x] {
		own := v.maximums(&v.tables[t], x)
		for l, w := range v.out {
			if own[l] < d.never/2 {
				own[l] += w
				worth[l] += w
			}
		}
		if v.tables[t].isLater(x, back) {
			later++
		}
	}
	best := math.Inf(-1)
	other := d.price[1-side]
	lack := v.out // reused
	for l := range v.labels {
		lack[l] = worth[l] - other[l]
		best = max(best, lack[l])
	}
	lack[v.labels] = worth[v.labels]
	if !v.forced {
		best = max(best, worth[v.labels])
	}
	if best < -d.never/2 { // no choice is left
		d.bound = math.Inf(-1)
		return
	}
	d.price[side][x] = best
	if later > 0 {
		share := 1 / (float64(max(later, len(v.of[x])-later)) + d.retained())
		for l := range lack {
			lack[l] = share * (lack[l] - best)
		}
		if v.forced {
			lack[v.labels] = 0
		}
		for _, t := range v.of[x] {
			if table := &v.tables[t]; table.isLater(x, back) {
				own := table.message[table.end(x)]
				for l, w := range lack {
					if own[l] < d.never/2 {
						own[l] -= w
					}
				}
			}
		}
		for l := range lack {
			worth[l] -= float64(later) * lack[l]
		}
	}
	d.setWorth(side, x, worth)
}

// worth copies what the choices of a node are worth.
func (d *Dual) worth(side, x int) []float64 {
	v := &d.view[side]
	if len(d.scratch) <= v.labels {
		d.scratch = make([]float64, max(d.n1, d.n2)+1)
	}
	worth := d.scratch[:v.labels+1]
	step, at := d.steps(side, x)
	for l := range v.labels {
		worth[l] = d.node[at] + d.reward
		at += step
	}
	worth[v.labels] = d.single[side][x]
	return worth
}

func (d *Dual) setWorth(side, x int, worth []float64) {
	v := &d.view[side]
	step, at := d.steps(side, x)
	for l := range v.labels {
		d.node[at] = worth[l] - d.reward
		at += step
	}
	d.single[side][x] = worth[v.labels]
}

// steps returns where the choices of a node stand in d.node.
func (d *Dual) steps(side, x int) (step, at int) {
	if side == 0 {
		return 1, x * d.n2
	}
	return d.n2, x
}

// maximums computes into v.out what each choice of node x is worth at best in a table,
// and returns the messages of its side.
func (v *view) maximums(t *table, x int) (own []float64) {
	end := t.end(x)
	own, other := t.message[end], t.message[1-end]
	mine, theirs := v.x[t.from:t.to], v.y[t.from:t.to]
	if end == 1 {
		mine, theirs = theirs, mine
	}
	v.rankBest(other, int(t.most[end])+2)
	out, held, rank := v.out, v.held, v.rank
	for l := range v.labels {
		out[l], held[l] = math.Inf(-1), 0
	}
	value := v.value[t.from:t.to]
	theirs = theirs[:len(mine)]
	for k, l := range mine {
		o := theirs[k]
		out[l] = max(out[l], value[k]-other[o])
		held[l] |= 1 << rank[o] // of 64 and more: 0
	}
	for l := range v.labels {
		out[l] = max(out[l], v.unheld(other, l)) - own[l]
	}
	out[v.labels] = -other[v.top[0]] - own[v.labels]
	if v.forced {
		out[v.labels] = 0
	}
	return own
}

// mostRanks is how many choices are told apart.
const mostRanks = 64

// rankBest finds the count choices of the other node that cost least.
func (v *view) rankBest(cost []float64, count int) {
	count = min(count, mostRanks)
	for _, l := range v.top {
		if l < v.labels {
			v.rank[l] = mostRanks
		}
	}
	top := v.top[:0]
	for l, c := range cost {
		if l == v.labels && v.forced || len(top) == count && c >= cost[top[count-1]] {
			continue
		}
		if len(top) < count {
			top = append(top, l)
		}
		k := len(top) - 1
		for ; k > 0 && cost[top[k-1]] > c; k-- {
			top[k] = top[k-1]
		}
		top[k] = l
	}
	for k, l := range top {
		if l < v.labels {
			v.rank[l] = uint8(k)
		}
	}
	v.top = top
}

// unheld returns what choice l is worth at best with one with which it has no affinity.
func (v *view) unheld(cost []float64, l int) float64 {
	held := v.held[l]
	for k, o := range v.top {
		if held&(1<<k) == 0 && o != l {
			return -cost[o]
		}
	}
	if len(v.top) >= v.labels { // there is none
		return math.Inf(-1)
	}
	return -cost[v.top[len(v.top)-1]]
}

// sum computes d.node and d.single afresh.
func (d *Dual) sum() {
	copy(d.node, d.given)
	for p, out := range d.excluded {
		if out {
			d.node[p] = -d.never
		}
	}
	for side := range d.view {
		v := &d.view[side]
		clear(d.single[side])
		for t := range v.tables {
			for end, x := range v.tables[t].node {
				message := v.tables[t].message[end]
				step, at := d.steps(side, int(x))
				for _, w := range message[:v.labels] {
					if w < d.never/2 {
						d.node[at] += w
					}
					at += step
				}
				d.single[side][x] += message[v.labels]
			}
		}
	}
}

// lend gives what the tables of a side can spare of affinities to the other side.
func (d *Dual) lend(from int) {
	v := &d.view[from]
	for t := range v.tables {
		table := &v.tables[t]
		first, second := table.message[0], table.message[1]
		for k := table.from; k < table.to; k++ {
			if spare := first[v.x[k]] + second[v.y[k]] - v.value[k]; spare < d.never/2 {
				v.value[k] += transferredShare * spare
			}
		}
	}
	for k, at := range d.inSecond {
		if from == 0 {
			d.view[1].value[at] = d.weight[k] - d.view[0].value[k]
		} else {
			d.view[0].value[k] = d.weight[k] - d.view[1].value[at]
		}
	}
}
