package pictures

import (
	"image"
	"slices"

	"gonum.org/v1/plot/palette/moreland"
)

// HeatMap shows a matrix of n rows, the first entry at the upper left: from blue, the
// least, to red, the greatest entry off the diagonal, or 0; both are returned. Colours
// are symmetric around 0 where there are both signs. The diagonal, which can be much
// larger, ends at the same colours.
func HeatMap(n int, row func(dst []float64, p int)) (picture image.Image, least, greatest float64) {
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
