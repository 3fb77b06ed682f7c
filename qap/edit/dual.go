package edit

import "math"

// dual bounds what can be saved as branch does, but moves the halves. The saving of edges ij and ab appears in the star
// of i at a and in that of j at b; any split of it between the two gives a bound, and subgradients look for the best
// one: towards the splits by which the chosen stars agree. Steps are Polyak's, towards the best matching known, along a
// direction that remembers those before.
//
// Where nodes of graph 1 may have no image, as many nodes without edges are added to graph 2.
type dual struct {
	*pair
	with  pair    // none, added to graph 2
	real  int     // nodes of graph 2 before these
	unit  int     // of weights, in parts of one saved
	first []int32 // of each match i·n2+a in split, and their end
	split []int32 // [edge of i, edge of a] what the star at i, a has of the saving; ruledOut where nothing better has both
	mate  []int32 // where the other part is
	owner []int32 // the match that a place belongs to
	whole []int32 // of the first of two mates: both parts together
	part  []float64
	step  []float32 // direction of the first of two mates
	moved []int32   // places with a direction
	moves []bool

	weight   []int32 // [i, a]
	excluded []bool
	left     int // matches that are not excluded
	few      places
	listed   bool // few lists them
	dirty    []int32
	isDirty  []bool
	slack    []int32

	assigner assigner
	stars    matcher
	assigned int // value of the last assignment
	progress
	work int // about how many numbers were looked at
}

// progress is how far the iterations have come, and how they go on.
type progress struct {
	bound      float64 // the least known
	lambda     float64
	sinceBest  int
	reference  float64
	iterations int
	sweeps     int
}

const (
	remember     = 0.8
	leastStep    = 0.02 // steps smaller than this are none
	patience     = 40   // iterations without much gain until steps are shorter
	shorter      = 0.8
	shortest     = 5e-3
	longer       = 0.3 // after the shortest
	much         = 2e-4
	exclusions   = 10      // iterations between exclusions
	sweepsFirst  = 6       // iterations that are sweeps at first, and later
	sweepsEach   = 20      // one of so many
	mostSplit    = 1 << 22 // places
	mostWeight   = 1 << 26
	mostUnit     = 1 << 10
	widestSplit  = 4 // savings of an edge that one end may have, or the other
	ruledOut     = forbidden >> 2
	manyExcluded = 2 // so that one match in so many is left: assignments look at these alone
)

// fits reports whether the bound can be computed in reasonable memory.
func (d *dual) fits(p *pair) bool {
	arcs1, arcs2 := len(p.g1.arcs), len(p.g2.arcs)
	return arcs1 > 0 && arcs2 > 0 && arcs1 <= mostSplit/arcs2
}

// reset begins at equal halves.
func (d *dual) reset(p *pair) {
	d.real = p.n2
	if d.pair = p; p.partial {
		d.with.addNone(p)
		p = &d.with
		d.pair = p
	}
	n1, n2 := p.n1, p.n2
	d.unit = max(2, min(mostUnit, mostWeight/max(1, p.total)))
	d.first = append(resized(d.first, n1*n2+1)[:0], 0)
	at := int32(0)
	for i := range n1 {
		for a := range n2 {
			at += int32(p.g1.degree(i) * p.g2.degree(a))
			d.first = append(d.first, at)
		}
	}
	d.split, d.mate, d.owner = resized(d.split, int(at)), resized(d.mate, int(at)), resized(d.owner, int(at))
	d.whole, d.part, d.step = resized(d.whole, int(at)), resized(d.part, int(at)), resized(d.step, int(at))
	d.moves, d.moved = resized(d.moves, int(at)), d.moved[:0]
	clear(d.step)
	clear(d.moves)
	back1, back2 := p.g1.backs(n1), p.g2.backs(n2)
	for i := range n1 {
		for a := range n2 {
			match := i*n2 + a
			id := d.first[match]
			places := p.g2.of(int32(a))
			for x, to := range p.g1.of(int32(i)) {
				for y, place := range places {
					other := d.first[int(to.node)*n2+int(place.node)]
					mate := other + back1[int(p.g1.first[i])+x]*int32(p.g2.degree(int(place.node))) + back2[int(p.g2.first[a])+y]
					whole := p.edge[to.row+place.row] * int32(d.unit)
					d.mate[id], d.owner[id], d.whole[id] = mate, int32(match), whole
					if id < mate {
						d.split[id] = whole / 2
						d.split[mate] = whole - whole/2
						d.part[id] = float64(d.split[id])
					}
					id++
				}
			}
		}
	}
	d.weight, d.excluded = resized(d.weight, n1*n2), resized(d.excluded, n1*n2)
	d.isDirty, d.dirty = resized(d.isDirty, n1*n2), d.dirty[:0]
	clear(d.excluded)
	clear(d.isDirty)
	d.left, d.listed = n1*n2, false
	for match := range d.weight {
		d.weigh(match)
	}
	d.progress, d.work = progress{bound: math.Inf(1), reference: math.Inf(1), lambda: 1}, 4*len(d.split)
	d.assigner.previousSize = [2]int{}
}

