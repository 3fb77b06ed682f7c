package points

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// similarity takes x to scale·turn·x + shift; turn is orthogonal, and a mirror where its determinant is −1.
type similarity struct {
	scale float64
	turn  [3]place // rows
	shift place
}

func (s *similarity) of(x place) place {
	return place{s.turn[0].dot(x), s.turn[1].dot(x), s.turn[2].dot(x)}.times(s.scale).plus(s.shift)
}

// link is a point of each set.
type link struct{ i, a int32 }

// fit returns the similarity that takes points of one set to those of the other with the least sum of squares (Umeyama, with
// mirrors). It returns false where the points do not tell it.
func fit(from, to []place, links []link, dimensions int) (s similarity, ok bool) {
	var mean1, mean2 place
	n := float64(len(links))
	for _, l := range links {
		mean1, mean2 = mean1.plus(from[l.i]), mean2.plus(to[l.a])
	}
	mean1, mean2 = mean1.times(1/n), mean2.times(1/n)
	var product [3]place // Σ y·xᵀ
	spread := 0.0
	for _, l := range links {
		x, y := from[l.i].minus(mean1), to[l.a].minus(mean2)
		spread += x.dot(x)
		for k := range dimensions {
			product[k] = product[k].plus(x.times(y[k]))
		}
	}
	if !(spread > 0) {
		return s, false
	}
	var trace float64
	if dimensions == 2 {
		trace = s.turnInPlane(&product)
	} else if trace, ok = s.turnInSpace(&product); !ok {
		return s, false
	}
	s.scale = trace / spread
	if !(s.scale > 0) || math.IsInf(s.scale, 0) {
		return s, false
	}
	s.shift = mean2.minus(s.of(mean1))
	return s, true
}

// turnInPlane sets the turn that has the greatest trace with a product, and returns that; of a turn and a mirror that are as
// good, as of points on a line, it takes the turn.
func (s *similarity) turnInPlane(m *[3]place) (trace float64) {
	cos, sin := m[0][0]+m[1][1], m[1][0]-m[0][1]
	mirrorCos, mirrorSin := m[0][0]-m[1][1], m[1][0]+m[0][1]
	turned, mirrored := math.Hypot(cos, sin), math.Hypot(mirrorCos, mirrorSin)
	s.turn[2] = place{0, 0, 1}
	if mirrored > turned*(1+1e-9) {
		cos, sin = mirrorCos/mirrored, mirrorSin/mirrored
		s.turn[0], s.turn[1] = place{cos, sin}, place{sin, -cos}
		return mirrored
	}
	if turned == 0 {
		return 0
	}
	cos, sin = cos/turned, sin/turned
	s.turn[0], s.turn[1] = place{cos, -sin}, place{sin, cos}
	return turned
}

// turnInSpace is turnInPlane in space: the orthogonal factor of the product, by Newton's iteration (Higham, doi:10.1137/0907079), and
// by its singular values where it has hardly an inverse.
func (s *similarity) turnInSpace(m *[3]place) (trace float64, ok bool) {
	size := math.Sqrt(m[0].dot(m[0]) + m[1].dot(m[1]) + m[2].dot(m[2]))
	if !(size > 0) {
		return 0, false
	}
	x := [3]place{m[0].times(1 / size), m[1].times(1 / size), m[2].times(1 / size)}
	const most, flat = 30, 1e-9
	for range most {
		cofactors := [3]place{x[1].cross(x[2]), x[2].cross(x[0]), x[0].cross(x[1])}
		determinant := x[0].dot(cofactors[0])
		if math.Abs(determinant) < flat {
			return s.turnBySingularValues(m)
		}
		change := 0.0
		for k := range x {
			next := x[k].plus(cofactors[k].times(1 / determinant)).times(0.5)
			change += next.apart(x[k])
			x[k] = next
		}
		if change < 1e-24 {
			break
		}
	}
	s.turn = x
	return x[0].dot(m[0]) + x[1].dot(m[1]) + x[2].dot(m[2]), true
}

// turnBySingularValues is turnInSpace of points that may lie in a plane, which a turn serves as well as a mirror.
func (s *similarity) turnBySingularValues(m *[3]place) (trace float64, ok bool) {
	dense := mat.NewDense(3, 3, []float64{m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]})
	var svd mat.SVD
	if !svd.Factorize(dense, mat.SVDFull) {
		return 0, false
	}
	var u, v, turn mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	turn.Mul(&u, v.T())
	if mat.Det(&turn) < 0 && values[2] <= 1e-6*values[0] {
		for k := range 3 {
			u.Set(k, 2, -u.At(k, 2))
		}
		turn.Mul(&u, v.T())
	}
	for k := range s.turn {
		s.turn[k] = place{turn.At(k, 0), turn.At(k, 1), turn.At(k, 2)}
	}
	return values[0] + values[1] + values[2], true
}

// Transform takes points of A to those of B: y = Scale·Turn·x + Shift.
type Transform struct {
	Scale    float64
	Turn     [][]float64 // orthogonal, a row for each coordinate
	Shift    []float64
	Mirrored bool
}

// Angle returns by how much a Transform of the plane turns, against the clock, in degrees; of a mirror by how much after x is turned to −x.
func (t *Transform) Angle() float64 {
	if t.Mirrored {
		return math.Atan2(-t.Turn[1][0], -t.Turn[0][0]) * 180 / math.Pi
	}
	return math.Atan2(t.Turn[1][0], t.Turn[0][0]) * 180 / math.Pi
}

// between returns a similarity of two sets in the units of their points.
func (s *similarity) between(a, b *set) Transform {
	d := a.dimensions
	t := Transform{Scale: s.scale * (b.unit / a.unit), Shift: make([]float64, d), Turn: make([][]float64, d)}
	determinant := s.turn[0][0]*(s.turn[1][1]*s.turn[2][2]-s.turn[1][2]*s.turn[2][1]) -
		s.turn[0][1]*(s.turn[1][0]*s.turn[2][2]-s.turn[1][2]*s.turn[2][0]) + s.turn[0][2]*(s.turn[1][0]*s.turn[2][1]-s.turn[1][1]*s.turn[2][0])
	t.Mirrored = determinant < 0
	for k := range d {
		t.Turn[k] = append([]float64(nil), s.turn[k][:d]...)
		t.Shift[k] = b.mean[k] + b.unit*s.shift[k] - t.Scale*s.turn[k].dot(a.mean)
	}
	return t
}
