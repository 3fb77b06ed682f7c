package align

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/rgm-go/rgm/qap"
)

// engine is what the parts of the search share.
type engine struct {
	problem          *Problem
	a, b             *Graph
	plain            bool    // all edges weigh 1 and none has a direction
	unit2            float32 // of weights of graph 2, so that those of both are alike
	fixed1, fixed2   matching
	similar          similarities
	attributes       *Attributes
	nodeWeight       float64
	attributesWeight float64
	x1, x2           table             // the features on the axes
	members          map[int32][]int32 // the nodes of graph 2 of each class, nil where there are none

	threads int
	watch   *qap.Watch
	onBest  func(qap.Incumbent)

	target, bound float64 // of the objective: what is good enough, and what cannot be exceeded

	best      matching
	bestScore float64
	foundBy   string
	begun     string // the start whose proposal became the best, and what swaps found since
	idle      []int  // how often in turn nothing better came of each start
	steps     int
}

func newEngine(p *Problem) *engine {
	e := &engine{
		problem: p, a: p.A, b: p.B, plain: p.A.out == nil && p.B.out == nil, unit2: 1,
		fixed1: newMatching(p.A.Nodes()), fixed2: newMatching(p.B.Nodes()),
		similar: newSimilarities(p.A.Nodes(), p.Similar), attributes: p.Attributes, nodeWeight: p.NodeWeight, threads: 1,
		target: math.Inf(1), bound: math.Inf(1),
	}
	if p.Counts() {
		e.bound = float64(p.Bound())
	}
	if p.Class2 != nil {
		e.members = map[int32][]int32{}
		for j, class := range p.Class2 {
			e.members[class] = append(e.members[class], int32(j))
		}
	}
	for _, k := range p.Known {
		e.fixed1[k.I], e.fixed2[k.J] = int32(k.J), int32(k.I)
	}
	switch {
	case p.NodeWeight == 0:
		e.nodeWeight = e.unit()
	case p.NodeWeight > 0:
		e.nodeWeight = p.NodeWeight * e.unit()
	case p.NodeWeight < 0:
		e.nodeWeight = 0
	}
	if e.attributes != nil {
		e.attributesWeight = e.attributes.Weight * e.unit()
	}
	if m1, m2 := e.a.meanWeight(), e.b.meanWeight(); m1 > 0 && m2 > 0 && !p.Kinds {
		e.unit2 = m1 / m2
	}
	return e
}

// meanWeight returns the mean size of the weights.
func (g *Graph) meanWeight() float32 {
	sum, count := 0.0, 0
	for e := range g.to {
		if w, _ := g.weights(e); w != 0 {
			sum += float64(abs(w))
			count++
		}
	}
	return float32(sum / float64(max(1, count)))
}

// unlike is what weighs pairs of which nothing says that they are alike, where a node has
// others of which something does.
const unlike = 0.1

// similarity returns what a pair is weighed by: 1 for all pairs of nodes that are not said
// to be like any.
func (e *engine) similarity(i, j int) float32 {
	s := float32(1)
	if len(e.similar.to(i)) > 0 {
		s = unlike + (1-unlike)*e.similar.of(i, j)
	}
	if e.attributes != nil {
		s *= max(unlike, e.attributes.likely(i, j))
	}
	return s
}

// term returns what a pair adds to the objective apart from edges.
func (e *engine) term(i, j int) float64 {
	term := 0.0
	if e.nodeWeight != 0 {
		term = e.nodeWeight * float64(e.similar.of(i, j))
	}
	if e.attributes != nil {
		term += e.attributesWeight * e.attributes.Score(i, j)
	}
	return term
}

// hasTerms reports whether nodes are in the objective at all.
func (e *engine) hasTerms() bool {
	return e.nodeWeight != 0 && e.similar.start != nil || e.attributes != nil
}

