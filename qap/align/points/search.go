package points

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/kdtree"
)

const (
	trialPoints   = 256    // on which a transform is tried at a time
	chance        = 0.25   // expected points of B within the reach of a place
	enough        = 6.     // standard deviations above chance that a transform of all points must be
	mostScale     = 100.   // of the sets' own units
	manyCodes     = 20_000 // points, of which groups of four are no longer few that are alike
	leavesAtLeast = 16     // of the tree of codes that are looked at, and one for each so many codes
	leavesFor     = 4
	alike         = 6      // transforms that hold for all points are compared at most
	triesASet     = 50_000 // and for each of its points: pairs of groups until nothing is found
	triesAPoint   = 200
)

// search seeks the transform.
type search struct {
	a, b  *set
	known []link    // pairs that are right
	reach []float64 // squared, around each point of B: where chance points of B are expected
	hit   float64   // share of places that are within reach by chance
	over  func() bool

	all []*found // what was found

	q      kdtree.Query
	ids    []int32
	links  []link
	of     []int32 // the point of A that has one of B, where stamp is now
	stamps []int32
	now    int32
	tried  int
}

// found is a transform that holds for all points.
type found struct {
	similarity
	keeps bool    // the known pairs
	share float64 // of the points of A that it takes onto one of B
	above float64 // chance, in standard deviations
	error float64 // mean of squared distances over squared reach
}

// better reports whether one transform keeps the known pairs, fits more points, or as many more closely.
func (f *found) better(than *found) bool {
	if f.keeps != than.keeps {
		return f.keeps
	}
	if math.Abs(f.above-than.above) > 0.02*than.above {
		return f.above > than.above
	}
	return f.error < than.error
}

func newSearch(a, b *set, density []float64, over func() bool) *search {
	s := &search{a: a, b: b, over: over, hit: 1 - math.Exp(-chance), of: make([]int32, len(b.at)), stamps: make([]int32, len(b.at)), reach: make([]float64, len(b.at))}
	for k, d := range density {
		s.reach[k] = math.Pow(b.radius(chance/d), 2)
	}
	return s
}

// transform returns the best that was found, nil for none. Rounds look at more codes each; one more is as long as the search
// was when it found the first, since points on a lattice have several.
func (s *search) transform(rng *rand.Rand) *found {
	size := 4
	if min(len(s.a.at), len(s.b.at)) > manyCodes {
		size = 5
	}
	index := s.b.codesOf(first(rng.Perm(len(s.b.at)), s.known, func(l link) int { return int(l.a) }), size, s.over)
	if len(index.groups) == 0 {
		return nil
	}
	order := first(rng.Perm(len(s.a.at)), s.known, func(l link) int { return int(l.i) })
	var best *found
	// Those that keep no known pair are as many at most: pairs may be wrong.
	repeats, successes, others, compared, limit := false, 0, 0, alike, triesASet+triesAPoint*len(order)
	var queries kdtree.Query
	next := 0
	for _, round := range []struct{ points, codes int }{{100, 2}, {200, 8}, {200, 40}, {300, 200}, {400, 800}} {
		for range min(round.points, len(order)) {
			i := int32(order[next%len(order)])
			next++
			groups, near := s.a.groups(i, size, &queries)
			for _, f := range groups {
				var data [codeWidth]float32
				code := s.a.code(&f, data[:0])
				if code == nil {
					continue
				}
				if s.over() {
					return best
				}
				index.tree.Search(code, round.codes, leavesAtLeast+round.codes/leavesFor, &queries)
				for _, c := range queries.Nearest {
					if s.tried++; s.tried > limit || max(successes, others) >= compared {
						return best
					}
					t, ok := s.tryGroup(&f, near, &index.groups[c.ID], index.near[c.ID])
					if !ok || next <= len(s.known) && !s.near(&t, s.known[next-1], nearKnown) {
						continue
					}
					grown := s.grow(int(i), t)
					if grown == nil {
						continue
					}
					if best == nil || repeats {
						if grown, repeats = s.slid(grown); repeats {
							compared = latticeAlike
						}
					}
					if grown.keeps && (best == nil || !best.keeps) {
						limit = min(limit, 2*s.tried+200)
					}
					if grown.keeps {
						successes++
					} else {
						others++
					}
					s.all = append(s.all, grown)
					if best == nil || grown.better(best) {
						best = grown
					}
					if repeats && best.keeps && successes >= latticeDraws && s.complete(best) {
						return best
					}
				}
			}
		}
	}
	return best
}

