package isomorphism_test

import (
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap/isomorphism"
)

// edges of a graph of n nodes.
type edges struct {
	n    int
	list [][2]int
}

func (e *edges) join(i, j int) { e.list = append(e.list, [2]int{i, j}) }

func lattice(rows, columns int, round bool) (e edges) {
	e.n = rows * columns
	for r := range rows {
		for c := range columns {
			if c+1 < columns || round {
				e.join(r*columns+c, r*columns+(c+1)%columns)
			}
			if r+1 < rows || round {
				e.join(r*columns+c, (r+1)%rows*columns+c)
			}
		}
	}
	return e
}

// hexagons are a lattice without every other rung.
func hexagons(rows, columns int) (e edges) {
	e.n = rows * columns
	for r := range rows {
		for c := range columns {
			if r+1 < rows {
				e.join(r*columns+c, (r+1)*columns+c)
			}
			if c+1 < columns && (r+c)%2 == 0 {
				e.join(r*columns+c, r*columns+c+1)
			}
		}
	}
	return e
}

func hypercube(d int) (e edges) {
	e.n = 1 << d
	for i := range e.n {
		for b := range d {
			if j := i ^ 1<<b; i < j {
				e.join(i, j)
			}
		}
	}
	return e
}

// regular is a random regular graph by the configuration model, repairing by exchanges.
func regular(n, d int, rng *rand.Rand) (e edges) {
	e.n = n
	var ends []int
	for i := range n * d {
		ends = append(ends, i/d)
	}
	for {
		rng.Shuffle(len(ends), func(x, y int) { ends[x], ends[y] = ends[y], ends[x] })
		for range 1000 {
			seen, bad := map[[2]int]bool{}, 0
			for k := 0; k < len(ends); k += 2 {
				i, j := min(ends[k], ends[k+1]), max(ends[k], ends[k+1])
				if i == j || seen[[2]int{i, j}] {
					bad++
					x := rng.IntN(len(ends))
					ends[k], ends[x] = ends[x], ends[k]
				}
				seen[[2]int{i, j}] = true
			}
			if bad > 0 {
				continue
			}
			for k := 0; k < len(ends); k += 2 {
				e.join(ends[k], ends[k+1])
			}
			return e
		}
	}
}

// paley joins numbers whose difference is a square modulo a prime that is 1 modulo 4.
func paley(q int) (e edges) {
	e.n = q
	square := make([]bool, q)
	for x := 1; x < q; x++ {
		square[x*x%q] = true
	}
	for i := range q {
		for j := i + 1; j < q; j++ {
			if square[j-i] {
				e.join(i, j)
			}
		}
	}
	return e
}

// latin is the graph of a Latin square: cells of one row, column or symbol are joined. It is strongly regular.
func latin(square [][]int) (e edges) {
	k := len(square)
	e.n = k * k
	for i := range e.n {
		for j := i + 1; j < e.n; j++ {
			if i/k == j/k || i%k == j%k || square[i/k][i%k] == square[j/k][j%k] {
				e.join(i, j)
			}
		}
	}
	return e
}

// square is a Latin square: that of adding modulo k, with rows and columns mixed and intercalates turned.
func square(k, turns int, rng *rand.Rand) [][]int {
	rows := make([][]int, k)
	for r := range rows {
		rows[r] = make([]int, k)
		for c := range rows[r] {
			rows[r][c] = (r + c) % k
			if k&(k-1) == 0 {
				rows[r][c] = r ^ c
			}
		}
	}
	for turns > 0 {
		r, s, c, d := rng.IntN(k), rng.IntN(k), rng.IntN(k), rng.IntN(k)
		if r != s && c != d && rows[r][c] == rows[s][d] && rows[r][d] == rows[s][c] {
			rows[r][c], rows[r][d] = rows[r][d], rows[r][c]
			rows[s][c], rows[s][d] = rows[s][d], rows[s][c]
			turns--
		}
	}
	return rows
}

