package features

import "math"

// fillChanges writes what depends on the changes of value.
func (g *GainExtractor) fillChanges(changes []float64, change, regret, beatsBest []float32) {
	if g.env.AtSwaps() {
		g.fillSwaps(changes, change, regret, beatsBest)
	} else {
		g.fillActions(changes, change, regret, beatsBest)
	}
}

// fillActions is fillChanges in any state.
func (g *GainExtractor) fillActions(changes []float64, change, regret, beatsBest []float32) {
	largest, meanAbs := g.changeStatistics(changes)
	asinhs(change, changes, 0, 4/g.scale)
	asinhs(regret, changes, largest, 4/meanAbs)
	for v, allowed := range g.allowed {
		if !allowed {
			regret[v] = 0
		}
	}
	clear(beatsBest)
	needed := g.env.Needed()
	if largest <= needed {
		return
	}
	for v, allowed := range g.allowed {
		if allowed && changes[v] > needed {
			beatsBest[v] = 1
		}
	}
}

// changeStatistics notes which vertices are actions, and returns the largest of
// their changes and the mean of their sizes.
func (g *GainExtractor) changeStatistics(changes []float64) (largest, meanAbs float64) {
	largest = math.Inf(-1)
	sum, count := 0.0, 0
	for i := range g.n1 {
		allowed := g.allowed[i*g.n2 : (i+1)*g.n2]
		for a, change := range changes[i*g.n2 : (i+1)*g.n2] {
			allowed[a] = g.env.AllowedMatch(i, a)
			if allowed[a] {
				if change > largest {
					largest = change
				}
				sum += math.Abs(change)
				count++
			}
		}
	}
	return largest, g.meanOf(sum, count)
}

// meanOf is a mean that may be divided by.
func (g *GainExtractor) meanOf(sum float64, count int) float64 {
	return sum/float64(max(count, 1)) + 1e-12*g.scale
}

// swaps are the changes of value of a complete assignment's swaps (i,k), k < i: half as
// many as its vertices, which have each twice (see Environment.AtSwaps).
type swaps struct {
	changes []float64
	values  []float32 // scratch: a channel of each
}

// resize makes room for graphs of n1 and n2 nodes.
func (s *swaps) resize(n1, n2 int) {
	count := 0
	if n1 == n2 {
		count = n1 * (n1 - 1) / 2
	}
	s.changes, s.values = resized(s.changes, count), resized(s.values, count)
}

// fillSwaps is fillChanges where the actions are swaps, which saves half of its work.
func (g *GainExtractor) fillSwaps(changes []float64, change, regret, beatsBest []float32) {
	s := &g.swaps
	largest, meanAbs := g.gatherSwaps(changes)
	asinhs(s.values, s.changes, 0, 4/g.scale)
	g.scatterSwaps(change)
	asinhs(s.values, s.changes, largest, 4/meanAbs)
	g.scatterSwaps(regret)
	clear(beatsBest)
	needed := g.env.Needed()
	if largest <= needed {
		return
	}
	for k, change := range s.changes {
		s.values[k] = 0
		if change > needed {
			s.values[k] = 1
		}
	}
	g.scatterSwaps(beatsBest)
}

// gatherSwaps fills in the changes of swaps, and returns the largest and the mean of
// their sizes.
func (g *GainExtractor) gatherSwaps(changes []float64) (largest, meanAbs float64) {
	largest = math.Inf(-1)
	sum, rest := 0.0, g.swaps.changes
	for i := range g.match {
		row := changes[i*g.n2 : (i+1)*g.n2]
		dst := rest[:i]
		for k, a := range g.match[:i] {
			change := row[a]
			dst[k] = change
			sum += math.Abs(change)
			if change > largest {
				largest = change
			}
		}
		rest = rest[i:]
	}
	return largest, g.meanOf(sum, len(g.swaps.changes))
}

// scatterSwaps writes the values of swaps to their vertices, and 0 to matched ones.
func (g *GainExtractor) scatterSwaps(dst []float32) {
	rest := g.swaps.values
	for i, b := range g.match {
		row := dst[i*g.n2 : (i+1)*g.n2]
		row[b] = 0
		column := b
		for k, a := range g.match[:i] {
			value := rest[k]
			row[a], dst[column] = value, value
			column += g.n2
		}
		rest = rest[i:]
	}
}
