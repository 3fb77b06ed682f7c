package costs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/edit"
)

// molecule returns a path of atoms.
func molecule(symbols string, bonds ...float64) *graphs.Graph {
	g := &graphs.Graph{Nodes: len(symbols)}
	g.NodeWords = []graphs.Attribute[string]{{Name: "symbol", Values: strings.Split(symbols, "")}}
	for i, b := range bonds {
		g.Edges = append(g.Edges, graphs.Edge{I: i, J: i + 1})
		g.Weights = append(g.Weights, b)
	}
	return g
}

func distance(t *testing.T, m Model, g, h *graphs.Graph) float64 {
	t.Helper()
	c, err := m.Collect(g, h)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Problem(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := edit.Solve(context.Background(), &p.Problem, edit.Options{})
	if err != nil || r.Status != qap.Optimal {
		t.Fatal(r.Status, err)
	}
	edits, cost := p.Edits(r.Image)
	sum := 0.0
	for _, e := range edits {
		sum += e.Cost
	}
	if sum != cost || math.Abs(cost-float64(r.Cost)*p.Unit) > 1e-6*max(1, cost) || p.Lower(r.Lower) > cost+1e-9 {
		t.Fatalf("edits cost %v, their sum is %v; %d units of %v, at least %v", cost, sum, r.Cost, p.Unit, p.Lower(r.Lower))
	}
	return cost
}

// TestModels compares with distances that were counted by hand.
func TestModels(t *testing.T) {
	letter := func(points ...[]float64) *graphs.Graph {
		g := &graphs.Graph{Nodes: len(points), Points: points}
		for i := range points[1:] {
			g.Edges = append(g.Edges, graphs.Edge{I: i, J: i + 1})
		}
		return g
	}
	protein := func(types, sequences, bonds string) *graphs.Graph {
		g := &graphs.Graph{Nodes: 2, Edges: []graphs.Edge{{I: 0, J: 1}}}
		g.NodeWords = []graphs.Attribute[string]{{Name: "type", Values: strings.Fields(types)}, {Name: "sequence", Values: strings.Fields(sequences)}}
		g.EdgeWords = []graphs.Attribute[string]{{Name: "types", Values: []string{bonds}}}
		return g
	}
	for _, test := range []struct {
		model string
		g, h  *graphs.Graph
		want  float64
	}{
		{"uniform", molecule("CCO", 1, 1), molecule("CCN", 1, 1), 1},
		{"uniform", molecule("CCO", 1, 1), molecule("CC", 1), 2},
		{"chem2", molecule("CCO", 1, 1), molecule("CCN", 1, 1), 5.5},
		{"chem2", molecule("CCO", 1, 2), molecule("CCO", 1, 1), .825},
		{"chem2", molecule("CCO", 1, 1), molecule("CC", 1), 2.75 + .825},
		{"common", molecule("CCO", 1, 1), molecule("CCN", 1, 1), 2},
		{"common", molecule("CCCC", 1, 1, 1), molecule("CCO", 1, 1), 3},
		{"letter", letter([]float64{0, 0}, []float64{3, 4}), letter([]float64{0, 0}, []float64{3, 4.4}), .75 * .4},
		{"letter", letter([]float64{0, 0}, []float64{3, 4}), letter([]float64{0, 0}), .675 + .425},
		{"protein", protein("0 1", "AB CD", "1,2"), protein("0 1", "AC CD", "2,3"), .75 + .5},
		{"protein", protein("0 1", "AB CD", "1"), protein("1 0", "CD AB", "1"), 0},
	} {
		m, err := Named(test.model)
		if err != nil {
			t.Fatal(err)
		}
		if got := distance(t, m, test.g, test.h); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.model, got, test.want)
		}
		if got := distance(t, m, test.h, test.g); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s, swapped: %v, want %v", test.model, got, test.want)
		}
	}
}

