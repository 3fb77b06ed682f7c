package align

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Problem is two graphs, and what is known of which node is which.
type Problem struct {
	A, B    *Graph
	Known   []Pair    // pairs that are right: they stay matched, and others are found by how far they are from them
	Similar []Similar // how alike nodes are apart from the graphs: candidates, and terms of the objective

	// NodeWeight is how many edges a similarity of 1 counts for in the objective (0 for 1);
	// less than 0 makes similarities candidates alone.
	NodeWeight float64

	Attributes *Attributes // of the nodes, nil for none: the same for every pair

	// Kinds says that weights are no amounts but numbers of kinds: an edge taken to one of its kind
	// counts 1, and to one of another Unlike, from 0 to 1.
	Kinds  bool
	Unlike float64

	// Strict says that an edge is never taken to one of another kind: neither is shared then, whatever Unlike is.
	Strict bool

	// Class1 and Class2 are numbers of the nodes of A and of B, nil for none: nodes of different numbers are never matched.
	Class1, Class2 []int32

	Begin qap.Matching // a matching of graph 1 to begin with, nil for none
}

// Pair is a node of graph 1 and one of graph 2.
type Pair struct{ I, J int }

// Similar is a pair that is alike, and how much: more than 0, in any unit.
type Similar struct {
	Pair
	Score float64
}

// Check returns an error unless the parts of the problem fit together.
func (p *Problem) Check() error {
	if p.A == nil || p.B == nil {
		return errors.New("align: want two graphs")
	}
	if p.A.Nodes() == 0 || p.B.Nodes() == 0 {
		return errors.New("align: a graph without nodes")
	}
	if p.A.Directed() != p.B.Directed() {
		return errors.New("align: edges of one graph have directions and those of the other none: want both with or both without")
	}
	if err := p.checkClasses(); err != nil {
		return err
	}
	if p.Kinds && !(p.Unlike >= 0 && p.Unlike <= 1) {
		return fmt.Errorf("align: an edge of another kind counts %v: want a number from 0 to 1", p.Unlike)
	}
	seen1, seen2 := map[int]Pair{}, map[int]Pair{}
	for _, k := range p.Known {
		if err := p.checkPair(k); err != nil {
			return fmt.Errorf("align: the known pair %d:%d: %w", k.I, k.J, err)
		}
		other, again := seen1[k.I]
		if !again {
			other, again = seen2[k.J]
		}
		if again && other != k {
			return fmt.Errorf("align: the known pairs %d:%d and %d:%d conflict", other.I, other.J, k.I, k.J)
		}
		seen1[k.I], seen2[k.J] = k, k
	}
	for _, s := range p.Similar {
		if err := p.checkPair(s.Pair); err != nil {
			return fmt.Errorf("align: the similarity of %d and %d: %w", s.I, s.J, err)
		}
		if !(s.Score > 0) || math.IsInf(s.Score, 1) {
			return fmt.Errorf("align: the similarity of %d and %d is %v: want a finite number above 0, and unlike pairs left out", s.I, s.J, s.Score)
		}
	}
	if p.Begin != nil && len(p.Begin) != p.A.Nodes() {
		return fmt.Errorf("align: a matching of %d nodes to begin with, want %d", len(p.Begin), p.A.Nodes())
	}
	for i, j := range p.Begin {
		if err := p.checkPair(Pair{i, max(j, 0)}); err != nil {
			return fmt.Errorf("align: the pair %d:%d to begin with: %w", i, j, err)
		}
	}
	return p.Attributes.check(p.A.Nodes(), p.B.Nodes())
}

func (p *Problem) checkPair(k Pair) error {
	if n1, n2 := p.A.Nodes(), p.B.Nodes(); min(k.I, k.J) < 0 || k.I >= n1 || k.J >= n2 {
		return fmt.Errorf("graphs of %d and %d nodes have no such pair", n1, n2)
	}
	return nil
}

func (p *Problem) checkClasses() error {
	n1, n2 := p.A.Nodes(), p.B.Nodes()
	switch {
	case p.Strict && !p.Kinds:
		return errors.New("align: edges are to be of one kind, and have none")
	case p.Class1 == nil && p.Class2 == nil:
		return nil
	case len(p.Class1) != n1 || len(p.Class2) != n2:
		return fmt.Errorf("align: classes of %d and %d nodes, want %d and %d", len(p.Class1), len(p.Class2), n1, n2)
	}
	for _, k := range p.Known {
		if err := p.checkPair(k); err == nil && !p.May(k.I, k.J) {
			return fmt.Errorf("align: the known pair %d:%d is of two classes, which are never matched", k.I, k.J)
		}
	}
	return nil
}

// May reports whether a node of A and one of B may be matched.
func (p *Problem) May(i, j int) bool { return p.Class1 == nil || p.Class1[i] == p.Class2[j] }

