package plots

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// TestPicturesOfPages: every picture is one XML document, names what users wrote without breaking
// it, has no number that is none, and asks for nothing from elsewhere.
func TestPicturesOfPages(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct{ svg, shows string }{
		"lines":  {Lines("a < b & \"c\"", "x", "y", []Series{{Name: "<p>", X: []float64{0, 1, 2}, Y: []float64{1, nan, 3}, Error: []float64{1, 1, 1}}}), "&lt;p&gt;"},
		"none":   {Lines("none", "x", "y", nil), "none"},
		"one":    {Lines("one", "x", "y", []Series{{Name: "s", X: []float64{2}, Y: []float64{0}}, {Name: "empty", X: []float64{1}, Y: []float64{nan}}}), ">s<"},
		"dots":   {Dots("dots", "gap", []Row{{"a", []float64{0.1, 0.2}}, {"b & c", []float64{90}}, {"empty", nil}}), "b &amp; c"},
		"nodots": {Dots("dots", "gap", nil), "dots"},
		"heat":   {Heat(Table{Title: "heat", Rows: []string{"r", "s"}, Columns: []string{"c"}, Values: [][]float64{{1}, {nan}}, Low: true}), "1.00"},
		"noheat": {Heat(Table{Title: "heat"}), "heat"},
		"clouds": {Clouds("x", "y", 2, []Cloud{{Title: "J", X: []float64{50}, Y: []float64{7}}, {Title: "J2"}}), "J2"},
	} {
		decoder := xml.NewDecoder(strings.NewReader(c.svg))
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if !strings.Contains(c.svg, c.shows) {
			t.Errorf("%s does not show %s", name, c.shows)
		}
		for _, wrong := range []string{"NaN", "Inf", "%!", " href", "url(", "<script"} {
			if strings.Contains(c.svg, wrong) {
				t.Errorf("%s holds %s", name, wrong)
			}
		}
	}
}
