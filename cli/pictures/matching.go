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

// kindColors are the colours of the paper's figure; those of edges differ for every eye (Okabe and
// Ito's blue and vermilion), and in their lines.
var kindColors = map[layoutKind]color.NRGBA{
	kindUnknown: {130, 130, 130, 255},
	kindRight:   {34, 139, 34, 255},
	kindWrong:   {214, 39, 40, 255},
	kindInlier:  {30, 30, 30, 255},
	kindUnsure:  {30, 30, 30, 255},
	kindOutlier: {31, 90, 220, 255},
	kindShared:  {0, 114, 178, 255},
	kindOnly:    {213, 94, 0, 255},

	kindChanged:  {204, 121, 167, 255},
	kindDeleted:  {213, 94, 0, 255},
	kindInserted: {0, 158, 115, 255},
}

// glyphs are the shapes of nodes.
var glyphs = map[layoutKind]draw.GlyphDrawer{
	kindUnknown: draw.CircleGlyph{}, kindInlier: draw.CircleGlyph{}, kindUnsure: draw.RingGlyph{}, kindOutlier: draw.BoxGlyph{},
	kindChanged: draw.PyramidGlyph{}, kindDeleted: draw.CrossGlyph{}, kindInserted: draw.BoxGlyph{},
}

// Matching is a picture of a matching.
type Matching struct {
	Layout   Layout
	Images   [2]image.Image // below the graphs; nil for none
	Affinity *qap.Instance  // drawn as a heat map beside them; nil for none
}

// The sizes of a picture.
const (
	pictureMargin = vg.Length(18)
	pictureTitle  = vg.Length(22)
	lineHeight    = vg.Length(15)
	titleSize     = 11
	labelSize     = 7.5
)

// drawing is a picture whose parts have their places on paper: all of it is made before anything is
// drawn.
type drawing struct {
	layout        *Layout
	unit          vg.Length // a frame's longer side
	scale         vg.Length // of nodes and lines: 1, less where there are many
	width, height vg.Length
	left, bottom  vg.Length // of the frames
	graphsWidth   vg.Length // of the frames with their margins
	title         string
	labels        []label
	legend        []legendEntry
	about         string
}

// label is the name of a node.
type label struct {
	text string
	at   vg.Point // the lower left of the text
	box  vg.Rectangle
}

// legendEntry says what a line or a node means.
type legendEntry struct {
	kind layoutKind
	edge bool
	text string
}

// arrange places all parts.
func (p *Matching) arrange() *drawing {
	l := &p.Layout
	d := &drawing{layout: l, title: p.title(), legend: l.legend(), about: l.about}
	nodes := float64(len(l.nodes))
	// Many nodes get more room, and then are drawn smaller, so that they do not cover each other.
	const few, many, inches, most = 60, 240, 3, 12
	d.unit = vg.Length(min(inches*math.Sqrt(max(1, nodes/few)), most)) * vg.Inch
	d.scale = vg.Length(max(math.Sqrt(min(1, many/nodes)), .25))
	below := lineHeight * vg.Length(len(d.legend))
	if d.about != "" {
		below += lineHeight
	}
	above := pictureTitle
	if l.titles[0] != "" {
		above += lineHeight
	}
	d.left, d.bottom = pictureMargin, pictureMargin+below
	if below > 0 {
		d.bottom += pictureMargin
	}
	d.width = vg.Length(l.width)*d.unit + 2*pictureMargin
	frames := vg.Length(max(l.height, 0.2)) * d.unit
	if p.Affinity != nil {
		frames = max(frames, d.unit)
	}
	d.height = d.bottom + frames + pictureMargin + above
	d.width = max(d.width, textWidth(d.about, titleSize)+2*pictureMargin, textWidth(d.title, titleSize)+2*pictureMargin)
	for _, e := range d.legend {
		d.width = max(d.width, textWidth(e.text, titleSize)+legendSample+2*pictureMargin)
	}
	d.graphsWidth = d.width
	if p.Affinity != nil {
		d.width += d.unit + pictureMargin
	}
	d.labels = d.placeLabels()
	return d
}

// on returns where a place is on paper.
func (d *drawing) on(at layoutPlace) vg.Point {
	return vg.Point{X: d.left + vg.Length(at.x)*d.unit, Y: d.bottom + vg.Length(at.y)*d.unit}
}

func (d *drawing) radius() vg.Length { return 3.2 * d.scale }

