package pictures

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	draw2 "image/draw"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/qap"
)

// Placement is a picture of a solved assignment of flows to distances: the flows, the distances between the places
// of their ends, and what each flow costs. Rows and columns are the facilities, those with much flow between them
// beside each other, where a good placement has small distances.
type Placement struct {
	Title    string
	Matching qap.Matching

	instance *qap.KoopmansBeckmann
}

// NewPlacement returns the picture of an instance, to which its title and the matching are added; only instances of
// flows and distances have one.
func NewPlacement(in *qap.Instance) (*Placement, error) {
	whole, err := in.Matrices()
	if err != nil {
		return nil, err
	}
	kb, ok := whole.Affinity.(*qap.KoopmansBeckmann)
	if !ok {
		return nil, errors.New("only a placement of flows and distances has a picture; want a folder as --out")
	}
	if n1, n2 := kb.Size(); max(n1, n2) > MostNodes {
		return nil, fmt.Errorf("a picture of %d places: want at most %d, or a folder as --out", n2, MostNodes)
	}
	return &Placement{instance: kb}, nil
}

// matrix is one of the three.
type matrix struct {
	title string
	names func(i int) string // of rows
	at    func(i, j int) float64
}

// Write draws the picture in a format: "svg" or "png".
func (p *Placement) Write(out io.Writer, format string) error {
	const side, left, about = 4 * vg.Inch, vg.Length(30), "rows and columns: facilities, always the one with the greatest A to those before it; in the middle the numbers of their places"
	order, panels := p.matrices()
	width := vg.Length(len(panels))*(side+left+pictureMargin) + pictureMargin
	height := side + 2*lineHeight + pictureTitle + 2*pictureMargin
	return Write(out, format, width, height, func(c draw.Canvas) {
		c.FillPolygon(color.White, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
		writeText(c, vg.Point{X: pictureMargin, Y: height - pictureMargin}, p.Title, titleSize)
		for k, m := range panels {
			corner := vg.Point{X: pictureMargin + left + vg.Length(k)*(side+left+pictureMargin), Y: pictureMargin + lineHeight}
			c.DrawImage(squareAt(corner, side), m.image(order))
			writeText(c, vg.Point{X: corner.X, Y: corner.Y + side + 5}, m.title, titleSize)
			drawFrame(c, squareAt(corner, side))
			m.writeNames(c, order, corner, side)
		}
		writeText(c, vg.Point{X: pictureMargin, Y: pictureMargin / 2}, about, titleSize)
	})
}

// matrices returns the order of the facilities that have a place, and what is drawn.
func (p *Placement) matrices() (order []int, three []matrix) {
	a, b, _ := p.instance.Given()
	n1, n2 := p.instance.Size()
	order = p.order(a, n1)
	flows := func(i, j int) float64 { return a[i*n1+j] }
	distances := func(i, j int) float64 { return b[p.Matching[i]*n2+p.Matching[j]] }
	return order, []matrix{
		{"A, between facilities", strconv.Itoa, flows},
		{"B, between their places", func(i int) string { return strconv.Itoa(p.Matching[i]) }, distances},
		{"cost: A times B", strconv.Itoa, func(i, j int) float64 { return flows(i, j) * distances(i, j) }},
	}
}

// order returns the facilities that have a place: first the one with the most flow, then always the one with the most
// flow to those before it.
func (p *Placement) order(a []float64, n int) (order []int) {
	between := func(i, j int) float64 { return math.Abs(a[i*n+j]) + math.Abs(a[j*n+i]) }
	left, flow := make([]int, 0, n), make([]float64, n) // first of all, then to those before
	for i := range n {
		if p.Matching[i] != qap.Unmatched {
			left = append(left, i)
		}
		for j := range n {
			flow[i] += between(i, j)
		}
	}
	for len(left) > 0 {
		at := 0
		for k, i := range left {
			if flow[i] > flow[left[at]] {
				at = k
			}
		}
		next := left[at]
		left = slices.Delete(left, at, at+1)
		if order == nil {
			clear(flow)
		}
		order = append(order, next)
		for _, j := range left {
			flow[j] += between(next, j)
		}
	}
	return order
}

// most is how many rows of a matrix a picture shows; where there are more, each shows the greatest entries of several.
const most = 600

// image returns a matrix as an image: nothing where an entry is 0, so that the paper shows.
func (m *matrix) image(order []int) image.Image {
	n := min(len(order), most)
	shown := make([]float64, n*n)
	least, greatest := 0.0, 0.0
	for row, i := range order {
		for column, j := range order {
			at := &shown[row*n/len(order)*n+column*n/len(order)]
			if v := m.at(i, j); math.Abs(v) > math.Abs(*at) {
				*at = v
				least, greatest = min(least, v), max(greatest, v)
			}
		}
	}
	scale := max(1, most/max(n, 1)) // small matrices get more than one pixel an entry, or they would be blurred
	picture := image.NewNRGBA(image.Rect(0, 0, max(n, 1)*scale, max(n, 1)*scale))
	for at, v := range shown {
		if v == 0 {
			continue
		}
		c, top := color.NRGBA{30, 136, 210, 0}, greatest // on light and on dark paper
		if v < 0 {
			c, top = kindColors[kindOnly], least
		}
		c.A = uint8(20 + 235*v/top)
		corner := image.Pt(at%n, at/n).Mul(scale)
		draw2.Draw(picture, image.Rectangle{corner, corner.Add(image.Pt(scale, scale))}, image.NewUniform(c), image.Point{}, draw2.Src)
	}
	return picture
}

// writeNames writes the numbers of rows, of as many as there is room for.
func (m *matrix) writeNames(c draw.Canvas, order []int, corner vg.Point, side vg.Length) {
	high := side / vg.Length(max(len(order), 1))
	step := int((labelSize+1.5)/high) + 1
	if high > labelSize+1.5 {
		step = 1
	}
	for row := 0; row < len(order); row += step {
		name := m.names(order[row])
		y := corner.Y + side - high*(vg.Length(row)+.5) - labelSize/3
		writeText(c, vg.Point{X: corner.X - textWidth(name, labelSize) - 3, Y: y}, name, labelSize)
	}
}

// drawFrame draws the border of a matrix.
func drawFrame(c draw.Canvas, r vg.Rectangle) {
	style := draw.LineStyle{Color: kindColors[kindUnknown], Width: .5}
	for _, l := range [][4]vg.Length{{r.Min.X, r.Min.Y, r.Max.X, r.Min.Y}, {r.Max.X, r.Min.Y, r.Max.X, r.Max.Y}, {r.Max.X, r.Max.Y, r.Min.X, r.Max.Y}, {r.Min.X, r.Max.Y, r.Min.X, r.Min.Y}} {
		c.StrokeLine2(style, l[0], l[1], l[2], l[3])
	}
}
