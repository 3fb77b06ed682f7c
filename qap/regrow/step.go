package regrow

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// ruin releases the matches of up to size nodes: of a random node and of nodes near
// it. It notes the nodes that may be matched anew: these, and some that were free.
func (r *run) ruin(size int) {
	r.rows, r.cols = r.rows[:0], r.cols[:0]
	r.stamp++
	r.border = append(r.border[:0], r.random.IntN(r.N1))
	r.mark[r.border[0]] = r.stamp
	for len(r.border) > 0 && len(r.rows) < size && !r.IsOver() {
		at, last := r.random.IntN(len(r.border)), len(r.border)-1
		i := r.border[at]
		r.border[at] = r.border[last]
		r.border = r.border[:last]
		if a := r.Match[i]; a != qap.Unmatched && !r.Seed1[i] {
			r.rows, r.cols = append(r.rows, i), append(r.cols, a)
			r.Release(i)
		}
		r.reach(i)
	}
	r.addFree(max(size, leastFree))
}

// leastFree is how many free nodes of each graph take part in a step, at least.
const leastFree = 8

// reach adds the neighbours of node i to the border; where every node is one, a random
// one.
func (r *run) reach(i int) {
	if r.near == nil {
		for range 2 {
			if j := r.random.IntN(r.N1); r.mark[j] != r.stamp {
				r.mark[j] = r.stamp
				r.border = append(r.border, j)
			}
		}
		return
	}
	for _, j := range r.near[i] {
		if r.mark[j] != r.stamp {
			r.mark[j] = r.stamp
			r.border = append(r.border, int(j))
		}
	}
}

// addFree adds up to count nodes of each graph that were free before the ruin.
func (r *run) addFree(count int) {
	ruined := len(r.rows)
	if free := r.N1 - r.Size - ruined; free > 0 {
		r.rows = r.appendFree(r.rows, r.Match, count, free)
	}
	if free := r.N2 - r.Size - ruined; free > 0 {
		r.cols = r.appendFree(r.cols, r.Inverse, count, free)
	}
}

// appendFree appends nodes without a partner that are not in list yet: all, or count
// of them from a random place on.
func (r *run) appendFree(list, partner []int, count, free int) []int {
	listed := len(list)
	from := 0
	if free > count {
		from = r.random.IntN(len(partner))
	}
	for k := range partner {
		i := (from + k) % len(partner)
		if partner[i] != qap.Unmatched || contains(list[:listed], i) {
			continue
		}
		if list = append(list, i); len(list) == listed+count {
			break
		}
	}
	return list
}

func contains(list []int, i int) bool {
	for _, j := range list {
		if j == i {
			return true
		}
	}
	return false
}

// regrow matches the nodes of a ruin again, the match of the greatest gain first, up
// to size matches, and beyond as long as that raises the value.
func (r *run) regrow(size int) {
	rows, cols := r.rows, r.cols
	for len(rows) > 0 && len(cols) > 0 && r.Size < r.most && !r.IsOver() {
		x, y, gain := r.bestPair(rows, cols)
		if r.Size >= max(size, r.least) && !r.pays(gain) {
			return
		}
		r.Add(rows[x], cols[y])
		rows[x], rows[len(rows)-1] = rows[len(rows)-1], rows[x]
		cols[y], cols[len(cols)-1] = cols[len(cols)-1], cols[y]
		rows, cols = rows[:len(rows)-1], cols[:len(cols)-1]
	}
}

// pays reports whether one more match of a gain does not lower the value.
func (r *run) pays(gain float64) bool {
	return r.valueOf(r.Score+gain, r.Size+1) >= r.value()
}

// blink is the chance that the best match so far is passed over, of most steps; of one
// in eight it is oftenBlink.
const blink, oftenBlink = 0.1, 0.5

// bestPair returns the pair of the greatest gain, now and then another.
func (r *run) bestPair(rows, cols []int) (x, y int, gain float64) {
	for chance := r.blink; ; chance = 0 {
		x, gain = -1, math.Inf(-1)
		for k, i := range rows {
			gains := r.Gains[i*r.N2 : (i+1)*r.N2]
			for l, a := range cols {
				if g := gains[a]; g > gain && (chance == 0 || r.random.Float64() >= chance) {
					x, y, gain = k, l, g
				}
			}
		}
		if x >= 0 {
			return x, y, gain
		}
	}
}

// weakest returns the node whose match the score misses least, and its gain; −1 where
// there is none to release.
func (r *run) weakest() (i int, gain float64) {
	i, gain = -1, math.Inf(1)
	for j, a := range r.Match {
		if a != qap.Unmatched && !r.Seed1[j] && r.Gains[j*r.N2+a] < gain {
			i, gain = j, r.Gains[j*r.N2+a]
		}
	}
	return i, gain
}

// trim releases the weakest matches as long as that raises the value.
func (r *run) trim() {
	for r.Size > r.least {
		i, gain := r.weakest()
		if i < 0 || r.valueOf(r.Score-gain, r.Size-1) <= r.value() {
			return
		}
		r.Release(i)
	}
}

// step changes the matching and takes that back where the rule of annealing says so. Where Over
// says to stop on the way, the matching is what it has become.
func (r *run) step(temperature float64) {
	before, size := r.value(), r.Size
	copy(r.before, r.Match)
	r.ruin(2 + r.random.IntN(r.largestRuin-1))
	r.blink = blink
	if r.random.IntN(8) == 0 {
		r.blink = oftenBlink
	}
	r.regrow(size)
	for _, i := range r.rows {
		if r.IsOver() {
			return
		}
		r.improve(i)
	}
	r.trim()
	if r.value() < before+temperature*math.Log(r.random.Float64()) {
		r.goTo(r.before)
	}
}
