package align

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/splitmix"
)

// colours returns numbers that are equal for nodes of graph 1 that nothing tells apart: the
// triangles through a node, its known partner and what it is like, and then again and again the
// colours of its neighbours, until no more nodes differ (colour refinement; Weisfeiler, Leman,
// Nauchno-Technicheskaya Informatsia 1968). Where that leaves most nodes alike, as in regular graphs
// without triangles, each is told from all others in turn, up to mostSingled entries; in larger ones nodes that differ
// may have one colour. It returns false where time was up.
func (e *engine) colours() ([]uint64, bool) {
	now, whole := e.refined(e.firstColours())
	alike := 0
	for _, n := range sizes(now) {
		alike = max(alike, n)
	}
	if n := len(now); !whole || 2*alike <= n || n*len(e.a.to) > mostSingled {
		return now, whole
	}
	told := make([]uint64, len(now))
	for i, c := range now { // individualisation and refinement (McKay, Piperno, doi:10.1016/j.jsc.2013.09.003)
		single := slices.Clone(now)
		single[i] = splitmix.Mix(c + 1)
		if single, whole = e.refined(single); !whole {
			return nil, false
		}
		for _, other := range single {
			told[i] += splitmix.Mix(other)
		}
	}
	return told, true
}

// refined refines colours.
func (e *engine) refined(now []uint64) ([]uint64, bool) {
	g := e.a
	next, distinct := make([]uint64, len(now)), count(now)
	for range farthest {
		whole := e.eachRow(func() func(i int) {
			return func(i int) {
				sum := uint64(0) // whatever the order of the neighbours
				for x := g.start[i]; x < g.start[i+1]; x++ {
					out, in := g.weights(x)
					weights := uint64(math.Float32bits(out))<<32 | uint64(math.Float32bits(in))
					sum += splitmix.Mix(now[g.to[x]] ^ splitmix.Mix(weights))
				}
				next[i] = splitmix.Mix(now[i] + splitmix.Mix(sum))
			}
		})
		if !whole {
			return nil, false
		}
		now, next = next, now
		more := count(now)
		if more == distinct {
			return now, true
		}
		distinct = more
	}
	return now, true
}

// mostSingled bounds the nodes times the entries of a graph whose nodes are singled out.
const mostSingled = 1_000_000

// farthest is from how far away nodes are told apart at most.
const farthest = 50

// references are so many nodes of graph 2 whose scores of attributes tell nodes of graph 1 apart.
const references = 32

// firstColours returns those of each node by itself.
func (e *engine) firstColours() []uint64 {
	_, triangles, _ := e.a.counts(e.watch.Over)
	colours, n2 := make([]uint64, e.a.Nodes()), e.b.Nodes()
	for i := range colours {
		c := splitmix.Mix(uint64(math.Float32bits(triangles[i])))
		if e.members != nil {
			c = splitmix.Mix(c + uint64(e.problem.Class1[i]))
		}
		if j := e.fixed1[i]; j != none {
			c = splitmix.Mix(c + uint64(j) + 1)
		}
		for _, j := range e.similar.to(i) {
			c = splitmix.Mix(c ^ uint64(j)<<32 ^ uint64(math.Float32bits(e.similar.of(i, int(j)))))
		}
		if e.attributes != nil {
			for k := range min(references, n2) {
				c = splitmix.Mix(c ^ math.Float64bits(e.attributes.Score(i, k*n2/min(references, n2))))
			}
		}
		colours[i] = c
	}
	return colours
}

// count returns how many numbers are distinct.
func count(x []uint64) int {
	sorted := slices.Sorted(slices.Values(x))
	return len(slices.Compact(sorted))
}

// sizes returns how many nodes have each colour.
func sizes(colours []uint64) map[uint64]int {
	size := make(map[uint64]int, len(colours))
	for _, c := range colours {
		size[c]++
	}
	return size
}
