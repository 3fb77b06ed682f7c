package bound

import "math"

// choose returns the best choice of a table and what it is worth.
func (v *view) choose(t *table) (choice, float64) {
	c, worth := choice{affinity: -1}, math.Inf(-1)
	cost0, cost1, value := t.message[0], t.message[1], v.value[t.from:t.to]
	x, y := v.x[t.from:t.to], v.y[t.from:t.to]
	x, y = x[:len(value)], y[:len(value)]
	for k, w := range value {
		if w -= cost0[x[k]] + cost1[y[k]]; w > worth {
			worth, c.affinity = w, int32(k)
		}
	}
	if e := c.affinity; e >= 0 {
		c = choice{[2]int32{int32(x[e]), int32(y[e])}, t.from + e}
	}
	// The best without an affinity is that of the least costs, unless that has one too.
	l, o := v.least(cost0), v.least(cost1)
	switch w := -cost0[l] - cost1[o]; {
	case w <= worth:
		return c, worth
	case !v.have(t, l, o):
		return choice{[2]int32{int32(l), int32(o)}, -1}, w
	}
	return v.chooseAmong(t, c, worth)
}

// chooseAmong is choose where the best choice with an affinity is known: it looks at those
// without in the order of their costs, as long as they are of the few that cost least.
func (v *view) chooseAmong(t *table, c choice, worth float64) (choice, float64) {
	const few = 8
	var lists [2][few]int32
	var next [few]int // for each of the first list, the one of the second to look at
	counts := [2]int{v.leastFew(lists[0][:], t.message[0]), v.leastFew(lists[1][:], t.message[1])}
	cost := func(k, m int) float64 { return t.message[0][lists[0][k]] + t.message[1][lists[1][m]] }
	limit := min(cost(counts[0]-1, 0), cost(0, counts[1]-1)) // others may cost no more than what is beyond
	for {
		best, least := -1, math.Inf(1)
		for k, m := range next[:counts[0]] {
			if m < counts[1] && cost(k, m) < least {
				best, least = k, cost(k, m)
			}
			if m == 0 { // those behind cost more
				break
			}
		}
		switch {
		case best < 0 || least > limit:
			return v.chooseSlowly(t)
		case -least <= worth:
			return c, worth
		}
		l, o := lists[0][best], lists[1][next[best]]
		if !v.have(t, int(l), int(o)) {
			return choice{[2]int32{l, o}, -1}, -least
		}
		next[best]++
	}
}

// least returns the choice that costs least.
func (v *view) least(cost []float64) int {
	if v.forced {
		cost = cost[:v.labels]
	}
	at, least := 0, math.Inf(1)
	for l, c := range cost {
		if c < least {
			at, least = l, c
		}
	}
	return at
}

// leastFew fills a list with the choices that cost least, in the order of their costs, and
// returns how many there are.
func (v *view) leastFew(list []int32, cost []float64) int {
	if v.forced {
		cost = cost[:v.labels]
	}
	count := 0
	for l, c := range cost {
		k := count
		if count < len(list) {
			count++
		} else if k--; c >= cost[list[k]] {
			continue
		}
		for ; k > 0 && cost[list[k-1]] > c; k-- {
			list[k] = list[k-1]
		}
		list[k] = int32(l)
	}
	return count
}

// have reports whether two choices have an affinity in a table, or exclude each other.
func (v *view) have(t *table, l, o int) bool {
	if l == v.labels || o == v.labels {
		return false
	}
	if l == o {
		return true
	}
	for k := t.from; k < t.to; k++ {
		if int(v.x[k]) == l && int(v.y[k]) == o {
			return true
		}
	}
	return false
}

// chooseSlowly is choose for every table.
func (v *view) chooseSlowly(t *table) (choice, float64) {
	v.maximums(t, int(t.node[0]))
	best, first := math.Inf(-1), int32(0)
	for l, w := range v.out {
		if (l < v.labels || !v.forced) && w > best {
			best, first = w, int32(l)
		}
	}
	c := choice{[2]int32{first, int32(v.top[0])}, -1}
	if int(first) == v.labels {
		return c, best
	}
	other, most := t.message[1], math.Inf(-1)
	for k, o := range v.top {
		if v.held[first]&(1<<k) == 0 && o != int(first) {
			c.label[1], most = int32(o), -other[o]
			break
		}
	}
	for k := t.from; k < t.to; k++ {
		if int32(v.x[k]) == first {
			if w := v.value[k] - other[v.y[k]]; w >= most {
				most, c.label[1], c.affinity = w, int32(v.y[k]), k
			}
		}
	}
	return c, best
}
