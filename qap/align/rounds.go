package align

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/kdtree"
)

const (
	softRounds   = 8
	hardRounds   = 15
	softGain     = 0.002  // of the confidence: less ends the soft rounds
	hardGain     = 0.0005 // of the shared edges: less, twice, ends the hard rounds
	hubWork      = 20000  // candidates times squared degree that a neighbour's witnesses may take
	softDistance = 0.05   // how much distances of features count beside witnesses
	hardDistance = 0.1
	softList     = 10 // candidates a node
)

// cell counts the witnesses of a node of graph 2.
type cell struct {
	count float32
	last  int32 // the neighbour that counted last, from 1; 0 for none yet
}

// witnesses fills next with the best partners of every node by their witnesses: the
// neighbours k of i some of whose candidates are neighbours of the partner, each once, by how
// likely the likeliest is. Every partner that can be reached so is looked at. Without
// witnesses a node keeps what it had. It returns false where it was stopped.
func (e *engine) witnesses(now, next *candidates, hard bool) bool {
	return e.eachRow(func() func(i int) {
		cells := make([]cell, e.b.Nodes())
		var reached []int32
		return func(i int) {
			next.count[i] = 0
			if j := e.fixed1[i]; j != none {
				next.only(i, j)
				return
			}
			reached = e.count(i, now, cells, reached[:0], hard)
			for _, j := range reached {
				if e.fixed2[j] == none && e.problem.May(i, int(j)) {
					next.add(i, j, e.weigh(i, int(j), cells[j].count, next.least(i), hard))
				}
				cells[j] = cell{}
			}
			if next.count[i] == 0 && !hard {
				next.copyFrom(now, i)
			}
		}
	})
}

// count counts the witnesses of all partners of node i, and returns those that have some.
func (e *engine) count(i int, now *candidates, cells []cell, reached []int32, hard bool) []int32 {
	a, b := e.a, e.b
	for x := a.start[i]; x < a.start[i+1]; x++ {
		k := a.to[x]
		to, p := now.of(int(k))
		if !hard {
			d := a.Degree(int(k))
			to = to[:min(len(to), max(1, hubWork/(d*d)))]
		}
		for c, l := range to {
			for y := b.start[l]; y < b.start[l+1]; y++ {
				j := b.to[y]
				at := &cells[j]
				if at.last == k+1 || e.problem.Strict && e.product(x, y) == 0 {
					continue
				}
				if at.last == 0 {
					reached = append(reached, j)
				}
				at.last = k + 1
				if e.plain {
					at.count += p[c]
				} else {
					at.count += p[c] * e.alike(x, y)
				}
			}
		}
	}
	return reached
}

// weigh returns how good a partner is with so many witnesses, or 0 where that is not more
// than least.
func (e *engine) weigh(i, j int, count, least float32, hard bool) float32 {
	share := count / float32(max(e.a.Degree(i), e.b.Degree(j)))
	if hard {
		s := count + share/2
		if s+0.01 <= least {
			return 0
		}
		return s*e.similarity(i, j) + 0.01*e.near(i, j, hardDistance)
	}
	s := share * share * e.similarity(i, j)
	if s <= least {
		return 0
	}
	return s * e.near(i, j, softDistance)
}

// near returns how near the features of two nodes are, 0 to 1.
func (e *engine) near(i, j int, strength float64) float32 {
	return float32(math.Exp(-strength * float64(kdtree.Squared(e.x1.row(i), e.x2.row(j)))))
}

// alike returns how alike two edges are by weights and directions, 0 to 1: what they share
// of what they have together (Ruzicka).
func (e *engine) alike(x, y int) float32 {
	out1, in1 := e.a.weights(x)
	out2, in2 := e.b.weights(y)
	if e.problem.Kinds {
		return float32(e.product(x, y) / max(1, e.sameKind(out1, out1)+e.sameKind(in1, in1), e.sameKind(out2, out2)+e.sameKind(in2, in2)))
	}
	out2, in2 = out2*e.unit2, in2*e.unit2
	shared, together := overlap(out1, out2)
	s, t := overlap(in1, in2)
	if together += t; together == 0 {
		return 0
	}
	return (shared + s) / together
}

