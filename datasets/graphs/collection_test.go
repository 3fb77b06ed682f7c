package graphs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenCollection(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"b.gxl": moleculeGXL, "a.edgelist": "0 1\n1 2\n", "notes.md": "no graph", "some_pairs.csv": "first,second\na.edgelist,b.gxl\n",
		"some.cxl":  `<!DOCTYPE GraphCollection SYSTEM "x.dtd"><GraphCollection><fingerprints><print file="b.gxl" class="a"/></fingerprints></GraphCollection>`,
		"bad.cxl":   `<GraphCollection><print file="../b.gxl"/></GraphCollection>`,
		"two.jsonl": `{"nodes":[{"id":0},{"id":1}],"links":[{"source":0,"target":1}]}` + "\n\n" + `{"nodes":[{"id":0}],"links":[]}` + "\n",
		"bad.jsonl": `{"nodes":[{"id":0}],"links":[]}` + "\n" + `{"nodes":[{"id":0}],"links":[{"source":0,"target":7}]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{folder: "a b", filepath.Join(folder, "some.cxl"): "b", filepath.Join(folder, "two.jsonl"): "0 1"} {
		all, err := OpenCollection(path)
		var names []string
		for _, g := range all {
			names = append(names, g.Name)
		}
		if err != nil || strings.Join(names, " ") != want {
			t.Errorf("%s: %v, %v", path, names, err)
		}
	}
	for name, want := range map[string]string{"bad.cxl": "not beside", "bad.jsonl": "bad.jsonl:2", "none.jsonl": "no such file", "a.edgelist": "no collection"} {
		if _, err := OpenCollection(filepath.Join(folder, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
