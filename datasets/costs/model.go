package costs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/rgm-go/rgm/internal/suggest"
)

// A Model says what edits cost.
type Model struct {
	Name  string  `toml:"-"`
	Nodes Element `toml:"nodes"`
	Edges Element `toml:"edges"`
}

// Element is what edits of nodes cost, or of edges. A substitution costs the sum over the attributes; without any,
// Substitute where the words of the two differ.
type Element struct {
	Delete     float64     `toml:"delete"`
	Insert     float64     `toml:"insert"`
	Substitute float64     `toml:"substitute"` // inf forbids it
	Attributes []Attribute `toml:"attributes"`
}

// Attribute is what the difference of an attribute adds to a substitution: Weight times the difference over Scale, and
// Cap at most.
type Attribute struct {
	Names   []string `toml:"name"`    // what files call it: the first of these that a graph has; of distance, all its coordinates
	Measure Measure  `toml:"measure"` // (equal)
	Weight  float64  `toml:"weight"`  // (1)
	Scale   float64  `toml:"scale"`   // (1)
	Cap     float64  `toml:"cap"`     // 0 is none
	Apart   float64  `toml:"apart"`   // what the whole substitution costs where values differ; 0: it has no such cost
}

// Measure is how values differ.
type Measure string

// The measures.
const (
	Equal       Measure = "equal"       // 0, or 1 where values differ
	Difference  Measure = "difference"  // of two numbers
	Distance    Measure = "distance"    // Euclidean, of points
	Levenshtein Measure = "levenshtein" // characters inserted, deleted or exchanged
	Multiset    Measure = "multiset"    // parts, between commas, that only one has; deleting and inserting cost those of the one
)

var measures = []Measure{Equal, Difference, Distance, Levenshtein, Multiset}

var (
	one      = Element{Delete: 1, Insert: 1, Substitute: 1}
	anything = []string{"symbol", "chem", "element", "label", "type"}
	bond     = []string{"valence", "bond", "order", "label", "type", "weight"}
)

// The models, by name. Sources: chem2 and protein as Blumenthal, Boria, Gamper, Bougleux, Brun (VLDB Journal 29, 2020,
// doi:10.1007/s00778-019-00544-1) have them, letter and grec of Riesen, Bunke (S+SSPR 2008,
// doi:10.1007/978-3-540-89689-0_33).
var models = []Model{
	{Name: "uniform", Nodes: one, Edges: one},
	{
		Name:  "chem2",
		Nodes: Element{Delete: 2.75, Insert: 2.75, Attributes: []Attribute{{Names: anything, Weight: 5.5}}},
		Edges: Element{Delete: .825, Insert: .825, Attributes: []Attribute{{Names: bond, Weight: .825}}},
	},
	{
		Name:  "letter",
		Nodes: Element{Delete: .675, Insert: .675, Attributes: []Attribute{{Names: []string{"x", "y"}, Measure: Distance, Weight: .75}}},
		Edges: Element{Delete: .425, Insert: .425},
	},
	{
		Name: "grec",
		Nodes: Element{Delete: 45, Insert: 45, Attributes: []Attribute{
			{Names: []string{"type"}, Apart: 90}, {Names: []string{"x", "y"}, Measure: Distance, Weight: .5}}},
		Edges: Element{Attributes: []Attribute{{Names: []string{"types", "type0", "type", "label"}, Measure: Multiset, Weight: 7.5}}},
	},
	{
		Name: "protein",
		Nodes: Element{Delete: 8.25, Insert: 8.25, Attributes: []Attribute{
			{Names: []string{"type"}, Apart: 16.5}, {Names: []string{"sequence"}, Measure: Levenshtein, Weight: .75}}},
		Edges: Element{Attributes: []Attribute{{Names: []string{"types", "type0", "type", "label"}, Measure: Multiset, Weight: .25}}},
	},
	{
		Name:  "common",
		Nodes: Element{Substitute: math.Inf(1)},
		Edges: Element{Delete: 1, Insert: 1, Substitute: math.Inf(1)},
	},
}

// Names returns the names of the models, the default first.
func Names() []string {
	var names []string
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}

