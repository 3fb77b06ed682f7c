package pictures

import (
	"image"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// layoutKind says in which colour a part of a matching's picture is drawn.
type layoutKind int8

const (
	kindUnknown layoutKind = iota // no true matching is known
	kindRight
	kindWrong
	kindInlier
	kindOutlier
)

// layoutPlace is a position in a picture of a matching: x to the right and y upwards, both
// in units of the longer side of a graph's frame, from the corner below the left one.
type layoutPlace struct{ x, y float64 }

// layoutNode is a node of either graph.
type layoutNode struct {
	at   layoutPlace
	kind layoutKind
}

// layoutLine joins two nodes that are matched.
type layoutLine struct {
	from, to layoutPlace
	kind     layoutKind
}

// Layout says what is where in a picture of a matching: graph 1 to the left
// of graph 2.
type Layout struct {
	nodes         []layoutNode
	lines         []layoutLine
	frames        [2]Frame
	width, height float64
}

// Frame is the part of the plane that shows a graph, and where it is in the picture.
type Frame struct {
	corner        graphs.Point // least x and y of the points' plane
	scale         float64      // picture units a unit of the plane
	left          float64      // in the picture
	width, height float64      // in the picture
	yDown         bool         // y of the points counts downwards, as in images
}

// FrameOf returns the frame of an image, or the bounding box of points without one.
func FrameOf(points []graphs.Point, picture image.Image, yDown bool) Frame {
	low, high := graphs.Bounds(points)
	if picture != nil {
		low, high = graphs.Point{}, graphs.Point{X: float64(picture.Bounds().Dx()), Y: float64(picture.Bounds().Dy())}
		yDown = true
	}
	width, height := high.X-low.X, high.Y-low.Y
	scale := 1.0
	if longer := max(width, height); longer > 0 {
		scale = 1 / longer
	}
	return Frame{corner: low, scale: scale, width: width * scale, height: height * scale, yDown: yDown}
}

// place returns where a point is in the picture.
func (f Frame) place(p graphs.Point) layoutPlace {
	at := layoutPlace{f.left + f.scale*(p.X-f.corner.X), f.scale * (p.Y - f.corner.Y)}
	if f.yDown {
		at.y = f.height - at.y
	}
	return at
}

// LayoutMatching lays out a matching of points; frames are the graphs' own, and
// truth is nil where it is not known.
func LayoutMatching(points1, points2 []graphs.Point, m, truth qap.Matching, frames [2]Frame) Layout {
	const gap = 0.25
	frames[1].left = frames[0].width + gap
	l := Layout{
		frames: frames,
		width:  frames[1].left + frames[1].width, height: max(frames[0].height, frames[1].height),
	}
	matched2 := make([]bool, len(points2))
	for i, p := range points1 {
		known := kindInlier
		switch {
		case truth == nil:
			known = kindUnknown
		case truth[i] == qap.Unmatched:
			known = kindOutlier
		default:
			matched2[truth[i]] = true
		}
		l.nodes = append(l.nodes, layoutNode{frames[0].place(p), known})
	}
	for a, p := range points2 {
		known := kindOutlier
		switch {
		case truth == nil:
			known = kindUnknown
		case matched2[a]:
			known = kindInlier
		}
		l.nodes = append(l.nodes, layoutNode{frames[1].place(p), known})
	}
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		known := kindWrong
		switch {
		case truth == nil:
			known = kindUnknown
		case truth[i] == a:
			known = kindRight
		}
		l.lines = append(l.lines, layoutLine{frames[0].place(points1[i]), frames[1].place(points2[a]), known})
	}
	return l
}

// count returns how many lines are of a kind.
func (l *Layout) count(k layoutKind) int {
	n := 0
	for _, line := range l.lines {
		if line.kind == k {
			n++
		}
	}
	return n
}

// LayoutGraphs lays out a matching of two graphs: at the places of their nodes, of which
// the first two coordinates count; a graph that has none is drawn by its edges, the other
// beside it. Nodes that are not matched look like outliers.
func LayoutGraphs(g1, g2 graphs.Graph, m qap.Matching, yDown bool) Layout {
	points1, points2 := places(&g1, &g2, m)
	l := LayoutMatching(points1, points2, m, nil, [2]Frame{FrameOf(points1, nil, yDown), FrameOf(points2, nil, yDown)})
	for k := range l.nodes {
		l.nodes[k].kind = kindOutlier
	}
	for i, a := range m {
		if a != qap.Unmatched {
			l.nodes[i].kind, l.nodes[len(points1)+a].kind = kindInlier, kindInlier
		}
	}
	return l
}
