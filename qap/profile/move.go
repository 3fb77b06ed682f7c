package profile

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// move keeps the number of matches. It drops the match of node i and matches
// vertex v instead or, where k is a node, exchanges the partners of i and k.
type move struct {
	i, k, v int
	change  float64 // of the score
}

// choice collects the best of the moves it is shown.
type choice struct {
	move
	found bool
}

func (c *choice) consider(change float64, i, k, v int) {
	if change > c.change {
		c.move, c.found = move{i, k, v, change}, true
	}
}

// bestMove returns the move of the largest change among those that match no tabu
// vertex or, if they raise the score by more than needed, any; false where there
// is none, or Over says to stop.
func (s *search) bestMove(needed float64) (move, bool) {
	c := choice{move: move{change: math.Inf(-1)}}
	s.collectFree()
	for i, b := range s.Match {
		if b == qap.Unmatched || s.Seed1[i] {
			continue
		}
		if s.IsOver() {
			return move{}, false
		}
		s.replacements(&c, needed, i, b)
		s.exchanges(&c, needed, i, b)
	}
	return c.move, c.found
}

// replacements considers what can be matched in place of (i,b): i with another
// node, b with another node, or two free nodes.
func (s *search) replacements(c *choice, needed float64, i, b int) {
	n2 := s.N2
	loss := s.Gains[i*n2+b]
	consider := func(v int, gain float64) {
		if change := gain - loss; change > c.change && (s.until[v] <= s.steps || change > needed) {
			c.consider(change, i, qap.Unmatched, v)
		}
	}
	for _, a := range s.free2 {
		consider(i*n2+a, s.Gains[i*n2+a])
	}
	for _, k := range s.free1 {
		consider(k*n2+b, s.Gains[k*n2+b])
	}
	pairs := len(s.free1) * len(s.free2)
	if pairs == 0 {
		return
	}
	if row := s.row(i*n2 + b); row != nil {
		for _, k := range s.free1 {
			for _, a := range s.free2 {
				v := k*n2 + a
				consider(v, s.Gains[v]-2*row[v])
			}
		}
		return
	}
	few := pairs*fewPairs < len(s.Gains)
	if !few {
		copy(s.without, s.Gains)
		s.Affinity.AddRow(s.without, i*n2+b, -2)
	}
	for _, k := range s.free1 {
		for _, a := range s.free2 {
			v := k*n2 + a
			if few {
				consider(v, s.Gains[v]-2*s.Affinity.At(i*n2+b, v))
			} else {
				consider(v, s.without[v])
			}
		}
	}
}

// fewPairs is how many additions to a row of K cost as much as one look-up.
const fewPairs = 3

// exchanges considers what i, matched to b, and each node before it can exchange.
func (s *search) exchanges(c *choice, needed float64, i, b int) {
	n2 := s.N2
	loss := s.Gains[i*n2+b]
	gains := s.Gains[i*n2 : (i+1)*n2]
	row := s.row(i*n2 + b)
	for k, a := range s.Match[:i] {
		if a == qap.Unmatched || s.Seed1[k] {
			continue
		}
		v, w := i*n2+a, k*n2+b
		var before, after float64 // affinity between the two matches
		if row != nil {
			before, after = row[k*n2+a], s.row(v)[w]
		} else {
			before, after = s.Affinity.At(i*n2+b, k*n2+a), s.Affinity.At(v, w)
		}
		change := gains[a] + s.Gains[w] - loss - s.Gains[k*n2+a] + 2*(before+after)
		if change > c.change && (s.until[v] <= s.steps || s.until[w] <= s.steps || change > needed) {
			c.consider(change, i, k, v)
		}
	}
}

// row returns a row of a dense affinity, to be read without a call for every entry;
// nil of another.
func (s *search) row(p int) []float64 {
	if s.dense == nil {
		return nil
	}
	return s.dense.RowView(p)
}

// make makes a move, which makes the vertices it drops tabu for a while.
func (s *search) make(m move) {
	b := s.Match[m.i]
	s.Release(m.i)
	s.forbid(m.i*s.N2 + b)
	if m.k != qap.Unmatched {
		a := s.Match[m.k]
		s.Release(m.k)
		s.forbid(m.k*s.N2 + a)
		s.Add(m.k, b)
	}
	s.Add(m.v/s.N2, m.v%s.N2)
}

// forbid makes a vertex tabu for a number of steps that is uniform from 1 to twice
// the size and a few more.
func (s *search) forbid(v int) { s.until[v] = s.steps + 2 + s.random.IntN(2*s.Size+6) }
