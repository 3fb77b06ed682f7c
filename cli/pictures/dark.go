package pictures

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"
)

// On dark paper, for readers who prefer it: the colours are those of the page of rgm serve.
var (
	darkPaper = color.NRGBA{20, 24, 27, 255}
	darkInk   = color.NRGBA{231, 234, 236, 255}
	onDark    = map[layoutKind]color.NRGBA{
		kindUnknown: {160, 166, 170, 255},
		kindRight:   {76, 194, 76, 255},
		kindWrong:   {255, 122, 122, 255},
		kindInlier:  darkInk,
		kindOutlier: {199, 155, 255, 255},
		kindShared:  {86, 180, 233, 255},
		kindOnly:    {255, 157, 77, 255},

		kindChanged:  {242, 156, 207, 255},
		kindInserted: {63, 208, 160, 255},
	}
)

// darkStyle is a style for SVG in which each colour of a drawing has one for dark paper.
var darkStyle = func() string {
	var s strings.Builder
	replace := func(light, dark color.NRGBA) {
		for _, what := range []string{"fill", "stroke"} {
			fmt.Fprintf(&s, "[style*=\"%s:%s\"] { %s: %s !important }\n", what, hex(light), what, hex(dark))
		}
	}
	fmt.Fprintf(&s, "<style>@media (prefers-color-scheme: dark) {\nsvg { background: %s }\ntext, path:not([style*=\"fill:\"]) { fill: %[2]s }\n", hex(darkPaper), hex(darkInk))
	replace(color.NRGBA{255, 255, 255, 255}, darkPaper)
	replace(color.NRGBA{A: 255}, darkInk)
	replace(color.NRGBA{210, 210, 210, 255}, color.NRGBA{61, 70, 76, 255}) // bars and dots of plots
	replace(color.NRGBA{B: 159, A: 255}, color.NRGBA{109, 179, 242, 255})
	for kind := range kindInserted + 1 {
		if dark, has := onDark[kind]; has {
			replace(kindColors[kind], dark)
		}
	}
	s.WriteString("}</style>\n")
	return s.String()
}()

// hex is a colour as SVG has it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// withDark puts the style for dark paper into an SVG.
func withDark(svg []byte) []byte {
	before, after, found := bytes.Cut(svg, []byte("<g "))
	if !found {
		return svg
	}
	return bytes.Join([][]byte{before, []byte(darkStyle), []byte("<g "), after}, nil)
}
