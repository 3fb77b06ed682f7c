// Package pictures draws matchings and learning curves, SVG or PNG, and writes whatever
// gonum's plot draws.
package pictures

import (
	"bytes"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgsvg"
)

// WritePlots draws plots of equal size, row by row, in a format. A nil plot leaves its place
// empty.
func WritePlots(out io.Writer, format string, width, height vg.Length, plots ...[]*plot.Plot) error {
	const padding = vg.Length(12)
	tiles := draw.Tiles{
		Rows: len(plots), Cols: len(plots[0]), PadX: padding, PadY: padding,
		PadTop: padding, PadBottom: padding, PadLeft: padding, PadRight: padding,
	}
	return Write(out, format, width, height, func(c draw.Canvas) {
		for j, row := range plot.Align(plots, tiles, c) {
			for i, canvas := range row {
				if plots[j][i] != nil {
					plots[j][i].Draw(canvas)
				}
			}
		}
	})
}

// Write writes what draws on a canvas in a format: "svg", which has colours for light and dark paper, or "png".
func Write(out io.Writer, format string, width, height vg.Length, drawn func(draw.Canvas)) error {
	picture, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	}
	drawn(draw.New(picture))
	if format != "svg" {
		_, err = picture.WriteTo(out)
		return err
	}
	var text bytes.Buffer
	if _, err = picture.WriteTo(&text); err != nil {
		return err
	}
	_, err = out.Write(withDark(text.Bytes()))
	return err
}