// triangular is the line graph of the complete graph.
func triangular(k int) (e edges) {
	var pairs [][2]int
	for i := range k {
		for j := i + 1; j < k; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	e.n = len(pairs)
	for x, p := range pairs {
		for y, q := range pairs[:x] {
			if p[0] == q[0] || p[1] == q[1] || p[0] == q[1] || p[1] == q[0] {
				e.join(y, x)
			}
		}
	}
	return e
}

// tree is the complete tree of a branching number, and treeNodes nodes.
func tree(branch, n int) (e edges) {
	e.n = n
	for i := 1; i < n; i++ {
		e.join((i-1)/branch, i)
	}
	return e
}

func randomTree(n int, rng *rand.Rand) (e edges) {
	e.n = n
	for i := 1; i < n; i++ {
		e.join(rng.IntN(i), i)
	}
	return e
}

func copies(one edges, k int) (e edges) {
	for c := range k {
		for _, x := range one.list {
			e.join(c*one.n+x[0], c*one.n+x[1])
		}
	}
	e.n = k * one.n
	return e
}

func complete(n int) (e edges) {
	e.n = n
	for i := range n {
		for j := range i {
			e.join(j, i)
		}
	}
	return e
}

// dihedral is the Cayley graph of the symmetries of a k-gon by a turn, by s turns and by a mirror.
func dihedral(k, s int) (e edges) {
	e.n = 2 * k
	for i := range k {
		e.join(i, (i+1)%k)
		e.join(i, (i+s)%k)
		e.join(k+i, k+(i+1)%k)
		e.join(k+i, k+(i+s)%k)
		e.join(i, k+i)
	}
	return e
}

// cfi is the graph of Cai, Fürer and Immerman (doi:10.1007/BF01305232) over a graph, with one edge twisted or none:
// the two are not isomorphic and refinement of few dimensions cannot tell them apart.
func cfi(base edges, twisted bool) (e edges) {
	incident := make([][]int, base.n)
	for k, x := range base.list {
		incident[x[0]] = append(incident[x[0]], k)
		incident[x[1]] = append(incident[x[1]], k)
	}
	ends := map[[3]int]int{} // node, edge, side
	for v := range base.n {
		for _, k := range incident[v] {
			ends[[3]int{v, k, 0}], ends[[3]int{v, k, 1}] = e.n, e.n+1
			e.n += 2
		}
		for set := range 1 << len(incident[v]) {
			bits := 0
			for b := range incident[v] {
				bits += set >> b & 1
			}
			if bits%2 == 1 {
				continue
			}
			for b, k := range incident[v] {
				e.join(e.n, ends[[3]int{v, k, set >> b & 1}])
			}
			e.n++
		}
	}
	for k, x := range base.list {
		for side := range 2 {
			other := side
			if k == 0 && twisted {
				other = 1 - side
			}
			e.join(ends[[3]int{x[0], k, side}], ends[[3]int{x[1], k, other}])
		}
	}
	return e
}

// graph makes the graph of edges; order, if not nil, gives each node its number.
func (e edges) graph(order []int) *isomorphism.Graph {
	at := func(i int) int {
		if order == nil {
			return i
		}
		return order[i]
	}
	g, err := isomorphism.NewGraph(e.n, len(e.list), func(k int) (i, j int) { return at(e.list[k][0]), at(e.list[k][1]) }, false, nil, nil)
	if err != nil {
		panic(err)
	}
	return g
}

// shuffled returns the same edges in another order, and numbers for the nodes.
func (e edges) shuffled(rng *rand.Rand) (edges, []int) {
	s := edges{e.n, slices.Clone(e.list)}
	rng.Shuffle(len(s.list), func(x, y int) { s.list[x], s.list[y] = s.list[y], s.list[x] })
	return s, rng.Perm(e.n)
}

// simple returns the edges each once, without those from a node to itself.
func (e edges) simple() edges {
	seen, s := map[[2]int]bool{}, edges{n: e.n}
	for _, x := range e.list {
		x = [2]int{min(x[0], x[1]), max(x[0], x[1])}
		if x[0] != x[1] && !seen[x] {
			seen[x] = true
			s.join(x[0], x[1])
		}
	}
	return s
}
