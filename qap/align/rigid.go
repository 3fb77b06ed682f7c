package align

import (
	"math"

	"github.com/rgm-go/rgm/qap/align/rigid"
)

// ByRigid is what finds matchings of graphs whose nodes look alike: see package rigid.
const ByRigid = "rigid"

const (
	rigidBelow     = 0.97    // of the bound: what rounds share of graphs whose nodes are told apart
	rigidSquares   = 100     // the mean squared degree at most: growth looks at neighbours of neighbours
	rigidVariation = 0.3     // coefficient of variation of the degrees
	rigidNodes     = 200_000 // of which descriptions are kept
	rigidTrials    = 100     // of swaps a node, at least, where these limit the search
	rigidWork      = 100     // for each trial of swaps
	rigidShare     = 0.7     // of the time that is left
)

// rigid tries growth from hypotheses where rounds left much unshared, nothing but edges tells nodes apart, and the
// degrees vary little: elsewhere swaps serve better (road networks, whose degrees vary by half). Unless its first
// round shares as much as the best matching so far, it ends there.
func (e *engine) rigid(o *Options) {
	n := max(e.a.Nodes(), e.b.Nodes())
	bound, shared := e.problem.Bound(), e.shared(e.best)
	switch {
	case !e.plain || e.hasTerms() || e.similar.start != nil || e.members != nil || len(e.problem.Known) > 0 || n > rigidNodes:
		return
	case float64(shared) >= rigidBelow*float64(bound), max(e.a.meanSquare(), e.b.meanSquare()) > rigidSquares, min(e.a.variation(), e.b.variation()) > rigidVariation:
		return
	}
	options := rigid.Options{Seed: o.Seed, Hope: float64(shared) / float64(bound)}
	limit := o.MaxSteps
	if limit == 0 && o.TimeLimit == 0 {
		limit = e.a.defaultSteps()
	}
	if limit > 0 {
		if limit < rigidTrials*e.a.Nodes() {
			return
		}
		options.Work = rigidWork * limit
	}
	whole, _ := e.watch.Remaining()
	options.Spent = func() float64 {
		if _, ended := e.ended(); ended {
			return 1
		}
		left, limited := e.watch.Remaining()
		if !limited {
			return 0
		}
		return float64(whole-left) / (rigidShare * float64(whole))
	}
	r := rigid.Search(&rigid.Graph{Start: e.a.start, To: e.a.to}, &rigid.Graph{Start: e.b.start, To: e.b.to}, options)
	e.offer(r.Matching, ByRigid)
}

// variation returns the coefficient of variation of the degrees.
func (g *Graph) variation() float64 {
	mean := float64(len(g.to)) / float64(max(1, g.Nodes()))
	return math.Sqrt(max(0, g.meanSquare()/(mean*mean)-1))
}

// meanSquare returns the mean of squared degrees.
func (g *Graph) meanSquare() float64 {
	sum := 0
	for i := range g.Nodes() {
		sum += g.Degree(i) * g.Degree(i)
	}
	return float64(sum) / float64(max(1, g.Nodes()))
}
