package rigid

import "slices"

// Graph is a graph without directions as compressed rows: the neighbours of node i are
// To[Start[i]:Start[i+1]], sorted, without i.
type Graph struct {
	Start []int
	To    []int32
}

func (g *Graph) nodes() int          { return len(g.Start) - 1 }
func (g *Graph) edges() int          { return len(g.To) / 2 }
func (g *Graph) row(i int32) []int32 { return g.To[g.Start[i]:g.Start[i+1]] }
func (g *Graph) degree(i int32) int  { return g.Start[i+1] - g.Start[i] }

// fewNeighbours are so many that are looked through one by one.
const fewNeighbours = 12

// joined reports whether two nodes are neighbours.
func (g *Graph) joined(i, j int32) bool {
	row := g.row(i)
	if len(row) < fewNeighbours {
		for _, k := range row {
			if k == j {
				return true
			}
		}
		return false
	}
	_, found := slices.BinarySearch(row, j)
	return found
}

// each calls f for every edge, i < j.
func (g *Graph) each(f func(i, j int32)) {
	for i := range int32(g.nodes()) {
		for _, j := range g.row(i) {
			if i < j {
				f(i, j)
			}
		}
	}
}

// changed returns the graph without a share of its edges, and with a share of others.
func (g *Graph) changed(removed, added float64, rng *random) Graph {
	n := int32(g.nodes())
	var list [][2]int32
	g.each(func(i, j int32) {
		if rng.uniform() >= removed {
			list = append(list, [2]int32{i, j})
		}
	})
	for range int(added * float64(g.edges())) {
		if i, j := rng.below(n), rng.below(n); i != j && !g.joined(i, j) {
			list = append(list, [2]int32{i, j})
		}
	}
	c := Graph{Start: make([]int, n+1), To: make([]int32, 2*len(list))}
	for _, e := range list {
		c.Start[e[0]+1]++
		c.Start[e[1]+1]++
	}
	for i := range n {
		c.Start[i+1] += c.Start[i]
	}
	next := slices.Clone(c.Start)
	for _, e := range list {
		for side, i := range e {
			c.To[next[i]] = e[1-side]
			next[i]++
		}
	}
	for i := range n {
		slices.Sort(c.row(i))
	}
	return c
}

// rings hold the nodes at distance 2 of every node, sorted, and by how many ways they are reached.
type rings struct {
	start []int
	to    []int32
	ways  []int8
}

// mostWays is where counting of ways ends, and mostRing bounds the nodes of a ring: larger ones are left out.
const mostWays, mostRing = 3, 40

func (g *Graph) rings() rings {
	n := g.nodes()
	r := rings{start: make([]int, n+1)}
	ways := make([]int8, n)
	var seen []int32
	for i := range int32(n) {
		seen = seen[:0]
		for _, j := range g.row(i) {
			if len(seen) >= 4*mostRing {
				break
			}
			for _, k := range g.row(j) {
				if k == i {
					continue
				}
				if ways[k] == 0 {
					seen = append(seen, k)
				}
				ways[k] = min(ways[k]+1, mostWays)
			}
		}
		slices.Sort(seen)
		begin := len(r.to)
		for _, k := range seen {
			if !g.joined(i, k) {
				r.to, r.ways = append(r.to, k), append(r.ways, ways[k])
			}
			ways[k] = 0
		}
		if len(r.to)-begin > mostRing {
			r.to, r.ways = r.to[:begin], r.ways[:begin]
		}
		r.start[i+1] = len(r.to)
	}
	return r
}

// between returns by how many ways two nodes are joined at distance 2, 0 where they are not.
func (r *rings) between(i, j int32) int8 {
	low, high := r.start[i], r.start[i+1]
	if high-low <= fewNeighbours {
		for x := low; x < high; x++ {
			if r.to[x] == j {
				return r.ways[x]
			}
		}
		return 0
	}
	if x, found := slices.BinarySearch(r.to[low:high], j); found {
		return r.ways[low+x]
	}
	return 0
}
