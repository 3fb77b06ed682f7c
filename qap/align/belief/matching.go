package belief

import (
	"cmp"
	"slices"

	"github.com/rgm-go/rgm/qap/assignment"
)

// Unmatched is the partner of a node without one.
const Unmatched = assignment.Unmatched

// Match returns the matching of the greatest sum of S normalised by rows and columns: the node of
// graph 2 of every node of graph 1, or Unmatched.
func (p *Pair) Match(s []float32) []int {
	z := NewNormalizer(p.N1, p.N2)
	z.Measure(s)
	odds := make([]float64, p.Size())
	for i, row := range z.Rows {
		for a, column := range z.Columns {
			odds[i*p.N2+a] = float64(s[i*p.N2+a] - 0.5*(row+column))
		}
	}
	var solver assignment.Solver
	return slices.Clone(solver.Maximize(odds, p.N1, p.N2))
}

// Shared returns how many edges of graph 1 a matching takes to edges of graph 2.
func (p *Pair) Shared(m []int) int {
	count := 0
	for _, w := range p.Witnesses(m) {
		count += w
	}
	return count / 2
}

// Witnesses returns, of every match, how many neighbours of the one node have partners that are
// neighbours of the other.
func (p *Pair) Witnesses(m []int) []int {
	w := make([]int, p.N1)
	for i, a := range m {
		if a == Unmatched {
			continue
		}
		around := p.b.of(int32(a))
		for _, k := range p.a.of(int32(i)) {
			if b := m[k]; b != Unmatched && slices.Contains(around, int32(b)) {
				w[i]++
			}
		}
	}
	return w
}

// Weighed sets y to A·P·B, where P has the weight of node k at its match, 1 for all where weights
// are nil.
func (p *Pair) Weighed(y []float32, m []int, weights []float32, factor float32) {
	clear(y)
	for i := range p.N1 {
		row := y[i*p.N2 : (i+1)*p.N2]
		for _, k := range p.a.of(int32(i)) {
			if m[k] == Unmatched {
				continue
			}
			w := factor
			if weights != nil {
				w *= weights[k]
			}
			for _, a := range p.b.of(int32(m[k])) {
				row[a] += w
			}
		}
	}
}

// sharpenRounds bounds those of Sharpen.
const sharpenRounds = 10

// Sharpen returns the matching of most shared edges among one and those that follow from it, each
// of the pairs of most witnesses under the one before.
func (p *Pair) Sharpen(m []int) []int {
	type pair struct {
		score float32
		i, a  int32
	}
	best, most := m, p.Shared(m)
	row := make([]float32, p.N2)
	var reached []int32
	for range sharpenRounds {
		var all []pair
		for i := range p.N1 {
			reached = reached[:0]
			for _, k := range p.a.of(int32(i)) {
				if m[k] == Unmatched {
					continue
				}
				for _, a := range p.b.of(int32(m[k])) {
					if row[a] == 0 {
						reached = append(reached, a)
					}
					row[a]++
				}
			}
			for _, a := range reached {
				score := row[a] + 0.5*row[a]/max(p.Degree1[i], p.Degree2[a])
				if m[i] == int(a) {
					score += 0.01
				}
				all = append(all, pair{score, int32(i), a})
				row[a] = 0
			}
		}
		slices.SortStableFunc(all, func(x, y pair) int { return cmp.Compare(y.score, x.score) })
		next, taken := make([]int, p.N1), make([]bool, p.N2)
		for i := range next {
			next[i] = Unmatched
		}
		for _, x := range all {
			if next[x.i] == Unmatched && !taken[x.a] {
				next[x.i], taken[x.a] = int(x.a), true
			}
		}
		for i, a := range m {
			if a != Unmatched && next[i] == Unmatched && !taken[a] {
				next[i], taken[a] = a, true
			}
		}
		shared := p.Shared(next)
		if shared <= most {
			break
		}
		m, best, most = next, next, shared
	}
	return best
}