// addNone makes a pair of p in which every node of graph 1 has an image: a node without edges is none.
func (p *pair) addNone(of *pair) {
	node, first := p.node, p.g2.first
	*p = *of
	p.partial, p.n2, p.width = false, of.n2+of.n1, of.width+of.n1
	p.node = resized(node, p.n1*p.width)
	clear(p.node)
	for i := range p.n1 {
		copy(p.node[i*p.width:], of.node[i*of.width:][:of.n2])
	}
	p.g2.first = append(first[:0], of.g2.first[:of.n2+1]...)
	for range p.n1 + 1 {
		p.g2.first = append(p.g2.first, of.g2.first[of.n2])
	}
}

// images copies the images that the last assignment gives to nodes of graph 1.
func (d *dual) images(to []int32) []int32 {
	for i, a := range d.assigner.column[:d.n1] {
		to[i] = min(a, int32(d.real))
	}
	return to
}

// ruled appends the matches that are excluded, [i, a].
func (d *dual) ruled(to []bool) []bool {
	for i := range d.n1 {
		to = append(to, d.excluded[i*d.n2:][:d.real]...)
	}
	return to
}

// backs returns, for each arc, where the arc back is among those of the other node.
func (g *adjacent) backs(n int) []int32 {
	back := make([]int32, len(g.arcs))
	for i := range n {
		for k, arc := range g.of(int32(i)) {
			for y, other := range g.of(arc.node) {
				if int(other.node) == i {
					back[int(g.first[i])+k] = int32(y)
				}
			}
		}
	}
	return back
}

// weigh computes the weight of a match anew.
func (d *dual) weigh(match int) {
	i, a := match/d.n2, match%d.n2
	split := d.split[d.first[match]:d.first[match+1]]
	d.weight[match] = d.node[i*d.width+a]*int32(d.unit) + int32(d.stars.value(split, d.g1.degree(i), d.g2.degree(a)))
	d.work += 2 * len(split)
}

// improve makes so many iterations, and returns true once the bound shows that nothing saves more than best.
func (d *dual) improve(iterations, best int) (proved bool) {
	for range iterations {
		d.iterate()
		value := float64(d.assigned) / float64(d.unit)
		d.bound = min(d.bound, value)
		if math.Floor(d.bound) <= float64(best) {
			return true
		}
		sweeps := d.iterations < sweepsFirst || d.iterations%sweepsEach == sweepsEach-1
		switch {
		case sweeps:
			d.sweep(best, d.sweeps%2 == 1)
		case d.bound < d.reference-much*math.Abs(d.reference-float64(best))-1e-6:
			d.reference, d.sinceBest = d.bound, 0
		default:
			d.sinceBest++
		}
		if !sweeps && d.iterations%exclusions == 0 {
			d.exclude(best)
		}
		d.iterations++
		if d.sinceBest > patience {
			d.sinceBest = 0
			if d.lambda *= shorter; d.lambda < shortest {
				d.lambda = longer
			}
		}
		if !sweeps && !d.turn(best) {
			return false
		}
	}
	return false
}

// iterate assigns nodes by the weights.
func (d *dual) iterate() {
	d.assigned = d.assigner.again(d.n1, d.n2, d.weight, d.n2, d.openPlaces())
	d.work += 3 * d.n1 * d.n2
}

