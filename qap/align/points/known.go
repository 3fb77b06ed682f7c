package points

const (
	mostKnown = 8 // known pairs from which a transform is grown
	nearKnown = 4 // squared reaches from its partner a known point comes at most
)

// ofKnown returns the transform of pairs that are right, if they tell one that takes more points onto others than chance: as many as
// there are dimensions tell two, of which one mirrors.
func (s *search) ofKnown() (best *found) {
	if len(s.known) < s.a.dimensions {
		return nil
	}
	t, ok := fit(s.a.at, s.b.at, s.known, s.a.dimensions)
	if !ok {
		return nil
	}
	ways := []similarity{t}
	if mirrored, ok := s.mirrored(&t); ok {
		ways = append(ways, mirrored)
	}
	for _, t := range ways {
		for _, k := range s.known[:min(mostKnown, len(s.known))] {
			grown := s.grow(int(k.i), t)
			if grown == nil || !grown.keeps {
				continue
			}
			s.all = append(s.all, grown)
			if best == nil || grown.better(best) {
				best = grown
			}
		}
	}
	return best
}

// mirrored returns a transform after a mirror at the line or the plane of the known points, if they are no more than tell that.
func (s *search) mirrored(t *similarity) (m similarity, ok bool) {
	if len(s.known) > s.a.dimensions {
		return m, false
	}
	from := s.a.at[s.known[0].i]
	across := s.a.at[s.known[1].i].minus(from)
	normal := place{-across[1], across[0]}
	if s.a.dimensions == 3 {
		normal = across.cross(s.a.at[s.known[2].i].minus(from))
	}
	size := normal.dot(normal)
	if !(size > 0) {
		return m, false
	}
	m = *t
	for k := range m.turn {
		m.turn[k] = m.turn[k].minus(normal.times(2 * m.turn[k].dot(normal) / size))
	}
	m.shift = m.shift.plus(t.of(from).minus(m.of(from)))
	return m, true
}

// keeps reports whether a transform takes most of the known points near to their partners, all if they are one or two.
func (s *search) keeps(t *similarity) bool {
	far := 0
	for _, k := range s.known {
		if !s.near(t, k, nearKnown) {
			far++
		}
	}
	return 3*far <= len(s.known)
}

func (s *search) near(t *similarity, k link, reaches float64) bool {
	return t.of(s.a.at[k.i]).apart(s.b.at[k.a]) <= reaches*s.reach[k.a]
}

// first returns an order in which the known points of a set come first.
func first(order []int, known []link, of func(link) int) []int {
	if len(known) == 0 {
		return order
	}
	all, is := make([]int, 0, len(order)), make(map[int]bool, len(known))
	for _, k := range known {
		all = append(all, of(k))
		is[of(k)] = true
	}
	for _, i := range order {
		if !is[i] {
			all = append(all, i)
		}
	}
	return all
}
