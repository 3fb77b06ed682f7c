package chart

import (
	"fmt"
	"math"
)

// Heat draws a table of numbers, NaN where there is none. A cell is the darker the better its
// number is in its column, as in the paper's figures: low says that less is better.
func Heat(title, rowLabel, columnLabel string, rows, columns []string, values [][]float64, low bool) string {
	const left, top, width, line = 150, 64, 58, 24
	p := &picture{width: float64(left + width*len(columns) + 12), height: float64(top + line*len(rows) + 12)}
	p.label(8, 16, "start", title)
	p.label(8, top-8, "start", rowLabel)
	p.label(float64(left), 36, "start", columnLabel)
	for c, name := range columns {
		p.label(float64(left+width*c+width/2), top-8, "middle", name)
	}
	for r, name := range rows {
		y := float64(top + line*r)
		p.label(left-8, y+16, "end", name)
		for c := range columns {
			v, x := values[r][c], float64(left+width*c)
			if math.IsNaN(v) {
				continue
			}
			p.add(`<g class="cell"><path fill="%v" d="M%v %vh%vv%vh-%vz"/>`, shade(goodness(values, r, c, low)), x, y, float64(width-1), float64(line-1), float64(width-1))
			p.label(x+width/2, y+16, "middle", cellText(v))
			p.add(`</g>`)
		}
	}
	return p.end(fmt.Sprintf("%s: %d rows, %d columns", title, len(rows), len(columns)))
}

// goodness returns 1 for the best number of a column, 0 for the worst.
func goodness(values [][]float64, row, column int, low bool) float64 {
	least, largest := math.Inf(1), math.Inf(-1)
	for _, line := range values {
		if v := line[column]; !math.IsNaN(v) {
			least, largest = min(least, v), max(largest, v)
		}
	}
	if largest == least {
		return 1
	}
	share := (values[row][column] - least) / (largest - least)
	if low {
		return 1 - share
	}
	return share
}

// shade is a red, light enough for black text.
func shade(goodness float64) string {
	pale := int(math.Round(250 - 130*goodness))
	return fmt.Sprintf("#ff%02x%02x", pale, pale)
}

func cellText(v float64) string {
	if math.Abs(v) >= 10 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// Cloud is points of one kind.
type Cloud struct {
	Title string
	X, Y  []float64
}

// Clouds draws each cloud in a panel of its own, all on the same axes; yMost is the greatest y,
// where greater ones are drawn too.
func Clouds(xLabel, yLabel string, yMost float64, clouds []Cloud) string {
	const panel, left, top, side = 270, 54, 26, 200
	p := &picture{width: float64(panel * len(clouds)), height: top + side + 44}
	for k, c := range clouds {
		from := float64(left + panel*k)
		x, y := newAxis([]float64{0, 100}, from, from+side), newAxis([]float64{0, yMost}, top+side, top)
		p.label(from, 16, "start", c.Title)
		p.add(`<g transform="translate(%v 0)">`, float64(panel*k))
		x.from, x.to = left, left+side
		p.frame(x, y, xLabel, yLabel)
		path := ""
		for i := range c.X {
			path += "M" + number(x.at(c.X[i])) + " " + number(y.at(c.Y[i])) + "h0"
		}
		p.add(`<path class="cloud c%v" d="%v"/></g>`, k%colours, path)
	}
	return p.end(fmt.Sprintf("%s over %s, %d panels", yLabel, xLabel, len(clouds)))
}
