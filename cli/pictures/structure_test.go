package pictures

import (
	"bytes"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestLayoutByEdges: a path is drawn along the first axis in its order, a grid as wide as it
// is high, and nodes of a graph without places beside their partners.
func TestLayoutByEdges(t *testing.T) {
	path := graphs.Graph{Nodes: 30}
	for i := range 29 {
		path.Edges = append(path.Edges, graphs.Edge{I: i, J: i + 1})
	}
	at := path.Places()
	for i := 1; i < 29; i++ {
		if (at[i].X-at[i-1].X)*(at[i+1].X-at[i].X) <= 0 {
			t.Fatalf("node %d of a path is not between its neighbours: %v", i, at[i-1:i+2])
		}
	}
	const side = 12
	grid := graphs.Graph{Nodes: side * side}
	for i := range side * side {
		if i%side > 0 {
			grid.Edges = append(grid.Edges, graphs.Edge{I: i - 1, J: i})
		}
		if i >= side {
			grid.Edges = append(grid.Edges, graphs.Edge{I: i - side, J: i})
		}
	}
	low, high := graphs.Bounds(grid.Places())
	if ratio := (high.X - low.X) / (high.Y - low.Y); math.Abs(ratio-1) > .1 {
		t.Errorf("a square grid is %v times as wide as high", ratio)
	}
	m := qap.NewMatching(30)
	for i := range 29 {
		m[i] = 29 - i
	}
	both := places(&path, &path, m, "")
	for i, a := range m {
		if a != qap.Unmatched && both.points[0][i] != both.points[1][a] {
			t.Errorf("node %d is at %v, its partner at %v", i, both.points[0][i], both.points[1][a])
		}
	}
	placed := graphs.Graph{Nodes: 30, Points: make([][]float64, 30)}
	for i := range placed.Points {
		placed.Points[i] = []float64{float64(i), 1}
	}
	if at := places(&path, &placed, m, ""); at.points[0][3] != (graphs.Point{X: 26, Y: 1}) || !at.alike {
		t.Errorf("a node is at %v, not where its partner is", at.points[0][3])
	}
	if at := places(&placed, &placed, m, ""); at.alike || at.points[0][3].X != 3 {
		t.Errorf("points are at %v, not at their own places", at.points[0][3])
	}
}

// randomGraph returns a graph of edges by chance, and a copy in another order, some of whose edges are
// others, with the matching of the copy.
func randomGraph(rng *rand.Rand, n int, mean float64) (g1, g2 graphs.Graph, truth qap.Matching) {
	g1, g2 = graphs.Graph{Name: "one.gml", Nodes: n}, graphs.Graph{Name: "folder/other.gml", Nodes: n}
	truth = qap.Matching(rng.Perm(n))
	for i := range n {
		for j := range i {
			if rng.Float64() < mean/float64(n) {
				g1.Edges = append(g1.Edges, graphs.Edge{I: j, J: i})
				if rng.Float64() < .9 {
					a, b := truth[j], truth[i]
					g2.Edges = append(g2.Edges, graphs.Edge{I: min(a, b), J: max(a, b)})
				}
			}
		}
	}
	return g1, g2, truth
}

// TestGraphsAreDrawn: every edge is drawn once, as shared exactly where the partners of its ends are joined;
// no name covers a name or a node of another; and where most matches are wrong, most edges say so.
func TestGraphsAreDrawn(t *testing.T) {
	for range 20 {
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 5 + rng.IntN(150)
		g1, g2, m := randomGraph(rng, n, 4)
		for k := range rng.IntN(n / 2) {
			m[k] = qap.Unmatched
		}
		drawn := Graphs{Graph1: &g1, Graph2: &g2, Matching: m}
		p := Matching{Layout: drawn.Layout()}
		l := &p.Layout
		shared := 0
		for _, e := range g1.Edges {
			i, j := m[e.I], m[e.J]
			if i != qap.Unmatched && j != qap.Unmatched && slices.ContainsFunc(g2.Edges, func(o graphs.Edge) bool { return o.I == min(i, j) && o.J == max(i, j) }) {
				shared++
			}
		}
		have := l.counted()
		if len(l.nodes) != 2*n || len(l.edges) != len(g1.Edges)+len(g2.Edges) || have.shared != 2*shared || have.only != len(l.edges)-2*shared {
			t.Errorf("seed %d: %+v of %d and %d edges, %d shared", seed, have, len(g1.Edges), len(g2.Edges), shared)
		}
		if !l.alike || len(l.lines) != m.Size() {
			t.Errorf("seed %d: %d lines of %d matches", seed, len(l.lines), m.Size())
		}
		d := p.arrange()
		if len(d.labels) < min(n, 20) {
			t.Errorf("seed %d: %d names of %d nodes", seed, len(d.labels), 2*n)
		}
		checkLabels(t, seed, d)
	}
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	g1, g2, _ := randomGraph(rng, 200, 5)
	drawn := Graphs{Graph1: &g1, Graph2: &g2, Matching: rng.Perm(200)}
	if l := drawn.Layout(); l.counted().only < 8*l.counted().shared {
		t.Errorf("a matching by chance: %+v", l.counted())
	}
}

// counts is how much of a picture is of a kind.
type counts struct{ matched, unsure, outliers, shared, only int }

func (l *Layout) counted() counts {
	by := map[layoutKind]int{}
	for _, n := range l.nodes {
		by[n.kind]++
	}
	for _, e := range l.edges {
		by[e.kind]++
	}
	return counts{by[kindInlier], by[kindUnsure], by[kindOutlier], by[kindShared], by[kindOnly]}
}

func checkLabels(t *testing.T, seed uint64, d *drawing) {
	t.Helper()
	for k, w := range d.labels {
		for _, other := range d.labels[:k] {
			if w.box.Min.X < other.box.Max.X && other.box.Min.X < w.box.Max.X && w.box.Min.Y < other.box.Max.Y && other.box.Min.Y < w.box.Max.Y {
				t.Errorf("seed %d: %s covers %s", seed, w.text, other.text)
			}
		}
		for _, n := range d.layout.nodes {
			if at := d.on(n.at); at.X > w.box.Min.X && at.X < w.box.Max.X && at.Y > w.box.Min.Y && at.Y < w.box.Max.Y {
				t.Errorf("seed %d: %s covers the node %s", seed, w.text, n.name)
			}
		}
		if w.box.Min.X < 0 || w.box.Max.X > d.width || w.box.Min.Y < 0 || w.box.Max.Y > d.height {
			t.Errorf("seed %d: %s is outside of the picture", seed, w.text)
		}
	}
}

// TestStructureOfPictures: what is drawn of four pairs, by its parts: nodes, edges, names and the words of the
// legend, which says how nodes are placed.
func TestStructureOfPictures(t *testing.T) {
	square := graphs.Graph{Name: "a.gml", Nodes: 4, Names: []string{"n", "e", "s", "w"}, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 0, J: 3}}}
	path := graphs.Graph{Name: "b.gml", Nodes: 5, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}}}
	points := graphs.Graph{Name: "c.csv", Nodes: 4, Points: [][]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}
	joined := points
	joined.Edges = square.Edges
	rings := graphs.Graph{Name: "d.gml", Nodes: 6, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 0, J: 2}, {I: 3, J: 4}, {I: 4, J: 5}, {I: 3, J: 5}}}
	oneWay, back := rings, rings
	oneWay.Directed, back.Directed = true, true
	back.Edges = []graphs.Edge{{I: 1, J: 0}, {I: 1, J: 2}, {I: 0, J: 2}, {I: 3, J: 4}, {I: 4, J: 5}, {I: 3, J: 5}}
	for _, c := range []struct {
		name    string
		g1, g2  graphs.Graph
		m       qap.Matching
		sure    []bool
		want    counts
		labels  int
		legend  []string
		about   string
		apart   bool // lines between partners are drawn
		titles  [2]string
		matches string
	}{
		{"edges alone", square, path, qap.Matching{0, 1, 2, 3}, []bool{true, true, true, false}, counts{6, 2, 1, 6, 2}, 9,
			[]string{"edge in both graphs: 3", "edge in one graph only: 1 in A, 1 in B", "matched, sure: 3", "matched, not sure: 1", "without a partner: 0 in A, 1 in B"},
			"nodes of A are placed by its edges, those of B where their partners are", false, [2]string{"A: a.gml", "B: b.gml"}, "4 matches"},
		{"points alone", points, points, qap.Matching{0, 2, 1, qap.Unmatched}, nil, counts{6, 0, 2, 0, 0}, 8,
			[]string{"matched: 3", "without a partner: 1 in A, 1 in B"}, "nodes are at their own points", true, [2]string{"A: c.csv", "B: c.csv"}, "3 matches"},
		{"points and edges", joined, joined, qap.Matching{0, 2, 1, 3}, nil, counts{8, 0, 0, 4, 4}, 8,
			[]string{"edge in both graphs: 2", "edge in one graph only: 2 in A, 2 in B", "matched: 4"}, "nodes are at their own points", true,
			[2]string{"A: c.csv", "B: c.csv"}, "4 matches"},
		{"points of one", square, points, qap.Matching{0, 1, 2, 3}, nil, counts{8, 0, 0, 0, 4}, 8,
			[]string{"edge in both graphs: 0", "edge in one graph only: 4 in A, 0 in B", "matched: 4"},
			"nodes of B are at their own points, those of A where their partners are", false, [2]string{"A: a.gml", "B: c.csv"}, "4 matches"},
		{"directions", oneWay, back, qap.Matching{0, 1, 2, 3, 4, 5}, nil, counts{12, 0, 0, 10, 2}, 12,
			[]string{"edge in both graphs: 5", "edge in one graph only: 1 in A, 1 in B", "matched: 6"},
			"nodes of A are placed by its edges, those of B where their partners are", false, [2]string{"A: d.gml", "B: d.gml"}, "6 matches"},
	} {
		p := Matching{Layout: (&Graphs{Graph1: &c.g1, Graph2: &c.g2, Matching: c.m, Sure: c.sure}).Layout()}
		d := p.arrange()
		var legend []string
		for _, e := range d.legend {
			legend = append(legend, e.text)
		}
		if have := p.Layout.counted(); have != c.want || len(d.labels) != c.labels {
			t.Errorf("%s: %+v, %d names; want %+v, %d", c.name, have, len(d.labels), c.want, c.labels)
		}
		if !slices.Equal(legend, c.legend) || d.about != c.about || p.Layout.alike == c.apart || p.Layout.titles != c.titles || d.title != c.matches {
			t.Errorf("%s: %q, %q, %q, %q", c.name, legend, d.about, p.Layout.titles, d.title)
		}
		var svg bytes.Buffer
		if err := p.Write(&svg, "svg"); err != nil {
			t.Fatal(err)
		}
		if have := strings.Count(svg.String(), "stroke-dasharray:4,2.5"); c.want.only > 0 && have != c.want.only+1 { // and the sample of the legend
			t.Errorf("%s: %d broken lines, want %d", c.name, have, c.want.only+1)
		}
	}
}

