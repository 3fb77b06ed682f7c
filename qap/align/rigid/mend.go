package rigid

import (
	"math"
)

const (
	mendForced  = 0.3 // of the tries: the pair that saves the edge is forced
	mendHeat    = 0.1 // temperature at which a try that loses edges is kept
	mendNoise   = 0.3 // of growth, in half of the tries, and 1 in the others
	mendPatient = 0.6 // of the work so far, without a better matching, after which it ends
	leastBall   = 4   // nodes
	larger      = 0.6 // how likely a ball is of twice the size
)

// mend frees balls around edges of graph 2 that are lost, and lets what is around grow in again.
func (s *search) mend() {
	g := s.growth
	m := mending{search: s, mark1: make([]int32, g.g1.nodes()), mark2: make([]int32, g.g2.nodes()), inside: make([]int32, g.g1.nodes())}
	m.octaves = max(1, int(math.Log2(float64(g.g1.nodes())/leastBall)))
	for i, j := range s.best {
		if j >= 0 {
			g.match(int32(i), j)
		}
	}
	m.now = s.shared
	improved, stale := g.work, true
	for !s.ended(1) && s.shared < s.bound && float64(g.work-improved) < mendPatient*float64(g.work) {
		if stale {
			m.lost = m.lost[:0]
			g.g2.each(func(k, l int32) {
				if m.loses(k, l) {
					m.lost = append(m.lost, [2]int32{k, l})
				}
			})
			stale = false
			if len(m.lost) == 0 {
				break
			}
		}
		edge := m.lost[s.rng.below(int32(len(m.lost)))]
		if !m.loses(edge[0], edge[1]) {
			stale = true
			continue
		}
		if s.rng.coin() {
			edge[0], edge[1] = edge[1], edge[0]
		}
		change := m.try(edge[0], edge[1])
		if change == 0 {
			continue
		}
		stale = true
		if m.now += change; m.now > s.shared {
			s.shared, improved = m.now, g.work
			copy(s.best, g.partner1)
		}
	}
	g.release(s.all)
}

// mending is what tries share.
type mending struct {
	*search
	lost                 [][2]int32 // edges of graph 2
	now                  int        // edges shared
	octaves              int
	mark1, mark2, inside []int32
	id                   int32
	ball1, ball2         []int32
	before, freed        []int32
	left1, left2         []int32
}

// loses reports whether an edge of graph 2 is lost.
func (m *mending) loses(k, l int32) bool {
	g := m.growth
	i, j := g.partner2[k], g.partner2[l]
	return i < 0 || j < 0 || !g.g1.joined(i, j)
}

// try frees a ball around node l of graph 2 and its partner, and lets it grow anew; in some tries a neighbour of
// the partner takes the other end of the edge. It returns how many more edges are shared, 0 where all is as before.
func (m *mending) try(l, other int32) int {
	g := m.growth
	i := g.partner2[l]
	octave := 0
	for octave < m.octaves-1 && m.rng.uniform() < larger {
		octave++
	}
	size := min(int(leastBall*math.Exp2(float64(octave)+m.rng.uniform())), g.g1.nodes())
	forced := i >= 0 && m.rng.uniform() < mendForced
	from1, from2 := i, l
	if forced {
		row := g.g1.row(i)
		if len(row) == 0 {
			return 0
		}
		from1, from2 = row[m.rng.below(int32(len(row)))], other
		if g.partner1[from1] == other {
			return 0
		}
	}
	m.id++
	m.ball1 = m.ball1[:0]
	half := size
	if from1 >= 0 {
		m.ball1 = ball(g.g1, from1, size, m.ball1, m.mark1, m.id)
		half = size/2 + 2
	}
	m.ball2 = ball(g.g2, from2, half, m.ball2[:0], m.mark2, m.id)
	for _, k := range m.ball2 {
		if j := g.partner2[k]; j >= 0 && m.mark1[j] != m.id {
			m.mark1[j] = m.id
			m.ball1 = append(m.ball1, j)
		}
	}
	if forced { // it stays where it is
		for k, j := range m.ball1 {
			if j == i {
				last := len(m.ball1) - 1
				m.ball1[k] = m.ball1[last]
				m.ball1 = m.ball1[:last]
				break
			}
		}
	}
	before := m.around()
	m.before, m.freed = m.before[:0], m.freed[:0]
	for _, j := range m.ball1 {
		k := g.partner1[j]
		m.before = append(m.before, k)
		if k >= 0 {
			m.freed = append(m.freed, k)
		}
	}
	g.release(m.ball1)
	m.regrow(forced, from1, from2)
	after := m.around()
	if after >= before || m.rng.uniform() < math.Exp(float64(after-before)/mendHeat) {
		return after - before
	}
	g.release(m.ball1)
	for k, j := range m.ball1 {
		if m.before[k] >= 0 {
			g.match(j, m.before[k])
		}
	}
	return 0
}

// regrow matches the ball from what is around it, and what is left of it by chance.
func (m *mending) regrow(forced bool, i, j int32) {
	g := m.growth
	g.rng.seed(m.rng.pcg.Uint64())
	g.noise = mendNoise
	if m.rng.coin() {
		g.noise = 1
	}
	g.tick++
	if forced && g.partner2[j] < 0 && g.partner1[i] < 0 {
		g.match(i, j)
	}
	for _, k := range m.ball1 {
		g.touch(k)
	}
	g.grow(math.MaxInt, nil)
	g.forget()
	m.left1, m.left2 = m.left1[:0], m.left2[:0]
	for _, k := range m.ball1 {
		if g.partner1[k] < 0 {
			m.left1 = append(m.left1, k)
		}
	}
	for _, k := range m.freed {
		if g.partner2[k] < 0 {
			m.left2 = append(m.left2, k)
		}
	}
	for k := range m.left2 {
		x := k + int(m.rng.below(int32(len(m.left2)-k)))
		m.left2[k], m.left2[x] = m.left2[x], m.left2[k]
	}
	for k := range min(len(m.left1), len(m.left2)) {
		g.match(m.left1[k], m.left2[k])
	}
}

// around returns how many edges at the ball are shared.
func (m *mending) around() int {
	g := m.growth
	m.id++
	count := 0
	for _, i := range m.ball1 {
		m.inside[i] = m.id
	}
	for _, i := range m.ball1 {
		k := g.partner1[i]
		if k < 0 {
			continue
		}
		for _, j := range g.g1.row(i) {
			if l := g.partner1[j]; l >= 0 && (m.inside[j] != m.id || j > i) && g.g2.joined(k, l) {
				count++
			}
		}
		g.work += g.g1.degree(i)
	}
	return count
}

// ball returns a node and those nearest to it, up to a size.
func ball(g *Graph, centre int32, size int, nodes, mark []int32, id int32) []int32 {
	nodes = append(nodes, centre)
	mark[centre] = id
	for at := 0; at < len(nodes) && len(nodes) < size; at++ {
		for _, j := range g.row(nodes[at]) {
			if mark[j] != id && len(nodes) < size {
				mark[j] = id
				nodes = append(nodes, j)
			}
		}
	}
	return nodes
}
