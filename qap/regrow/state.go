package regrow

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// state is a matching with the gain of every vertex.
type state struct {
	affinity       qap.Affinity
	sparse         qap.Rows // affinity, where it is one
	q              []int32  // buffers of a row
	k              []float64
	n1, n2         int
	match, inverse qap.Matching
	seed1, seed2   []bool // nodes of matches that stay
	size           int
	score          float64
	gains          []float64 // see qap.Environment.Gains
}

func newState(in *qap.Instance, seeds qap.Matching) *state {
	n1, n2 := in.Size()
	s := &state{
		affinity: in.Affinity, n1: n1, n2: n2, match: qap.NewMatching(n1), inverse: qap.NewMatching(n2),
		seed1: make([]bool, n1), seed2: make([]bool, n2), gains: make([]float64, n1*n2),
	}
	if rows, ok := in.Affinity.(qap.Rows); ok {
		s.sparse, s.q, s.k = rows, make([]int32, rows.LongestRow()), make([]float64, rows.LongestRow())
	}
	for i, a := range seeds {
		if a != qap.Unmatched {
			s.seed1[i], s.seed2[a] = true, true
		}
	}
	return s
}

// reset goes to a matching, computing everything afresh.
func (s *state) reset(m qap.Matching) {
	for i := range s.match {
		s.match[i] = qap.Unmatched
	}
	for a := range s.inverse {
		s.inverse[a] = qap.Unmatched
	}
	s.size, s.score = 0, 0
	s.affinity.Diagonal(s.gains)
	for i, a := range m {
		if a != qap.Unmatched {
			s.add(i, a)
		}
	}
}

// goTo changes what differs from m.
func (s *state) goTo(m qap.Matching) {
	for i, a := range m {
		if b := s.match[i]; b != a && b != qap.Unmatched {
			s.release(i)
		}
	}
	for i, a := range m {
		if s.match[i] != a {
			s.add(i, a)
		}
	}
}

func (s *state) add(i, a int) {
	v := i*s.n2 + a
	s.score += s.gains[v]
	s.spread(v, 2)
	s.match[i], s.inverse[a] = a, i
	s.size++
}

func (s *state) release(i int) {
	a := s.match[i]
	v := i*s.n2 + a
	s.score -= s.gains[v]
	s.spread(v, -2)
	s.match[i], s.inverse[a] = qap.Unmatched, qap.Unmatched
	s.size--
}

// spread adds scale·K[v,·] to the gains.
func (s *state) spread(v int, scale float64) {
	if s.sparse == nil {
		s.affinity.AddRow(s.gains, v, scale)
		return
	}
	columns, values := s.sparse.RowEntries(v, s.q, s.k)
	values = values[:len(columns)]
	for k, q := range columns {
		s.gains[q] += scale * values[k]
	}
}

// swapChange returns the change of score of exchanging the partners of i and k.
func (s *state) swapChange(i, k int) float64 {
	b, a := s.match[i], s.match[k]
	ib, ka, ia, kb := i*s.n2+b, k*s.n2+a, i*s.n2+a, k*s.n2+b
	return s.gains[ia] + s.gains[kb] - s.gains[ib] - s.gains[ka] +
		2*(s.affinity.At(ib, ka)+s.affinity.At(ia, kb))
}

// improve makes the move of node i that raises the score most and leaves as many
// matches: i takes a free node, or exchanges its partner with another node, or takes
// over another's partner where it has none.
func (s *state) improve(i int) {
	if s.seed1[i] {
		return
	}
	b, own := s.match[i], 0.0
	row := s.gains[i*s.n2 : (i+1)*s.n2]
	if b != qap.Unmatched {
		own = row[b]
	}
	best, at := rounding*math.Abs(s.score), -1
	for a, gain := range row {
		k := s.inverse[a]
		change := gain - own
		switch {
		case a == b || s.seed2[a]:
			continue
		case b == qap.Unmatched && k == qap.Unmatched:
			continue // one more match
		case b == qap.Unmatched:
			change -= s.gains[k*s.n2+a]
		case k != qap.Unmatched:
			// Before the affinity between i and k, which costs a look-up, counts.
			if gain <= 0 && own > 0 {
				continue
			}
			change = s.swapChange(i, k)
		}
		if change > best {
			best, at = change, a
		}
	}
	if at >= 0 {
		s.moveTo(i, at)
	}
}

// rounding is the relative error that sums of gains may gather.
const rounding = 1e-12

// moveTo matches i with a. The node that held a gets i's partner, if i had one.
func (s *state) moveTo(i, a int) {
	b, k := s.match[i], s.inverse[a]
	if b != qap.Unmatched {
		s.release(i)
	}
	if k != qap.Unmatched {
		s.release(k)
		if b != qap.Unmatched {
			s.add(k, b)
		}
	}
	s.add(i, a)
}