// product returns what two edges add to the objective if they are matched.
func (e *engine) product(x, y int) float64 {
	if e.plain {
		return 1
	}
	out1, in1 := e.a.weights(x)
	out2, in2 := e.b.weights(y)
	if e.problem.Kinds {
		return e.sameKind(out1, out2) + e.sameKind(in1, in2)
	}
	return float64(out1)*float64(out2) + float64(in1)*float64(in2)
}

// sameKind returns what edges of two kinds share, 0 where there is no edge.
func (e *engine) sameKind(v, w float32) float64 {
	switch {
	case v == 0 || w == 0:
		return 0
	case v == w:
		return 1
	case e.problem.Strict:
		return 0
	}
	return e.problem.Unlike
}

// value returns the objective of a matching.
func (e *engine) value(m matching) float64 {
	sum := 0.0
	for i, j := range m {
		if j == none {
			continue
		}
		if e.hasTerms() {
			sum += e.term(i, int(j))
		}
		for x := e.a.start[i]; x < e.a.start[i+1]; x++ {
			if k := int(e.a.to[x]); k > i && m[k] != none {
				if y := e.b.find(int(j), int(m[k])); y >= 0 {
					sum += e.product(x, y)
				}
			}
		}
	}
	return sum
}

// shared returns how many edges of graph 1 a matching takes to edges of graph 2.
func (e *engine) shared(m matching) int {
	count := 0
	for i, j := range m {
		if j == none {
			continue
		}
		for x := e.a.start[i]; x < e.a.start[i+1]; x++ {
			k := int(e.a.to[x])
			if k < i || m[k] == none {
				continue
			}
			if y := e.b.find(int(j), int(m[k])); y >= 0 {
				count += e.common(x, y)
			}
		}
	}
	return count
}

// common returns how many edges two entries share: 2 where both have both directions.
func (e *engine) common(x, y int) int {
	if e.problem.Strict {
		return int(e.product(x, y))
	}
	if e.a.in == nil {
		return 1
	}
	count := 0
	if e.a.out[x] != 0 && e.b.out[y] != 0 {
		count++
	}
	if e.a.in[x] != 0 && e.b.in[y] != 0 {
		count++
	}
	return count
}

// ended returns why the search is over, if it is.
func (e *engine) ended() (qap.Status, bool) {
	switch {
	case e.bestScore >= e.bound:
		return qap.Optimal, true
	case e.bestScore >= e.target:
		return qap.Target, true
	}
	return e.watch.Expired()
}

// offer keeps a matching if it is the best so far, and returns its objective.
func (e *engine) offer(m matching, by string) float64 {
	score := e.value(m)
	e.keep(m, score, by)
	return score
}

// keep is offer for a matching whose objective is known.
func (e *engine) keep(m matching, score float64, by string) {
	if e.best != nil && score <= e.bestScore {
		return
	}
	if by == BySwaps && e.begun != "" {
		by = e.begun + "+" + BySwaps
	}
	e.best, e.bestScore, e.foundBy = append(e.best[:0], m...), score, by
	if e.onBest != nil {
		e.onBest(qap.Incumbent{Matching: widen(m), Score: score, Objective: score, Steps: e.steps, FoundBy: e.foundBy})
	}
}

// rowsBetweenLooks is how many nodes are done between two looks at the clock.
const rowsBetweenLooks = 64

// eachRow calls what begin returns, once for a thread, for every node of graph 1. It returns
// false where time was up before all were done.
func (e *engine) eachRow(begin func() func(i int)) bool {
	var next atomic.Int64
	var over atomic.Bool
	work := func() {
		do := begin()
		for !over.Load() {
			low := int(next.Add(rowsBetweenLooks)) - rowsBetweenLooks
			if low >= e.a.Nodes() {
				return
			}
			for i := low; i < min(low+rowsBetweenLooks, e.a.Nodes()); i++ {
				do(i)
			}
			if e.watch.Over() {
				over.Store(true)
			}
		}
	}
	var wait sync.WaitGroup
	for range e.threads - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	return !over.Load()
}
