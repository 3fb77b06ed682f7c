package pictures

import (
	"image"
	"path/filepath"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// layoutKind says how a part of a matching's picture is drawn.
type layoutKind int8

const (
	kindUnknown layoutKind = iota // no true matching is known
	kindRight
	kindWrong
	kindInlier
	kindUnsure // has a partner, which may be another
	kindOutlier
	kindShared // an edge that joins the partners too
	kindOnly   // one that is in this graph only

	// Of edits: what is kept is an inlier, or a shared edge.
	kindChanged
	kindDeleted
	kindInserted
)

// layoutPlace is a position in a picture of a matching: x to the right and y upwards, both
// in units of the longer side of a graph's frame, from the corner below the left one.
type layoutPlace struct{ x, y float64 }

// layoutNode is a node of either graph.
type layoutNode struct {
	at    layoutPlace
	kind  layoutKind
	graph int    // 0 or 1
	name  string // to be written beside it, where it has room
}

// layoutLine joins two nodes that are matched, or two of one graph.
type layoutLine struct {
	from, to layoutPlace
	kind     layoutKind
	graph    int // of an edge
}

// Layout says what is where in a picture of a matching: graph 1 to the left
// of graph 2, or above it where both are wide.
type Layout struct {
	nodes         []layoutNode
	lines         []layoutLine // of matches
	edges         []layoutLine
	frames        [2]Frame
	width, height float64
	titles        [2]string // of the graphs
	about         string    // how nodes are placed; "" where nothing is to be said
	assessed      bool      // whether it is known of matches how sure they are
	alike         bool      // matched nodes are at the same place in both frames
	edited        string    // of edits: the title
}

// Frame is the part of the plane that shows a graph, and where it is in the picture.
type Frame struct {
	corner        graphs.Point // least x and y of the points' plane
	scale         float64      // picture units a unit of the plane
	left, bottom  float64      // in the picture
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
	at.y += f.bottom
	return at
}

// newLayout places two frames.
func newLayout(frames [2]Frame) Layout {
	const gap, wide = 0.25, 0.55 // the height of a frame whose width is 1
	if max(frames[0].height, frames[1].height) < wide {
		frames[0].bottom = frames[1].height + gap
		return Layout{frames: frames, width: max(frames[0].width, frames[1].width), height: frames[0].bottom + frames[0].height}
	}
	frames[1].left = frames[0].width + gap
	return Layout{frames: frames, width: frames[1].left + frames[1].width, height: max(frames[0].height, frames[1].height)}
}

// LayoutMatching lays out a matching of points; frames are the graphs' own, and
// truth is nil where it is not known.
func LayoutMatching(points1, points2 []graphs.Point, m, truth qap.Matching, frames [2]Frame) Layout {
	l := newLayout(frames)
	frames = l.frames
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
		l.nodes = append(l.nodes, layoutNode{at: frames[0].place(p), kind: known})
	}
	for a, p := range points2 {
		known := kindOutlier
		switch {
		case truth == nil:
			known = kindUnknown
		case matched2[a]:
			known = kindInlier
		}
		l.nodes = append(l.nodes, layoutNode{at: frames[1].place(p), kind: known, graph: 1})
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
		l.lines = append(l.lines, layoutLine{from: frames[0].place(points1[i]), to: frames[1].place(points2[a]), kind: known})
	}
	return l
}

// count returns how many matches are of a kind.
func (l *Layout) count(k layoutKind) int {
	n := 0
	for _, line := range l.lines {
		if line.kind == k {
			n++
		}
	}
	return n
}

// Graphs are two graphs to draw, and what is known of their matching.
type Graphs struct {
	Graph1, Graph2 *graphs.Graph
	Matching       qap.Matching
	Sure           []bool // of each node of graph 1, nil where nothing is known of it
	YDown          bool   // y of points counts downwards
	View           string // one of Views
	Edits          *Edits // what becomes of graph 1; nil where nothing is edited
}

// Edits are what becomes of the nodes and the edges of graph 1; what they do not keep or change of graph 2 is inserted.
type Edits struct {
	Title        string
	ChangedNodes []bool // of each node that has a partner: it is substituted
	KeptEdges    []bool // of each edge: it has a partner, and
	ChangedEdges []bool // is substituted
}