// Named returns a model by its name, uniform for "".
func Named(name string) (Model, error) {
	name = cmp.Or(name, models[0].Name)
	for _, m := range models {
		if m.Name == name {
			return m, nil
		}
	}
	return Model{}, fmt.Errorf("costs %q are unknown: want %s, or a TOML file%s", name, suggest.OneOf(Names()...), suggest.Meant(name, Names()))
}

// Parse returns the model of a name, or of the text of a TOML file (see Read), which has an equals sign.
func Parse(nameOrText string) (Model, error) {
	if !strings.Contains(nameOrText, "=") {
		return Named(nameOrText)
	}
	m, err := Read(strings.NewReader(nameOrText))
	m.Name = "own"
	return m, err
}

// Open returns the model of a name, or of a file whose name ends in .toml.
func Open(nameOrFile string) (Model, error) {
	if !strings.HasSuffix(nameOrFile, ".toml") {
		return Named(nameOrFile)
	}
	file, err := os.Open(nameOrFile)
	if err != nil {
		return Model{}, err
	}
	defer file.Close()
	m, err := Read(file)
	if err != nil {
		return m, fmt.Errorf("%s: %w", nameOrFile, err)
	}
	m.Name = nameOrFile
	return m, nil
}

const mostModel = 1 << 20 // bytes

// Read reads a model in TOML: tables nodes and edges with the numbers delete, insert and substitute, and arrays of
// tables nodes.attributes and edges.attributes. What is left out is 1, but substitute beside attributes, which is 0.
func Read(r io.Reader) (Model, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostModel+1))
	if err != nil {
		return Model{}, err
	}
	if len(text) > mostModel {
		return Model{}, fmt.Errorf("more than %d bytes of costs", mostModel)
	}
	m := Model{Nodes: one, Edges: one}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&m); err != nil {
		var unknown *toml.StrictMissingError
		if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
			row, _ := unknown.Errors[0].Position()
			return m, fmt.Errorf("line %d: %s is no part of costs: want nodes and edges, each with delete, insert, substitute and attributes", row,
				strings.Join(unknown.Errors[0].Key(), "."))
		}
		var wrong *toml.DecodeError
		if errors.As(err, &wrong) {
			row, _ := wrong.Position()
			return m, fmt.Errorf("line %d: %s", row, wrong.Error())
		}
		return m, err
	}
	return m, m.Check()
}

// Check returns an error where a cost is none.
func (m *Model) Check() error {
	if err := m.Nodes.check(); err != nil {
		return fmt.Errorf("costs of nodes: %w", err)
	}
	if err := m.Edges.check(); err != nil {
		return fmt.Errorf("costs of edges: %w", err)
	}
	return nil
}

func (e *Element) check() error {
	for _, c := range []struct {
		name  string
		value float64
	}{{"delete", e.Delete}, {"insert", e.Insert}} {
		if !(c.value >= 0) || math.IsInf(c.value, 0) {
			return fmt.Errorf("%s is %v: want a number of at least 0", c.name, c.value)
		}
	}
	if !(e.Substitute >= 0) {
		return fmt.Errorf("substitute is %v: want a number of at least 0, or inf", e.Substitute)
	}
	for k := range e.Attributes {
		if err := e.Attributes[k].check(); err != nil {
			return fmt.Errorf("attribute %d: %w", k+1, err)
		}
	}
	return nil
}

func (a *Attribute) check() error {
	if len(a.Names) == 0 {
		return errors.New("it has no name")
	}
	if a.Measure != "" && !slices.Contains(measures, a.Measure) {
		return fmt.Errorf("the measure %q is unknown: want equal, difference, distance, levenshtein or multiset", a.Measure)
	}
	for _, c := range []struct {
		name  string
		value float64
	}{{"weight", a.Weight}, {"scale", a.Scale}, {"cap", a.Cap}, {"apart", a.Apart}} {
		if !(c.value >= 0) || math.IsInf(c.value, 0) && c.name != "apart" {
			return fmt.Errorf("%s is %v: want a number of at least 0", c.name, c.value)
		}
	}
	return nil
}
