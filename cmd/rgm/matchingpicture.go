package main

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/palette/moreland"
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

// matchingPicture is what rgm plot matching draws.
type matchingPicture struct {
	layout   matchingLayout
	images   [2]image.Image // below the graphs; nil for none
	affinity *qap.Instance  // drawn as a heat map beside them; nil for none
}

// The sizes of a picture.
const (
	pictureUnit   = 3 * vg.Inch // a frame's longer side
	pictureMargin = vg.Length(18)
	pictureTitle  = vg.Length(22)
)

// write draws the picture in a format: "svg" or "png".
func (p *matchingPicture) write(out io.Writer, format string) error {
	width := vg.Length(p.layout.width)*pictureUnit + 2*pictureMargin
	height := vg.Length(max(p.layout.height, 0.2))*pictureUnit + 2*pictureMargin + pictureTitle
	graphsWidth := width
	if p.affinity != nil {
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
	if p.affinity != nil {
		corner := vg.Point{X: graphsWidth, Y: pictureMargin}
		n1, n2 := p.affinity.Size()
		heat, _, _ := heatMap(n1*n2, p.affinity.Affinity.Row)
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
func (p *matchingPicture) title() string {
	l := &p.layout
	if n := l.count(kindUnknown); n > 0 {
		return fmt.Sprintf("%d matches", n)
	}
	return fmt.Sprintf("%d matches: %d right, %d wrong", len(l.lines), l.count(kindRight), l.count(kindWrong))
}

func (p *matchingPicture) drawGraphs(c draw.Canvas) {
	on := func(at layoutPlace) vg.Point {
		return vg.Point{X: pictureMargin + vg.Length(at.x)*pictureUnit, Y: pictureMargin + vg.Length(at.y)*pictureUnit}
	}
	for k, f := range p.layout.frames {
		if p.images[k] != nil {
			c.DrawImage(vg.Rectangle{Min: on(layoutPlace{f.left, 0}), Max: on(layoutPlace{f.left + f.width, f.height})}, p.images[k])
		}
	}
	for _, line := range p.layout.lines {
		from, to := on(line.from), on(line.to)
		c.StrokeLine2(draw.LineStyle{Color: kindColors[line.kind], Width: 1.2}, from.X, from.Y, to.X, to.Y)
	}
	for _, node := range p.layout.nodes {
		c.DrawGlyph(draw.GlyphStyle{Color: kindColors[node.kind], Radius: 3.5, Shape: draw.CircleGlyph{}}, on(node.at))
	}
}

func writeText(c draw.Canvas, at vg.Point, words string) {
	style := text.Style{Color: color.Black, Font: font.From(plot.DefaultFont, 11), Handler: plot.DefaultTextHandler}
	c.FillText(style, at, words)
}

// heatMap shows a matrix of n rows, the first entry at the upper left: from blue, the
// least, to red, the greatest entry off the diagonal, or 0; both are returned. Colours
// are symmetric around 0 where there are both signs. The diagonal, which can be much
// larger, ends at the same colours.
func heatMap(n int, row func(dst []float64, p int)) (picture image.Image, least, greatest float64) {
	entries := make([]float64, n)
	for p := range n {
		row(entries, p)
		entries[p] = 0
		least, greatest = min(least, slices.Min(entries)), max(greatest, slices.Max(entries))
	}
	from, to := least, greatest
	if from < 0 && to > 0 {
		to = max(to, -from)
		from = -to
	}
	if from == to { // of a diagonal matrix
		from, to = -1, 1
	}
	colors := moreland.SmoothBlueRed().Palette(256).Colors()
	pixels := image.NewNRGBA(image.Rect(0, 0, n, n))
	for p := range n {
		row(entries, p)
		for q, v := range entries {
			place := (min(max(v, from), to) - from) / (to - from)
			pixels.Set(q, p, colors[int(place*float64(len(colors)-1))])
		}
	}
	return pixels, least, greatest
}
