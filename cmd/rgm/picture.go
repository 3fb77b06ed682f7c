package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg" // the format png
	_ "gonum.org/v1/plot/vg/vgsvg" // the format svg

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// fileFormat returns the ending of a name: svg.
func fileFormat(path string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
}

// checkOutput returns an error unless a file that a setting names has one of the
// formats and can be in its folder, which is better known before a long measurement.
func checkOutput(setting, path string, formats ...string) error {
	if !slices.Contains(formats, fileFormat(path)) {
		return fmt.Errorf("--%s %s: want a name that ends in .%s", setting, path, strings.Join(formats, " or ."))
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("--%s: %w", setting, err)
	}
	return nil
}

// The formats of pictures.
const (
	formatSVG = "svg"
	formatPNG = "png"
)

// savePlots draws plots of equal size, row by row, into a file of the format that its
// name asks for. A nil plot leaves its place empty.
func savePlots(path string, width, height vg.Length, plots ...[]*plot.Plot) error {
	return atomicfile.Write(path, func(out io.Writer) error { return writePlots(out, fileFormat(path), width, height, plots...) })
}

func writePlots(out io.Writer, format string, width, height vg.Length, plots ...[]*plot.Plot) error {
	const padding = vg.Length(12)
	picture, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	}
	tiles := draw.Tiles{
		Rows: len(plots), Cols: len(plots[0]), PadX: padding, PadY: padding,
		PadTop: padding, PadBottom: padding, PadLeft: padding, PadRight: padding,
	}
	for j, row := range plot.Align(plots, tiles, draw.New(picture)) {
		for i, canvas := range row {
			if plots[j][i] != nil {
				plots[j][i].Draw(canvas)
			}
		}
	}
	_, err = picture.WriteTo(out)
	return err
}

// savePanels draws plots of a size in rows of up to four.
func savePanels(path string, panels []*plot.Plot, width, height vg.Length) error {
	const most = 4
	columns := min(len(panels), most)
	if columns == 0 {
		return errors.New("there is nothing to draw")
	}
	var rows [][]*plot.Plot
	for row := range slices.Chunk(panels, columns) {
		rows = append(rows, append(row[:len(row):len(row)], make([]*plot.Plot, columns-len(row))...))
	}
	return savePlots(path, vg.Length(columns)*width, vg.Length(len(rows))*height, rows...)
}
