package affinities

import (
	"github.com/rgm-go/rgm/datasets/graphs"
)

import (
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
	"math"
	"os"
	"testing"
)

// TestGeometricFormula: entries of a dense and a sparse affinity, by hand.
func TestGeometricFormula(t *testing.T) {
	points1 := []graphs.Point{{X: 0, Y: 0}, {X: 3, Y: 4}, {X: 0, Y: 1}}                 // lengths 5, 1, √18
	points2 := []graphs.Point{{X: 0, Y: 0}, {X: 0, Y: 2}, {X: -2, Y: 0}, {X: 5, Y: 12}} // lengths 2, 2, 13, …
	at := func(g Geometric, i, a, j, b int) float64 {
		in, err := g.Instance(points1, points2)
		if err != nil {
			t.Fatal(err)
		}
		return in.Affinity.At(i*4+a, j*4+b)
	}
	turn := math.Atan2(4, 3) - math.Pi/2
	mean1 := (5 + 1 + math.Sqrt(18)) / 3
	mean2 := (2 + 2 + 13 + math.Sqrt(8) + math.Sqrt(125) + math.Sqrt(193)) / 6
	for _, c := range []struct {
		name       string
		have, want float64
	}{
		{"raw lengths", at(Geometric{Length: 7}, 0, 0, 1, 1), math.Exp(-9. / 7)},
		{"scaled", at(Geometric{Length: 7, Scale: .5}, 1, 1, 0, 0), .5 * math.Exp(-9./7)},
		{"directions", at(Geometric{Length: 7, Direction: .3}, 0, 0, 1, 1), math.Exp(-9./7 - turn*turn/.3)},
		{"directions across π", at(Geometric{Length: 1, Direction: 9}, 2, 1, 1, 3), math.Exp(-square(math.Sqrt(18)-math.Sqrt(125))/1 - square(math.Atan2(3, 3)-math.Atan2(10, 5))/9)},
		{"relative", at(Geometric{Length: .2, Relative: true}, 0, 0, 1, 1), math.Exp(-square(5/mean1-2/mean2) / .2)},
		{"conflict", at(Geometric{Length: 7}, 0, 0, 0, 1), 0},
		{"node", at(Geometric{Length: 7}, 0, 0, 0, 0), 0},
	} {
		if math.Abs(c.have-c.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", c.name, c.have, c.want)
		}
	}
	opposite := []graphs.Point{{X: 0, Y: 0}, {X: -1, Y: 1e-3}}
	across, err := (Geometric{Length: 1, Direction: 1}).Instance(opposite, []graphs.Point{{X: 0, Y: 0}, {X: -1, Y: -1e-3}})
	if err != nil || across.Affinity.At(0, 3) < 1-1e-5 {
		t.Errorf("directions on both sides of π: K = %v, %v; want nearly 1", across.Affinity.At(0, 3), err)
	}
}

// TestHouseSparse: the affinity of CMU frames is that of the .dd files, and the truth
// scores what the benchmark publishes.
func TestHouseSparse(t *testing.T) {
	frames := framesOf(t, testdata.Path(t, "data", "cmu", "house_xy.npy"))
	var pairs []struct {
		Name           string
		Frame1, Frame2 int
		Optimum        float64
	}
	testdata.ReadJSON(t, &pairs, "data", "cmu", "house_sparse_pairs.json")
	for _, p := range pairs {
		in, err := HouseSparse.Instance(frames[p.Frame1], frames[p.Frame2])
		if err != nil {
			t.Fatal(err)
		}
		identity := make(qap.Matching, 30)
		for i := range identity {
			identity[i] = i
		}
		if score := in.Score(identity); math.Abs(score-p.Optimum) > 2e-6 { // of the published value
			t.Errorf("%s: the identity scores %v, want %v", p.Name, score, p.Optimum)
		}
		compareWithDD(t, p.Name, in)
	}
}

// compareWithDD compares all entries with those of the .dd file of a name, if there
// is one.
func compareWithDD(t *testing.T, name string, in *qap.Instance) {
	t.Helper()
	path := testdata.Path(t, "data", "dd") + "/" + name + ".dd"
	if _, err := os.Stat(path); err != nil {
		return
	}
	for want, err := range datasets.Open(path, datasets.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		rowHave, rowWant := make([]float64, 900), make([]float64, 900)
		for p := range rowHave {
			in.Affinity.Row(rowHave, p)
			want.Affinity.Row(rowWant, p)
			for q := range rowHave {
				if math.Abs(rowHave[q]-rowWant[q]) > 1e-6 { // of the file's digits
					t.Fatalf("%s: K[%d,%d] = %v, want %v", name, p, q, rowHave[q], rowWant[q])
				}
			}
		}
	}
}

func framesOf(t *testing.T, path string) [][]graphs.Point {
	t.Helper()
	array, err := datasets.OpenNPY(path)
	if err != nil {
		t.Fatal(err)
	}
	frames := make([][]graphs.Point, array.Shape[0])
	for f := range frames {
		for i := range array.Shape[1] {
			at := 2 * (f*array.Shape[1] + i)
			frames[f] = append(frames[f], graphs.Point{X: array.Data[at], Y: array.Data[at+1]})
		}
	}
	return frames
}
