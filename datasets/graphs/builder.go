package graphs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// builder makes a graph of what a file names one by one: nodes by their ids, edges by
// those of their ends, attributes by their names. Memory grows with what the file says.
type builder struct {
	graph      Graph
	numbers    map[string]int  // of nodes by their ids, but for those in small
	small      []int32         // of nodes by ids that are numbers, from 1; 0 of none
	label      sparseAttribute // what the format calls nodes besides their ids
	node, edge attributes
	leftOut    map[string]bool // what the file holds and no graph here has
}

func newBuilder() *builder {
	return &builder{numbers: map[string]int{}, leftOut: map[string]bool{}}
}

// addNode returns the number of a new node.
func (b *builder) addNode(id string) (int, error) {
	if _, known := b.numberOf([]byte(id)); known || id == "" {
		return 0, fmt.Errorf("node %.40q: want an id that no other node has", id)
	}
	return b.nodeOf([]byte(id))
}

// nodeOf returns the number of a node, which may be new.
func (b *builder) nodeOf(id []byte) (int, error) {
	if number, known := b.numberOf(id); known {
		return number, nil
	}
	if b.graph.Nodes == MaxNodes {
		return 0, fmt.Errorf("more than %d nodes", MaxNodes)
	}
	name := string(id)
	const room, few = 8, 1 << 12 // ids for each node, so that memory grows with the file
	if v := plainNumber(id); v >= 0 && v < room*b.graph.Nodes+few {
		if v >= len(b.small) {
			b.small = append(b.small, make([]int32, v+1-len(b.small))...)
		}
		b.small[v] = int32(b.graph.Nodes + 1)
	} else {
		b.numbers[name] = b.graph.Nodes
	}
	b.graph.Names = append(b.graph.Names, name)
	b.graph.Nodes++
	return b.graph.Nodes - 1, nil
}

// numberOf returns the number of a node that was added.
func (b *builder) numberOf(id []byte) (number int, known bool) {
	if v := plainNumber(id); v >= 0 && v < len(b.small) && b.small[v] > 0 {
		return int(b.small[v]) - 1, true
	}
	number, known = b.numbers[string(id)]
	return number, known
}

// plainNumber returns the number from 0 that an id is as it would be printed, or −1.
func plainNumber(id []byte) int {
	const digits = 9
	if len(id) == 0 || len(id) > digits || id[0] == '0' && len(id) > 1 {
		return -1
	}
	v := 0
	for _, c := range id {
		if c < '0' || c > '9' {
			return -1
		}
		v = 10*v + int(c-'0')
	}
	return v
}

// addEdge returns the number of an edge between nodes that were added.
func (b *builder) addEdge(source, target string) (int, error) {
	i, ok1 := b.numberOf([]byte(source))
	j, ok2 := b.numberOf([]byte(target))
	if !ok1 || !ok2 {
		return 0, fmt.Errorf("an edge from %.40q to %.40q: want nodes that come before it", source, target)
	}
	b.graph.Edges = append(b.graph.Edges, Edge{i, j})
	return len(b.graph.Edges) - 1, nil
}

// leaveOut takes note of what is not read.
func (b *builder) leaveOut(what string) { b.leftOut[what] = true }

// finish returns the graph that was built.
func (b *builder) finish() (Graph, error) {
	room := maxNumbers + 8*(b.node.given+b.edge.given)
	byAttribute, err := b.finishNames(&room)
	if err == nil {
		err = b.finishNodes(&room)
	}
	if err == nil {
		err = b.finishEdges(&room)
	}
	for what := range b.leftOut {
		b.graph.Notices = append(b.graph.Notices, what)
	}
	slices.Sort(b.graph.Notices)
	if err == nil && !byAttribute {
		b.graph.byNumber()
	}
	return b.graph, err
}

// maxNumbers bounds the numbers of a graph: a default is one for every node.
const maxNumbers = 1 << 24

var errTooManyNumbers = fmt.Errorf("more than %d numbers, with those that are defaults", maxNumbers)

// finishNodes makes places, features and words of the attributes of nodes; numbers that a node does not have are unknown. room is how many
// values there may still be.
func (b *builder) finishNodes(room *int) error {
	g := &b.graph
	for _, c := range b.node.sorted() {
		if IsNameColumn(c.name) {
			continue // see finishNames
		}
		if *room -= g.Nodes; *room < 0 {
			return errTooManyNumbers
		}
		isPlace := slices.Contains(Axes, c.name) && c.words == nil
		switch {
		case c.words != nil:
			g.NodeWords = append(g.NodeWords, Attribute[string]{c.name, spread(&c.sparseColumn, c.words, g.Nodes, c.preset)})
		case isPlace:
			g.Points, g.PointNames = joined(g.Points, spread(&c.sparseColumn, c.numbers, g.Nodes, c.presetNumber())), append(g.PointNames, c.name)
		default:
			g.Features, g.FeatureNames = joined(g.Features, spread(&c.sparseColumn, c.numbers, g.Nodes, c.presetNumber())), append(g.FeatureNames, c.name)
		}
	}
	return nil
}

// finishEdges makes weights, numbers and words of the attributes of edges.
func (b *builder) finishEdges(room *int) error {
	g := &b.graph
	for _, c := range b.edge.sorted() {
		if *room -= len(g.Edges); *room < 0 {
			return errTooManyNumbers
		}
		missing := c.missing(len(g.Edges))
		switch {
		case c.words != nil:
			g.EdgeWords = append(g.EdgeWords, Attribute[string]{c.name, spread(&c.sparseColumn, c.words, len(g.Edges), c.preset)})
		case c.name != WeightName:
			g.EdgeNumbers = append(g.EdgeNumbers, Attribute[float64]{c.name, spread(&c.sparseColumn, c.numbers, len(g.Edges), c.presetNumber())})
		case missing >= 0:
			e := g.Edges[missing]
			return fmt.Errorf("edge %d, from %s to %s, has no %s: some edges have weights and others none", missing, g.NodeName(e.I), g.NodeName(e.J), c.name)
		default:
			g.Weights = spread(&c.sparseColumn, c.numbers, len(g.Edges), c.presetNumber())
		}
	}
	return nil
}

