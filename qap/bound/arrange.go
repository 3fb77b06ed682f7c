package bound

import (
	"fmt"

	"github.com/rgm-go/rgm/qap"
)

// entries are the affinities between vertices (i,a) and (j,b) with i < j that are not 0.
type entries struct {
	i, j, a, b []uint16
	weight     []float64 // 2·K
}

func (e *entries) add(n2, p, q int, k float64) {
	e.i, e.a = append(e.i, uint16(p/n2)), append(e.a, uint16(p%n2))
	e.j, e.b = append(e.j, uint16(q/n2)), append(e.b, uint16(q%n2))
	e.weight = append(e.weight, 2*k)
}

// rowsAtOnce is how many rows of K are read between questions whether to stop.
const rowsAtOnce = 256

// entriesOf lists the affinities of an instance; nil where it was stopped.
func entriesOf(in *qap.Instance, stopped func() bool) (*entries, error) {
	n1, n2 := in.Size()
	e := &entries{}
	tooMany := func() error {
		return fmt.Errorf("bound: graphs of %d and %d nodes have more than %d affinities: %w", n1, n2, MaxEntries, qap.ErrUnsupported)
	}
	switch k := in.Affinity.(type) {
	case qap.Rows:
		columns, values := make([]int32, k.LongestRow()), make([]float64, k.LongestRow())
		for p := range n1 * n2 {
			if p%rowsAtOnce == 0 && stopped() {
				return nil, nil
			}
			qs, ks := k.RowEntries(p, columns, values)
			for x, q := range qs {
				if int(q) > p && ks[x] != 0 {
					e.add(n2, p, int(q), ks[x])
				}
			}
			if len(e.weight) > MaxEntries {
				return nil, tooMany()
			}
		}
	case *qap.Dense:
		row := make([]float64, n1*n2)
		for p := range row {
			if p%rowsAtOnce == 0 && stopped() {
				return nil, nil
			}
			clear(row)
			k.AddRow(row, p, 1)
			for q := p + 1; q < len(row); q++ {
				if row[q] != 0 {
					e.add(n2, p, q, row[q])
				}
			}
			if len(e.weight) > MaxEntries {
				return nil, tooMany()
			}
		}
	default:
		return nil, fmt.Errorf("bound: a product of two matrices: %w", qap.ErrUnsupported)
	}
	if max(pairsOf(e.i, e.j, n1)*n2, pairsOf(e.a, e.b, n2)*n1) > MaxMessages {
		return nil, fmt.Errorf("bound: the affinities of graphs of %d and %d nodes are of so many pairs of nodes that more than %d messages would go between them: %w", n1, n2, MaxMessages, qap.ErrUnsupported)
	}
	return e, nil
}

// pairsOf returns how many pairs of n nodes have affinities, whichever comes first.
func pairsOf(x, y []uint16, n int) (count int) {
	seen := make([]bool, n*n)
	for k := range x {
		if pair := int(min(x[k], y[k]))*n + int(max(x[k], y[k])); !seen[pair] {
			seen[pair] = true
			count++
		}
	}
	return count
}

// arrange sorts the affinities by pairs of nodes of graph 1 and by those of graph 2. It
// returns false where it was stopped.
func (d *Dual) arrange(e *entries, stopped func() bool) bool {
	var order []int32
	d.view[0], order = newView(d.n1, d.n2, e.i, e.j, e.a, e.b)
	if stopped() {
		return false
	}
	d.weight = make([]float64, len(order))
	place := make([]int32, len(order)) // in the first view
	for k, from := range order {
		d.weight[k] = e.weight[from]
		place[from] = int32(k)
	}
	for k := range e.a { // the lower node of graph 2 first
		if e.a[k] > e.b[k] {
			e.a[k], e.b[k], e.i[k], e.j[k] = e.b[k], e.a[k], e.j[k], e.i[k]
		}
	}
	if stopped() {
		return false
	}
	d.view[1], order = newView(d.n2, d.n1, e.a, e.b, e.i, e.j)
	if stopped() {
		return false
	}
	d.inSecond = make([]int32, len(order))
	for k, from := range order {
		d.inSecond[place[from]] = int32(k)
	}
	d.inFirst = make([]int32, len(order))
	for k, at := range d.inSecond {
		d.inFirst[at] = int32(k)
	}
	copy(d.view[0].value, d.weight)
	return true
}