// TestEdits: a picture of edits says how many nodes and edges are kept, changed, deleted and inserted, and shows each.
func TestEdits(t *testing.T) {
	g1 := &graphs.Graph{Name: "A", Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 0, J: 2}}}
	g2 := &graphs.Graph{Name: "B", Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}}}
	edits := &Edits{Title: "distance 4.5", ChangedNodes: []bool{false, true, false}, KeptEdges: []bool{true, false, false}, ChangedEdges: []bool{true, false, false}}
	both := Graphs{Graph1: g1, Graph2: g2, Matching: qap.Matching{1, 0, qap.Unmatched}, Edits: edits}
	l := both.Layout()
	var kinds []layoutKind
	for _, n := range l.nodes {
		kinds = append(kinds, n.kind)
	}
	for _, e := range l.edges {
		kinds = append(kinds, e.kind)
	}
	want := []layoutKind{
		kindInlier, kindChanged, kindDeleted, kindChanged, kindInlier, kindInserted,
		kindChanged, kindDeleted, kindDeleted, kindChanged, kindInserted,
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("nodes and edges are %v, want %v", kinds, want)
	}
	var picture strings.Builder
	if err := (&Matching{Layout: l}).Write(&picture, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"distance 4.5", "node kept: 1", "node changed: 1", "edge changed: 1", "node deleted: 1", "edge deleted: 2", "node inserted: 1", "edge inserted: 1"} {
		if !strings.Contains(picture.String(), words) {
			t.Errorf("the picture does not say %q", words)
		}
	}
}

