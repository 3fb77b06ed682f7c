package kbest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// MostPairs bounds the pairs of a node of graph 1 and one of graph 2: a table has a number for every two of them.
const MostPairs = 400

// DefaultWork is what looking at partial matchings may take where no limit is given, each in n1·n2·(n1 + n2): seconds.
const DefaultWork = 200_000_000

// Problem is what is maximised: the sum of Node over all matches, and of Pair over every two of them.
type Problem struct {
	N1, N2 int
	Node   func(i, a int) float64
	Pair   func(i, a, j, b int) float64 // of both orders together

	May     func(i, a int) bool // nil for all
	Fixed   qap.Matching        // matches that all have, nil for none
	Matches int                 // of every matching; 0 for closed ones of any number

	// Same reports whether two matchings of one score count as one, as where a symmetry takes one to the other; nil for none.
	Same func(m, other qap.Matching) bool
}

// Ranked is a matching and its score.
type Ranked struct {
	Matching qap.Matching
	Score    float64
}

// Result is what a search found, the best first.
type Result struct {
	Best   []Ranked
	Proved bool // there are none better, and none besides where they are fewer than wanted
	Steps  int
}

// Search returns the k best matchings. It begins with those that are known, which make it shorter. A limit or the end of the
// context ends it with the best so far.
func Search(ctx context.Context, p *Problem, k int, known []qap.Matching, limits qap.Limits) (Result, error) {
	if k < 1 || p.N1*p.N2 > MostPairs {
		return Result{}, fmt.Errorf("kbest: %d matchings of %d and %d nodes: want 1 or more, and at most %d pairs of nodes", k, p.N1, p.N2, MostPairs)
	}
	if p.Matches > min(p.N1, p.N2) {
		return Result{}, errors.New("kbest: more matches than nodes")
	}
	if limits.MaxSteps == 0 && limits.TimeLimit == 0 {
		limits.MaxSteps = max(1, DefaultWork/(p.N1*p.N2*(p.N1+p.N2)))
	}
	watch := limits.Watch(ctx, nil)
	s := newSearch(p, k, &watch, limits.MaxSteps)
	for _, m := range known {
		if m = s.close(m); m != nil {
			s.offer(m)
		}
	}
	for range neighbourhoods {
		s.neighbours()
	}
	s.branch(0, s.n1)
	r := Result{Best: s.best, Proved: !s.over, Steps: s.steps}
	return r, nil
}

// neighbourhoods is how often the neighbours of the best so far are looked at before the search: what it has to exceed is
// then near the end already.
const neighbourhoods = 3

// neighbours offers the matchings that the best so far lead to where a node takes another partner.
func (s *search) neighbours() {
	for _, r := range slices.Clone(s.best) {
		for i := range s.n1 {
			for a := range s.n2 {
				m := r.Matching.Clone()
				if k := slices.Index(m, a); k >= 0 {
					m[k] = m[i]
				}
				m[i] = a
				if _, ended := s.watch.Expired(); ended {
					return
				}
				if m = s.close(m); m != nil {
					s.offer(m)
				}
			}
		}
	}
}

// search is one call of Search. Rows are the nodes of graph 1, columns those of graph 2.
type search struct {
	*Problem
	n1, n2, k int
	watch     *qap.Watch
	limit     int
	steps     int
	over      bool
	rounding  float64
	never     float64 // less than any bound of a sum

	pair []float64 // [row·n2+column][row·n2+column], 0 of what cannot be together
	most []float64 // [row·n2+column][row]: the most that another row can add, 0 at least
	may  []bool    // [row·n2+column]

	m      qap.Matching
	taken  []bool
	gain   []float64 // [row·n2+column]: what the match would add to those there are
	score  float64
	costs  []float64
	solver assignment.Solver
	best   []Ranked
}

