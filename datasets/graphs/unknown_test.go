package graphs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestUnknownValues: every format says what is unknown in its own way, and it is NaN, or an empty word.
func TestUnknownValues(t *testing.T) {
	const key = `<key id="%s" for="node" attr.name="%s" attr.type="%s"/>`
	graphml := "<graphml>" + fmt.Sprintf(key, "p", "x", "double") + fmt.Sprintf(key, "q", "y", "double") + fmt.Sprintf(key, "r", "age", "double") +
		fmt.Sprintf(key, "s", "town", "string") + `<graph><node id="a"><data key="p">1</data><data key="q">2</data></node>` +
		`<node id="b"><data key="q">5</data><data key="r">40</data><data key="s">Ulm</data></node></graph></graphml>`
	for name, text := range map[string]string{
		"a.csv":     "x,town,y,age\n1,,2,\n,Ulm,5,40\n",
		"nan.csv":   "x,town,y,age\n1,,2,NaN\nnan,Ulm,5,40\n",
		"a.json":    `{"nodes":[{"id":"a","x":1,"y":2,"age":null,"town":null},{"id":"b","x":null,"y":5,"age":40,"town":"Ulm"}],"links":[]}`,
		"a.graphml": graphml,
	} {
		g := must.Get(Read(name, strings.NewReader(text), int64(len(text))))(t)
		if got := fmt.Sprint(g.Points, g.PointNames, g.Features, g.FeatureNames, g.NodeWords); got != "[[1 2] [NaN 5]] [x y] [[NaN] [40]] [age] [{town [ Ulm]}]" {
			t.Errorf("%s: %s", name, got)
		}
	}
	array := must.Get(Open("testdata/bad_points.npy"))(t)
	if got := fmt.Sprint(array.Points[1]); got != "[1 NaN]" {
		t.Errorf("the array has %s", got)
	}
	// Columns that begin with gaps may be words; without names of columns, an empty cell is no header.
	g := must.Get(ReadCSV(strings.NewReader("kind,size,name,town\n,,a,\nred,,b,\n,2,c,Ulm\n")))(t)
	if got := fmt.Sprint(g.NodeWords, g.Points, g.PointNames, g.Names); got != "[{kind [ red ]} {town [  Ulm]}] [[NaN] [NaN] [2]] [size] [a b c]" {
		t.Errorf("gaps at first: %s", got)
	}
	g = must.Get(ReadCSV(strings.NewReader("1,,3\n4,5,6\n")))(t)
	if got := fmt.Sprint(g.Points); got != "[[1 NaN 3] [4 5 6]]" {
		t.Errorf("without names: %s", got)
	}
	for _, p := range (&Graph{Nodes: 3, Points: [][]float64{{0, 1}, {g.Points[0][1], 2}, {4, 3}}}).Places() {
		if p.X != p.X || p.Y != p.Y {
			t.Errorf("drawn at %v", p)
		}
	}
}