// Write draws the picture in a format: "svg" or "png".
func (p *Matching) Write(out io.Writer, format string) error {
	d := p.arrange()
	return Write(out, format, d.width, d.height, func(c draw.Canvas) {
		c.FillPolygon(color.White, []vg.Point{{}, {X: d.width}, {X: d.width, Y: d.height}, {Y: d.height}})
		d.draw(c, p.Images)
		if p.Affinity != nil {
			corner := vg.Point{X: d.graphsWidth, Y: d.bottom}
			n1, n2 := p.Affinity.Size()
			heat, _, _ := HeatMap(n1*n2, p.Affinity.Affinity.Row)
			c.DrawImage(squareAt(corner, d.unit), heat)
			writeText(c, vg.Point{X: d.graphsWidth, Y: d.height - pictureMargin}, "affinity K", titleSize)
		}
	})
}

func squareAt(corner vg.Point, side vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: corner, Max: vg.Point{X: corner.X + side, Y: corner.Y + side}}
}

// title counts the matches.
func (p *Matching) title() string {
	l := &p.Layout
	if l.edited != "" {
		return l.edited
	}
	if n := l.count(kindUnknown); n > 0 {
		return fmt.Sprintf("%d matches", n)
	}
	return fmt.Sprintf("%d matches: %d right, %d wrong", len(l.lines), l.count(kindRight), l.count(kindWrong))
}

// legend returns what the lines and nodes of two graphs mean, with how many there are.
func (l *Layout) legend() []legendEntry {
	if l.about == "" {
		return nil
	}
	var edges, nodes [2]map[layoutKind]int
	for k := range 2 {
		edges[k], nodes[k] = map[layoutKind]int{}, map[layoutKind]int{}
	}
	for _, e := range l.edges {
		edges[e.graph][e.kind]++
	}
	for _, n := range l.nodes {
		nodes[n.graph][n.kind]++
	}
	if l.edited != "" {
		return editLegend(edges, nodes)
	}
	matched := "matched"
	if l.assessed {
		matched = "matched, sure"
	}
	var entries []legendEntry
	if len(l.edges) > 0 {
		entries = append(entries,
			legendEntry{kindShared, true, fmt.Sprintf("edge in both graphs: %d", edges[0][kindShared])},
			legendEntry{kindOnly, true, fmt.Sprintf("edge in one graph only: %d in A, %d in B", edges[0][kindOnly], edges[1][kindOnly])})
	}
	for _, e := range []struct {
		kind layoutKind
		what string
	}{{kindInlier, matched}, {kindUnsure, "matched, not sure"}} {
		if n := nodes[0][e.kind]; n > 0 {
			entries = append(entries, legendEntry{e.kind, false, fmt.Sprintf("%s: %d", e.what, n)})
		}
	}
	if a, b := nodes[0][kindOutlier], nodes[1][kindOutlier]; a+b > 0 {
		entries = append(entries, legendEntry{kindOutlier, false, fmt.Sprintf("without a partner: %d in A, %d in B", a, b)})
	}
	return entries
}

// editLegend returns what the lines and nodes of edits mean, of those that there are.
func editLegend(edges, nodes [2]map[layoutKind]int) (entries []legendEntry) {
	for _, e := range []struct {
		kind, node layoutKind
		graph      int
		what       string
	}{{kindShared, kindInlier, 0, "kept"}, {kindChanged, kindChanged, 0, "changed"}, {kindDeleted, kindDeleted, 0, "deleted"}, {kindInserted, kindInserted, 1, "inserted"}} {
		if n := nodes[e.graph][e.node]; n > 0 {
			entries = append(entries, legendEntry{e.node, false, fmt.Sprintf("node %s: %d", e.what, n)})
		}
		if n := edges[e.graph][e.kind]; n > 0 {
			entries = append(entries, legendEntry{e.kind, true, fmt.Sprintf("edge %s: %d", e.what, n)})
		}
	}
	return entries
}