func newSearch(p *Problem, k int, watch *qap.Watch, limit int) *search {
	n1, n2 := p.N1, p.N2
	s := &search{Problem: p, n1: n1, n2: n2, k: k, watch: watch, limit: limit, m: qap.NewMatching(n1), taken: make([]bool, n2)}
	n := n1 * n2
	s.pair, s.most, s.may = make([]float64, n*n), make([]float64, n*n1), make([]bool, n)
	s.gain, s.costs = make([]float64, n), make([]float64, n1*(n1+n2))
	holder := qap.NewMatching(n2)
	for i, a := range p.Fixed {
		if a != qap.Unmatched {
			holder[a] = i
		}
	}
	size := 0.0
	for x := range n {
		i, a := x/n2, x%n2
		s.may[x] = (p.May == nil || p.May(i, a)) && (holder[a] == qap.Unmatched || holder[a] == i) &&
			(p.Fixed == nil || p.Fixed[i] == qap.Unmatched || p.Fixed[i] == a)
		s.gain[x] = p.Node(i, a)
		size = max(size, math.Abs(s.gain[x]))
		for y := range x {
			if j, b := y/n2, y%n2; i != j && a != b {
				v := p.Pair(i, a, j, b)
				s.pair[x*n+y], s.pair[y*n+x] = v, v
				size = max(size, math.Abs(v))
			}
		}
	}
	s.rounding, s.never = 1e-9*size, -float64(4*n1*n1+4)*(size+1)
	for x := range n {
		for y := range n {
			if j := y / n2; s.may[y] {
				s.most[x*n1+j] = max(s.most[x*n1+j], s.pair[x*n+y])
			}
		}
	}
	return s
}

// worst returns what a further matching has to exceed.
func (s *search) worst() float64 {
	if len(s.best) < s.k {
		return math.Inf(-1)
	}
	return s.best[s.k-1].Score + s.rounding
}

// set makes or takes back a match.
func (s *search) set(i, a int, sign float64) {
	n, x := s.n1*s.n2, i*s.n2+a
	if sign > 0 {
		s.score += s.gain[x]
	}
	for y, v := range s.pair[x*n : (x+1)*n] {
		s.gain[y] += sign * v
	}
	if sign < 0 {
		s.score -= s.gain[x]
		s.m[i], s.taken[a] = qap.Unmatched, false
		return
	}
	s.m[i], s.taken[a] = a, true
}

// branch tries all partners of a row, with so many rows left, and then those of the rows after it.
func (s *search) branch(size, left int) {
	s.steps++
	if _, ended := s.watch.Expired(); ended || s.limit > 0 && s.steps > s.limit {
		s.over = true
	}
	i := s.n1 - left
	switch {
	case s.over, s.Matches > 0 && size+left < s.Matches:
		return
	case left == 0:
		if s.Matches == 0 && !s.closed() {
			return
		}
		s.offer(s.m)
		return
	case s.bound(i) <= s.worst():
		return
	}
	if s.Matches == 0 || size < s.Matches {
		order := make([]int, 0, s.n2)
		for a := range s.n2 {
			if s.may[i*s.n2+a] && !s.taken[a] {
				order = append(order, a)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.gain[i*s.n2+b], s.gain[i*s.n2+a]) })
		for _, a := range order {
			s.set(i, a, 1)
			s.branch(size+1, left-1)
			s.set(i, a, -1)
			if s.over {
				return
			}
		}
	}
	if s.Fixed == nil || s.Fixed[i] == qap.Unmatched {
		s.branch(size, left-1)
	}
}

// bound returns what no matching that continues this one exceeds: the sum over rows first, and where that does not settle it, an
// assignment.
func (s *search) bound(first int) float64 {
	rows, columns := s.n1-first, s.n1-first+s.n2
	sum := s.score
	for r := range rows {
		i, top := first+r, 0.0
		row := s.costs[r*columns : (r+1)*columns]
		for a := range s.n2 {
			x := i*s.n2 + a
			if !s.may[x] || s.taken[a] {
				row[a] = math.Inf(-1)
				continue
			}
			v := s.gain[x]
			for j := first; j < s.n1; j++ {
				v += s.most[x*s.n1+j] / 2
			}
			row[a] = v
			top = max(top, v)
		}
		sum += top
	}
	if sum <= s.worst() || math.IsInf(s.worst(), -1) {
		return sum
	}
	for r := range rows { // a column of its own for a row that stays unmatched
		row := s.costs[r*columns : (r+1)*columns]
		for a := range s.n2 {
			row[a] = max(row[a], s.never)
		}
		for c := s.n2; c < columns; c++ {
			row[c] = 0
		}
	}
	sum = s.score
	for r, a := range s.solver.Maximize(s.costs[:rows*columns], rows, columns) {
		if a >= 0 {
			sum += max(0, s.costs[r*columns+a])
		}
	}
	return sum
}