// TestPicturesOfThreeSizes: what is drawn of a graph of each size and its copy with other edges, whose parts are counted:
// every edge, and names for a share of the nodes that leaves the picture readable.
func TestPicturesOfThreeSizes(t *testing.T) {
	for _, c := range []struct{ nodes, shared, only, fewest int }{{10, 20, 1, 18}, {200, 544, 29, 100}, {2000, 5448, 306, 150}} {
		rng := rand.New(rand.NewPCG(uint64(c.nodes), 44))
		g1, g2, m := randomGraph(rng, c.nodes, 3)
		drawn := Graphs{Graph1: &g1, Graph2: &g2, Matching: m, Sure: make([]bool, c.nodes)}
		for i := range c.nodes / 2 {
			drawn.Sure[i] = true
		}
		p := Matching{Layout: drawn.Layout()}
		want := counts{c.nodes / 2 * 2, c.nodes, 0, c.shared, c.only}
		if have := p.Layout.counted(); have != want {
			t.Errorf("%d nodes: %+v, want %+v", c.nodes, have, want)
		}
		d := p.arrange()
		if len(d.labels) < c.fewest || len(d.labels) > 2*c.nodes {
			t.Errorf("%d nodes: %d names", c.nodes, len(d.labels))
		}
		checkLabels(t, uint64(c.nodes), d)
		var svg bytes.Buffer
		if err := p.Write(&svg, "svg"); err != nil {
			t.Fatal(err)
		}
		for kind, n := range map[layoutKind]int{kindShared: c.shared, kindOnly: c.only} { // and one in the legend, one in the style
			if have := strings.Count(svg.String(), "stroke:"+hex(kindColors[kind])); have != n+2 {
				t.Errorf("%d nodes: %d lines of a kind, want %d", c.nodes, have, n+2)
			}
		}
		if dashed := strings.Count(svg.String(), "stroke-dasharray"); dashed != c.only+1 {
			t.Errorf("%d nodes: %d broken lines, want %d", c.nodes, dashed, c.only+1)
		}
	}
}

