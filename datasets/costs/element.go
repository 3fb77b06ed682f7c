package costs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// value is that of an attribute of a node or an edge.
type value struct {
	given  bool
	word   string
	point  []float64
	number bool
}

// columns are what graphs have of a model's attributes, for nodes or edges.
type columns []func(owner int) value

// source is what a graph says of its nodes, or of its edges.
type source struct {
	count   int
	whose   string
	words   []graphs.Attribute[string]
	numbers []graphs.Attribute[float64]
	labels  int // the first of numbers, which are neither places nor weights
}

func nodesOf(g *graphs.Graph) source {
	s := source{count: g.Nodes, whose: "nodes", words: g.Words()}
	for _, of := range []struct {
		names   []string
		vectors [][]float64
	}{{g.FeatureNames, g.Features}, {g.PointNames, g.Points}} {
		if len(of.vectors) == 0 {
			continue
		}
		for c := range of.vectors[0] {
			name := strconv.Itoa(c)
			if of.names != nil {
				name = of.names[c]
			} else if c < 3 {
				name = "xyz"[c : c+1]
			}
			numbers := make([]float64, len(of.vectors))
			for i, v := range of.vectors {
				numbers[i] = v[c]
			}
			s.numbers = append(s.numbers, graphs.Attribute[float64]{Name: name, Values: numbers})
		}
		if len(g.Points) == 0 || &of.vectors[0] != &g.Points[0] {
			s.labels = len(s.numbers)
		}
	}
	return s
}

func edgesOf(g *graphs.Graph) source {
	s := source{count: len(g.Edges), whose: "edges", words: g.EdgeWords, numbers: g.EdgeNumbers, labels: len(g.EdgeNumbers)}
	if g.Weights != nil {
		s.numbers = append(slices.Clip(s.numbers), graphs.Attribute[float64]{Name: "weight", Values: g.Weights})
	}
	return s
}

// column returns the values of a name, nil where there is none.
func (s *source) column(name string) func(int) value {
	for _, a := range s.words {
		if a.Name == name {
			return func(k int) value { return value{given: a.Values[k] != "", word: a.Values[k]} }
		}
	}
	for _, a := range s.numbers {
		if a.Name == name {
			return func(k int) value {
				x := a.Values[k]
				return value{given: !math.IsNaN(x), number: true, word: strconv.FormatFloat(x, 'g', -1, 64), point: []float64{x}}
			}
		}
	}
	return nil
}

// compares reports whether elements are compared by all that labels them.
func (e *Element) compares() bool { return len(e.Attributes) == 0 && e.Substitute != 0 }

// columns returns what a graph has of the attributes; all that labels it, as one, where the model has none.
func (e *Element) columns(s *source, measured map[string]bool) (columns, error) {
	if len(e.Attributes) == 0 {
		if !e.compares() {
			return nil, nil
		}
		return columns{s.label(measured)}, nil
	}
	var all columns
	for k := range e.Attributes {
		a := &e.Attributes[k]
		if a.Measure == Distance {
			point, err := s.points(a.Names)
			if err != nil {
				return nil, err
			}
			all = append(all, point)
			continue
		}
		var found func(int) value
		for _, name := range a.Names {
			if found = s.column(name); found != nil {
				break
			}
		}
		if found == nil && s.count > 0 && a.Measure != "" && a.Measure != Equal {
			return nil, fmt.Errorf("the %s have no attribute %s, by which they cost", s.whose, strings.Join(a.Names, " or "))
		}
		if found == nil {
			found = func(int) value { return value{} }
		}
		all = append(all, found)
	}
	return all, nil
}

// label joins the words of an element and its whole numbers, such as classes and bond orders. Numbers with fractions are
// measured, not counted: two of them are hardly ever equal.
func (s *source) label(measured map[string]bool) func(int) value {
	return func(k int) value {
		v := value{given: true}
		add := func(name, word string) { v.word += strconv.Quote(name) + strconv.Quote(word) }
		for _, a := range s.words {
			if a.Values[k] != "" {
				add(a.Name, a.Values[k])
			}
		}
		for _, a := range s.numbers[:s.labels] {
			if x := a.Values[k]; !measured[a.Name] && !math.IsNaN(x) {
				add(a.Name, strconv.FormatFloat(x, 'g', -1, 64))
			}
		}
		return v
	}
}

