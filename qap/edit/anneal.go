package edit

import (
	"math"

	"github.com/rgm-go/rgm/internal/splitmix"
)

// annealer searches by simulated annealing. A proposal sends node i of graph 1 to a: mostly to a neighbour of the image
// of a neighbour of i; the node that was there goes where i came from. One in four proposals carries along what else
// hangs on i, breadth first, so that groups of nodes move together; of these moves those up to the best are made. Changes of what is saved are exact, by the lists of
// neighbours; a threshold is drawn first, and what cannot reach it is not evaluated.
type annealer struct {
	*pair
	image  []int32 // of each node of graph 1
	holder []int32 // of each node of graph 2, free where there is none; always free for none
	saved  int
	best   int
	found  []int32 // the image that saves best

	candidate   []int32 // where each node of graph 1 may go, and
	first       []int32 // where each begins
	excluded    []bool  // [i, a], width n2: matches that lead to nothing better
	temperature float64
	factor      float64 // by which it falls after every
	every       int     // proposals
	left        int     // proposals of the round
	proposals   int     // made
	random      splitmix.Source

	moves  []move // of a proposal that carries others along
	queue  []int32
	moved  marks
	near   marks
	weight []int32 // for starts
}

// move is a node of graph 1 that went from one image to another, whose holder, if any, took its place.
type move struct{ node, from, to, holder int32 }

// marks are sets of nodes that are emptied at once.
type marks struct {
	at  []int32
	now int32
}

func (m *marks) reset(n int) {
	m.at, m.now = resized(m.at, n), 0
	clear(m.at)
}
func (m *marks) clear() {
	if m.now++; m.now == math.MaxInt32 {
		m.reset(len(m.at))
		m.now = 1
	}
}
func (m *marks) add(i int32)      { m.at[i] = m.now }
func (m *marks) has(i int32) bool { return m.at[i] == m.now }

const (
	cooling     = 256        // proposals at one temperature,
	leastStages = 12         // or fewer where a round is short
	guided      = 461        // of 512 proposals go beside a neighbour
	carried     = 4          // one in so many carries neighbours along,
	mostMoved   = 40         // so many moves, two at least,
	mostLost    = 6          // and no more once it is so many savings of an edge below its best
	farthest    = 6          // the most that the first of them may lose on nodes, in savings of an edge
	thresholds  = 1 << 11    // draws of a threshold
	hot, cold   = 0.45, 0.16 // temperatures, in savings of a usual edge
	noise       = 16         // a start's weights are multiplied by it, and less than half of it is added
	mostNoisy   = 1 << 24    // unless all costs together are more
)

// threshold is how many temperatures worse a proposal may be: exponential draws.
var threshold = func() (table [thresholds]float32) {
	for k := range table {
		table[k] = float32(-math.Log((float64(k) + 0.5) / thresholds))
	}
	return table
}()

// reset begins a search over a pair.
func (s *annealer) reset(p *pair, seed uint64) {
	s.pair, s.random, s.proposals, s.best, s.saved = p, splitmix.Source(seed), 0, -1, 0
	s.image, s.found = resized(s.image, p.n1), resized(s.found, p.n1)
	s.holder = resized(s.holder, p.width)
	s.moved.reset(p.n1)
	s.near.reset(p.n1)
	s.excluded = nil
	s.setCandidates()
}

// setCandidates lists where each node may go by a proposal of its own: where it does not lose too much, nor is excluded.
func (s *annealer) setCandidates() {
	s.first, s.candidate = append(s.first[:0], 0), s.candidate[:0]
	for i := range s.n1 {
		row := s.node[i*s.width:][:s.width]
		least := int32(math.MinInt32)
		for _, saved := range row[:s.n2] {
			least = max(least, saved)
		}
		least -= 2 * s.most
		for a, saved := range row[:s.n2] {
			if saved >= least && (s.excluded == nil || !s.excluded[i*s.n2+a]) {
				s.candidate = append(s.candidate, int32(a))
			}
		}
		if s.partial {
			s.candidate = append(s.candidate, int32(s.n2))
		}
		s.first = append(s.first, int32(len(s.candidate)))
	}
}

// exclude leaves out matches from now on.
func (s *annealer) exclude(excluded []bool) {
	s.excluded = excluded
	s.setCandidates()
}

