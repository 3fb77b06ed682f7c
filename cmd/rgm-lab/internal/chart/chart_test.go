package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestPicturesAreWellFormed: every picture is one XML document, names what users wrote without
// breaking it, and asks for nothing from elsewhere.
func TestPicturesAreWellFormed(t *testing.T) {
	for name, svg := range map[string]string{
		"lines":  Lines("a < b & \"c\"", "x", "y", []Series{{Name: "<p>", X: []float64{0, 1, 2}, Y: []float64{1, math.NaN(), 3}, Error: []float64{1, 1, 1}}}),
		"none":   Lines("none", "x", "y", nil),
		"one":    Lines("one", "x", "y", []Series{{Name: "s", X: []float64{2}, Y: []float64{0}}}),
		"dots":   Dots("dots", "gap", []Row{{"a", []float64{0.1, 0.2}}, {"b & c", []float64{90}}, {"empty", nil}}),
		"heat":   Heat("heat", "rows", "columns", []string{"r", "s"}, []string{"c"}, [][]float64{{1}, {math.NaN()}}, true),
		"clouds": Clouds("x", "y", 2, []Cloud{{Title: "J", X: []float64{50}, Y: []float64{7}}}),
	} {
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, svg)
			}
		}
		for _, wrong := range []string{"NaN", "Inf", "%!", "href", "url(", "<script"} {
			if strings.Contains(svg, wrong) {
				t.Errorf("%s holds %s", name, wrong)
			}
		}
	}
}

// TestAxis: ticks span the values, and values are where their share of the range is.
func TestAxis(t *testing.T) {
	a := newAxis([]float64{20, 87}, 0, 100)
	if ticks := a.ticks(); !slices.Equal(ticks, []float64{0, 20, 40, 60, 80, 100}) || a.at(50) != 50 || a.at(1000) != 100 {
		t.Errorf("ticks %v, 50 at %v, 1000 at %v", ticks, a.at(50), a.at(1000))
	}
	log := newAxis([]float64{0.02, 90}, 0, 40)
	if ticks := log.ticks(); len(ticks) != 5 || !log.log || math.Abs(log.at(1)-20) > 1e-9 {
		t.Errorf("ticks %v, 1 at %v", ticks, log.at(1))
	}
}

// TestGoodness: 1 is the best of a column, whichever way is good.
func TestGoodness(t *testing.T) {
	values := [][]float64{{1, 5}, {3, 5}, {math.NaN(), 5}}
	if goodness(values, 0, 0, true) != 1 || goodness(values, 1, 0, true) != 0 || goodness(values, 1, 0, false) != 1 || goodness(values, 2, 1, true) != 1 {
		t.Error("wrong ranks")
	}
}