// noteMeasured notes the numbers that have fractions.
func (s *source) noteMeasured(names map[string]bool) {
	for _, a := range s.numbers[:s.labels] {
		if slices.ContainsFunc(a.Values, func(x float64) bool { return !math.IsNaN(x) && x != math.Trunc(x) }) {
			names[a.Name] = true
		}
	}
}

func (s *source) points(names []string) (func(int) value, error) {
	var coordinates []func(int) value
	for _, name := range names {
		c := s.column(name)
		if c == nil && s.count > 0 {
			return nil, fmt.Errorf("the %s have no coordinate %s, by which they cost", s.whose, name)
		}
		coordinates = append(coordinates, c)
	}
	return func(k int) value {
		v := value{given: true, number: true}
		for _, c := range coordinates {
			x := c(k)
			v.given = v.given && x.given && x.number
			v.point = append(v.point, first(x.point))
			v.word += x.word + ","
		}
		return v
	}, nil
}

func first(point []float64) float64 {
	if len(point) == 0 {
		return 0
	}
	return point[0]
}

// alone returns what deleting or inserting an element costs, given what any does.
func (e *Element) alone(cost float64, of []value) float64 {
	for k := range e.Attributes {
		if a := &e.Attributes[k]; a.Measure == Multiset && of[k].given {
			cost += a.weighed(float64(strings.Count(of[k].word, ",") + 1))
		}
	}
	return cost
}

// substitute returns what a substitution costs.
func (e *Element) substitute(x, y []value) (float64, error) {
	if len(e.Attributes) == 0 {
		if len(x) == 0 || x[0].word == y[0].word {
			return 0, nil
		}
		return e.Substitute, nil
	}
	sum := 0.0
	for k := range e.Attributes {
		a := &e.Attributes[k]
		d, err := a.difference(&x[k], &y[k])
		if err != nil {
			return 0, err
		}
		if a.Apart > 0 {
			if d > 0 {
				return a.Apart, nil
			}
			continue
		}
		sum += a.weighed(d)
	}
	return sum, nil
}

func (a *Attribute) weighed(difference float64) float64 {
	cost := cmp.Or(a.Weight, 1) * difference / cmp.Or(a.Scale, 1)
	if a.Cap > 0 {
		cost = min(cost, a.Cap)
	}
	return cost
}

func (a *Attribute) difference(x, y *value) (float64, error) {
	switch a.Measure {
	case "", Equal:
		if x.given != y.given || x.given && x.word != y.word {
			return 1, nil
		}
		return 0, nil
	case Levenshtein:
		return float64(levenshtein([]rune(x.word), []rune(y.word))), nil
	case Multiset:
		return float64(apart(x, y)), nil
	}
	for _, v := range []*value{x, y} {
		if !v.given || !v.number {
			return 0, fmt.Errorf("%.40q of the attribute %s is no number", v.word, strings.Join(a.Names, ", "))
		}
	}
	sum := 0.0
	for c := range x.point {
		d := x.point[c] - y.point[c]
		sum += d * d
	}
	return math.Sqrt(sum), nil
}

// levenshtein counts the characters that are inserted, deleted or exchanged.
func levenshtein(x, y []rune) int {
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, d := range y {
			exchanged := diagonal
			if c != d {
				exchanged++
			}
			diagonal = row[j+1]
			row[j+1] = min(exchanged, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}

// apart counts the parts that only one of two has.
func apart(x, y *value) int {
	parts := func(v *value) []string {
		if !v.given {
			return nil
		}
		p := strings.Split(v.word, ",")
		slices.Sort(p)
		return p
	}
	p, q := parts(x), parts(y)
	count := len(p) + len(q)
	for len(p) > 0 && len(q) > 0 {
		switch c := cmp.Compare(p[0], q[0]); {
		case c < 0:
			p = p[1:]
		case c > 0:
			q = q[1:]
		default:
			p, q, count = p[1:], q[1:], count-2
		}
	}
	return count
}