// TestWideGraphsAreStacked: graphs that are wide are drawn one above the other.
func TestWideGraphsAreStacked(t *testing.T) {
	path := graphs.Graph{Nodes: 40}
	for i := range 39 {
		path.Edges = append(path.Edges, graphs.Edge{I: i, J: i + 1})
	}
	m := make(qap.Matching, 40)
	for i := range m {
		m[i] = i
	}
	drawn := Graphs{Graph1: &path, Graph2: &path, Matching: m}
	l := drawn.Layout()
	for i := range m {
		if above, below := l.nodes[i].at, l.nodes[40+i].at; above.x != below.x || above.y <= below.y+l.frames[1].height {
			t.Fatalf("node %d is at %v, its partner at %v", i, above, below)
		}
	}
	if l.width > 1 || l.height < l.frames[0].height+l.frames[1].height {
		t.Errorf("%v×%v", l.width, l.height)
	}
}

// TestViews: two graphs may be drawn alike, or each with its own places and lines between partners, whether they have points or not.
func TestViews(t *testing.T) {
	g1, g2, m := randomGraph(rand.New(rand.NewPCG(rand.Uint64(), 3)), 30, 4)
	p1, p2 := g1, g2
	for i := range 30 {
		p1.Points, p2.Points = append(p1.Points, []float64{float64(i), float64(i * i % 7)}), append(p2.Points, []float64{float64(i * i % 11), float64(i)})
	}
	for _, c := range []struct {
		view   string
		g1, g2 *graphs.Graph
		alike  bool
	}{{"auto", &g1, &g2, true}, {"alike", &g1, &g2, true}, {"apart", &g1, &g2, false}, {"auto", &p1, &p2, false}, {"alike", &p1, &p2, true}, {"apart", &p1, &g2, false}} {
		drawn := Graphs{Graph1: c.g1, Graph2: c.g2, Matching: m, View: c.view}
		l := drawn.Layout()
		if l.alike != c.alike || !strings.Contains(l.about, "nodes") {
			t.Errorf("%s: alike %v: %s", c.view, l.alike, l.about)
		}
		off := 0
		for i, a := range m {
			if at, to := l.nodes[i].at, l.nodes[30+a].at; math.Abs(at.y-l.frames[0].bottom-to.y+l.frames[1].bottom) > 1e-9 || math.Abs(at.x-l.frames[0].left-to.x+l.frames[1].left) > 1e-9 {
				off++
			}
		}
		if (off == 0) != c.alike {
			t.Errorf("%s: %d partners are at other places", c.view, off)
		}
	}
}

