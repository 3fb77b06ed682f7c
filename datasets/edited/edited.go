// Package edited makes pairs of graphs that a known number of edits lie between, and reads and writes pairs of graphs whose
// edit distance is known.
package edited

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Graph is a graph with words for labels, "" where there is none.
type Graph struct {
	Nodes    []string `json:"nodes"`
	Edges    []Edge   `json:"edges"`
	Directed bool     `json:"directed,omitempty"`
}

// Edge joins two nodes.
type Edge struct {
	I, J  int
	Label string
}

// kind makes graphs of a sort, whose labels are some of those that it has.
type kind struct {
	name         string
	nodes, edges []string // nil: no labels
	directed     bool
	make         func(*maker, int)
}

var kinds = []kind{
	{"molecules", []string{"C", "N", "O", "S", "F"}, []string{"1", "2", "3"}, false, (*maker).molecule},
	{"labelled", []string{"A", "B", "C", "D"}, []string{"x", "y"}, false, (*maker).random},
	{"plain", nil, nil, false, (*maker).random},
	{"directed", []string{"A", "B", "C", "D"}, nil, true, (*maker).random},
}

// Kinds returns the sorts of graphs that Generate makes: molecules are trees of atoms and rings within their valences, the
// others have edges between random nodes, 3 of a node in the mean.
func Kinds() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Generate returns a graph of so many nodes, at least 3, and a copy with its nodes in another order, into which so many edits
// turn it, at most one a node. No edit undoes another, so that the map of the pair costs as much as there are edits where
// each costs 1; others may cost less.
func Generate(of string, nodes, edits int, rng *rand.Rand) (Pair, error) {
	at := slices.Index(Kinds(), of)
	if at < 0 || nodes < 3 || nodes > mostNodes || edits < 0 || edits > nodes {
		return Pair{}, fmt.Errorf("edited: %d edits of a graph of %d nodes of the kind %q: want from 3 to %d nodes, at most an edit a node, and one of %v",
			edits, nodes, of, mostNodes, Kinds())
	}
	m := &maker{kind: &kinds[at], rng: rng}
	m.make(m, nodes)
	p := Pair{Costs: "uniform", Bin: fmt.Sprintf("%s_%d", of, nodes), Best: float64(edits), Graph1: Graph{Nodes: m.words(), Edges: m.links(), Directed: m.directed}}
	m.edit(edits)
	p.Graph2, p.Map = m.shuffled(nodes)
	return p, nil
}

// maker is a graph that is being made, and then edited.
type maker struct {
	*kind
	rng   *rand.Rand
	atoms []atom
	bonds []bond
}

type atom struct {
	label         string
	free          int // valence that is left
	edited, taken bool
}

type bond struct {
	Edge
	edited, taken bool
}

func (m *maker) pick(words []string) string {
	if words == nil {
		return ""
	}
	return words[m.rng.IntN(len(words))]
}

// other returns a word that is another.
func (m *maker) other(words []string, than string) string {
	at := (slices.Index(words, than) + 1 + m.rng.IntN(len(words)-1)) % len(words)
	return words[at]
}

func (m *maker) add(label string, valence int) int {
	m.atoms = append(m.atoms, atom{label: label, free: valence})
	return len(m.atoms) - 1
}

func (m *maker) join(i, j int, label string, order int) {
	m.bonds = append(m.bonds, bond{Edge: Edge{i, j, label}})
	m.atoms[i].free -= order
	m.atoms[j].free -= order
}

func (m *maker) joined(i, j int) bool {
	return slices.ContainsFunc(m.bonds, func(b bond) bool { return b.I == i && b.J == j || !m.directed && b.I == j && b.J == i })
}

// random joins random nodes.
func (m *maker) random(nodes int) {
	for range nodes {
		m.add(m.pick(m.nodes), 0)
	}
	for range min(3*nodes/2, nodes*(nodes-1)/2) {
		m.joinRandom()
	}
}

// joinRandom joins two nodes that are not joined, if a few trials find such, and returns whether they did.
func (m *maker) joinRandom() bool {
	for range 20 {
		i, j := m.rng.IntN(len(m.atoms)), m.rng.IntN(len(m.atoms))
		if i != j && !m.atoms[i].taken && !m.atoms[j].taken && !m.joined(i, j) {
			m.join(i, j, m.pick(m.edges), 1)
			return true
		}
	}
	return false
}

