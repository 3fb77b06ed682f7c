package matchers

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// Annealing is simulated annealing. Where solutions are complete it swaps the
// partners of two nodes, or moves a node to a free partner; elsewhere it also
// releases matches and adds them. The temperature falls once, by Lundy and Mees's
// rule, between the greatest and the least loss among random moves. (Connolly
// starts from a tenth of the greatest and later returns to the best temperature; from
// a random partial matching, which gains little, that is too cold.)
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
	watch := o.Watch(ctx, in)
	a := newAnnealing(in, start, rng, &watch)
	if a == nil {
		return watch.AtStart(in, local.Completed(in, start)), nil
	}
	steps := o.MaxSteps
	if steps == 0 {
		steps = proposalsPerVertex * n1 * n2
	}
	status := a.run(&watch, steps)
	result := qap.NewResult(in, a.best, status)
	result.Steps = a.steps
	if a.steps == 0 && status.OutOfTime() {
		result.FoundBy = qap.ByStart
	}
	return result, nil
}

// annealing is the state of a run.
type annealing struct {
	*local.State
	n1, n2 int
	rng    *rand.Rand

	best      qap.Matching
	bestScore float64
	bestStep  int
	steps     int
	changed   int // gains since the last look at the clock
}

// newAnnealing returns the state of a start, nil where the time is up before it is ready.
func newAnnealing(in *qap.Instance, start qap.Matching, rng *rand.Rand, watch *qap.Watch) *annealing {
	n1, n2 := in.Size()
	s := &annealing{State: local.NewStateUntil(in, start, watch.Over), n1: n1, n2: n2, rng: rng}
	if s.State == nil {
		return nil
	}
	s.best, s.bestScore = s.Matching().Clone(), s.Score()
	return s
}

// propose draws a move; ok is false where the draw is no move.
func (s *annealing) propose() (m local.Move, ok bool) {
	return s.Assign(s.rng.IntN(s.n1), s.rng.IntN(s.n2))
}

// accept makes a move.
func (s *annealing) accept(m local.Move) {
	s.Make(m)
	s.changed += s.n1 * s.n2
	if s.Score() > s.bestScore+1e-12*math.Abs(s.bestScore) { // by more than rounding
		s.bestScore, s.bestStep = s.Score(), s.steps
		copy(s.best, s.Matching())
	}
}

// coolest keeps the end of cooling from being lost in noise where some moves make
// next to no difference: it is at least this part of the greatest loss.
const coolest = 200

// temperatures returns where cooling starts and ends, as far as there is time to tell.
func (s *annealing) temperatures(watch *qap.Watch) (first, last float64) {
	least, greatest := math.Inf(1), 0.0
	for k := range s.n1 * s.n2 {
		if k%clockEvery == 0 {
			if _, stop := watch.Expired(); stop {
				break
			}
		}
		if m, ok := s.propose(); ok && m.Change < 0 {
			least, greatest = min(least, -m.Change), max(greatest, -m.Change)
		}
	}
	if greatest == 0 {
		return 0, 0
	}
	return greatest, max(least, greatest/coolest)
}

// clockEvery is how many proposals pass between looks at the clock, and changedEvery how many
// gains change, at most.
const clockEvery, changedEvery = 64, 1 << 17

// run anneals for a number of steps.
func (s *annealing) run(watch *qap.Watch, steps int) qap.Status {
	if s.n1*s.n2 == 0 {
		return qap.Converged
	}
	first, last := s.temperatures(watch)
	temperature := first
	cooling := 0.0
	if last > 0 {
		cooling = (first - last) / (float64(steps) * first * last)
	}
	for ; s.steps < steps; s.steps++ {
		if status, stop := watch.Reached(s.steps, s.steps-s.bestStep, s.bestScore); stop {
			return status
		}
		if s.steps%clockEvery == 0 || s.changed > changedEvery {
			s.changed = 0
			if status, stop := watch.Expired(); stop {
				return status
			}
		}
		m, ok := s.propose()
		if ok && (m.Change >= 0 || temperature > 0 && s.rng.Float64() < math.Exp(m.Change/temperature)) {
			s.accept(m)
		}
		temperature /= 1 + cooling*temperature
	}
	return qap.MaxSteps
}