// set starts from an image.
func (s *annealer) set(image []int32) {
	copy(s.image, image)
	for a := range s.holder {
		s.holder[a] = free
	}
	for i, a := range s.image {
		s.holder[a] = int32(i)
	}
	s.holder[s.n2] = free
	s.saved = s.pair.saved(s.image)
	s.note()
}

func (s *annealer) note() {
	if s.saved > s.best {
		s.best = s.saved
		copy(s.found, s.image)
	}
}

// assign starts from an assignment by noisy weights.
func (s *annealer) assign(b *branch) {
	s.weight = resized(s.weight, len(b.weight))
	scale := int32(noise)
	if s.total > mostNoisy {
		scale = 1
	}
	for k, w := range b.weight {
		s.weight[k] = w*scale + int32(s.random.Next()>>(64-3))
	}
	b.assigner.solve(s.n1, s.n2, s.weight, s.n2, s.partial)
	s.set(b.assigner.column[:s.n1])
}

// heat begins a round of so many proposals.
func (s *annealer) heat(proposals int, usual float64) {
	s.left, s.every = proposals, max(1, min(cooling, proposals/leastStages))
	s.temperature = portable(hot * usual)
	s.factor = portable(math.Pow(cold/hot, float64(s.every)/float64(proposals)))
}

// portable rounds to 24 bits, which the mathematical functions of all machines agree on.
func portable(x float64) float64 { return float64(float32(x)) }

// run makes so many proposals of the round, or what is left of it, and returns early once enough is saved.
func (s *annealer) run(proposals, enough int) {
	for proposals = min(proposals, s.left); proposals > 0 && s.best < enough; {
		count := min(s.every, proposals)
		s.stage(count)
		s.proposals += count
		s.left -= count
		proposals -= count
		s.temperature = portable(s.temperature * s.factor)
	}
}

// stage makes so many proposals at one temperature.
func (s *annealer) stage(count int) {
	n1, width := uint64(s.n1), s.width
	t := float32(s.temperature)
	for range count {
		z := s.random.Next()
		i := int32(z & 0xfffff * n1 >> 20)
		arcs := s.g1.of(i)
		var a int32
		if len(arcs) > 0 && z>>55 < guided {
			beside := s.image[arcs[z>>20&0xffff*uint64(len(arcs))>>16].node]
			near := s.g2.of(beside)
			if len(near) == 0 {
				continue
			}
			a = near[z>>36&0xffff*uint64(len(near))>>16].node
		} else {
			places := s.candidate[s.first[i]:s.first[i+1]]
			if len(places) == 0 {
				continue
			}
			a = places[z>>20&0xffffffff*uint64(len(places))>>32]
		}
		b := s.image[i]
		if a == b || s.excluded != nil && int(a) < s.n2 && s.excluded[int(i)*s.n2+int(a)] {
			continue
		}
		z = s.random.Next()
		least := -int(t * threshold[z&(thresholds-1)])
		most, ofNode := int(s.most), s.node[int(i)*width:][:width]
		change := int(ofNode[a]) - int(ofNode[b])
		if z>>11%carried == 0 {
			if change+farthest*most < least {
				continue
			}
			if change = s.carry(i, a, 2+int(z>>14&0xffff*(mostMoved-2)>>16)); change >= least {
				s.saved += change
				s.note()
			} else {
				s.undo(0)
			}
			continue
		}
		j := s.holder[a]
		if j < 0 {
			reach := len(arcs) * most
			if change+reach < least {
				continue
			}
			if change -= s.row(i, b); change+reach < least {
				continue
			}
			if change += s.row(i, a); change < least {
				continue
			}
			s.image[i], s.holder[a], s.holder[b] = a, i, free
			s.holder[s.n2] = free
		} else {
			ofOther := s.node[int(j)*width:][:width]
			change += int(ofOther[b]) - int(ofOther[a])
			reach := (len(arcs) + s.g1.degree(int(j))) * most
			if change+reach < least {
				continue
			}
			if change -= s.row(i, b) + s.row(j, a); change+reach < least {
				continue
			}
			if s.directed {
				change -= s.twice(i, j, a, b)
			}
			s.image[i], s.image[j] = a, b
			if change += s.row(i, a) + s.row(j, b); change < least {
				s.image[i], s.image[j] = b, a
				continue
			}
			s.holder[a], s.holder[b] = i, j
			s.holder[s.n2] = free
		}
		s.saved += change
		s.note()
	}
}

