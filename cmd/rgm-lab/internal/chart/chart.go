// Package chart draws small SVG pictures for pages: lines, rows of dots, heat maps and clouds of
// points. They have no script and name nothing outside of themselves, and follow the reader's
// choice of light or dark, as files of their own and inside a page.
package chart

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Style is what the pictures look like. Every picture has it; a page with several needs it once.
const Style = `.chart{color:#1f2328;font:12px system-ui,sans-serif;max-width:100%;height:auto}
.chart text{fill:currentColor}.chart .grid{stroke:#8886;stroke-width:.6}.chart .axis{stroke:currentColor;fill:none}
.chart .c0{--c:#0b62c4}.chart .c1{--c:#c2410c}.chart .c2{--c:#187a33}.chart .c3{--c:#8a3ffc}.chart .c4{--c:#a8750a}.chart .c5{--c:#c2185b}.chart .c6{--c:#0a7f8c}.chart .c7{--c:#6b7280}
.chart .line{stroke:var(--c);fill:none;stroke-width:1.8}.chart .dot{fill:var(--c)}.chart .bar{fill:#8883}.chart .cloud{stroke:var(--c);stroke-opacity:.35;stroke-width:3;stroke-linecap:round;fill:none}
.chart .cell text{fill:#111}
@media(prefers-color-scheme:dark){.chart{color:#d7dde4}.chart .c0{--c:#6cb0ff}.chart .c1{--c:#ff9b63}.chart .c2{--c:#5fd07c}.chart .c3{--c:#c4a1ff}.chart .c4{--c:#e8bd55}.chart .c5{--c:#ff86b3}.chart .c6{--c:#57d3df}.chart .c7{--c:#a9b1bb}}
`

// colours is how many there are; the lines after them are dashed.
const colours = 8

// picture is an SVG under construction; y counts downwards.
type picture struct {
	text          strings.Builder
	width, height float64
}

// end returns the picture with what it shows as its description.
func (p *picture) end(about string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="%s"><style>%s</style>%s</svg>`+"\n",
		number(p.width), number(p.height), number(p.width), number(p.height), html.EscapeString(about), Style, p.text.String())
}

func (p *picture) add(format string, values ...any) {
	for k, v := range values {
		switch v := v.(type) {
		case float64:
			values[k] = number(v)
		case string:
			values[k] = html.EscapeString(v)
		}
	}
	fmt.Fprintf(&p.text, format+"\n", values...)
}

// label writes words; anchor is start, middle or end.
func (p *picture) label(x, y float64, anchor, words string) {
	p.add(`<text x="%v" y="%v" text-anchor="%v">%v</text>`, x, y, anchor, words)
}

// number writes a coordinate.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// axis maps values to a range of the picture, which may run backwards.
type axis struct {
	low, high float64 // values
	from, to  float64 // of the picture
	log       bool
	step      float64 // between ticks
}

// wide is how many times the least value the largest is from where on an axis is logarithmic.
const wide = 30

// newAxis returns an axis for values, from 0 on where they are not far apart.
func newAxis(values []float64, from, to float64) axis {
	a := axis{low: math.Inf(1), high: math.Inf(-1), from: from, to: to}
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			a.low, a.high = min(a.low, v), max(a.high, v)
		}
	}
	if a.low > a.high { // no values
		a.low, a.high = 0, 1
	}
	if a.low > 0 && a.high > wide*a.low {
		a.log = true
		a.low, a.high = math.Pow(10, math.Floor(math.Log10(a.low))), math.Pow(10, math.Ceil(math.Log10(a.high)))
		return a
	}
	a.low = min(a.low, 0)
	if a.high <= a.low {
		a.high = a.low + 1
	}
	a.step = niceStep(a.high - a.low)
	a.low, a.high = a.step*math.Floor(a.low/a.step+1e-9), a.step*math.Ceil(a.high/a.step-1e-9)
	return a
}

// niceStep returns 1, 2 or 5 times a power of ten, of which a range has four to ten.
func niceStep(spread float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(spread/4)))
	for _, factor := range []float64{5, 2, 1} {
		if spread/(factor*power) >= 4 {
			return factor * power
		}
	}
	return power
}

// at returns where a value is; values beyond the axis are at its end.
func (a axis) at(v float64) float64 {
	v = min(max(v, a.low), a.high)
	share := (v - a.low) / (a.high - a.low)
	if a.log {
		share = math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	return a.from + share*(a.to-a.from)
}

// ticks returns the values that an axis names.
func (a axis) ticks() []float64 {
	var values []float64
	if a.log {
		for v := a.low; v <= a.high*1.001; v *= 10 {
			values = append(values, v)
		}
		return values
	}
	for k := 0; ; k++ {
		v := a.low + float64(k)*a.step
		if v > a.high+a.step/1000 {
			return values
		}
		values = append(values, v)
	}
}

// tickText writes a tick without the noise of its sum.
func tickText(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