// molecule grows single atoms and rings of five or six, at atoms that have valence left.
func (m *maker) molecule(nodes int) {
	m.add("C", 4)
	for len(m.atoms) < nodes {
		var open []int
		free := 0
		for i := range m.atoms {
			if m.atoms[i].free > 0 {
				open = append(open, i)
				free += m.atoms[i].free
			}
		}
		at := open[m.rng.IntN(len(open))]
		if size := 5 + m.rng.IntN(2); m.rng.Float64() < .12 && nodes-len(m.atoms) >= size {
			m.ring(at, size)
			continue
		}
		symbol, valence := m.element()
		order := 1
		if m.rng.Float64() < .15 && valence > 1 && m.atoms[at].free > 1 {
			order = 2
		}
		if free-2*order+valence < 1 { // nothing could be joined any more
			symbol, valence = "C", 4
		}
		m.join(at, m.add(symbol, valence), m.edges[order-1], order)
	}
}

// element draws an atom about as often as drugs have it.
func (m *maker) element() (symbol string, valence int) {
	switch x := m.rng.Float64(); {
	case x < .72:
		return "C", 4
	case x < .84:
		return "N", 3
	case x < .95:
		return "O", 2
	case x < .97:
		return "S", 2
	}
	return "F", 1
}

// ring joins a ring to an atom; one of six has double bonds in turn.
func (m *maker) ring(at, size int) {
	first := len(m.atoms)
	for range size {
		m.add("C", 4)
	}
	for k := range size {
		order := 1
		if size == 6 {
			order += k % 2
		}
		m.join(first+k, first+(k+1)%size, m.edges[order-1], order)
	}
	m.join(at, first, m.edges[0], 1)
}

// edit makes so many edits of parts that no other edit has touched.
func (m *maker) edit(count int) {
	for count > 0 {
		count -= m.change(count)
	}
}

// change makes a random change of at most so many edits, and returns how many it was: 0 where it was not possible.
func (m *maker) change(most int) int {
	i, k := m.rng.IntN(len(m.atoms)), -1
	if len(m.bonds) > 0 {
		k = m.rng.IntN(len(m.bonds))
	}
	switch m.rng.IntN(6) {
	case 0:
		if a := &m.atoms[i]; m.kind.nodes != nil && !a.edited {
			a.label, a.edited = m.other(m.kind.nodes, a.label), true
			return 1
		}
	case 1:
		if k >= 0 && m.kind.edges != nil && !m.bonds[k].edited {
			m.bonds[k].Label, m.bonds[k].edited = m.other(m.kind.edges, m.bonds[k].Label), true
			return 1
		}
	case 2:
		if k >= 0 && !m.bonds[k].edited {
			m.bonds[k].edited, m.bonds[k].taken = true, true
			return 1
		}
	case 3:
		if m.joinRandom() {
			m.bonds[len(m.bonds)-1].edited = true
			return 1
		}
	case 4:
		if most >= 2 && !m.atoms[i].taken {
			m.join(i, m.add(m.pick(m.kind.nodes), 0), m.pick(m.kind.edges), 1)
			m.atoms[len(m.atoms)-1].edited, m.bonds[len(m.bonds)-1].edited = true, true
			return 2
		}
	case 5:
		return m.takeLeaf(i, most)
	}
	return 0
}

// takeLeaf deletes a node with its only edge.
func (m *maker) takeLeaf(i, most int) int {
	var of []int
	for k, b := range m.bonds {
		if (b.I == i || b.J == i) && !b.taken {
			of = append(of, k)
		}
	}
	if most < 2 || len(of) != 1 || m.atoms[i].edited || m.bonds[of[0]].edited {
		return 0
	}
	m.atoms[i].edited, m.atoms[i].taken = true, true
	m.bonds[of[0]].edited, m.bonds[of[0]].taken = true, true
	return 2
}

func (m *maker) words() []string {
	var words []string
	for _, a := range m.atoms {
		words = append(words, a.label)
	}
	return words
}

func (m *maker) links() []Edge {
	links := []Edge{}
	for _, b := range m.bonds {
		links = append(links, b.Edge)
	}
	return links
}

// shuffled returns what is left with its nodes and edges in another order, and where the first nodes went.
func (m *maker) shuffled(nodes int) (g Graph, image []int) {
	of := make([]int, len(m.atoms))
	g = Graph{Edges: []Edge{}, Directed: m.directed}
	for i := range of {
		of[i] = qap.Unmatched
	}
	for _, i := range m.rng.Perm(len(m.atoms)) {
		if !m.atoms[i].taken {
			of[i] = len(g.Nodes)
			g.Nodes = append(g.Nodes, m.atoms[i].label)
		}
	}
	for _, k := range m.rng.Perm(len(m.bonds)) {
		if b := m.bonds[k]; !b.taken {
			g.Edges = append(g.Edges, Edge{of[b.I], of[b.J], b.Label})
		}
	}
	return g, of[:nodes]
}
