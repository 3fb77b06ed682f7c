package points

import (
	"cmp"
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/kdtree"
)

const (
	codeNeighbours = 6       // of a point: three of them are a four with it
	codeWidth      = 10      // distances of five points, of four 6
	mostCodes      = 1 << 18 // that are kept, of a sample of large sets
	ring           = 20      // points around one on which a transform is tried first
)

// group is a point and three or four of its neighbours, the nearest first; the last is −1 of four points.
type group [5]int32

// of returns the points.
func (g *group) of() []int32 {
	if g[4] < 0 {
		return g[:4]
	}
	return g[:]
}

// code returns the distances of points of a group over the root of the sum of their squares.
func (s *set) code(g *group, to []float32) []float32 {
	f := g.of()
	sum := 0.0
	var squares [codeWidth]float64
	k := 0
	for u := range f {
		for v := range u {
			squares[k] = s.at[f[u]].apart(s.at[f[v]])
			sum += squares[k]
			k++
		}
	}
	if sum == 0 {
		return nil
	}
	for _, v := range squares[:k] {
		to = append(to, float32(math.Sqrt(v/sum)))
	}
	return to
}

// groups returns those of a point with so many in all, and its nearest points, itself not among them.
func (s *set) groups(i int32, size int, q *kdtree.Query) (all []group, near []int32) {
	for _, f := range s.nearest(s.at[i], ring+1, q) {
		if f.ID != i {
			near = append(near, f.ID)
		}
	}
	// What float32 does not tell apart is in the order of its distances as they are.
	slices.SortStableFunc(near, func(x, y int32) int { return cmp.Compare(s.at[i].apart(s.at[x]), s.at[i].apart(s.at[y])) })
	n := min(codeNeighbours, len(near))
	for u := range n {
		for v := u + 1; v < n; v++ {
			for w := v + 1; w < n; w++ {
				if size == 4 {
					all = append(all, group{i, near[u], near[v], near[w], -1})
					continue
				}
				for x := w + 1; x < n; x++ {
					all = append(all, group{i, near[u], near[v], near[w], near[x]})
				}
			}
		}
	}
	return all, near
}

// codes are those of the groups of some points of a set.
type codes struct {
	groups []group
	near   [][]int32 // of the point of each
	tree   *kdtree.Tree
}

// codesOf returns the codes of points of a set in an order, as many as are kept.
func (s *set) codesOf(order []int, size int, over func() bool) *codes {
	c := &codes{}
	var data []float32
	var q kdtree.Query
	for k, i := range order {
		if len(c.groups) >= mostCodes || k%betweenLooks == 0 && over() {
			break
		}
		all, near := s.groups(int32(i), size, &q)
		for _, f := range all {
			if code := s.code(&f, data); code != nil {
				data = code
				c.groups, c.near = append(c.groups, f), append(c.near, near)
			}
		}
	}
	c.tree = kdtree.New(data, size*(size-1)/2, over)
	return c
}