// joined puts a further number into each vector.
func joined(vectors [][]float64, column []float64) [][]float64 {
	if vectors == nil {
		vectors = make([][]float64, len(column))
	}
	for i, v := range column {
		vectors[i] = append(vectors[i], v)
	}
	return vectors
}

// attributes are the attributes of nodes, or of edges.
type attributes struct {
	all    []*sparseAttribute
	byName map[string]*sparseAttribute
	given  int // values
}

// of returns the attribute of a name, which may be new.
func (a *attributes) of(name string) *sparseAttribute {
	c := a.byName[name]
	if c == nil {
		if a.byName == nil {
			a.byName = map[string]*sparseAttribute{}
		}
		c = &sparseAttribute{name: name}
		a.byName[name], a.all = c, append(a.all, c)
	}
	return c
}

// sorted returns the attributes by their names, so that x is before y, but those about which
// nothing is known.
func (a *attributes) sorted() []*sparseAttribute {
	known := slices.DeleteFunc(slices.Clone(a.all), func(c *sparseAttribute) bool { return len(c.numbers)+len(c.words) == 0 && c.preset == "" })
	slices.SortStableFunc(known, func(c, d *sparseAttribute) int { return strings.Compare(c.name, d.name) })
	return known
}

// sparseColumn says whose the values of an attribute are.
type sparseColumn struct {
	owners []int // nil while each so far has a value
	count  int
}

// add takes note of the owner of the next value.
func (o *sparseColumn) add(owner int) {
	if o.owners == nil && owner != o.count {
		o.owners = make([]int, o.count, 2*o.count+1)
		for k := range o.owners {
			o.owners[k] = k
		}
	}
	if o.owners != nil {
		o.owners = append(o.owners, owner)
	}
	o.count++
}

// of returns the owner of a value.
func (o *sparseColumn) of(k int) int {
	if o.owners == nil {
		return k
	}
	return o.owners[k]
}

// sparseAttribute is an attribute while its file is read: the values of its owners, in their
// order. It is of numbers until one is none.
type sparseAttribute struct {
	name string
	sparseColumn
	numbers []float64
	words   []string
	preset  string // the default, "" for none
}

// setNumber adds a value of an owner.
func (a *attributes) setNumber(name string, owner int, v float64) error {
	c := a.of(name)
	if c.words != nil {
		return a.setWord(name, owner, wordOf(v))
	}
	if err := CheckNumber(v); err != nil {
		return fmt.Errorf("%v of the attribute %s: %w", v, name, err)
	}
	if err := c.next(owner); err != nil {
		return err
	}
	a.given++
	c.numbers = append(c.numbers, v)
	return nil
}

// setWord adds a value of an owner.
func (a *attributes) setWord(name string, owner int, word string) error {
	c := a.of(name)
	if err := c.next(owner); err != nil {
		return err
	}
	if c.words == nil {
		c.words, c.numbers = WordsOf(c.numbers), nil
	}
	a.given++
	c.words = append(c.words, word)
	return nil
}

// set is setNumber of a text that is a number, and else setWord.
func (a *attributes) set(name string, owner int, text string) error {
	if !isNumber(text) {
		return a.setWord(name, owner, text)
	}
	v, err := parseNumber(text)
	if err != nil {
		return fmt.Errorf("%.20q of the attribute %s: %w", text, name, err)
	}
	return a.setNumber(name, owner, v)
}

// next takes note of an owner, which comes once.
func (c *sparseAttribute) next(owner int) error {
	if c.count > 0 && owner <= c.of(c.count-1) {
		return fmt.Errorf("a second %s of one node or edge", c.name)
	}
	c.add(owner)
	return nil
}

// asWords returns the values of so many owners as words, "" of those without one.
func (c *sparseAttribute) asWords(owners int) []string {
	if c.words != nil || c.numbers == nil {
		return spread(&c.sparseColumn, c.words, owners, c.preset)
	}
	preset := c.preset
	if v, err := parseNumber(preset); err == nil {
		preset = wordOf(v)
	}
	return spread(&c.sparseColumn, WordsOf(c.numbers), owners, preset)
}

// wordOf returns a number as a word.
func wordOf(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// WordsOf returns numbers as words.
func WordsOf(numbers []float64) []string {
	words := make([]string, len(numbers), len(numbers)+1)
	for k, v := range numbers {
		words[k] = wordOf(v)
	}
	return words
}

// missing returns the first owner without a value and without a default, −1 if there is none.
func (c *sparseAttribute) missing(owners int) int {
	if c.preset != "" || c.count == owners {
		return -1
	}
	for k := range c.count {
		if c.of(k) != k {
			return k
		}
	}
	return c.count
}

// presetNumber returns the default, NaN where there is none.
func (c *sparseAttribute) presetNumber() float64 {
	v, err := parseNumber(cmp.Or(c.preset, "none"))
	if err != nil {
		return math.NaN()
	}
	return v
}

// spread returns a value for each of so many owners.
func spread[T any](o *sparseColumn, values []T, owners int, preset T) []T {
	if o.owners == nil && o.count == owners {
		return values
	}
	all := make([]T, owners)
	for k := range all {
		all[k] = preset
	}
	for k, v := range values {
		all[o.of(k)] = v
	}
	return all
}
