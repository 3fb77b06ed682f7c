package local

import "github.com/rgm-go/rgm/qap"

// Matched is a matching with its score and the gain of every vertex, which searches change a
// match at a time: each costs a row of K, and nothing is allocated. Its fields are there to
// be read. It may not be shared by goroutines.
type Matched struct {
	Affinity       qap.Affinity
	N1, N2         int
	Match, Inverse qap.Matching // partners of the nodes of graph 1, and of graph 2
	Seed1, Seed2   []bool       // nodes of matches that are to stay, which the search sees to
	Size           int          // matches
	Score          float64      // J, by adding up gains
	Gains          []float64    // K[p,p] + 2·Σ K[p,q] over the matches q that do not conflict with p

	// Over, if not nil, is asked before each match of Reset whether to stop there.
	Over func() bool
}

// NewMatched returns the empty matching of an instance, with the nodes of the seeds noted.
func NewMatched(in *qap.Instance, seeds qap.Matching) *Matched {
	n1, n2 := in.Size()
	s := &Matched{
		Affinity: in.Affinity, N1: n1, N2: n2, Match: qap.NewMatching(n1), Inverse: qap.NewMatching(n2),
		Seed1: make([]bool, n1), Seed2: make([]bool, n2), Gains: make([]float64, n1*n2),
	}
	for i, a := range seeds {
		if a != qap.Unmatched {
			s.Seed1[i], s.Seed2[a] = true, true
		}
	}
	in.Affinity.Diagonal(s.Gains)
	return s
}

// Reset goes to a matching, computing everything afresh; to a part of it where Over says so.
func (s *Matched) Reset(m qap.Matching) {
	for i := range s.Match {
		s.Match[i] = qap.Unmatched
	}
	for a := range s.Inverse {
		s.Inverse[a] = qap.Unmatched
	}
	s.Size, s.Score = 0, 0
	s.Affinity.Diagonal(s.Gains)
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		if s.IsOver() {
			return
		}
		s.Add(i, a)
	}
}

// IsOver asks Over.
func (s *Matched) IsOver() bool { return s.Over != nil && s.Over() }

// Add matches two free nodes.
func (s *Matched) Add(i, a int) {
	v := i*s.N2 + a
	s.Score += s.Gains[v]
	s.Affinity.AddRow(s.Gains, v, 2)
	s.Match[i], s.Inverse[a] = a, i
	s.Size++
}

// Release frees node i and its partner.
func (s *Matched) Release(i int) {
	a := s.Match[i]
	v := i*s.N2 + a
	s.Score -= s.Gains[v]
	s.Affinity.AddRow(s.Gains, v, -2)
	s.Match[i], s.Inverse[a] = qap.Unmatched, qap.Unmatched
	s.Size--
}
