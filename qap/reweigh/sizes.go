package reweigh

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// LeastSize is the least number of matches that is weighed against others: smaller
// matchings say nothing of how alike their edges are.
const LeastSize = 3

// sizingStarts is from how many starts the best matchings of all sizes under φ are
// searched: a start takes the fourth power of the nodes.
func sizingStarts(in *qap.Instance) int {
	const many, few, most = 4, 2, 20
	if n1, n2 := in.Size(); min(n1, n2) > most {
		return few
	}
	return many
}

// Sizes are the best matchings of every size under φ; one of them is to be chosen.
type Sizes struct {
	Profile qap.Profile // scores are sums of φ

	given    *qap.Instance
	measures *Measures
	best     int // the size of the greatest score
}

// newSizes returns the sizes of a profile under φ.
func newSizes(given *qap.Instance, m *Measures, found qap.Profile) *Sizes {
	s := &Sizes{Profile: found, given: given, measures: m, best: LeastSize}
	for size := s.best; size <= s.Most(); size++ {
		if s.Profile[size].Score > s.Profile[s.best].Score {
			s.best = size
		}
	}
	return s
}

// Most returns the largest size.
func (s *Sizes) Most() int { return len(s.Profile) - 1 }

// AskSize writes the inputs that ask how good the matching of a size is.
func (s *Sizes) AskSize(dst []float32, size int) {
	clear(dst[:features.AffinityChannels])
	dst[features.AsksSize] = 1
	copy(dst[features.FirstStatistic:], s.measures.Statistics[:])
	most := float64(s.Most())
	isLast := 0.0
	if size == s.Most() {
		isLast = 1
	}
	score := s.Profile[size].Score
	share, log := s.measures.inside(s.given, s.Profile[size].Matching)
	for k, v := range [features.OfSizeCount]float64{
		float64(size) / most, math.Log(float64(size) / 10), isLast, float64(size-s.best) / most,
		score / edges(size), (score - s.Profile[s.best].Score) / edges(size),
		s.gain(size - 1), s.gain(size), s.gain(size + 1), s.gain(size + 2),
		share, log,
		s.overlap(size, size-1), s.overlap(size, size+1), s.overlap(size, s.Most()), s.overlap(size, s.best),
	} {
		dst[features.FirstOfSize+k] = float32(v)
	}
}

// edges returns how often a score counts an edge affinity.
func edges(size int) float64 { return float64(size * (size - 1)) }

// gain returns what the last match of a size adds to the score, over its edges.
func (s *Sizes) gain(size int) float64 {
	if size < 2 || size > s.Most() {
		return 0
	}
	return (s.Profile[size].Score - s.Profile[size-1].Score) / float64(2*(size-1))
}

// overlap returns the share of the smaller of two best matchings that the other has.
func (s *Sizes) overlap(size, other int) float64 {
	if other > s.Most() {
		return 0
	}
	same := 0
	for i, a := range s.Profile[size].Matching {
		if a != qap.Unmatched && s.Profile[other].Matching[i] == a {
			same++
		}
	}
	return float64(same) / float64(min(size, other))
}

// nearestOnHull returns which point of a hull has the size nearest to one.
func nearestOnHull(hull []hullPoint, size int) int {
	at := len(hull) - 1 // the largest size, or one that has no more edges
	for k, p := range hull {
		if p.size >= LeastSize && abs(p.size-size) < abs(hull[at].size-size) {
			at = k
		}
	}
	return at
}

// offsetOf returns what to take off every edge affinity so that the chosen size, or
// the nearest one for which that can be, has the best score: the middle of the offsets
// that do so. unit is by how much affinities differ.
func offsetOf(hull []hullPoint, chosen int, unit float64) float64 {
	at, margin := nearestOnHull(hull, chosen), 0.1*unit
	switch {
	case len(hull) < 2:
		return 0
	case at == 0:
		return max(hull[0].slope(hull[1])+margin, 0)
	case at == len(hull)-1:
		return min(hull[at-1].slope(hull[at])-margin, 0)
	}
	return (hull[at-1].slope(hull[at]) + hull[at].slope(hull[at+1])) / 2
}

// hullPoint is a best matching: how often its score counts what shifted changes, and the score.
type hullPoint struct {
	size         int
	edges, score float64
}

func (p hullPoint) slope(q hullPoint) float64 { return (q.score - p.score) / (q.edges - p.edges) }

// hullOf returns the upper hull of score against edges: the matchings that some offset
// makes the best.
func hullOf(ctx context.Context, in *qap.Instance, profile qap.Profile) ([]hullPoint, error) {
	var hull []hullPoint
	_, dense := in.Affinity.(*qap.Dense)
	for size, best := range profile {
		if over(ctx) {
			return nil, whyEnded(ctx)
		}
		p := hullPoint{size, edges(size), best.Score}
		if !dense {
			p.edges = 2 * float64(eachMatchedEdge(in, best.Matching, func(float64) {}))
		}
		for len(hull) > 0 && p.edges <= hull[len(hull)-1].edges && p.score > hull[len(hull)-1].score {
			hull = hull[:len(hull)-1]
		}
		if last := len(hull) - 1; last >= 0 && p.edges <= hull[last].edges {
			continue
		}
		for len(hull) > 1 && hull[len(hull)-2].slope(hull[len(hull)-1]) <= hull[len(hull)-1].slope(p) {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	return hull, nil
}

func abs(k int) int { return max(k, -k) }
