package align

import (
	"maps"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/confidence"
)

// tellConfidence fills in how likely each match is right, where there was time to walk or to compare colours.
func (e *engine) tellConfidence(a *Assessment, m matching, steady, unlike []bool, w walked) {
	a.Looked = true
	a.inputs = func(walk bool) [][]float64 {
		if !walk {
			return e.inputs(a, m, make([]bool, len(m)), unlike, walked{})
		}
		return e.inputs(a, m, steady, unlike, w)
	}
	for i, x := range a.inputs(true) {
		if x != nil {
			a.Matches[i].Told = confidence.OfAlignments(x)
		}
	}
}

// countSure counts the sure matches.
func (a *Assessment) countSure() {
	a.Sure = 0
	for i := range a.Matches {
		if a.Matches[i].Sure() {
			a.Sure++
		}
	}
}

// LeaveOut takes away the matches whose nodes more likely have no partner, and returns the matching of the others, of which
// it is an assessment then. What was told of a match that is gone stays.
func (a *Assessment) LeaveOut(p *Problem, m qap.Matching) qap.Matching {
	core, all := slices.Clone(m), make([]confidence.Told, len(m))
	for i := range m {
		all[i] = a.Matches[i].Told
	}
	for i, out := range confidence.LeftOut(all) {
		if out {
			core[i] = qap.Unmatched
		}
	}
	if slices.Equal(core, m) {
		return m
	}
	told := a.Matches
	e, other, own := newEngine(p), newEngine(p.mirrored()), narrow(core)
	a.Matches = make([]Match, len(m))
	e.tell(own, a.Matches, newSets(len(m)), nil)
	other.tellMargins(own.inverted(p.B.Nodes()), a.Matches, nil)
	e.tellEdges(a, own)
	for i := range told {
		a.Matches[i].Told = told[i].Told
	}
	gone := func(i int) bool { return core[i] == qap.Unmatched }
	for k := range a.Groups {
		a.Groups[k] = slices.DeleteFunc(a.Groups[k], gone)
	}
	a.Groups = slices.DeleteFunc(a.Groups, func(group []int) bool { return len(group) < 2 })
	return core
}

// Inputs returns what is known of each match, as the map of package confidence takes it, nil of nodes without one; without
// what a walk says, as where time was up before it.
func (a *Assessment) Inputs(walk bool) [][]float64 {
	if a.inputs == nil {
		return nil
	}
	return a.inputs(walk)
}

// inputs returns what is known of each match, nil of nodes without one.
func (e *engine) inputs(a *Assessment, m matching, steady, unlike []bool, w walked) [][]float64 {
	rows := make([][]float64, len(m))
	groups := make([]float64, len(m))
	for _, set := range a.Groups {
		for _, i := range set {
			groups[i] = math.Log(float64(len(set)))
		}
	}
	n1, n2 := float64(e.a.Nodes()), float64(e.b.Nodes())
	m1, m2 := float64(e.a.Edges()), float64(e.b.Edges())
	near, closed := e.support(m, w.share), e.closed(m)
	around := e.around(m, w.share)
	var closedAll, apart, margins, ahead float64
	var matched, stay, agree, whole, kept, weak, squares float64
	for i, j := range m {
		if j == none {
			continue
		}
		matched++
		agree += ratio(a.Matches[i].Witnesses, max(e.a.Degree(i), e.b.Degree(int(j))))
		squares += float64(e.a.Degree(i) * e.a.Degree(i))
		if w.share != nil {
			stay += w.share[i]
		}
		whole += number(steady[i])
		kept += near[i].share()
		closedAll += closed[i]
		apart += number(unlike != nil && unlike[i])
		margins += float64(min(4, max(-4, a.Matches[i].Margin)))
		ahead += number(a.Matches[i].Margin > 0)
		weak += number(near[i].share() < 0.34)
	}
	if matched == 0 {
		return rows
	}
	unit, parts := e.unit(), e.newSwaps(m, 0).parts()
	degree, distinct := 2*m1/n1, (e.a.distinct()+e.b.distinct())/2
	for i, j := range m {
		if j == none {
			continue
		}
		match, d1, d2 := a.Matches[i], e.a.Degree(i), e.b.Degree(int(j))
		x := []float64{
			ratio(match.Witnesses, max(d1, d2)), ratio(match.Witnesses, min(d1, d2)), math.Log1p(float64(match.Witnesses)),
			float64(min(4, max(-4, match.Margin))), ratio(match.Margin, max(d1, d2)), number(steady[i]),
			number(unlike != nil && unlike[i]), groups[i], 0, 0, 0,
			agree / matched, stay / matched, whole / matched, float64(a.Shared) / max(1, min(m1, m2)), float64(a.Shared) / max(1, max(m1, m2)),
			math.Log(max(n1, n2)), min(n1, n2) / max(n1, n2), math.Log(max(m1, m2, 1) / max(n1, n2)), e.supported(i, a, m), 0,
			near[i].share(), near[i].share() - kept/matched, math.Log1p(near[i].kept), math.Log1p(near[i].lost1), math.Log1p(near[i].lost2),
			weak / matched, a.S3, math.Log(float64(parts[i]) / matched), math.Log(float64(d1+1) / float64(d2+1)), matched / min(n1, n2),
			math.Sqrt(squares/matched) / max(degree, 1), number(e.hasTerms()), closed[i], closedAll / matched,
			around[i], apart / matched, margins / matched, ahead / matched, distinct,
		}
		if w.share != nil {
			x[8], x[9], x[10] = w.share[i], number(w.rival[i]), 1
		}
		if e.hasTerms() {
			x[20] = min(5, max(-5, e.term(i, int(j))/unit))
		}
		rows[i] = x
	}
	return rows
}

