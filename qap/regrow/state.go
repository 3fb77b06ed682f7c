package regrow

import (
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// state is a matching with the gain of every vertex.
type state struct {
	*local.Matched
	sparse qap.Rows // the affinity, where it is one
	q      []int32  // buffers of a row
	k      []float64
}

func newState(in *qap.Instance, seeds qap.Matching) *state {
	s := &state{Matched: local.NewMatched(in, seeds)}
	if rows, ok := in.Affinity.(qap.Rows); ok {
		s.sparse, s.q, s.k = rows, make([]int32, rows.LongestRow()), make([]float64, rows.LongestRow())
	}
	return s
}

// goTo changes what differs from m, or a part of it where Over says to stop.
func (s *state) goTo(m qap.Matching) {
	for i, a := range m {
		if b := s.Match[i]; b != a && b != qap.Unmatched {
			if s.IsOver() {
				return
			}
			s.Release(i)
		}
	}
	for i, a := range m {
		if s.Match[i] != a {
			if s.IsOver() {
				return
			}
			s.Add(i, a)
		}
	}
}

// swapChange returns the change of score of exchanging the partners of i and k.
func (s *state) swapChange(i, k int) float64 {
	b, a := s.Match[i], s.Match[k]
	ib, ka, ia, kb := i*s.N2+b, k*s.N2+a, i*s.N2+a, k*s.N2+b
	return s.Gains[ia] + s.Gains[kb] - s.Gains[ib] - s.Gains[ka] +
		2*(s.Affinity.At(ib, ka)+s.Affinity.At(ia, kb))
}

// improve makes the move of node i that raises the score most and leaves as many
// matches: i takes a free node, or exchanges its partner with another node, or takes
// over another's partner where it has none.
func (s *state) improve(i int) {
	if s.Seed1[i] {
		return
	}
	b, own := s.Match[i], 0.0
	row := s.Gains[i*s.N2 : (i+1)*s.N2]
	if b != qap.Unmatched {
		own = row[b]
	}
	best, at := rounding*math.Abs(s.Score), -1
	for a, gain := range row {
		k := s.Inverse[a]
		change := gain - own
		switch {
		case a == b || s.Seed2[a]:
			continue
		case b == qap.Unmatched && k == qap.Unmatched:
			continue // one more match
		case b == qap.Unmatched:
			change -= s.Gains[k*s.N2+a]
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
	b, k := s.Match[i], s.Inverse[a]
	if b != qap.Unmatched {
		s.Release(i)
	}
	if k != qap.Unmatched {
		s.Release(k)
		if b != qap.Unmatched {
			s.Add(k, b)
		}
	}
	s.Add(i, a)
}