// TestNumbersAreLabels: whole numbers, as classes and bond orders are, are compared as words are; numbers with fractions
// in any of the graphs, places and weights are not.
func TestNumbersAreLabels(t *testing.T) {
	chain := func(class, charge, order []float64) *graphs.Graph {
		g := &graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}}, FeatureNames: []string{"class", "charge"}}
		for i := range 3 {
			g.Features = append(g.Features, []float64{class[i], charge[i]})
			g.Points = append(g.Points, []float64{class[0] + float64(i), 0})
		}
		g.EdgeNumbers = []graphs.Attribute[float64]{{Name: "order", Values: order}}
		g.Weights = []float64{class[0], 1}
		return g
	}
	g := chain([]float64{0, 1, 2}, []float64{.5, 1, 1}, []float64{1, 2})
	for _, test := range []struct {
		h    *graphs.Graph
		want float64
	}{
		{chain([]float64{0, 1, 2}, []float64{1, 2, 3}, []float64{1, 2}), 0},
		{chain([]float64{0, 1, 3}, []float64{1, 1, 1}, []float64{1, 2}), 1},
		{chain([]float64{0, 1, 3}, []float64{1, 1, 1}, []float64{1, 1}), 2},
		{chain([]float64{5, 1, 2}, []float64{1, 1, 1}, []float64{1, 2}), 1},
	} {
		m, err := Named("uniform")
		if err != nil {
			t.Fatal(err)
		}
		if got := distance(t, m, g, test.h); got != test.want {
			t.Errorf("%v, want %v", got, test.want)
		}
	}
}

// TestUnits draws costs without a common unit: the distance is that of the costs, within what rounding may change.
func TestUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range 100 {
		table := func() *Table {
			c := &Table{Substitute: []float64{rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64()}}
			c.Delete, c.Insert = []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
			return c
		}
		graph := func() *edit.Graph {
			g := &edit.Graph{}
			for i := range int32(1 + rng.IntN(4)) {
				g.Nodes = append(g.Nodes, int32(rng.IntN(2)))
				for j := range i {
					if rng.IntN(2) == 0 {
						g.Edges = append(g.Edges, edit.Edge{From: j, To: i, Label: int32(rng.IntN(2))})
					}
				}
			}
			return g
		}
		p, err := NewProblem(graph(), graph(), table(), table())
		if err != nil {
			t.Fatal(err)
		}
		r, err := edit.Solve(context.Background(), &p.Problem, edit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		var all func(image []int)
		all = func(image []int) {
			if len(image) == len(p.Graph1.Nodes) {
				_, cost := p.Edits(image)
				least = min(least, cost)
				return
			}
			all(append(slices.Clip(image), edit.None))
			for a := range p.Graph2.Nodes {
				if !slices.Contains(image, a) {
					all(append(slices.Clip(image), a))
				}
			}
		}
		all(nil)
		_, cost := p.Edits(r.Image)
		if p.Exact || cost > least+1e-5*p.Most() || p.Lower(r.Lower) > least || p.Lower(r.Lower) < least-1e-5*p.Most() {
			t.Fatalf("%v to %v, the distance is %v", p.Lower(r.Lower), cost, least)
		}
	}
}

// TestManyLabels has more labels than one table for all pairs is made of.
func TestManyLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	var all []*graphs.Graph
	for range 2 {
		g := &graphs.Graph{Nodes: mostShared}
		for range g.Nodes {
			g.Points = append(g.Points, []float64{float64(rng.IntN(100)), float64(rng.IntN(100))})
		}
		all = append(all, g)
	}
	letter, err := Named("letter")
	if err != nil {
		t.Fatal(err)
	}
	c, err := letter.Collect(all...)
	if err != nil || c.shared != nil {
		t.Fatal(c.shared != nil, err)
	}
	p, err := c.Problem(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := edit.Solve(context.Background(), &p.Problem, edit.Options{MaxSteps: 1000})
	if err != nil || r.Lower > r.Cost {
		t.Fatal(r.Lower, r.Cost, err)
	}
}