// openPlaces lists the matches that are left, where they are few.
func (d *dual) openPlaces() *places {
	if d.left*manyExcluded > d.n1*d.n2 {
		return nil
	}
	if !d.listed && !d.few.set(d.n1, d.n2, d.excluded) {
		return nil
	}
	d.listed = true
	return &d.few
}

// exclude rules out matches that, by their reduced weights, are in nothing that saves more than best.
func (d *dual) exclude(best int) {
	enough := (best + 1) * d.unit
	for i := range d.n1 {
		dual := d.assigned + d.assigner.ofRow[i]
		for a, v := range d.assigner.ofColumn {
			match := i*d.n2 + a
			if d.excluded[match] || dual+v+int(d.weight[match]) >= enough {
				continue
			}
			d.leaveOut(match)
		}
	}
	d.refresh()
}

// leaveOut drops a match; what it changes is to be refreshed.
func (d *dual) leaveOut(match int) {
	if d.excluded[match] {
		return
	}
	d.drop(match)
	for id := d.first[match]; id < d.first[match+1]; id++ {
		d.touch(d.owner[d.mate[id]])
	}
}

// drop excludes a match, and what its edges and others save with it.
func (d *dual) drop(match int) {
	d.excluded[match] = true
	d.weight[match] = forbidden
	d.left--
	d.listed = false
	for id := d.first[match]; id < d.first[match+1]; id++ {
		d.split[id], d.split[d.mate[id]] = ruledOut, ruledOut // no star takes it
	}
}

func (d *dual) touch(match int32) {
	if !d.isDirty[match] {
		d.isDirty[match] = true
		d.dirty = append(d.dirty, match)
	}
}

func (d *dual) refresh() {
	for _, match := range d.dirty {
		d.isDirty[match] = false
		if !d.excluded[match] {
			d.weigh(int(match))
		}
	}
	d.dirty = d.dirty[:0]
}

// turn moves the splits along the subgradient; false where there is none.
func (d *dual) turn(best int) bool {
	d.remember()
	for i, a := range d.assigner.column[:d.n1] {
		if !d.excluded[i*d.n2+int(a)] {
			d.follow(i, int(a))
		}
	}
	sum := 0.0
	for _, id := range d.moved {
		sum += float64(d.step[id]) * float64(d.step[id])
	}
	if sum < 1e-6 {
		return false
	}
	by, widest := d.lambda*float64(d.assigned-best*d.unit)/(2*sum), float64(widestSplit*int(d.most)*d.unit)
	for _, id := range d.moved {
		d.part[id] = max(-widest, min(widest, d.part[id]-float64(by*float64(d.step[id]))))
		if part := int32(math.Floor(d.part[id] + 0.5)); part != d.split[id] {
			mate := d.mate[id]
			d.split[id], d.split[mate] = part, d.whole[id]-part
			d.touch(d.owner[id])
			d.touch(d.owner[mate])
		}
	}
	d.refresh()
	return true
}

// forget makes the direction none.
func (d *dual) forget() {
	for _, id := range d.moved {
		d.step[id], d.moves[id] = 0, false
	}
	d.moved = d.moved[:0]
}

// remember keeps a share of the direction.
func (d *dual) remember() {
	kept := d.moved[:0]
	for _, id := range d.moved {
		d.step[id] *= remember
		if size := d.step[id]; (size > leastStep || size < -leastStep) && d.split[id] != ruledOut {
			kept = append(kept, id)
			continue
		}
		d.step[id], d.moves[id] = 0, false
	}
	d.moved = kept
}

// follow adds the star of i at a to the direction: what it takes gets less.
func (d *dual) follow(i, a int) {
	rows, columns := d.g1.degree(i), d.g2.degree(a)
	if rows == 0 || columns == 0 {
		return
	}
	begin := d.first[i*d.n2+a]
	solver := &d.stars.assigner
	solver.solve(rows, columns, d.split[begin:d.first[i*d.n2+a+1]], columns, true)
	for x, y := range solver.column[:rows] {
		if int(y) == columns {
			continue
		}
		id, sign := begin+int32(x*columns)+y, float32(1)
		if d.split[id] == ruledOut {
			continue
		}
		if mate := d.mate[id]; mate < id {
			id, sign = mate, -1
		}
		d.step[id] += sign
		if !d.moves[id] {
			d.moves[id] = true
			d.moved = append(d.moved, id)
		}
	}
}