// around returns of each match the mean share of a walk's samples that its neighbours' matches stay through, 0 without a walk.
func (e *engine) around(m matching, share []float64) []float64 {
	means := make([]float64, len(m))
	if share == nil {
		return means
	}
	for i := range m {
		sum, count := 0.0, 0.0
		for _, k := range e.a.Neighbours(i) {
			if m[k] != none {
				sum, count = sum+share[k], count+1
			}
		}
		means[i] = sum / max(1, count)
	}
	return means
}

// distinct returns how far degrees and those of neighbours tell nodes apart: the entropy of what they are, over that of different ones.
func (g *Graph) distinct() float64 {
	count := map[uint64]float64{}
	for i := range g.Nodes() {
		key := uint64(g.Degree(i)) * 0x9E3779B97F4A7C15
		for _, k := range g.Neighbours(i) {
			x := uint64(g.Degree(int(k))+1) * 0xBF58476D1CE4E5B9
			key += (x ^ x>>29) * 0x94D049BB133111EB
		}
		count[key]++
	}
	n, sum := float64(g.Nodes()), 0.0
	for _, c := range slices.Sorted(maps.Values(count)) { // in one order, so that the sum is the same
		sum += c * math.Log(n/c)
	}
	return sum / max(1, n*math.Log(n))
}

// closed returns of each match which part of the pairs of its neighbours, of some of them, are joined.
func (e *engine) closed(m matching) []float64 {
	const most = 16
	shares, mine := make([]float64, len(m)), make([]bool, len(m))
	for i := range m {
		row := e.a.Neighbours(i)
		for _, k := range row {
			mine[k] = true
		}
		pairs, looked := 0, 0
		for k := 0; k < len(row); k += len(row)/most + 1 {
			looked++
			around := e.a.Neighbours(int(row[k]))
			for l := 0; l < len(around) && l < hub; l++ {
				if mine[around[l]] {
					pairs++
				}
			}
		}
		if len(row) > 1 {
			shares[i] = float64(pairs) / float64(looked*(len(row)-1))
		}
		for _, k := range row {
			mine[k] = false
		}
	}
	return shares
}

// near says how the edges of a match fare, of which those to matches that are trusted count most.
type near struct{ kept, lost1, lost2 float64 }

func (n near) share() float64 { return (n.kept + 0.1) / (n.kept + max(n.lost1, n.lost2) + 0.2) }

// support weighs the edges of each match: those to matches that stay through a walk, and that keep their own edges.
func (e *engine) support(m matching, stay []float64) []near {
	weight, all := make([]float64, len(m)), make([]near, len(m))
	inverse := m.inverted(e.b.Nodes())
	trust := func(i int) float64 {
		if stay == nil {
			return 1
		}
		return 0.02 + stay[i]
	}
	for i := range m {
		weight[i] = trust(i)
	}
	for range 2 {
		for i, j := range m {
			if j == none {
				continue
			}
			n := near{}
			for _, k := range e.a.Neighbours(i) {
				switch {
				case m[k] == none:
				case e.b.find(int(j), int(m[k])) >= 0:
					n.kept += weight[k]
				default:
					n.lost1 += weight[k]
				}
			}
			for _, l := range e.b.Neighbours(int(j)) {
				if k := inverse[l]; k != none && e.a.find(i, int(k)) < 0 {
					n.lost2 += weight[k]
				}
			}
			all[i] = n
		}
		for i := range m {
			weight[i] = trust(i) * all[i].share()
		}
	}
	return all
}

// supported returns the mean share of edges kept by the matched neighbours of a node.
func (e *engine) supported(i int, a *Assessment, m matching) float64 {
	sum, count := 0.0, 0.0
	for _, k := range e.a.Neighbours(i) {
		if j := m[k]; j != none {
			sum += ratio(a.Matches[k].Witnesses, max(e.a.Degree(int(k)), e.b.Degree(int(j))))
		}
		count++
	}
	return sum / max(1, count)
}

func ratio(x, of int) float64 { return float64(x) / float64(max(1, of)) }

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// oneOfOrbit says of each match of an isomorphism that any node of its orbit could be meant as well.
func (a *Assessment) oneOfOrbit(m qap.Matching) {
	a.Looked = true
	for i := range a.Matches {
		if m[i] != qap.Unmatched {
			a.Matches[i].Right = 1
		}
	}
	for _, set := range a.Groups {
		for _, i := range set {
			a.Matches[i].Right = 1 / float64(len(set))
		}
	}
}
