package published

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

const (
	vocFile = `<annotation><image>2008_000176</image><voc_id>1</voc_id><category>bus</category>
<visible_bounds height="100" width="200" xmin="10" ymin="20"/>
<keypoints><keypoint name="L_F" visible="1" x="10" y="20" z="0"/><keypoint name="R_F" visible="1" x="110" y="70" z="0"/>
<keypoint name="L_B" visible="1" x="210" y="120" z="1"/><keypoint name="R_B" visible="0" x="1" y="2" z="1"/></keypoints></annotation>`
	spairFile = `{"filename":"a.jpg","bndbox":[0,0,50,100],"kps":{"L_F":[0,0],"R_F":[25,50],"L_B":[50,100],"R_B":[1,2],"top":null}}`
)

// annotated writes files of annotations: contents by their paths in a new folder.
func annotated(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestAnnotations: both formats, in the frame of their bounds; nodes are the keypoints that both
// images show.
func TestAnnotations(t *testing.T) {
	dir := annotated(t, map[string]string{"bus/1.xml": vocFile, "bus/2.json": spairFile, "notes.txt": ""})
	all, err := Annotations{Folder: dir, Count: 3, Affinity: affinities.LengthDirection}.Set().All()
	if err != nil || len(all) != 3 {
		t.Fatalf("%d pairs, error %v", len(all), err)
	}
	want := []graphs.Point{{X: 256, Y: 256}, {}, {X: 128, Y: 128}} // L_B, L_F, R_F
	for _, p := range all {
		if p.Class != "bus" || p.Truth.Size() != 3 || p.Judge(qap.Matching{0, 1, 2}).F1 != 1 {
			t.Errorf("%s of %s, truth %v", p.Name, p.Class, p.Truth)
		}
		for k := range want {
			if p.Points1[k] != want[k] || p.Points2[k] != want[k] {
				t.Errorf("points %v and %v", p.Points1, p.Points2)
			}
		}
	}
}

// TestWrongAnnotations: errors name the place and what is wanted.
func TestWrongAnnotations(t *testing.T) {
	many := strings.Repeat(`"x":[1,2],`, 3)
	for text, want := range map[string]string{
		`{"kps":{"a":[1,2,3]}}`:               "bus/2.json: keypoint a has 3 numbers: want [x, y] or null",
		`{}`:                                  `bus/2.json: no keypoints: want "kps"`,
		`{"kps":{` + many + `"y":[1e300,0]}}`: "bus/2.json: keypoint y is at 1e+300, 0: want numbers up to 1e+06",
		`[`:                                   "bus/2.json: no JSON of keypoints",
		`{"kps":{"a":[1,2],"b":[1,2]}}`:       "bus: no two of 2 images show 3 keypoints both",
	} {
		dir := annotated(t, map[string]string{"bus/1.xml": vocFile, "bus/2.json": text})
		if _, err := (Annotations{Folder: dir, Count: 1, Affinity: affinities.LengthDirection}).Set().All(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	if _, err := (Annotations{Folder: t.TempDir(), Count: 1}).Set().All(); err == nil || !strings.Contains(err.Error(), "has no folders") {
		t.Errorf("error %v", err)
	}
}

// FuzzAnnotations: whatever a file holds, points are few and finite, or there is an error.
func FuzzAnnotations(f *testing.F) {
	f.Add(vocFile, true)
	f.Add(spairFile, false)
	f.Fuzz(func(t *testing.T, text string, isXML bool) {
		read := readKeypointJSON
		if isXML {
			read = readKeypointXML
		}
		points, err := read(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(points) > annotationMost {
			t.Errorf("%d points", len(points))
		}
		for _, p := range points {
			if !(p.X >= -1e6 && p.X <= 1e6 && p.Y >= -1e6 && p.Y <= 1e6) {
				t.Errorf("point %v", p)
			}
		}
	})
}
