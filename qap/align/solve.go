package align

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
)

// What found a matching.
const (
	ByStart    = qap.ByStart // nodes paired by degree
	ByFeatures = "features"  // the nearest features
	ByRounds   = "rounds"    // soft and hard rounds of witnesses
	BySwaps    = "swaps"
	ByGrampa   = "grampa" // the assignment of Grampa
)

// Options say how an alignment is sought. The zero value is ready for use.
type Options struct {
	qap.Limits         // steps are trials of swaps; without a limit DefaultSteps a node, MostSteps at most, fewer among hubs
	Seed       uint64  // of the noise that is learnt from, and of the swaps
	Threads    int     // 0 for 1; more make rounds faster and, within a time limit without MaxSteps, swap side by side
	Complete   bool    // every node of the smaller graph is matched, whether or not anything speaks for it
	Starts     []Start // what proposes matchings besides the engine's own parts

	OnBest func(qap.Incumbent) // told of better matchings, by the goroutine that searches
}

// DefaultSteps is how many trials of swaps a node has where no limit is given, of MostSteps
// in all.
const DefaultSteps, MostSteps = 10_000, 100_000_000

// Result is what a search found.
type Result struct {
	Matching  qap.Matching
	Objective float64 // Σ A·B over matched pairs of edges, and the nodes' terms
	Shared    int     // edges of A that are taken to edges of B
	Bound     int     // what Shared cannot exceed
	Steps     int     // trials of swaps
	Status    qap.Status
	FoundBy   string
	Reason    string // of Within: why nothing is matched
}

// Solve aligns two graphs. A limit or a cancelled context ends it with the best matching so
// far. Where steps limit it, a seed gives one result on any number of
// threads.
func Solve(ctx context.Context, p *Problem, o Options) (Result, error) {
	if err := p.Check(); err != nil {
		return Result{}, err
	}
	e := newEngine(p)
	mirrored := p.B.Edges() < p.A.Edges()
	if mirrored { // what is found from the side of fewer edges is better
		e = newEngine(p.mirrored())
	}
	e.threads, e.onBest = max(1, o.Threads), o.OnBest
	if mirrored && o.OnBest != nil {
		e.onBest = func(b qap.Incumbent) {
			b.Matching = widen(narrow(b.Matching).inverted(p.A.Nodes()))
			o.OnBest(b)
		}
	}
	if o.HasTarget {
		e.target = o.Target
	}
	limits := o.Limits
	limits.HasTarget = false // that of a Watch is of an instance
	watch := limits.Watch(ctx, nil)
	e.watch = &watch
	status, err := e.search(ctx, &o)
	if err != nil {
		return Result{}, err
	}
	m := e.best
	if mirrored {
		m = m.inverted(p.A.Nodes())
	}
	return e.result(p, m, status), nil
}

// result returns what is known of the matching that was found for a problem.
func (e *engine) result(p *Problem, m matching, status qap.Status) Result {
	told := widen(m)
	return Result{
		Matching: told, Objective: p.Objective(told), Shared: p.SharedEdges(told), Bound: p.Bound(), Steps: e.steps, Status: status, FoundBy: e.foundBy,
	}
}

// search leaves the best matching that it finds in e.best.
func (e *engine) search(ctx context.Context, o *Options) (qap.Status, error) {
	if e.problem.Begin != nil {
		e.offer(e.adopt(e.problem.Begin), ByStart)
	}
	e.offer(e.byDegree(), ByStart)
	if _, ended := e.ended(); !ended {
		e.isomorphism(ctx, o)
	}
	if _, ended := e.ended(); !ended {
		e.structure(o)
	}
	if _, ended := e.ended(); !ended {
		e.rigid(o)
	}
	for _, s := range o.Starts {
		if _, ended := e.ended(); ended || s.Below > 0 {
			continue
		}
		if err := e.propose(ctx, s, o.Seed); err != nil {
			return "", fmt.Errorf("align: %s: %w", s.Name, err)
		}
	}
	status, err := e.anneal(ctx, o)
	if err != nil {
		return "", err
	}
	e.finish(o)
	return status, nil
}

