package qap

import "math"

// incremental keeps the changes of score of an environment on Rows, so that a step
// costs what it touches: the neighbours of the vertices that it matches or releases,
// and the rows and columns of the matches among them.
//
// With the gain r[i] of i's match and c[a] of a's match, 0 where there is none, and
// the pair's affinity
//
//	x[i,a] = 2·K[(i,b),(k,a)]   b the match of i, k the holder of a
//
// the change of choosing (i,a) is ((gain[i,a] − r[i]) − c[a]) + x[i,a]: the order of
// operations of Environment.scoreChanges, so that the numbers are the same. Of a
// match it is −gain.
type incremental struct {
	env     *Environment
	rows    Rows
	q       []int32 // buffers of a row of K
	k       []float64
	changes []float64
	pair    []float64 // x
	rowGain []float64 // r
	colGain []float64 // c

	stale            bool // everything is to be computed afresh
	full             bool // whether no match can be added, when best was found
	rowDirty         []bool
	colDirty         []bool
	dirtyRows        []int
	dirtyCols        []int
	touched          []int32   // vertices whose gain changed
	best             []int     // per row, the column that Environment.BestAction considers; −1 for none
	bestChange       []float64 // of it; −Inf where there is none, +Inf where it is to be found again
	unsettled        []bool    // rows whose best is to be found again
	unsettledRows    []int
	considersMatched bool // whether rows of matched nodes have actions
}

// renewed returns what keeps the changes of an environment, in the memory of t where
// that is enough; t may be nil.
func (t *incremental) renewed(e *Environment, rows Rows) *incremental {
	if t == nil {
		t = &incremental{}
	}
	n1, n2, longest := e.n1, e.n2, rows.LongestRow()
	most := manySteps * 3 * longest
	*t = incremental{
		env: e, rows: rows, q: zeros(t.q, longest), k: zeros(t.k, longest),
		changes: zeros(t.changes, n1*n2), pair: zeros(t.pair, n1*n2),
		rowGain: zeros(t.rowGain, n1), colGain: zeros(t.colGain, n2),
		rowDirty: zeros(t.rowDirty, n1), colDirty: zeros(t.colDirty, n2),
		dirtyRows: zeros(t.dirtyRows, n1)[:0], dirtyCols: zeros(t.dirtyCols, n2)[:0],
		touched: zeros(t.touched, most)[:0:most],
		best:    zeros(t.best, n1), bestChange: zeros(t.bestChange, n1),
		unsettled: zeros(t.unsettled, n1), unsettledRows: zeros(t.unsettledRows, n1)[:0], stale: true,
		considersMatched: !e.options.Irrevocable || e.options.Release,
	}
	return t
}

// manySteps is after how many steps without a look at the changes they are computed
// afresh when one comes.
const manySteps = 4

// match adds 2·K[v,·] to the gains; (i,a) is matched next.
func (t *incremental) match(v, i, a int) {
	t.spread(v, i, a, 2)
	t.rowGain[i], t.colGain[a] = t.env.gains[v], t.env.gains[v]
}

// release takes 2·K[v,·] from the gains; (i,a) is matched no longer.
func (t *incremental) release(v, i, a int) {
	t.spread(v, i, a, -2)
	t.rowGain[i], t.colGain[a] = 0, 0
}

// spread adds scale·K[v,·] to the gains and notes what changes with them.
func (t *incremental) spread(v, i, a int, scale float64) {
	e := t.env
	columns, values := t.rows.RowEntries(v, t.q, t.k)
	values = values[:len(columns)]
	t.stale = t.stale || len(t.touched)+len(columns) > cap(t.touched)
	if t.stale {
		for k, q := range columns {
			e.gains[q] += scale * values[k]
		}
		return
	}
	t.dirtyRow(i)
	t.dirtyCol(a)
	t.touched = append(t.touched, columns...)
	n2 := uint32(e.n2)
	for k, q := range columns {
		e.gains[q] += scale * values[k]
		j, c := int(uint32(q)/n2), int(uint32(q)%n2)
		if e.match[j] != c {
			continue
		}
		x := 0.0
		if scale > 0 {
			x = 2 * values[k]
		}
		t.pair[i*e.n2+c], t.pair[j*e.n2+a] = x, x
		t.rowGain[j], t.colGain[c] = e.gains[q], e.gains[q]
		t.dirtyRow(j)
		t.dirtyCol(c)
	}
}

func (t *incremental) dirtyRow(i int) {
	if !t.rowDirty[i] {
		t.rowDirty[i] = true
		t.dirtyRows = append(t.dirtyRows, i)
	}
}

func (t *incremental) dirtyCol(a int) {
	if !t.colDirty[a] {
		t.colDirty[a] = true
		t.dirtyCols = append(t.dirtyCols, a)
	}
}

// manyCols is the share of columns from which it is cheaper to compute all rows.
const manyCols = 3

// refresh brings the changes up to date.
func (t *incremental) refresh() {
	e := t.env
	if t.stale {
		t.collect()
	}
	full := e.size >= e.most
	switch {
	case t.stale || manyCols*len(t.dirtyCols) > e.n2:
		for i := range e.match {
			t.refreshRow(i)
		}
	default:
		if full != t.full {
			t.dirtyFreeRows()
		}
		for _, a := range t.dirtyCols {
			t.refreshCol(a)
		}
		for _, v := range t.touched {
			t.refreshVertex(int(v))
		}
		for _, i := range t.dirtyRows {
			t.refreshRow(i)
		}
	}
	t.stale, t.full = false, full
	for _, i := range t.dirtyRows {
		t.rowDirty[i] = false
	}
	for _, a := range t.dirtyCols {
		t.colDirty[a] = false
	}
	t.dirtyRows, t.dirtyCols, t.touched = t.dirtyRows[:0], t.dirtyCols[:0], t.touched[:0]
}

