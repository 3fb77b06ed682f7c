package pictures

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// placeLabels returns the names that fit: to the right of their nodes, to the left, above or below,
// on no other name and on no node. Nodes without a partner, or changed, come first, then those with many edges.
func (d *drawing) placeLabels() []label {
	nodes := d.layout.nodes
	degree := map[layoutPlace]int{}
	for _, e := range d.layout.edges {
		degree[e.from]++
		degree[e.to]++
	}
	var order []int
	for k, n := range nodes {
		if n.name != "" {
			order = append(order, k)
		}
	}
	rank := func(k int) int {
		switch nodes[k].kind {
		case kindOutlier, kindChanged, kindDeleted, kindInserted:
			return math.MaxInt
		}
		return degree[nodes[k].at]
	}
	slices.SortStableFunc(order, func(k, l int) int { return cmp.Compare(rank(l), rank(k)) })
	taken := newBoxes(4 * lineHeight)
	r := d.radius()
	for _, n := range nodes {
		at := d.on(n.at)
		taken.add(vg.Rectangle{Min: vg.Point{X: at.X - r, Y: at.Y - r}, Max: vg.Point{X: at.X + r, Y: at.Y + r}})
	}
	var labels []label
	for _, k := range order {
		words := shortened(nodes[k].name)
		at, wide, high := d.on(nodes[k].at), textWidth(words, labelSize), vg.Length(labelSize)
		gap := r + 1.5
		for _, corner := range []vg.Point{
			{X: at.X + gap, Y: at.Y - high/2}, {X: at.X - gap - wide, Y: at.Y - high/2},
			{X: at.X - wide/2, Y: at.Y + gap}, {X: at.X - wide/2, Y: at.Y - gap - high},
		} {
			box := vg.Rectangle{Min: corner, Max: vg.Point{X: corner.X + wide, Y: corner.Y + high}}
			if box.Min.X < 2 || box.Max.X > d.graphsWidth-2 || taken.meets(box) {
				continue
			}
			taken.add(box)
			labels = append(labels, label{words, vg.Point{X: corner.X, Y: corner.Y + high/6}, box})
			break
		}
	}
	return labels
}

// shortened returns a name that is not too long to stand beside a node.
func shortened(name string) string {
	const most = 16
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}

// boxes are rectangles by the cells of a grid.
type boxes struct {
	cell vg.Length
	in   map[[2]int][]vg.Rectangle
}

func newBoxes(cell vg.Length) *boxes { return &boxes{cell, map[[2]int][]vg.Rectangle{}} }

// cells calls visit with each cell that a rectangle touches, until it returns false.
func (b *boxes) cells(r vg.Rectangle, visit func([2]int) bool) {
	for x := int(math.Floor(float64(r.Min.X / b.cell))); x <= int(r.Max.X/b.cell); x++ {
		for y := int(math.Floor(float64(r.Min.Y / b.cell))); y <= int(r.Max.Y/b.cell); y++ {
			if !visit([2]int{x, y}) {
				return
			}
		}
	}
}

func (b *boxes) add(r vg.Rectangle) {
	b.cells(r, func(at [2]int) bool {
		b.in[at] = append(b.in[at], r)
		return true
	})
}

func (b *boxes) meets(r vg.Rectangle) (met bool) {
	b.cells(r, func(at [2]int) bool {
		met = slices.ContainsFunc(b.in[at], func(o vg.Rectangle) bool {
			return o.Min.X < r.Max.X && r.Min.X < o.Max.X && o.Min.Y < r.Max.Y && r.Min.Y < o.Max.Y
		})
		return !met
	})
	return met
}