// row is what the edges of i save where i is at a.
func (s *annealer) row(i, a int32) int {
	sum := int32(0)
	between := s.between[int(a)*s.width:][:s.width]
	for _, arc := range s.g1.of(i) {
		sum += s.edge[arc.row+int32(between[s.image[arc.node]])]
	}
	return int(sum)
}

// twice is how much more the edge between i and j saves, of which both rows tell, where they exchange a and b: with
// directions it is turned by that.
func (s *annealer) twice(i, j, a, b int32) int {
	for _, arc := range s.g1.of(i) {
		if arc.node == j {
			ab, ba := s.between[int(a)*s.width+int(b)], s.between[int(b)*s.width+int(a)]
			return int(s.edge[arc.row+int32(ab)] - s.edge[arc.row+int32(ba)])
		}
	}
	return 0
}

// place sends i to a and the holder of a to where i was, and returns what that saves.
func (s *annealer) place(i, a int32) (change int) {
	b, j, width := s.image[i], s.holder[a], s.width
	change = int(s.node[int(i)*width+int(a)]) - int(s.node[int(i)*width+int(b)]) - s.row(i, b)
	if j >= 0 {
		change += int(s.node[int(j)*width+int(b)]) - int(s.node[int(j)*width+int(a)]) - s.row(j, a)
		if s.directed {
			change -= s.twice(i, j, a, b)
		}
		s.image[j] = b
	}
	s.image[i] = a
	change += s.row(i, a)
	if j >= 0 {
		change += s.row(j, b)
	}
	s.holder[a], s.holder[b] = i, j
	s.holder[s.n2] = free
	s.moves = append(s.moves, move{i, b, a, j})
	return change
}

// undo takes moves back, all but the first so many.
func (s *annealer) undo(but int) {
	for k := len(s.moves) - 1; k >= but; k-- {
		m := &s.moves[k]
		s.image[m.node], s.holder[m.from], s.holder[m.to] = m.from, m.node, m.holder
		if m.holder >= 0 {
			s.image[m.holder] = m.to
		}
		s.holder[s.n2] = free
	}
}

// carry sends i to a, and then neighbours of what it sent, whose images are not beside it any more, to where they are:
// so many moves at most. It keeps those up to where most is saved, and returns that.
func (s *annealer) carry(i, a int32, most int) (best int) {
	s.moves, s.queue = s.moves[:0], append(s.queue[:0], i)
	s.moved.clear()
	s.moved.add(i)
	change := s.place(i, a)
	best, kept, lost := change, 1, mostLost*int(s.most)
	for head := 0; head < len(s.queue) && len(s.moves) < most && change >= best-lost; head++ {
		x := s.queue[head]
		y := s.image[x]
		arcs, places := s.g1.of(x), s.g2.of(y)
		if len(places) == 0 {
			continue
		}
		s.near.clear()
		for _, arc := range arcs {
			s.near.add(arc.node)
		}
		z := s.random.Next()
		begin := int(z & 0xffffffff * uint64(len(arcs)) >> 32)
		beginPlaces := int(z >> 32 * uint64(len(places)) >> 32)
		for k := range arcs {
			if len(s.moves) >= most || change < best-lost {
				break
			}
			if k += begin; k >= len(arcs) {
				k -= len(arcs)
			}
			u := arcs[k].node
			if s.between[int(y)*s.width+int(s.image[u])] != 0 || s.moved.has(u) {
				continue
			}
			w := s.beside(u, places, beginPlaces)
			ofNode := s.node[int(u)*s.width:][:s.width]
			if w < 0 || ofNode[w]+2*s.most < ofNode[s.image[u]] {
				continue
			}
			if change += s.place(u, w); change > best {
				best, kept = change, len(s.moves)
			}
			s.moved.add(u)
			s.queue = append(s.queue, u)
		}
	}
	s.undo(kept)
	return best
}

// beside returns the place for u that suits its node best, of those whose holder is not at its own place there.
func (s *annealer) beside(u int32, places []arc, begin int) (best int32) {
	best = -1
	most := int32(math.MinInt32)
	degree := s.g1.degree(int(u))
	for k := range places {
		if k += begin; k >= len(places) {
			k -= len(places)
		}
		w := places[k].node
		if holder := s.holder[w]; holder >= 0 && (s.near.has(holder) || s.moved.has(holder)) {
			continue
		}
		value := 4 * s.node[int(u)*s.width+int(w)]
		if s.g2.degree(int(w)) == degree {
			value++
		}
		if value > most {
			best, most = w, value
		}
	}
	return best
}
