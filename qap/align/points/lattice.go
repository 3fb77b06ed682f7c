package points

import "github.com/rgm-go/rgm/internal/kdtree"

const (
	latticeMoves    = 12     // to so many points of B a move of one period is tried
	latticeScreen   = 256    // points of A on which half as many must come onto others, else a move is none of a lattice
	latticeTrial    = 1024   // points of A on which moves are compared while transforms are sought
	latticePoints   = 20_000 // and at the end
	latticeAlike    = 48     // transforms of lattices that are compared at most: turns and mirrors of the lattice are many, those of its border few
	latticeDraws    = 16     // and at least, since several may be as good
	latticeComplete = 0.97   // share of the smaller set that has a partner: no other transform is sought
)

// everyOf returns an even sample of at most about so many points.
func (s *set) everyOf(most int) (ids []int32) {
	for i := 0; i < len(s.at); i += (len(s.at) + most - 1) / most {
		ids = append(ids, int32(i))
	}
	return ids
}

// closeness returns how many of some points a transform takes onto points of B, the nearer the more, and the point whose image is nearest to
// the middle of B among those that lie well on one.
func (s *search) closeness(t *similarity, ids []int32) (sum float64, anchor link) {
	anchor.i = -1
	middle := 0.0
	for _, i := range ids {
		y := t.of(s.a.at[i])
		a := s.b.nearest(y, 1, &s.q)[0].ID
		near := 1 - y.apart(s.b.at[a])/s.reach[a]
		if near <= 0 {
			continue
		}
		sum += near
		if d := y.dot(y); near > 0.5 && (anchor.i < 0 || d < middle) {
			anchor, middle = link{i, a}, d
		}
	}
	return sum, anchor
}

// slide moves a transform of points on a lattice, or of others that repeat, by periods, as long as more points come onto others: all
// but the border of a lattice fits as well one period off. ok is false of points that do not repeat.
func (s *search) slide(t similarity, most int) (moved similarity, ok bool) {
	s.ids = s.a.everyOf(most)
	few := s.a.everyOf(latticeScreen)
	value, anchor := s.closeness(&t, s.ids)
	for first := true; anchor.i >= 0 && !s.over(); first = false {
		best, bestValue, bestAnchor, repeats := t, value, anchor, false
		screened, _ := s.closeness(&t, few)
		for _, move := range s.moves(&t, anchor, first) {
			next := t
			next.shift = next.shift.plus(move)
			if v, _ := s.closeness(&next, few); v < screened/2 {
				continue
			}
			repeats = true
			if v, at := s.fitted(&next); v > bestValue {
				best, bestValue, bestAnchor = next, v, at
			}
		}
		if !repeats {
			return t, !first
		}
		if bestValue <= value {
			return t, true
		}
		t, value, anchor = best, bestValue, bestAnchor
	}
	return t, false
}

// fitted fits a transform once to the points that it takes onto others, if that brings them closer, and returns their closeness.
func (s *search) fitted(t *similarity) (value float64, anchor link) {
	value, anchor = s.closeness(t, s.ids)
	s.hits(t)
	if again, ok := fit(s.a.at, s.b.at, s.links, s.a.dimensions); ok {
		if v, at := s.closeness(&again, s.ids); v > value {
			*t, value, anchor = again, v, at
		}
	}
	return value, anchor
}

// moves returns those that take the image of a point from one of B to those around, and first of all to where the middles of both sets
// come together.
func (s *search) moves(t *similarity, anchor link, first bool) (all []place) {
	from := s.b.at[anchor.a]
	add := func(near []kdtree.Found) {
		for _, f := range near {
			if f.ID != anchor.a {
				all = append(all, s.b.at[f.ID].minus(from))
			}
		}
	}
	add(s.b.nearest(from, min(latticeMoves+1, len(s.b.at)), &s.q))
	if first { // both middles are 0
		add(s.b.nearest(from.minus(t.shift), 1, &s.q))
	}
	return all
}

// slid returns what was found once it is moved by periods; repeats says whether the points do.
func (s *search) slid(f *found) (best *found, repeats bool) {
	t, repeats := s.slide(f.similarity, latticeTrial)
	if !repeats {
		return f, false
	}
	if len(s.known) > 0 {
		t = f.similarity
		t.shift = t.shift.plus(s.b.at[s.known[0].a].minus(t.of(s.a.at[s.known[0].i])))
		s.fitted(&t)
	}
	return s.measured(t), true
}

// complete reports whether nearly all points of the smaller set have a partner.
func (s *search) complete(f *found) bool {
	n1, n2 := float64(len(s.a.at)), float64(len(s.b.at))
	return f.share*n1 >= latticeComplete*min(n1, n2)
}
