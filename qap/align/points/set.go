package points

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/kdtree"
)

// A place has the coordinates of a point; in the plane the last is 0.
type place [3]float64

// set is one of the two sets of points, in a unit of its own and around its mean.
type set struct {
	dimensions int
	at         []place
	mean       place
	unit       float64
	data       []float32
	tree       *kdtree.Tree
	samples    []sample // all points, half of them, a quarter …
}

// sample is some of the points.
type sample struct {
	ids  []int32
	tree *kdtree.Tree
}

func newSet(points [][]float64, rng *rand.Rand, over func() bool) *set {
	s := &set{dimensions: len(points[0]), at: make([]place, len(points))}
	n := float64(len(points))
	for _, p := range points {
		for k, v := range p {
			s.mean[k] += v / n
		}
	}
	most := 0.0 // first, since squares may overflow
	for i, p := range points {
		for k, v := range p {
			s.at[i][k] = v - s.mean[k]
			most = max(most, math.Abs(s.at[i][k]))
		}
	}
	if most == 0 {
		most = 1
	}
	spread := 0.0
	for i := range s.at {
		s.at[i] = s.at[i].times(1 / most)
		spread += s.at[i].dot(s.at[i]) / n
	}
	unit := math.Sqrt(spread)
	if unit == 0 {
		unit = 1
	}
	s.unit = most * unit
	s.data = make([]float32, len(points)*s.dimensions)
	for i := range s.at {
		s.at[i] = s.at[i].times(1 / unit)
		for k := range s.dimensions {
			s.data[i*s.dimensions+k] = float32(s.at[i][k])
		}
	}
	s.tree = kdtree.New(s.data, s.dimensions, over)
	order := rng.Perm(len(points))
	for count := len(points); count > 0; count /= 2 {
		some := sample{ids: make([]int32, count)}
		data := make([]float32, 0, count*s.dimensions)
		for k, i := range order[:count] {
			some.ids[k] = int32(i)
			data = append(data, s.data[i*s.dimensions:(i+1)*s.dimensions]...)
		}
		some.tree = kdtree.New(data, s.dimensions, over)
		s.samples = append(s.samples, some)
		if count < 2*trialPoints {
			break
		}
	}
	return s
}

// nearest fills q with the k points nearest to a place.
func (s *set) nearest(p place, k int, q *kdtree.Query) []kdtree.Found {
	x := [3]float32{float32(p[0]), float32(p[1]), float32(p[2])}
	s.tree.Search(x[:s.dimensions], k, kdtree.All, q)
	return q.Nearest
}

// around returns about count points around one, all those that are nearest to it or an even sample of many more, and how many
// they stand for.
func (s *set) around(i, reach int, q *kdtree.Query, to []int32) (ids []int32) {
	level := 0
	for level+1 < len(s.samples) && reach>>level > trialPoints {
		level++
	}
	some := &s.samples[level]
	x := s.data[i*s.dimensions : (i+1)*s.dimensions]
	if reach >= len(s.at) {
		return append(to[:0], some.ids...)
	}
	some.tree.Search(x, max(reach>>level, 1), kdtree.All, q)
	to = to[:0]
	for _, f := range q.Nearest {
		to = append(to, some.ids[f.ID])
	}
	return to
}

// densityNeighbours is how many neighbours tell how dense points are around one.
const densityNeighbours = 6

// densities returns how many points there are around each, per unit of area or volume.
func (s *set) densities(over func() bool) []float64 {
	all, least := make([]float64, len(s.at)), math.Inf(1)
	var q kdtree.Query
	for i, p := range s.at {
		if i%betweenLooks == 0 && over() {
			break
		}
		k := min(densityNeighbours, len(s.at)-1)
		near := s.nearest(p, k+1, &q)
		if radius := math.Sqrt(float64(near[k].Distance)); radius > 0 {
			all[i] = float64(k) / s.volume(radius)
			least = min(least, all[i])
		}
	}
	if math.IsInf(least, 1) {
		least = 1
	}
	for i := range all {
		if all[i] == 0 { // many points at one place
			all[i] = least
		}
	}
	return all
}

// volume returns that of a ball, or the area of a disk.
func (s *set) volume(radius float64) float64 {
	if s.dimensions == 2 {
		return math.Pi * radius * radius
	}
	return 4. / 3 * math.Pi * radius * radius * radius
}

// radius is the inverse of volume.
func (s *set) radius(volume float64) float64 {
	if s.dimensions == 2 {
		return math.Sqrt(volume / math.Pi)
	}
	return math.Cbrt(volume * 3 / 4 / math.Pi)
}

const betweenLooks = 1024

func (p place) dot(q place) float64   { return p[0]*q[0] + p[1]*q[1] + p[2]*q[2] }
func (p place) minus(q place) place   { return place{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }
func (p place) plus(q place) place    { return place{p[0] + q[0], p[1] + q[1], p[2] + q[2]} }
func (p place) times(v float64) place { return place{p[0] * v, p[1] * v, p[2] * v} }

func (p place) cross(q place) place {
	return place{p[1]*q[2] - p[2]*q[1], p[2]*q[0] - p[0]*q[2], p[0]*q[1] - p[1]*q[0]}
}

// apart returns the squared distance.
func (p place) apart(q place) float64 {
	d := p.minus(q)
	return d.dot(d)
}
