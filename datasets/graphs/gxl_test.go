package graphs

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const moleculeGXL = `<?xml version="1.0"?>
<!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd">
<gxl><graph id="1" edgeids="false" edgemode="undirected">
<node id="_1"><attr name="symbol"><string>C  </string></attr><attr name="charge"><int>0</int></attr><attr name="x"><float>1.5</float></attr></node>
<node id="_2"><attr name="symbol"><string>O</string></attr><attr name="charge"><int>-1</int></attr><attr name="x"><float>2</float></attr></node>
<node id="_3"><attr name="symbol"><string>C</string></attr><attr name="charge"><int>0</int></attr><attr name="x"><float>0</float></attr></node>
<edge from="_2" to="_1"><attr name="valence"><int>2</int></attr></edge>
<edge from="_1" to="_3"><attr name="valence"><int>1</int></attr></edge>
</graph></gxl>`

func TestReadGXL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "molecule.gxl")
	if err := os.WriteFile(path, []byte(moleculeGXL), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want := Graph{
		Name: "molecule", Nodes: 3, Names: []string{"_1", "_2", "_3"}, Edges: []Edge{{0, 1}, {0, 2}},
		Points: [][]float64{{1.5}, {2}, {0}}, PointNames: []string{"x"}, Features: [][]float64{{0}, {-1}, {0}}, FeatureNames: []string{"charge"},
		NodeWords:   []Attribute[string]{{"symbol", []string{"C", "O", "C"}}},
		EdgeNumbers: []Attribute[float64]{{"valence", []float64{2, 1}}},
	}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("%+v, want %+v", g, want)
	}
	for text, want := range map[string]string{
		`<gxl/>`: "holds no graph",
		`<!DOCTYPE gxl [<!ENTITY a "b">]><gxl><graph/></gxl>`:                              "entities are not read",
		`<gxl><graph><node id="a"/><edge from="a" to="b"/></graph></gxl>`:                  `an edge from "a" to "b"`,
		`<gxl><graph><node id="a"><attr name="q"><int>x</int></attr></node></graph></gxl>`: `"x" of the attribute q`,
		`<gxl><graph><node id="a"><graph/></node></graph></gxl>`:                           "a second graph",
		`<gxl><graph><node id="a"><attr><int>1</int></attr></node></graph></gxl>`:          "has no name",
		`<gxl><graph><rel/></graph></gxl>`:                                                 "a relation",
	} {
		if _, err := ReadGXL(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzGXL(f *testing.F) {
	f.Add(moleculeGXL)
	f.Add(`<gxl><graph edgemode="directed"><node id="1"/><node id="0"><attr name="a"><bool>true</bool></attr></node><edge from="0" to="1"/></graph></gxl>`)
	f.Fuzz(func(t *testing.T, text string) {
		checkBounded(t, 1024*len(text)+1<<20, func() (Graph, error) { return ReadGXL(strings.NewReader(text)) })
	})
}
