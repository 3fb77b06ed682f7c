package chart

import (
	"math"
	"slices"
)

// Series is a line: Y over X, with Error, if it has as many values, up and down.
type Series struct {
	Name        string
	X, Y, Error []float64
}

// Lines draws series over one axis, with a legend to their right.
func Lines(title, xLabel, yLabel string, series []Series) string {
	const left, top, width, height, legend = 54, 26, 380, 230, 230
	var xs, ys []float64
	for _, s := range series {
		xs = append(xs, s.X...)
		ys = append(ys, s.Y...)
	}
	p := &picture{width: left + width + legend, height: top + height + 44}
	x, y := newAxis(xs, left, left+width), newAxis(ys, top+height, top)
	if len(xs) > 0 { // the range itself, not from 0
		x.log, x.low, x.high = false, slices.Min(xs), slices.Max(xs)
		if x.high == x.low {
			x.high++
		}
		x.step = niceStep(x.high - x.low)
	}
	p.label(left, 16, "start", title)
	p.frame(x, y, xLabel, yLabel)
	for k, s := range series {
		p.series(x, y, k, s)
		p.add(`<path class="line c%v" d="M%v %vh18"%v/>`, k%colours, float64(left+width+14), float64(top+10+18*k), dashes(k))
		p.label(left+width+38, float64(top+14+18*k), "start", s.Name)
	}
	return p.end(title + ": " + yLabel + " over " + xLabel)
}

// dashed is an attribute, which is not escaped.
type dashed string

func dashes(k int) dashed {
	if k < colours {
		return ""
	}
	return ` stroke-dasharray="5 3"`
}

// frame draws the axes and their grid.
func (p *picture) frame(x, y axis, xLabel, yLabel string) {
	for _, v := range y.ticks() {
		p.add(`<path class="grid" d="M%v %vH%v"/>`, x.from, y.at(v), x.to)
		p.label(x.from-6, y.at(v)+4, "end", tickText(v))
	}
	for _, v := range x.ticks() {
		p.add(`<path class="grid" d="M%v %vV%v"/>`, x.at(v), y.from, y.to)
		p.label(x.at(v), y.from+16, "middle", tickText(v))
	}
	p.add(`<path class="axis" d="M%v %vV%vH%v"/>`, x.from, y.to, y.from, x.to)
	p.label((x.from+x.to)/2, y.from+34, "middle", xLabel)
	p.add(`<text transform="translate(13 %v) rotate(-90)" text-anchor="middle">%v</text>`, (y.from+y.to)/2, yLabel)
}

// series draws the k-th line.
func (p *picture) series(x, y axis, k int, s Series) {
	path := ""
	for i := range s.X {
		if math.IsNaN(s.Y[i]) {
			continue
		}
		step := "L"
		if path == "" {
			step = "M"
		}
		at, value := x.at(s.X[i]), y.at(s.Y[i])
		path += step + number(at) + " " + number(value)
		if len(s.Error) == len(s.X) {
			p.add(`<path class="line c%v" d="M%v %vV%v"/>`, k%colours, at, y.at(s.Y[i]-s.Error[i]), y.at(s.Y[i]+s.Error[i]))
		}
		p.add(`<circle class="dot c%v" cx="%v" cy="%v" r="2.6"><title>%v: %v</title></circle>`, k%colours, at, value, s.Name, tickText(s.Y[i]))
	}
	p.add(`<path class="line c%v" d="%v"%v/>`, k%colours, path, dashes(k))
}

// Row is a named line of values.
type Row struct {
	Name   string
	Values []float64
}

// Dots draws a line for each row: a dot for each of its values, a bar to their mean.
func Dots(title, label string, rows []Row) string {
	const left, top, width, line = 190, 26, 460, 22
	var all []float64
	for _, r := range rows {
		all = append(all, r.Values...)
	}
	height := float64(line * len(rows))
	p := &picture{width: left + width + 20, height: top + height + 44}
	x := newAxis(all, left, left+width)
	p.label(8, 16, "start", title)
	for _, v := range x.ticks() {
		p.add(`<path class="grid" d="M%v %vV%v"/>`, x.at(v), float64(top), top+height)
		p.label(x.at(v), top+height+16, "middle", tickText(v))
	}
	p.label(left+width/2, top+height+34, "middle", label)
	for k, r := range rows {
		y := float64(top + line*k + line/2)
		p.label(left-8, y+4, "end", r.Name)
		if len(r.Values) > 0 {
			sum := 0.0
			for _, v := range r.Values {
				sum += v
			}
			p.add(`<path class="bar" d="M%v %vH%vV%vH%vz"/>`, float64(left), y-6, x.at(sum/float64(len(r.Values))), y+6, float64(left))
		}
		for _, v := range r.Values {
			p.add(`<circle class="dot c0" cx="%v" cy="%v" r="3"><title>%v: %v</title></circle>`, x.at(v), y, r.Name, tickText(v))
		}
	}
	return p.end(title + ": " + label)
}
