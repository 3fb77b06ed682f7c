package pictures

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/qap"
)

// kindColors are the colours of the paper's figure.
var kindColors = map[layoutKind]color.NRGBA{
	kindUnknown: {130, 130, 130, 255},
	kindRight:   {34, 139, 34, 255},
	kindWrong:   {214, 39, 40, 255},
	kindInlier:  {30, 30, 30, 255},
	kindOutlier: {31, 90, 220, 255},
}

// Matching is what rgm plot matching draws.
type Matching struct {
	Layout   Layout
	Images   [2]image.Image // below the graphs; nil for none
	Affinity *qap.Instance  // drawn as a heat map beside them; nil for none
}

// The sizes of a picture.
const (
	pictureUnit   = 3 * vg.Inch // a frame's longer side
	pictureMargin = vg.Length(18)
	pictureTitle  = vg.Length(22)
)

// Write draws the picture in a format: "svg" or "png".
func (p *Matching) Write(out io.Writer, format string) error {
	width := vg.Length(p.Layout.width)*pictureUnit + 2*pictureMargin
	height := vg.Length(max(p.Layout.height, 0.2))*pictureUnit + 2*pictureMargin + pictureTitle
	graphsWidth := width
	if p.Affinity != nil {
		height = max(height, pictureUnit+2*pictureMargin+pictureTitle)
		width += pictureUnit + pictureMargin
	}
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	}
	c := draw.New(canvas)
	c.FillPolygon(color.White, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	p.drawGraphs(c)
	writeText(c, vg.Point{X: pictureMargin, Y: height - pictureMargin}, p.title())
	if p.Affinity != nil {
		corner := vg.Point{X: graphsWidth, Y: pictureMargin}
		n1, n2 := p.Affinity.Size()
		heat, _, _ := HeatMap(n1*n2, p.Affinity.Affinity.Row)
		c.DrawImage(squareAt(corner, pictureUnit), heat)
		writeText(c, vg.Point{X: graphsWidth, Y: height - pictureMargin}, "affinity K")
	}
	_, err = canvas.WriteTo(out)
	return err
}

func squareAt(corner vg.Point, side vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: corner, Max: vg.Point{X: corner.X + side, Y: corner.Y + side}}
}

// title counts the matches.
func (p *Matching) title() string {
	l := &p.Layout
	if n := l.count(kindUnknown); n > 0 {
		return fmt.Sprintf("%d matches", n)
	}
	return fmt.Sprintf("%d matches: %d right, %d wrong", len(l.lines), l.count(kindRight), l.count(kindWrong))
}

func (p *Matching) drawGraphs(c draw.Canvas) {
	on := func(at layoutPlace) vg.Point {
		return vg.Point{X: pictureMargin + vg.Length(at.x)*pictureUnit, Y: pictureMargin + vg.Length(at.y)*pictureUnit}
	}
	for k, f := range p.Layout.frames {
		if p.Images[k] != nil {
			c.DrawImage(vg.Rectangle{Min: on(layoutPlace{f.left, 0}), Max: on(layoutPlace{f.left + f.width, f.height})}, p.Images[k])
		}
	}
	// Many nodes are drawn smaller, so that they do not cover each other.
	const many = 200
	size := vg.Length(max(math.Sqrt(min(1, many/float64(len(p.Layout.nodes)))), .2))
	for _, line := range p.Layout.lines {
		from, to := on(line.from), on(line.to)
		c.StrokeLine2(draw.LineStyle{Color: kindColors[line.kind], Width: 1.2 * size}, from.X, from.Y, to.X, to.Y)
	}
	for _, node := range p.Layout.nodes {
		c.DrawGlyph(draw.GlyphStyle{Color: kindColors[node.kind], Radius: 3.5 * size, Shape: draw.CircleGlyph{}}, on(node.at))
	}
}

func writeText(c draw.Canvas, at vg.Point, words string) {
	style := text.Style{Color: color.Black, Font: font.From(plot.DefaultFont, 11), Handler: plot.DefaultTextHandler}
	c.FillText(style, at, words)
}