// finish matches all nodes of the smaller graph, where they are to be, or else none of which
// nothing speaks for.
func (e *engine) finish(o *Options) {
	if o.Complete {
		e.fill(e.best)
	} else {
		e.release(e.best)
	}
}

// noises are the shares of edges whose loss the features are to withstand; of large graphs
// the first alone.
var noises = []float64{0.05, 0.15, 0.25}

const (
	keptAxes    = 8
	mostNearest = 30 // candidates a node to begin with
	mostAnchors = 8
	largeGraph  = 20_000  // nodes, from which on one noise is tried
	hugeGraph   = 100_000 // nodes, from which on fewer candidates are looked at
)

// structure finds matchings by features and witnesses, with and without distances from known
// pairs: where many edges are gone, these mislead.
func (e *engine) structure(o *Options) {
	e.guess(o, nil, nil)
	if anchors1, anchors2 := e.anchors(); anchors1 != nil {
		e.guess(o, anchors1, anchors2)
	}
}

// guess does so with features of distances from anchors, nil for none, for guesses of the noise: side by side
// where there are threads and the graphs are not large.
func (e *engine) guess(o *Options, anchors1, anchors2 []int32) {
	n := max(e.a.Nodes(), e.b.Nodes())
	guesses, nearest, beside := noises, mostNearest, min(e.threads, len(noises))
	if n >= largeGraph {
		guesses, beside = guesses[:1], 1
	}
	if n >= hugeGraph {
		nearest = 10
	}
	try := func(e *engine, k int) bool {
		if !e.place(guesses[k], o.Seed+uint64(k), anchors1, anchors2) {
			return false
		}
		if c, whole := e.nearest(nearest, 30); whole {
			e.match(c, ByFeatures, ByRounds)
		}
		return true
	}
	for k := 0; k < len(guesses); k += beside {
		if _, ended := e.ended(); ended || e.foundBy != ByStart && e.spent(o) > structureShare {
			return
		}
		if !e.aside(min(beside, len(guesses)-k), func(e *engine, x int) bool { return try(e, k+x) }) {
			return
		}
	}
}

// aside has the engine and copies of it try something side by side. What they find counts in their order, as if each had begun
// where the one before ended: what follows on a matching that is good enough does not. Once time is up all counts. It returns
// whether none failed.
func (e *engine) aside(count int, try func(e *engine, k int) bool) bool {
	threads := e.threads
	e.threads = max(1, threads/count)
	others, whole, found := make([]engine, count), make([]bool, count), make([][]qap.Incumbent, count)
	var wait parallel.Group
	for k := 1; k < count; k++ {
		f := &others[k]
		*f = *e
		f.best, f.bestScore, f.onBest = nil, math.Inf(-1), func(b qap.Incumbent) { found[k] = append(found[k], b) }
		wait.Go(func() { whole[k] = try(f, k) })
	}
	whole[0] = try(e, 0)
	wait.Wait()
	e.threads = threads
	for k := 1; k < count && e.bestScore < min(e.bound, e.target); k++ {
		for _, b := range found[k] {
			e.keep(narrow(b.Matching), b.Score, b.FoundBy)
		}
		if whole[k] {
			e.x1, e.x2 = others[k].x1, others[k].x2
		}
	}
	return !slices.Contains(whole, false)
}

// place puts the features of both graphs on axes that withstand a noise. It returns false where time
// was up.
func (e *engine) place(noise float64, seed uint64, anchors1, anchors2 []int32) bool {
	features, whole := e.describe(noise, seed, anchors1, anchors2)
	if !whole {
		return false
	}
	axes := learnAxes(features[0], features[2], keptAxes+len(anchors1))
	e.x1, e.x2 = axes.project(features[0]), axes.project(features[1])
	if at := e.attributes; at != nil {
		e.x1, e.x2 = e.x1.beside(at.X, at.Width), e.x2.beside(at.Y, at.Width)
	}
	if e.members != nil {
		e.x1, e.x2 = e.x1.beside(apart(e.problem.Class1), 1), e.x2.beside(apart(e.problem.Class2), 1)
	}
	return true
}