// Objective returns that of a matching.
func (p *Problem) Objective(m qap.Matching) float64 {
	return newEngine(p).value(narrow(m))
}

// SharedEdges returns how many edges of A a matching takes to edges of B, whatever they weigh.
func (p *Problem) SharedEdges(m qap.Matching) int {
	return newEngine(p).shared(narrow(m))
}

// Bound returns what no matching's shared edges exceed: the smaller number of edges, of each kind and between each
// two classes where others are not shared.
func (p *Problem) Bound() int {
	if !p.Strict && p.Class1 == nil {
		return min(p.A.Edges(), p.B.Edges())
	}
	of1, of2 := p.A.sorts(p.Class1, p.Strict), p.B.sorts(p.Class2, p.Strict)
	shared := 0
	for s, count := range of1 {
		shared += min(count, of2[s])
	}
	return shared
}

// edgeSort is what edges have that may be shared: the classes of their ends and their kind.
type edgeSort struct {
	from, to int32
	kind     float32
}

// sorts counts the edges of each sort.
func (g *Graph) sorts(class []int32, kinds bool) map[edgeSort]int {
	count := map[edgeSort]int{}
	for i := range g.Nodes() {
		for x := g.start[i]; x < g.start[i+1]; x++ {
			var s edgeSort
			w, _ := g.weights(x)
			if k := g.to[x]; w == 0 || g.in == nil && int(k) < i {
				continue
			} else if class != nil {
				s.from, s.to = class[i], class[k]
				if g.in == nil {
					s.from, s.to = min(s.from, s.to), max(s.from, s.to)
				}
			}
			if kinds {
				s.kind = w
			}
			count[s]++
		}
	}
	return count
}

// Counts reports whether the objective is the number of shared edges: no edge has a weight but
// 1, and nothing is said of which nodes are alike. Bound is then one of the objective.
func (p *Problem) Counts() bool {
	return (p.Strict || p.A.uniform() && p.B.uniform()) && p.Attributes == nil && (len(p.Similar) == 0 || p.NodeWeight < 0)
}

// mirrored returns the problem with the graphs exchanged.
func (p *Problem) mirrored() *Problem {
	other := &Problem{A: p.B, B: p.A, Attributes: p.Attributes.mirrored(), NodeWeight: p.NodeWeight, Kinds: p.Kinds, Unlike: p.Unlike, Strict: p.Strict,
		Class1: p.Class2, Class2: p.Class1}
	for _, k := range p.Known {
		other.Known = append(other.Known, Pair{k.J, k.I})
	}
	for _, s := range p.Similar {
		other.Similar = append(other.Similar, Similar{Pair{s.J, s.I}, s.Score})
	}
	if p.Begin != nil {
		other.Begin = widen(narrow(p.Begin).inverted(p.B.Nodes()))
	}
	return other
}

func narrow(m qap.Matching) matching {
	n := make(matching, len(m))
	for i, j := range m {
		n[i] = int32(j)
	}
	return n
}

func widen(m matching) qap.Matching {
	w := make(qap.Matching, len(m))
	for i, j := range m {
		w[i] = int(j)
	}
	return w
}

// similarities holds Problem.Similar as rows.
type similarities struct {
	start []int32 // nil where there are none
	ends  []int32
	score []float32 // of 1 at most
}

// newSimilarities returns the rows of similarities in units of the greatest.
func newSimilarities(n1 int, similar []Similar) similarities {
	if len(similar) == 0 {
		return similarities{}
	}
	sorted := slices.Clone(similar)
	slices.SortStableFunc(sorted, func(x, y Similar) int {
		if x.I != y.I {
			return x.I - y.I
		}
		return x.J - y.J
	})
	most := slices.MaxFunc(similar, func(x, y Similar) int {
		if x.Score < y.Score {
			return -1
		}
		return 1
	}).Score
	s := similarities{start: make([]int32, n1+1)}
	for k, x := range sorted {
		if k > 0 && sorted[k-1].Pair == x.Pair {
			continue
		}
		s.ends = append(s.ends, int32(x.J))
		s.score = append(s.score, float32(x.Score/most))
		s.start[x.I+1]++
	}
	for i := range n1 {
		s.start[i+1] += s.start[i]
	}
	return s
}

// to returns the nodes that node i is like, sorted.
func (s *similarities) to(i int) []int32 {
	if s.start == nil {
		return nil
	}
	return s.ends[s.start[i]:s.start[i+1]]
}

// of returns how alike two nodes are, 0 where nothing says so.
func (s *similarities) of(i, j int) float32 {
	if k, ok := slices.BinarySearch(s.to(i), int32(j)); ok {
		return s.score[int(s.start[i])+k]
	}
	return 0
}
