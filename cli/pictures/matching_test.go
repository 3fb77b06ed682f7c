package pictures

import (
	"bytes"
	"image"
	_ "image/png"
	"math"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// toyPicture has four matches, of which two are right, and an outlier in each graph.
func toyPicture() *Matching {
	points1 := []graphs.Point{{X: 0, Y: 0}, {X: 4, Y: 0}, {X: 0, Y: 2}, {X: 4, Y: 2}, {X: 1, Y: 1}}
	points2 := []graphs.Point{{X: 10, Y: 10}, {X: 11, Y: 10}, {X: 10, Y: 12}, {X: 11, Y: 12}, {X: 10.5, Y: 11}}
	truth := qap.Matching{0, 1, 2, 3, qap.Unmatched}
	m := qap.Matching{0, 1, 3, qap.Unmatched, 4}
	frames := [2]Frame{FrameOf(points1, nil, false), FrameOf(points2, nil, false)}
	return &Matching{Layout: LayoutMatching(points1, points2, m, truth, frames)}
}

// TestLayoutMatching: colours of lines and nodes, and places: graph 1 in 0..1 by
// 0..½, graph 2 half as wide as high.
func TestLayoutMatching(t *testing.T) {
	l := toyPicture().Layout
	if len(l.lines) != 4 || l.count(kindRight) != 2 || l.count(kindWrong) != 2 || l.count(kindUnknown) != 0 {
		t.Errorf("lines %v", l.lines)
	}
	outliers := 0
	for _, n := range l.nodes {
		if n.kind == kindOutlier {
			outliers++
		}
	}
	if len(l.nodes) != 10 || outliers != 2 || l.nodes[4].kind != kindOutlier || l.nodes[9].kind != kindOutlier {
		t.Errorf("nodes %v", l.nodes)
	}
	if at := l.nodes[3].at; at != (layoutPlace{1, .5}) {
		t.Errorf("the upper right node of graph 1 is at %v", at)
	}
	if at := l.nodes[8].at; at != (layoutPlace{1.75, 1}) || l.width != 1.75 || l.height != 1 {
		t.Errorf("the upper right node of graph 2 is at %v, the picture %v×%v", at, l.width, l.height)
	}
	if l.lines[2].from != l.nodes[2].at || l.lines[2].to != l.nodes[5+3].at {
		t.Errorf("line %v does not join the nodes it matches", l.lines[2])
	}
}

// TestLayoutInImages: pixels count from the upper left.
func TestLayoutInImages(t *testing.T) {
	f := FrameOf([]graphs.Point{{X: 50, Y: 10}}, image.NewGray(image.Rect(0, 0, 100, 40)), false)
	if have := f.place(graphs.Point{X: 50, Y: 10}); math.Abs(have.x-.5) > 1e-12 || math.Abs(have.y-.3) > 1e-12 {
		t.Errorf("pixel (50, 10) of 100×40 is at %v, want (0.5, 0.3)", have)
	}
}

// TestLayoutWithoutTruth: every line is grey, and no node an outlier.
func TestLayoutWithoutTruth(t *testing.T) {
	points := []graphs.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}
	f := FrameOf(points, nil, false)
	l := LayoutMatching(points, points, qap.Matching{1, 0}, nil, [2]Frame{f, f})
	if l.count(kindUnknown) != 2 || l.nodes[0].kind != kindUnknown {
		t.Errorf("%+v", l)
	}
}

// TestPictureRenders: an SVG has a stroke of its colour for each line, a fill for
// each node; a PNG decodes to the size of the layout.
func TestPictureRenders(t *testing.T) {
	p := toyPicture()
	var svg bytes.Buffer
	if err := p.Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		property string
		kind     layoutKind
		want     int
	}{{"stroke:", kindRight, 2}, {"stroke:", kindWrong, 2}, {"stroke:", kindUnknown, 0}, {"fill:", kindOutlier, 2}, {"fill:", kindInlier, 8}} {
		if have := strings.Count(svg.String(), c.property+hex(kindColors[c.kind])) - 1; have != c.want { // once in the style
			t.Errorf("%s%s: %d times, want %d", c.property, hex(kindColors[c.kind]), have, c.want)
		}
	}
	in := must.Get(qap.NewDense(1, 2, []float64{1, -3, -3, 0}, qap.Maximize))(t)
	p.Affinity = in
	var png bytes.Buffer
	if err := p.Write(&png, "png"); err != nil {
		t.Fatal(err)
	}
	decoded, format, err := image.Decode(&png)
	if err != nil || format != "png" || decoded.Bounds().Dx() < 2*decoded.Bounds().Dy() {
		t.Errorf("%s of %v, %v", format, decoded.Bounds(), err)
	}
	heat, least, greatest := HeatMap(2, in.Affinity.Row)
	if least != -3 || greatest != 0 {
		t.Errorf("entries off the diagonal and 0 are %v to %v, want -3 to 0", least, greatest)
	}
	if red, _, blue, _ := heat.At(1, 0).RGBA(); blue <= red {
		t.Errorf("the least entry is drawn %v", heat.At(1, 0))
	}
	if red, _, blue, _ := heat.At(0, 0).RGBA(); red <= blue {
		t.Errorf("a positive entry is drawn %v", heat.At(0, 0))
	}
}