// tryGroup returns the transform of a pair of groups, if it puts more of the points around onto those around the other than
// chance does.
func (s *search) tryGroup(f *group, near1 []int32, g *group, near2 []int32) (t similarity, ok bool) {
	var pairs [len(f) + ring]link
	size := len(f.of())
	links := pairs[:size]
	for k := range links {
		links[k] = link{f[k], g[k]}
	}
	t, ok = fit(s.a.at, s.b.at, links, s.a.dimensions)
	if !ok || t.scale > mostScale || t.scale < 1/mostScale {
		return t, false
	}
	const looked, clear, clearer = 12, 1.5, 2.5 // standard deviations
	near, above := near1[:min(looked, len(near1))], 0.0
	for again := range 2 {
		if links, above = s.ringHits(&t, f, g, near, near2, links[:size]); above < []float64{clear, clearer}[again] {
			return t, false
		}
		if again == 0 {
			if t, ok = fit(s.a.at, s.b.at, links, s.a.dimensions); !ok {
				return t, false
			}
			near = near1
		}
	}
	return t, true
}

// ringHits adds to the links of two groups those of the points around, and returns by how much they are more than by chance.
func (s *search) ringHits(t *similarity, f, g *group, near1, near2 []int32, links []link) (all []link, above float64) {
	reach, tested, hits := s.reach[g[0]], 0, 0
	for _, i := range near1 {
		if slices.Contains(f[1:], i) {
			continue
		}
		tested++
		y := t.of(s.a.at[i])
		for _, b := range near2 {
			if y.apart(s.b.at[b]) < reach {
				hits++
				links = append(links, link{i, b})
				break
			}
		}
	}
	if tested == 0 {
		return links, enough
	}
	return links, s.above(hits, tested)
}

// above returns by how many standard deviations so many hits are more than by chance.
func (s *search) above(hits, tested int) float64 {
	n := float64(tested)
	return (float64(hits) - n*s.hit) / math.Sqrt(n*s.hit*(1-s.hit))
}

// grow fits a transform to ever more points around one, up to all. It returns nil where it is no better than chance.
func (s *search) grow(i int, t similarity) *found {
	for reach := 16; ; reach *= 2 {
		all := reach >= len(s.a.at)
		least := min(math.Log2(float64(reach))-2, enough) // 2, 3 …
		for again := range 2 {
			s.ids = s.a.around(i, reach, &s.q, s.ids)
			error := s.hits(&t)
			above := s.above(len(s.links), len(s.ids))
			if above < least {
				return nil
			}
			if all && again == 1 {
				if above < enough {
					return nil
				}
				return &found{t, s.keeps(&t), share(len(s.links), len(s.ids)), above, error}
			}
			fitted, ok := fit(s.a.at, s.b.at, s.links, s.a.dimensions)
			if !ok || fitted.scale > mostScale || fitted.scale < 1/mostScale {
				return nil
			}
			t = fitted
		}
	}
}

// measured returns a transform with how well it holds for all points.
func (s *search) measured(t similarity) *found {
	s.ids = s.a.around(0, len(s.a.at), &s.q, s.ids)
	error := s.hits(&t)
	return &found{t, s.keeps(&t), share(len(s.links), len(s.ids)), s.above(len(s.links), len(s.ids)), error}
}

func share(part, all int) float64 { return float64(part) / float64(max(1, all)) }

// hits links each of s.ids to the point of B within whose reach the transform takes it, no two to one, and returns the mean of
// the squared distances over reaches.
func (s *search) hits(t *similarity) (error float64) {
	s.links = s.links[:0]
	s.now++
	for _, i := range s.ids {
		y := t.of(s.a.at[i])
		a := s.b.nearest(y, 1, &s.q)[0].ID
		d := y.apart(s.b.at[a])
		if d >= s.reach[a] {
			continue
		}
		if s.stamps[a] == s.now { // the nearer one has it
			k := s.of[a]
			if other := s.links[k].i; t.of(s.a.at[other]).apart(s.b.at[a]) > d {
				s.links[k].i = i
			}
			continue
		}
		s.stamps[a], s.of[a] = s.now, int32(len(s.links))
		s.links = append(s.links, link{i, a})
		error += d / s.reach[a]
	}
	return error / float64(max(1, len(s.links)))
}

// refine fits a transform to an even sample of the points and their nearest ones in turns, until it changes no more.
func (s *search) refine(t similarity) similarity {
	const sampled = 8192
	s.ids = s.ids[:0]
	for i := 0; i < len(s.a.at); i += max(1, len(s.a.at)/sampled) {
		s.ids = append(s.ids, int32(i))
	}
	var before []link
	const most = 20
	for range most {
		s.hits(&t)
		if slices.Equal(before, s.links) || s.over() {
			break
		}
		before = append(before[:0], s.links...)
		fitted, ok := fit(s.a.at, s.b.at, s.links, s.a.dimensions)
		if !ok {
			break
		}
		t = fitted
	}
	return t
}