// collect computes what the changes are made of from the gains and the matching.
func (t *incremental) collect() {
	e := t.env
	clear(t.pair)
	clear(t.rowGain)
	clear(t.colGain)
	for i, a := range e.match {
		if a == Unmatched {
			continue
		}
		v := i*e.n2 + a
		t.rowGain[i], t.colGain[a] = e.gains[v], e.gains[v]
		columns, values := t.rows.RowEntries(v, t.q, t.k)
		for k, q := range columns {
			if j, c := int(q)/e.n2, int(q)%e.n2; e.match[j] == c {
				t.pair[i*e.n2+c] = 2 * values[k]
			}
		}
	}
}

func (t *incremental) dirtyFreeRows() {
	for i, a := range t.env.match {
		if a == Unmatched {
			t.dirtyRow(i)
		}
	}
}

// refreshRow computes the changes of row i, whose best is to be found then.
func (t *incremental) refreshRow(i int) {
	e := t.env
	n2 := e.n2
	changes, pair := t.changes[i*n2:(i+1)*n2], t.pair[i*n2:(i+1)*n2]
	gains, colGain := e.gains[i*n2:(i+1)*n2], t.colGain[:n2]
	r := t.rowGain[i]
	for a := range changes {
		changes[a] = gains[a] - r - colGain[a] + pair[a]
	}
	if b := e.match[i]; b != Unmatched && !e.options.Release {
		changes[b] = 0
	}
	t.unsettle(i)
}

// refreshCol computes the changes of column a but for dirty rows. The row of the node
// that holds a is one.
func (t *incremental) refreshCol(a int) {
	e := t.env
	n2, c := e.n2, t.colGain[a]
	gains, pair, changes := e.gains[a:], t.pair[a:], t.changes[a:]
	v := 0
	for i, r := range t.rowGain {
		if !t.rowDirty[i] {
			t.set(i, a, &changes[v], gains[v]-r-c+pair[v])
		}
		v += n2
	}
}

// refreshVertex computes the change of a vertex, if no dirty row or column does.
func (t *incremental) refreshVertex(v int) {
	i, a := int(uint32(v)/uint32(t.env.n2)), int(uint32(v)%uint32(t.env.n2))
	if !t.rowDirty[i] && !t.colDirty[a] {
		t.set(i, a, &t.changes[v], t.env.gains[v]-t.rowGain[i]-t.colGain[a]+t.pair[v])
	}
}

// set enters a change of a vertex (i,a) that is not matched.
func (t *incremental) set(i, a int, at *float64, change float64) {
	before := *at
	*at = change
	if change >= t.bestChange[i] || t.best[i] == a {
		t.compare(i, a, change, before)
	}
}

// compare follows a change of the vertex (i,a) where that may make it the best of its
// row, or no longer.
func (t *incremental) compare(i, a int, change, before float64) {
	switch {
	case t.unsettled[i]:
	case t.best[i] != a:
		t.challenge(i, a, change)
	case change < before || !t.env.AllowedMatch(i, a):
		t.unsettle(i)
	default:
		t.bestChange[i] = change
	}
}

// challenge makes the vertex (i,a) the best of its row if it is.
func (t *incremental) challenge(i, a int, change float64) {
	if best := t.bestChange[i]; change < best || change == best && a > t.best[i] && t.best[i] >= 0 {
		return
	}
	if !t.env.barred[i*t.env.n2+a] && t.env.AllowedMatch(i, a) {
		t.best[i], t.bestChange[i] = a, change
	}
}

// unsettle notes that the best of row i is to be found again.
func (t *incremental) unsettle(i int) {
	if !t.unsettled[i] {
		t.unsettled[i], t.bestChange[i] = true, math.Inf(1)
		t.unsettledRows = append(t.unsettledRows, i)
	}
}

// settle finds the best of rows where that is not known.
func (t *incremental) settle() {
	for _, i := range t.unsettledRows {
		t.unsettled[i] = false
		t.best[i], t.bestChange[i] = t.bestOfRow(i)
	}
	t.unsettledRows = t.unsettledRows[:0]
}

func (t *incremental) bestOfRow(i int) (a int, change float64) {
	e := t.env
	best, at := math.Inf(-1), -1
	if e.seed1[i] || e.match[i] != Unmatched && !t.considersMatched {
		return at, best
	}
	barred := e.barred[i*e.n2 : (i+1)*e.n2]
	for a, change := range t.changes[i*e.n2 : (i+1)*e.n2] {
		if (change > best || at < 0) && !barred[a] && e.AllowedMatch(i, a) {
			best, at = change, a
		}
	}
	return at, best
}

// bar follows Environment.Bar.
func (t *incremental) bar(v int, barred bool) {
	switch i, a := v/t.env.n2, v%t.env.n2; {
	case t.unsettled[i]:
	case barred && t.best[i] == a:
		t.unsettle(i)
	case !barred:
		t.challenge(i, a, t.changes[v])
	}
}

// bestVertex returns the best of all rows, the first of equal ones; −1 for none.
func (t *incremental) bestVertex() int {
	t.settle()
	row, change := -1, 0.0
	for i, c := range t.bestChange {
		if (c > change || row < 0) && t.best[i] >= 0 {
			row, change = i, c
		}
	}
	if row < 0 {
		return row
	}
	return row*t.env.n2 + t.best[row]
}
