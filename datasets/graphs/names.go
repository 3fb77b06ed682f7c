package graphs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// nameColumns are the attributes, in upper or lower case, that nodes are called by where all their
// values differ: the first that is so. Where values repeat they are words, compared as any others.
var nameColumns = []string{"name", "label", "id", "node"}

// IsNameColumn reports whether an attribute may be what nodes are called by.
func IsNameColumn(name string) bool { return slices.Contains(nameColumns, strings.ToLower(name)) }

// nameBy calls the nodes by the first attribute whose values all differ, in the order of
// nameColumns and others after them, and reports which that is, −1 for none. Attributes whose values
// repeat become words. "" is no value.
func (g *Graph) nameBy(attributes []Attribute[string]) (by int) {
	rank := func(k int) int {
		r := slices.Index(nameColumns, strings.ToLower(attributes[k].Name))
		return cmp.Or(r+1, len(nameColumns)+1)
	}
	order := make([]int, len(attributes))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(k, l int) int { return cmp.Compare(rank(k), rank(l)) })
	by = -1
	for _, k := range order {
		a := attributes[k]
		switch given, differ := different(a.Values); {
		case given == 0:
		case !differ:
			g.NodeWords = append(g.NodeWords, a)
		default:
			g.Identifiers = append(g.Identifiers, a)
			if by < 0 && given == g.Nodes {
				g.Names, g.NamedBy, by = a.Values, a.Name, k
			}
		}
	}
	return by
}

// AllDiffer reports whether no value is there twice.
func AllDiffer[T comparable](values []T) bool {
	seen := make(map[T]struct{}, len(values))
	for _, v := range values {
		seen[v] = struct{}{}
	}
	return len(seen) == len(values)
}

// different returns how many values are not "", and whether these all differ.
func different(values []string) (given int, differ bool) {
	some := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	return len(some), AllDiffer(some)
}

// Words returns the attributes of words that nodes have, those that tell all of them apart too, but for what is a name by
// what it is called: name, id or node.
func (g *Graph) Words() []Attribute[string] {
	words := slices.Clip(g.NodeWords)
	for _, a := range g.Identifiers {
		if name := strings.ToLower(a.Name); IsNameColumn(name) && name != "label" || ValuesOf(words, a.Name) != nil {
			continue
		}
		words = append(words, a)
	}
	return words
}

// addLabelled is addNode of one with a label, "" for none.
func (b *builder) addLabelled(id, label string) (int, error) {
	number, err := b.addNode(id)
	if err == nil && label != "" {
		b.setLabel(number, label)
	}
	return number, err
}

// setLabel takes note of what the format calls the node that was added last.
func (b *builder) setLabel(number int, label string) {
	b.label.name = labelName
	b.label.add(number)
	b.label.words = append(b.label.words, label)
}

// labelName is what the label of a node is called as an attribute, where the format has no name for it.
const labelName = "label"

// finishNames calls the nodes by an attribute, or by the labels of the format, if one has a value
// of its own for each, and reports whether it was an attribute. Until then they are called by their ids.
func (b *builder) finishNames(room *int) (byAttribute bool, err error) {
	var all []Attribute[string]
	add := func(c *sparseAttribute) error {
		if *room -= b.graph.Nodes; *room < 0 {
			return errTooManyNumbers
		}
		all = append(all, Attribute[string]{c.name, c.asWords(b.graph.Nodes)})
		return nil
	}
	for _, c := range b.node.sorted() {
		if IsNameColumn(c.name) && err == nil {
			err = add(c)
		}
	}
	attributes := len(all)
	if b.label.count > 0 && err == nil && ValuesOf(all, labelName) == nil {
		err = add(&b.label)
	}
	if err != nil {
		return false, err
	}
	by := b.graph.nameBy(all)
	return by >= 0 && by < attributes, nil
}

// byNumber numbers nodes by their names where these are the numbers 0 to n−1.
func (g *Graph) byNumber() {
	if g.Names == nil {
		return
	}
	numbers := make([]int, len(g.Names))
	for i, name := range g.Names {
		v, err := strconv.Atoi(name)
		if err != nil || v < 0 || v >= len(g.Names) || strconv.Itoa(v) != name {
			return
		}
		numbers[i] = v // names differ, so these are all numbers
	}
	for k, e := range g.Edges {
		g.Edges[k] = Edge{numbers[e.I], numbers[e.J]}
	}
	permute(numbers, g.Points)
	permute(numbers, g.Features)
	g.Names = nil // which may be the values of an identifier
	for _, a := range slices.Concat(g.NodeWords, g.Identifiers) {
		permute(numbers, a.Values)
	}
}

// permute puts the value of each node at its new number.
func permute[T any](numbers []int, values []T) {
	before := slices.Clone(values)
	for i := range before {
		values[numbers[i]] = before[i]
	}
}