// closed reports whether every match raises the score, and no other, nor two of them, would.
func (s *search) closed() bool {
	n := s.n1 * s.n2
	var free []int
	for x := range n {
		i, a := x/s.n2, x%s.n2
		switch {
		case s.m[i] == a:
			if s.gain[x] <= s.rounding && (s.Fixed == nil || s.Fixed[i] != a) {
				return false
			}
		case s.m[i] == qap.Unmatched && !s.taken[a] && s.may[x]:
			if s.gain[x] > s.rounding {
				return false
			}
			free = append(free, x)
		}
	}
	for k, x := range free {
		for _, y := range free[:k] {
			if x/s.n2 != y/s.n2 && x%s.n2 != y%s.n2 && s.gain[x]+s.gain[y]+s.pair[x*n+y] > s.rounding {
				return false
			}
		}
	}
	return true
}

// close returns the closed matching that a matching leads to, or nil where it does not fit the problem.
func (s *search) close(from qap.Matching) qap.Matching {
	m := from.Clone()
	for i, a := range m {
		if a != qap.Unmatched && !s.may[i*s.n2+a] || s.Fixed != nil && s.Fixed[i] != qap.Unmatched && a != s.Fixed[i] {
			return nil
		}
	}
	if s.Matches > 0 {
		if m.Size() != s.Matches {
			return nil
		}
		return m
	}
	for i, a := range m {
		if a != qap.Unmatched {
			s.set(i, a, 1)
		}
	}
	for range 2 * s.n1 * s.n2 {
		if !s.step() {
			break
		}
	}
	closed := s.closed()
	m = s.m.Clone()
	for i, a := range m {
		if a != qap.Unmatched {
			s.set(i, a, -1)
		}
	}
	s.score = 0
	if !closed {
		return nil
	}
	return m
}

// step adds the match that raises the score most, or releases one that does not; it returns false where there is none.
func (s *search) step() bool {
	add, most := -1, s.rounding
	for x, gain := range s.gain {
		i, a := x/s.n2, x%s.n2
		if s.m[i] == a && gain <= s.rounding && (s.Fixed == nil || s.Fixed[i] != a) {
			s.set(i, a, -1)
			return true
		}
		if s.m[i] == qap.Unmatched && !s.taken[a] && s.may[x] && gain > most {
			add, most = x, gain
		}
	}
	if add >= 0 {
		s.set(add/s.n2, add%s.n2, 1)
	}
	return add >= 0
}

// offer puts a matching at its rank, unless it is there already or one that counts as the same.
func (s *search) offer(m qap.Matching) {
	score := 0.0
	n := s.n1 * s.n2
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		score += s.Node(i, a)
		for j, b := range m[:i] {
			if b != qap.Unmatched {
				score += s.pair[(i*s.n2+a)*n+j*s.n2+b]
			}
		}
	}
	s.best = Insert(s.best, Ranked{m.Clone(), score}, s.k, s.rounding, s.Same)
}

// Insert puts a matching at its rank of the k best, unless it is there already or, of equal score but for rounding, one that
// counts as the same.
func Insert(best []Ranked, r Ranked, k int, rounding float64, same func(m, other qap.Matching) bool) []Ranked {
	at := len(best)
	for x, other := range best {
		if slices.Equal(other.Matching, r.Matching) || math.Abs(other.Score-r.Score) <= rounding && same != nil && same(other.Matching, r.Matching) {
			return best
		}
		if at == len(best) && r.Score > other.Score {
			at = x
		}
	}
	best = slices.Insert(best, at, r)
	return best[:min(len(best), k)]
}
