package propagation

import (
	"cmp"
	"slices"

	"github.com/rgm-go/rgm/qap/align/belief"
)

// Clues returns what the second stage is told of a matching, [clues, n1, n2]: which pairs are
// matched, the witnesses of every pair under it, the same with neighbours weighed by how much of
// their edges is shared and by their ranks in that, the ranks of the pair's nodes, the odds s of
// the beliefs that it was made of, and how much of a match's edges is shared.
func Clues(p *belief.Pair, s []float32, m []int) []float32 {
	return clueTo(make([]float32, clues*p.Size()), p, s, m)
}

// clueTo is Clues in memory that there is.
func clueTo(all []float32, p *belief.Pair, s []float32, m []int) []float32 {
	n := p.Size()
	clear(all)
	channel := func(k int) []float32 { return all[k*n : (k+1)*n] }
	unit := usualDegree / float32(max(1, p.MeanDegree()))
	witnesses := p.Witnesses(m)
	share, rank1, rank2 := make([]float32, p.N1), make([]float32, p.N1), make([]float32, p.N2)
	order := make([]int, p.N1)
	for i, a := range m {
		order[i] = i
		if a != belief.Unmatched {
			share[i] = float32(witnesses[i]) / max(1, p.Degree1[i], p.Degree2[a])
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(witnesses[i], witnesses[j]), cmp.Compare(share[i], share[j]))
	})
	for k, i := range order {
		rank1[i] = float32(k) / float32(p.N1)
		if m[i] != belief.Unmatched {
			rank2[m[i]] = rank1[i]
		}
	}
	for i, a := range m {
		if a != belief.Unmatched {
			channel(0)[i*p.N2+a], channel(7)[i*p.N2+a] = 1, share[i]
		}
	}
	p.Weighed(channel(1), m, nil, 0.5*unit)
	p.Weighed(channel(2), m, share, unit)
	p.Weighed(channel(3), m, rank1, unit)
	z := belief.NewNormalizer(p.N1, p.N2)
	z.Measure(s)
	lesser, greater, odds := channel(4), channel(5), channel(6)
	for i, row := range z.Rows {
		for a, column := range z.Columns {
			k := i*p.N2 + a
			lesser[k], greater[k] = min(rank1[i], rank2[a]), max(rank1[i], rank2[a])
			odds[k] = max(0.1*(2*s[k]-row-column), -4)
		}
	}
	for k, v := range all {
		all[k] = min(v, mostInput)
	}
	return all
}

// Believe makes steps of the first stage and returns S.
func (n *Network) Believe(p *belief.Pair, steps int) []float32 {
	return run(n.First.NewPass(p, nil), steps)
}

// Doubt makes steps of the second stage and returns S: s and m are beliefs and a matching from before.
func (n *Network) Doubt(p *belief.Pair, s []float32, m []int, steps int) []float32 {
	return run(n.Again.NewPass(p, Clues(p, s, m)), steps)
}

func run(t *Pass, steps int) []float32 {
	state := t.NewState()
	for range steps {
		t.Step(state, state)
	}
	return state[:t.pair.Size()]
}