// draw draws all but the affinity.
func (d *drawing) draw(c draw.Canvas, images [2]image.Image) {
	l := d.layout
	for k, f := range l.frames {
		if images[k] != nil {
			c.DrawImage(vg.Rectangle{Min: d.on(layoutPlace{f.left, f.bottom}), Max: d.on(layoutPlace{f.left + f.width, f.bottom + f.height})}, images[k])
		}
	}
	if !l.alike {
		for _, line := range l.lines {
			style := d.style(line.kind)
			if len(l.edges) > 0 { // which are what counts
				style.Width, style.Color = style.Width/2, transparentLine(kindColors[line.kind])
			}
			d.line(c, style, line)
		}
	}
	for _, kind := range []layoutKind{kindShared, kindOnly, kindChanged, kindDeleted, kindInserted} { // what is wrong is on top
		for _, e := range l.edges {
			if e.kind == kind {
				d.line(c, d.style(kind), e)
			}
		}
	}
	for _, node := range l.nodes {
		d.node(c, node.kind, d.on(node.at), d.radius())
	}
	for _, w := range d.labels { // readable also where an edge goes below
		c.FillPolygon(color.NRGBA{255, 255, 255, 170}, []vg.Point{w.box.Min, {X: w.box.Max.X, Y: w.box.Min.Y}, w.box.Max, {X: w.box.Min.X, Y: w.box.Max.Y}})
	}
	for _, w := range d.labels {
		writeText(c, w.at, w.text, labelSize)
	}
	d.drawWords(c)
}

const legendSample = vg.Length(34) // of a line or a node, with the blank before its text

// drawWords writes the title, the names of the graphs and the legend.
func (d *drawing) drawWords(c draw.Canvas) {
	l := d.layout
	writeText(c, vg.Point{X: pictureMargin, Y: d.height - pictureMargin}, d.title, titleSize)
	for k, title := range l.titles {
		at := vg.Point{X: d.left + vg.Length(l.frames[k].left)*d.unit, Y: d.height - pictureMargin - pictureTitle}
		if k == 1 && l.frames[0].bottom > 0 { // below the first graph
			at.Y = d.on(layoutPlace{y: l.frames[1].height}).Y + lineHeight
		}
		writeText(c, at, title, titleSize)
	}
	y := d.bottom - pictureMargin - lineHeight/2
	for _, e := range d.legend {
		middle := vg.Point{X: pictureMargin + 12, Y: y + 3.5}
		if e.edge {
			style := d.style(e.kind)
			style.Width = 1.4
			c.StrokeLine2(style, middle.X-12, middle.Y, middle.X+12, middle.Y)
		} else {
			d.node(c, e.kind, middle, 3.5)
		}
		writeText(c, vg.Point{X: pictureMargin + legendSample, Y: y}, e.text, titleSize)
		y -= lineHeight
	}
	writeText(c, vg.Point{X: pictureMargin, Y: y}, d.about, titleSize)
}

// dashes are how lines are broken that are not in both graphs as they are.
var dashes = map[layoutKind][]vg.Length{kindOnly: {4, 2.5}, kindChanged: {7, 2, 1.5, 2}, kindDeleted: {4, 2.5}, kindInserted: {1.5, 2}}

// style is how a line is drawn.
func (d *drawing) style(kind layoutKind) draw.LineStyle {
	return draw.LineStyle{Color: kindColors[kind], Width: 1.2 * d.scale, Dashes: dashes[kind]}
}

func (d *drawing) line(c draw.Canvas, style draw.LineStyle, l layoutLine) {
	from, to := d.on(l.from), d.on(l.to)
	c.StrokeLine2(style, from.X, from.Y, to.X, to.Y)
}

// node draws a node; the inside of a ring is white, so that no edge goes through it.
func (d *drawing) node(c draw.Canvas, kind layoutKind, at vg.Point, radius vg.Length) {
	if kind == kindUnsure {
		c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: radius, Shape: draw.CircleGlyph{}}, at)
	}
	shape := glyphs[kind]
	if shape == nil {
		shape = draw.CircleGlyph{}
	}
	c.DrawGlyph(draw.GlyphStyle{Color: kindColors[kind], Radius: radius, Shape: shape}, at)
}

func transparentLine(c color.NRGBA) color.NRGBA {
	c.A = 110
	return c
}

func textStyle(size vg.Length) text.Style {
	return text.Style{Color: color.Black, Font: font.From(plot.DefaultFont, size), Handler: plot.DefaultTextHandler}
}

func textWidth(words string, size vg.Length) vg.Length {
	if words == "" {
		return 0
	}
	return textStyle(size).Width(words)
}

func writeText(c draw.Canvas, at vg.Point, words string, size vg.Length) {
	if words != "" {
		c.FillText(textStyle(size), at, words)
	}
}