// view is one side's pairs of nodes and their affinities.
type view struct {
	nodes, labels int
	forced        bool // every node is matched
	tables        []table
	of            [][]int32 // tables of each node
	value         []float64 // the share of every affinity, table by table
	message       []float64 // all messages of the tables
	direction     direction // of the steps so far
	x, y          []uint16  // labels of its two nodes
	out           []float64 // of maximums, labels+1
	held          []uint64
	top           []int // labels
	rank          []uint8
}

// table is the problem of choosing partners for two nodes.
type table struct {
	node     [2]int32
	from, to int32        // of its affinities
	message  [2][]float64 // what each choice of either node was paid out; the last is no partner
	most     [2]int32     // affinities of one choice of either node
}

// end says which of the two nodes x is.
func (t *table) end(x int) int {
	if int(t.node[0]) == x {
		return 0
	}
	return 1
}

// isLater reports whether a pass comes to the other node after x.
func (t *table) isLater(x int, back bool) bool { return (int(t.node[0]) == x) != back }

// newView sorts affinities between nodes x < y with labels lx and ly into tables, and
// returns where each came from.
func newView(nodes, labels int, x, y, lx, ly []uint16) (view, []int32) {
	order := make([]int32, len(x))
	for k := range order {
		order[k] = int32(k)
	}
	order = sorted(sorted(order, y, nodes), x, nodes)
	v := view{
		nodes: nodes, labels: labels, of: make([][]int32, nodes),
		value: make([]float64, len(x)), x: make([]uint16, len(x)), y: make([]uint16, len(x)),
		out: make([]float64, labels+1), held: make([]uint64, labels), rank: make([]uint8, labels), top: make([]int, 0, mostRanks+1),
	}
	for l := range v.rank {
		v.rank[l] = mostRanks
	}
	for k, from := range order {
		v.x[k], v.y[k] = lx[from], ly[from]
		if k == 0 || x[from] != x[order[k-1]] || y[from] != y[order[k-1]] {
			t := int32(len(v.tables))
			v.tables = append(v.tables, table{node: [2]int32{int32(x[from]), int32(y[from])}, from: int32(k)})
			v.of[x[from]], v.of[y[from]] = append(v.of[x[from]], t), append(v.of[y[from]], t)
		}
		v.tables[len(v.tables)-1].to = int32(k + 1)
	}
	v.countChoices()
	messages := make([]float64, 2*len(v.tables)*(labels+1))
	v.message = messages
	v.direction = direction{
		value: make([]float64, len(x)), message: make([]float64, len(messages)), single: make([]float64, nodes),
	}
	for t := range v.tables {
		for end := range 2 {
			v.tables[t].message[end], messages = messages[:labels+1:labels+1], messages[labels+1:]
		}
	}
	return v, order
}

// countChoices sets how many affinities the choices of a node have at most.
func (v *view) countChoices() {
	count := make([]int32, v.labels)
	for t := range v.tables {
		table := &v.tables[t]
		for end, labels := range [2][]uint16{v.x, v.y} {
			clear(count)
			for _, l := range labels[table.from:table.to] {
				count[l]++
				table.most[end] = max(table.most[end], count[l])
			}
		}
	}
}

// sorted returns an order, sorted by a key below n; equal ones stay as they were.
func sorted(order []int32, key []uint16, n int) []int32 {
	start := make([]int32, n+1)
	for _, k := range order {
		start[key[k]+1]++
	}
	for x := range n {
		start[x+1] += start[x]
	}
	by := make([]int32, len(order))
	for _, k := range order {
		by[start[key[k]]] = k
		start[key[k]]++
	}
	return by
}
