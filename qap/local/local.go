// Package local holds matchings that searches change a match at a time (Matched), and the
// moves of local search over them: what simulated annealing draws at random and local
// rewrite picks greedily (State).
//
// State keeps the gain of every vertex, so the change of score of a move costs
// O(1), and making it O(n1·n2) for each match that changes. Unlike a step of
// qap.Environment, a move that takes a partner away from a node can give it the
// other's partner in exchange, so complete matchings stay complete.
package local

import "github.com/rgm-go/rgm/qap"

// State is a matching of an instance. It may not be shared by goroutines.
type State struct {
	in      *qap.Instance
	n1, n2  int
	match   qap.Matching
	inverse []int
	gains   []float64
	score   float64
}

// NewState returns the state of a matching. Where solutions are complete and m is
// none, its free nodes are matched in their order first. It panics if m is not a
// matching of the instance (see qap.Instance.CheckMatching).
func NewState(in *qap.Instance, m qap.Matching) *State { return NewStateUntil(in, m, nil) }

// NewStateUntil is NewState that asks over, if it is not nil, whether to stop before each match:
// on graphs of a thousand nodes all of them take most of a second. It returns nil where it did.
func NewStateUntil(in *qap.Instance, m qap.Matching, over func() bool) *State {
	if err := in.CheckMatching(m); err != nil {
		panic(err)
	}
	n1, n2 := in.Size()
	s := &State{in: in, n1: n1, n2: n2, match: qap.NewMatching(n1), inverse: make([]int, n2), gains: make([]float64, n1*n2)}
	in.Affinity.Diagonal(s.gains)
	for a := range s.inverse {
		s.inverse[a] = qap.Unmatched
	}
	for _, matches := range []qap.Matching{m, Completed(in, m)} {
		for i, a := range matches {
			if a == qap.Unmatched || a == s.match[i] {
				continue
			}
			if over != nil && over() {
				return nil
			}
			s.add(i, a)
		}
	}
	s.score = in.Score(s.match)
	return s
}

// Completed returns m or, where solutions are complete, m with the free nodes matched in their
// order.
func Completed(in *qap.Instance, m qap.Matching) qap.Matching {
	if !in.Complete {
		return m
	}
	_, n2 := in.Size()
	all, taken, free := m.Clone(), make([]bool, n2), 0
	for _, a := range m {
		if a != qap.Unmatched {
			taken[a] = true
		}
	}
	for i, a := range all {
		for ; free < n2 && taken[free]; free++ {
		}
		if a == qap.Unmatched && free < n2 {
			all[i], taken[free] = free, true
		}
	}
	return all
}

func (s *State) add(i, a int) {
	s.match[i], s.inverse[a] = a, i
	s.in.Affinity.AddRow(s.gains, i*s.n2+a, 2)
}

func (s *State) release(i, a int) {
	s.match[i], s.inverse[a] = qap.Unmatched, qap.Unmatched
	s.in.Affinity.AddRow(s.gains, i*s.n2+a, -2)
}

// Matching returns the matching. It belongs to the state and changes with it.
func (s *State) Matching() qap.Matching { return s.match }

// Score returns J of the matching, by adding up changes.
func (s *State) Score() float64 { return s.score }

// Gains returns K[p,p] + 2·Σ K[p,q] over the matches q that do not conflict with p,
// one number a vertex. The slice belongs to the state and changes with it.
func (s *State) Gains() []float64 { return s.gains }

// A Move matches node i of graph 1 with node a of graph 2, or releases i where a is
// qap.Unmatched. The node that holds a gets i's partner in exchange, if i has one,
// and else becomes free.
type Move struct {
	I, A   int
	Change float64 // of the score

	exchange bool
}

// Assign returns the move that matches i with a or, where they are matched, that
// releases them. There is none, and ok is false, where this would leave a complete
// matching incomplete.
func (s *State) Assign(i, a int) (m Move, ok bool) {
	n2 := s.n2
	b, k := s.match[i], s.inverse[a]
	if b == a {
		return Move{I: i, A: qap.Unmatched, Change: -s.gains[i*n2+b]}, !s.in.Complete
	}
	m = Move{I: i, A: a, Change: s.gains[i*n2+a], exchange: b != qap.Unmatched && k != qap.Unmatched}
	if b != qap.Unmatched {
		m.Change -= s.gains[i*n2+b]
	}
	if k != qap.Unmatched {
		m.Change -= s.gains[k*n2+a]
	}
	if m.exchange {
		at := s.in.Affinity.At
		m.Change += s.gains[k*n2+b] + 2*at(i*n2+a, k*n2+b) + 2*at(i*n2+b, k*n2+a)
	}
	return m, true
}

// Make makes a move that Assign returned in this state.
func (s *State) Make(m Move) {
	b, k := s.match[m.I], qap.Unmatched
	if m.A != qap.Unmatched {
		k = s.inverse[m.A]
	}
	if b != qap.Unmatched {
		s.release(m.I, b)
	}
	if k != qap.Unmatched {
		s.release(k, m.A)
	}
	if m.A != qap.Unmatched {
		s.add(m.I, m.A)
	}
	if m.exchange {
		s.add(k, b)
	}
	s.score += m.Change
}
