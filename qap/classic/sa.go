package classic

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Annealing is simulated annealing. Where solutions are complete it swaps the
// partners of two nodes, or moves a node to a free partner; elsewhere it also
// releases matches and adds them. The temperature falls from Connolly's start to
// Connolly's end by Lundy and Mees's rule, once.
//
// A proposal costs O(1), since the gains of all vertices are kept; an accepted one
// costs O(n1·n2) for each match that changes.
//
// Sources: Connolly, European J. Operational Research 46 (1990),
// doi:10.1016/0377-2217(90)90301-Q; Lundy, Mees, Mathematical Programming 34
// (1986), doi:10.1007/BF01582166; for quadratic assignment Burkard, Rendl, European
// J. Operational Research 17 (1984), doi:10.1016/0377-2217(84)90231-5.
type Annealing struct{}

// proposalsPerVertex is the default number of proposals, for each vertex.
const proposalsPerVertex = 400

// Solve returns the best solution met. A step is a proposal; MaxSteps bounds them
// and stretches the cooling, by default to 400·n1·n2.
func (Annealing) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n1, n2 := in.Size()
	rng := rand.New(rand.NewPCG(o.Seed, 0x5a))
	start := o.Initial
	if start == nil {
		start = qap.RandomMatching(n1, n2, rng)
	} else if err := in.CheckMatching(start); err != nil {
		return qap.Result{}, err
	}
	if !in.IsSolution(start) {
		start = completed(start, n2)
	}
	a := newAnnealing(in, start, rng)
	steps := o.MaxSteps
	if steps == 0 {
		steps = proposalsPerVertex * n1 * n2
	}
	watch := o.Watch(ctx, in)
	status := a.run(&watch, steps)
	result := qap.NewResult(in, a.best, status)
	result.Steps = a.steps
	return result, nil
}

// completed matches free nodes in their order.
func completed(m qap.Matching, n2 int) qap.Matching {
	m = m.Clone()
	taken := make([]bool, n2)
	for _, a := range m {
		if a != qap.Unmatched {
			taken[a] = true
		}
	}
	free := 0
	for i, a := range m {
		for ; free < n2 && taken[free]; free++ {
		}
		if a == qap.Unmatched && free < n2 {
			m[i], taken[free] = free, true
		}
	}
	return m
}

// annealing is the state of a run.
type annealing struct {
	in      *qap.Instance
	n1, n2  int
	match   qap.Matching
	inverse []int
	gains   []float64 // of vertex p: K[p,p] + 2·Σ K[p,q] over the matches q
	score   float64
	rng     *rand.Rand

	best      qap.Matching
	bestScore float64
	bestStep  int
	steps     int
}

func newAnnealing(in *qap.Instance, start qap.Matching, rng *rand.Rand) *annealing {
	n1, n2 := in.Size()
	s := &annealing{
		in: in, n1: n1, n2: n2, match: qap.NewMatching(n1), inverse: make([]int, n2),
		gains: make([]float64, n1*n2), rng: rng, best: start.Clone(),
	}
	in.Affinity.Diagonal(s.gains)
	for a := range s.inverse {
		s.inverse[a] = qap.Unmatched
	}
	for i, a := range start {
		if a != qap.Unmatched {
			s.add(i, a)
		}
	}
	s.score = in.Score(start)
	s.bestScore = s.score
	return s
}

func (s *annealing) add(i, a int) {
	s.match[i], s.inverse[a] = a, i
	s.in.Affinity.AddRow(s.gains, i*s.n2+a, 2)
}

func (s *annealing) release(i, a int) {
	s.match[i], s.inverse[a] = qap.Unmatched, qap.Unmatched
	s.in.Affinity.AddRow(s.gains, i*s.n2+a, -2)
}

// A move changes the partner of node i to a, which may be Unmatched. The node k
// that holds a, if any, gets i's old partner b if exchange is set.
type move struct {
	i, a     int
	exchange bool
	change   float64 // of the score
}

// propose draws a move; ok is false where the draw is no move.
func (s *annealing) propose() (m move, ok bool) {
	m.i, m.a = s.rng.IntN(s.n1), s.rng.IntN(s.n2)
	b, k := s.match[m.i], s.inverse[m.a]
	if b == m.a {
		if s.in.Complete {
			return m, false
		}
		m.a = qap.Unmatched
		m.change = -s.gains[m.i*s.n2+b]
		return m, true
	}
	m.exchange = b != qap.Unmatched && k != qap.Unmatched
	if b == qap.Unmatched && k == qap.Unmatched && s.in.Complete {
		return m, false // complete already: one graph has no free node
	}
	m.change = s.gains[m.i*s.n2+m.a]
	if b != qap.Unmatched {
		m.change -= s.gains[m.i*s.n2+b]
	}
	if k != qap.Unmatched {
		m.change -= s.gains[k*s.n2+m.a]
	}
	if m.exchange {
		at := s.in.Affinity.At
		m.change += s.gains[k*s.n2+b] + 2*at(m.i*s.n2+m.a, k*s.n2+b) + 2*at(m.i*s.n2+b, k*s.n2+m.a)
	}
	return m, true
}

// make makes a move.
func (s *annealing) make(m move) {
	b, k := s.match[m.i], qap.Unmatched
	if m.a != qap.Unmatched {
		k = s.inverse[m.a]
	}
	if b != qap.Unmatched {
		s.release(m.i, b)
	}
	if k != qap.Unmatched {
		s.release(k, m.a)
	}
	if m.a != qap.Unmatched {
		s.add(m.i, m.a)
	}
	if m.exchange {
		s.add(k, b)
	}
	s.score += m.change
	if s.score > s.bestScore+1e-12*math.Abs(s.bestScore) { // by more than rounding
		s.bestScore, s.bestStep = s.score, s.steps
		copy(s.best, s.match)
	}
}

// temperatures returns where cooling starts and ends: with the least and the
// greatest loss among random moves, least + (greatest−least)/10 and least.
func (s *annealing) temperatures() (first, last float64) {
	least, greatest := math.Inf(1), 0.0
	for range s.n1 * s.n2 {
		if m, ok := s.propose(); ok && m.change < 0 {
			least, greatest = min(least, -m.change), max(greatest, -m.change)
		}
	}
	if greatest == 0 {
		return 0, 0
	}
	return least + (greatest-least)/10, least
}

// clockEvery is how many proposals pass between looks at the clock.
const clockEvery = 256

// run anneals for a number of steps.
func (s *annealing) run(watch *qap.Watch, steps int) qap.Status {
	if s.n1*s.n2 == 0 {
		return qap.Converged
	}
	first, last := s.temperatures()
	temperature := first
	cooling := 0.0
	if last > 0 {
		cooling = (first - last) / (float64(steps) * first * last)
	}
	for ; s.steps < steps; s.steps++ {
		if status, stop := watch.Reached(s.steps, s.steps-s.bestStep, s.bestScore); stop {
			return status
		}
		if s.steps%clockEvery == 0 {
			if status, stop := watch.Expired(); stop {
				return status
			}
		}
		m, ok := s.propose()
		if ok && (m.change >= 0 || temperature > 0 && s.rng.Float64() < math.Exp(m.change/temperature)) {
			s.make(m)
		}
		temperature /= 1 + cooling*temperature
	}
	return qap.MaxSteps
}