// Layout lays out a matching of two graphs. Unless View says which, it is at the first two coordinates of their points where both
// have such; else both alike, a node at the place of its partner, and then without lines between them,
// so that the edges that are not shared show what is wrong.
func (g *Graphs) Layout() Layout {
	at := places(g.Graph1, g.Graph2, g.Matching, g.View)
	frames := [2]Frame{FrameOf(at.points[0], nil, g.YDown), FrameOf(at.points[1], nil, g.YDown)}
	if at.alike {
		both := FrameOf(append(append([]graphs.Point(nil), at.points[0]...), at.points[1]...), nil, g.YDown)
		frames = [2]Frame{both, both}
	}
	l := LayoutMatching(at.points[0], at.points[1], g.Matching, nil, frames)
	l.assessed = g.Sure != nil
	l.about, l.alike, l.titles = at.about, at.alike, [2]string{"A: " + filepath.Base(g.Graph1.Name), "B: " + filepath.Base(g.Graph2.Name)}
	n1 := g.Graph1.Nodes
	for k := range l.nodes {
		l.nodes[k].kind = kindOutlier
		if k < n1 {
			l.nodes[k].name = g.Graph1.NodeName(k)
		} else {
			l.nodes[k].name = g.Graph2.NodeName(k - n1)
		}
	}
	for i, a := range g.Matching {
		if a == qap.Unmatched {
			continue
		}
		kind := kindInlier
		if g.Sure != nil && !g.Sure[i] {
			kind = kindUnsure
		}
		l.nodes[i].kind, l.nodes[n1+a].kind = kind, kind
	}
	g.addEdges(&l)
	if g.Edits != nil {
		g.edit(&l)
	}
	return l
}

// edit says of each part of a layout what the edits do with it.
func (g *Graphs) edit(l *Layout) {
	l.edited = g.Edits.Title
	n1 := g.Graph1.Nodes
	for k := range l.nodes {
		if n := &l.nodes[k]; n.kind == kindOutlier {
			n.kind = kindDeleted + layoutKind(n.graph)
		}
	}
	for i, a := range g.Matching {
		if a != qap.Unmatched && g.Edits.ChangedNodes[i] {
			l.nodes[i].kind, l.nodes[n1+a].kind = kindChanged, kindChanged
		}
	}
	ends := func(i, j int) [2]int {
		if !g.Graph1.Directed && i > j {
			i, j = j, i
		}
		return [2]int{i, j}
	}
	kinds := map[[2]int]layoutKind{} // of graph 2's edges that have a partner
	for k, e := range g.Graph1.Edges {
		kind := kindDeleted
		if g.Edits.KeptEdges[k] {
			kind = kindShared
			if g.Edits.ChangedEdges[k] {
				kind = kindChanged
			}
			kinds[ends(g.Matching[e.I], g.Matching[e.J])] = kind
		}
		l.edges[k].kind = kind
	}
	for k, e := range g.Graph2.Edges {
		kind, has := kinds[ends(e.I, e.J)]
		if !has {
			kind = kindInserted
		}
		l.edges[len(g.Graph1.Edges)+k].kind = kind
	}
}

// addEdges adds the edges of both graphs.
func (g *Graphs) addEdges(l *Layout) {
	n1 := g.Graph1.Nodes
	back := qap.NewMatching(g.Graph2.Nodes)
	for i, a := range g.Matching {
		if a != qap.Unmatched {
			back[a] = i
		}
	}
	directed := g.Graph1.Directed && g.Graph2.Directed
	key := func(i, j int) [2]int {
		if !directed && i > j {
			i, j = j, i
		}
		return [2]int{i, j}
	}
	for k, own := range []*graphs.Graph{g.Graph1, g.Graph2} {
		other, to, first := g.Graph2, g.Matching, 0
		if k == 1 {
			other, to, first = g.Graph1, back, n1
		}
		there := make(map[[2]int]bool, len(other.Edges))
		for _, e := range other.Edges {
			there[key(e.I, e.J)] = true
		}
		for _, e := range own.Edges {
			i, j := to[e.I], to[e.J]
			kind := kindOnly
			if i != qap.Unmatched && j != qap.Unmatched && there[key(i, j)] {
				kind = kindShared
			}
			l.edges = append(l.edges, layoutLine{l.nodes[first+e.I].at, l.nodes[first+e.J].at, kind, k})
		}
	}
}