const example = `
[nodes]
delete = 2.5
insert = 2.5
[[nodes.attributes]]
name = ["symbol"]
weight = 5
[[nodes.attributes]]
name = ["charge"]
measure = "difference"
scale = 2
cap = 1.5
[edges]
substitute = inf
`

func TestRead(t *testing.T) {
	m, err := Read(strings.NewReader(example))
	if err != nil {
		t.Fatal(err)
	}
	if m.Nodes.Delete != 2.5 || len(m.Nodes.Attributes) != 2 || m.Edges.Delete != 1 || !math.IsInf(m.Edges.Substitute, 1) {
		t.Errorf("%+v", m)
	}
	g, h := molecule("CC", 1), molecule("CC", 1)
	g.FeatureNames, g.Features = []string{"charge"}, [][]float64{{0}, {1}}
	h.FeatureNames, h.Features = []string{"charge"}, [][]float64{{0}, {9}}
	if got := distance(t, m, g, h); got != 1.5 {
		t.Errorf("%v, want the cap", got)
	}
	for text, want := range map[string]string{
		"[nodes]\ndelete = -1":                                       "delete is -1",
		"[nodes]\ninsert = nan":                                      "insert is NaN",
		"[nodes]\ndelte = 1":                                         "line 2: nodes.delte",
		"[nodes]\ndelete = \"a\"":                                    "line 2",
		"[[edges.attributes]]\nweight = 2":                           "it has no name",
		"[[edges.attributes]]\nname = [\"a\"]\nmeasure = \"cosine\"": "cosine",
		"[[edges.attributes]]\nname = [\"a\"]\nscale = -2":           "scale is -2",
		strings.Repeat("#", mostModel) + "\n":                        "bytes of costs",
		"[nodes]\ndelete = -":                                        "line 2: toml: expected number",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if _, err := Named("chem3"); err == nil || !strings.Contains(err.Error(), "chem2") {
		t.Error(err)
	}
	if _, err := m.Collect(molecule("C")); err == nil || !strings.Contains(err.Error(), "charge") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(example)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		c, err := m.Collect(molecule("CCO", 1, 2), molecule("CN", 1))
		if err != nil {
			return
		}
		if p, err := c.Problem(0, 1); err == nil {
			_, _ = edit.Solve(context.Background(), &p.Problem, edit.Options{MaxSteps: 10})
		}
	})
}

func ExampleModel_Collect() {
	uniform, _ := Named("uniform")
	ethanol, ethylamine := molecule("CCO", 1, 1), molecule("CCN", 1, 1)
	c, _ := uniform.Collect(ethanol, ethylamine)
	p, _ := c.Problem(0, 1)
	r, _ := edit.Solve(context.Background(), &p.Problem, edit.Options{})
	edits, cost := p.Edits(r.Image)
	fmt.Println(cost, r.Status, len(edits))
	// Output: 1 optimal 5
}

// TestRealUnit: costs that are whole multiples of any number stay exact.
func TestRealUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 5))
	for range 200 {
		unit := math.Exp(4*rng.Float64() - 2)
		list := func(n int) (of []float64) {
			for range n {
				of = append(of, unit*float64(rng.IntN(40)))
			}
			return of
		}
		nodes, edges := &Table{list(2), list(2), list(4)}, &Table{[]float64{7 * unit}, []float64{unit}, []float64{math.Inf(1)}}
		g := &edit.Graph{Nodes: []int32{0, 1}, Edges: []edit.Edge{{From: 0, To: 1}}}
		p, err := NewProblem(g, g, nodes, edges)
		if err != nil || !p.Exact || math.Abs(math.Round(5*unit/p.Unit)*p.Unit-5*unit) > 1e-8*unit { // decimals may differ by a billionth
			t.Fatalf("unit %v: %+v, %v", unit, p, err)
		}
		nodes.Delete[0] = unit * math.Sqrt2
		if p, err = NewProblem(g, g, nodes, edges); err != nil || p.Exact {
			t.Fatalf("unit %v, and one of its root: %+v, %v", unit, p, err)
		}
	}
}