// describe returns the features of both graphs, and of the first one where it has lost edges. It returns false
// where time was up.
func (e *engine) describe(noise float64, seed uint64, anchors1, anchors2 []int32) (of [3]table, whole bool) {
	graphs := [3]*Graph{e.a, e.b, nil}
	anchors := [3][]int32{anchors1, anchors2, anchors1}
	var wholes [3]bool
	parallel.Some(e.threads, len(graphs), func(k int) {
		g := graphs[k]
		if g == nil {
			g = e.a.thinned(noise, seed)
		}
		of[k], wholes[k] = g.features(anchors[k], e.watch.Over)
	})
	return of, wholes[0] && wholes[1] && wholes[2]
}

// apart returns the classes of nodes as numbers that are farther apart than any features of nodes of one class.
func apart(class []int32) []float32 {
	const far = 1000
	x := make([]float32, len(class))
	for i, c := range class {
		x[i] = far * float32(c)
	}
	return x
}

// structureShare is the part of a time limit after which no further noise is tried.
const structureShare = 0.2

// spent returns which part of the time limit is used, 0 where there is none.
func (e *engine) spent(o *Options) float64 {
	left, limited := e.watch.Remaining()
	if !limited {
		return 0
	}
	return 1 - float64(left)/float64(o.TimeLimit)
}

// anchors returns known pairs that are far apart in the list, for features of distance.
func (e *engine) anchors() (of1, of2 []int32) {
	known := e.problem.Known
	count := min(len(known), mostAnchors)
	for x := range count {
		k := known[x*len(known)/count]
		of1, of2 = append(of1, int32(k.I)), append(of2, int32(k.J))
	}
	return of1, of2
}

// byDegree pairs the nodes that are not known in the order of their degrees.
func (e *engine) byDegree() matching {
	m := newMatching(e.a.Nodes())
	copy(m, e.fixed1)
	e.fill(m)
	return m
}

// fill pairs the nodes that are left in the order of their degrees.
func (e *engine) fill(m matching) {
	taken := make([]bool, e.b.Nodes())
	for _, j := range m {
		if j != none {
			taken[j] = true
		}
	}
	free1 := byDegree(e.a, func(i int) bool { return m[i] == none })
	free2 := map[int32][]int32{} // of each class
	class := func(of []int32, i int32) int32 {
		if of == nil {
			return 0
		}
		return of[i]
	}
	for _, j := range byDegree(e.b, func(j int) bool { return !taken[j] }) {
		c := class(e.problem.Class2, j)
		free2[c] = append(free2[c], j)
	}
	for _, i := range free1 {
		if c := class(e.problem.Class1, i); len(free2[c]) > 0 {
			m[i], free2[c] = free2[c][0], free2[c][1:]
		}
	}
}

// byDegree returns the nodes that are wanted, those of most neighbours first.
func byDegree(g *Graph, wanted func(i int) bool) []int32 {
	var nodes []int32
	for i := range g.Nodes() {
		if wanted(i) {
			nodes = append(nodes, int32(i))
		}
	}
	slices.SortStableFunc(nodes, func(i, j int32) int { return g.Degree(int(j)) - g.Degree(int(i)) })
	return nodes
}

// release takes away the matches that no edge, no similarity and no attribute speaks for.
func (e *engine) release(m matching) {
	var alone []int
	for i, j := range m {
		if j != none && e.fixed1[i] == none && e.witnessesOf(m, i, j) == 0 && e.similar.of(i, int(j)) == 0 && e.term(i, int(j)) <= 0 {
			alone = append(alone, i)
		}
	}
	for _, i := range alone {
		m[i] = none
	}
}

// witnessesOf returns how many neighbours of node i have partners that are neighbours of j.
func (e *engine) witnessesOf(m matching, i int, j int32) int {
	count := 0
	for x := e.a.start[i]; x < e.a.start[i+1]; x++ {
		if k := e.a.to[x]; m[k] != none {
			if y := e.b.find(int(j), int(m[k])); y >= 0 && (!e.problem.Strict || e.product(x, y) > 0) {
				count++
			}
		}
	}
	return count
}