// overlap returns what two weights share and what they have together.
func overlap(v, w float32) (shared, together float32) {
	if v*w < 0 {
		return 0, abs(v) + abs(w)
	}
	v, w = abs(v), abs(w)
	return min(v, w), max(v, w)
}

func abs(v float32) float32 { return float32(math.Abs(float64(v))) }

// nearest returns the first candidates: the nodes of graph 2 with the nearest features, and
// those that Problem.Similar names.
func (e *engine) nearest(count, leaves int) (*candidates, bool) {
	t := kdtree.New(e.x2.data, e.x2.width, e.watch.Over)
	c := newCandidates(e.a.Nodes(), count)
	whole := e.eachRow(func() func(i int) {
		var q kdtree.Query
		return func(i int) {
			if j := e.fixed1[i]; j != none {
				c.only(i, j)
				return
			}
			t.Search(e.x1.row(i), count, leaves, &q)
			for _, f := range q.Nearest {
				if e.fixed2[f.ID] == none && e.problem.May(i, int(f.ID)) {
					p := math.Exp(-float64(f.Distance-q.Nearest[0].Distance) / 4)
					c.add(i, f.ID, float32(p)*e.similarity(i, int(f.ID)))
				}
			}
			for _, j := range e.similar.to(i) {
				if e.fixed2[j] == none && e.problem.May(i, int(j)) && !slices.ContainsFunc(q.Nearest, func(f kdtree.Found) bool { return f.ID == j }) {
					p := math.Exp(-float64(kdtree.Squared(e.x1.row(i), e.x2.row(int(j)))-q.Nearest[0].Distance) / 4)
					c.add(i, j, float32(p)*e.similarity(i, int(j)))
				}
			}
		}
	})
	if whole {
		c.scale(e.b.Nodes())
	}
	return c, whole
}

// match makes a matching of candidates by soft and hard rounds, offering what it finds on the way
// as found by one thing and then another, and returns the best. It ends early where time is up.
func (e *engine) match(now *candidates, first, then string) (matching, float64) {
	m := now.greedy(e.b.Nodes(), nil)
	score := e.offer(m, first)
	if soft, whole := e.soft(now); whole {
		m = soft
		score = e.offer(m, then)
	}
	return e.hard(m, score, then)
}

// soft returns the matching of soft rounds, and false where it was stopped.
func (e *engine) soft(now *candidates) (matching, bool) {
	n2 := e.b.Nodes()
	lists := [2]*candidates{newCandidates(e.a.Nodes(), softList), newCandidates(e.a.Nodes(), softList)}
	before := 0.0
	for round := range softRounds {
		next := lists[round%2]
		if !e.witnesses(now, next, false) {
			return nil, false
		}
		next.scale(n2)
		now = next
		confidence := now.confidence()
		if round > 2 && confidence-before < softGain {
			break
		}
		before = confidence
	}
	return now.greedy(n2, nil), true
}

// hard returns the best matching of hard rounds that begin with one of a score.
func (e *engine) hard(m matching, score float64, by string) (matching, float64) {
	now, next := newCandidates(e.a.Nodes(), 1), newCandidates(e.a.Nodes(), softList)
	best, most := m, score
	for round, bad := 0, 0; round < hardRounds && bad < 2; round++ {
		if _, ended := e.ended(); ended {
			break
		}
		for i, j := range m {
			now.count[i] = 0
			if j != none {
				now.only(i, j)
			}
		}
		if !e.witnesses(now, next, true) {
			break
		}
		m = next.greedy(e.b.Nodes(), m)
		score = e.offer(m, by)
		if score > most*(1+hardGain) {
			bad = 0
		} else {
			bad++
		}
		if score > most {
			best, most = m, score
		}
	}
	return best, most
}