// TestPlacements: three matrices whose rows are named where there is room, at three sizes; a facility without flows comes last.
func TestPlacements(t *testing.T) {
	for _, c := range []struct{ n, names int }{{10, 30}, {200, 87}, {2000, 96}} {
		a, b := make([]float64, c.n*c.n), make([]float64, c.n*c.n)
		for i := range c.n {
			for j := range c.n {
				if i%7 != 3 && j%7 != 3 {
					a[i*c.n+j] = float64((i + j) % 5)
				}
				b[i*c.n+j] = math.Abs(float64(i - j))
			}
		}
		p := must.Get(NewPlacement(must.Get(qap.NewKoopmansBeckmann(c.n, c.n, a, b, nil, qap.Minimize))(t)))(t)
		p.Title, p.Matching = "made", rand.Perm(c.n)
		order, three := p.matrices()
		if len(order) != c.n || order[c.n-1]%7 != 3 || len(three) != 3 {
			t.Errorf("%d places: %d facilities, the last is %d", c.n, len(order), order[c.n-1])
		}
		var svg bytes.Buffer
		if err := p.Write(&svg, "svg"); err != nil {
			t.Fatal(err)
		}
		const words = 5 // the title, those of the matrices, and what they are
		if images, texts := strings.Count(svg.String(), "<image"), strings.Count(svg.String(), "<text"); images != 3 || texts != c.names+words {
			t.Errorf("%d places: %d images and %d words, want 3 and %d", c.n, images, texts, c.names+words)
		}
		if size := three[1].image(order).Bounds(); size.Dx() < 500 || size.Dx() > most {
			t.Errorf("%d places: an image of %v", c.n, size)
		}
	}
	k := must.Get(qap.NewDense(1, 2, []float64{1, 0, 0, 1}, qap.Maximize))(t)
	if _, err := NewPlacement(k); err == nil {
		t.Error("an affinity matrix has a picture")
	}
}

// TestOnDarkPaper: each colour of a drawing has one for dark paper, which differs enough from it; PNG has white paper.
func TestOnDarkPaper(t *testing.T) {
	light := func(c color.NRGBA) float64 { return .2126*float64(c.R) + .7152*float64(c.G) + .0722*float64(c.B) }
	for kind := range kindInserted + 1 {
		c := kindColors[kind]
		if !strings.Contains(darkStyle, "fill:"+hex(c)) || !strings.Contains(darkStyle, "stroke:"+hex(c)) {
			t.Errorf("kind %d has no colour for dark paper", kind)
		}
		for other, dark := range onDark {
			if kindColors[other] == c && light(dark)-light(darkPaper) < 90 {
				t.Errorf("kind %d is too dark", kind)
			}
		}
	}
	if text := string(withDark([]byte("<svg>\n<g transform=x>"))); !strings.HasPrefix(text, "<svg>\n<style>") || !strings.HasSuffix(text, "<g transform=x>") {
		t.Error(text)
	}
}
