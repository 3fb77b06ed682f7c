package auto

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// course is what a search follows to its end: the portfolio, or two of them beside each other.
type course interface {
	advance(steps int) bool // as search.advance
	at() *state
	best() qap.Matching
	incumbent() qap.Incumbent
	foundBy() string
	stepsMade() int
}

// recalling is two portfolios that take turns: one from nothing, and one from what was found for a
// problem like this one. Neither knows what the other finds, so that a start whose basin is a poor one
// holds nobody back.
type recalling struct {
	cold, warm *search
	turn       *search
	end        int // steps of its own at which the turn ends
	total      state
	holder     *search // who has the best
	start      float64 // cost of what is recalled
	compared   bool    // with what the other one had after its first turn
	alike      bool    // it was better
}

// The portfolio from what is recalled has the first turn, of firstTurn·n swaps; then the other one has n
// swaps. If what is recalled was better than what these come to, the two problems are alike, and who is
// ahead makes aheadShare times the steps of the other. If not, the portfolio from nothing goes on alone.
const aheadShare = 3

func newRecalling(ctx context.Context, in *qap.Instance, o qap.Options, recalled qap.Matching, watch *qap.Watch) (*recalling, error) {
	cold, err := newSearch(ctx, in, o, watch)
	if err != nil {
		return nil, err
	}
	o.Initial = recalled
	warm, err := newSearch(ctx, in, o, watch)
	if err != nil {
		return nil, err
	}
	r := &recalling{cold: cold, warm: warm, turn: warm, holder: warm, total: state{BestCost: math.Inf(1)}, start: -in.Score(recalled)}
	r.note(cold, 0) // who may have matched blocks
	r.note(warm, cold.state.Steps)
	r.end = r.turnOf(warm)
	return r, nil
}

// turnOf returns the steps of the next turn of a portfolio.
func (r *recalling) turnOf(s *search) int {
	first := max(1, min(firstTurn*s.n, firstDeltas/(s.n*s.n)))
	if s == r.cold && !r.compared {
		return max(1, first/firstTurn)
	}
	return max(first, int(turnShare*float64(s.state.Steps)))
}

// advance implements course.
func (r *recalling) advance(steps int) bool {
	for r.total.Steps < steps && r.total.BestCost > r.cold.target {
		s := r.turn
		others := r.total.Steps - s.state.Steps
		until := min(r.end, steps-others)
		relaxed := s.advance(until)
		r.note(s, others)
		switch {
		case s.state.Steps >= r.end:
			r.pass()
		case !relaxed && s.state.Steps < until:
			return false // the target is reached, or the time is over
		}
		if relaxed { // which says nothing of the pace
			r.cold.pace = tabu.NewPace(r.cold.n, r.cold.watch)
			return true
		}
	}
	return false
}

// note keeps what a portfolio found, where the other one made so many steps.
func (r *recalling) note(s *search, others int) {
	r.total.Steps = others + s.state.Steps
	if s.state.BestCost < r.total.BestCost {
		r.holder = s
		r.total.BestCost, r.total.BestStep, r.total.Found = s.state.BestCost, others+s.state.BestStep, s.state.Found
	}
}

// pass begins the next turn: of who has made the fewest steps by its share.
func (r *recalling) pass() {
	if r.turn == r.cold && !r.compared {
		r.compared, r.alike = true, r.start < r.cold.state.BestCost
	}
	r.turn = r.cold
	if r.alike && r.passed(r.warm) < r.passed(r.cold) {
		r.turn = r.warm
	}
	r.end = r.turn.state.Steps + r.turnOf(r.turn)
}

// passed returns the steps of a portfolio by its share, at the end of its next turn.
func (r *recalling) passed(s *search) float64 {
	steps := float64(s.state.Steps + r.turnOf(s))
	if s == r.holder {
		return steps / aheadShare
	}
	return steps
}

func (r *recalling) at() *state         { return &r.total }
func (r *recalling) best() qap.Matching { return r.holder.best() }

func (r *recalling) incumbent() qap.Incumbent {
	found := qap.NewIncumbent(r.cold.in, r.best(), -r.total.BestCost, r.total.BestStep)
	found.FoundBy = r.foundBy()
	return found
}

func (r *recalling) foundBy() string {
	if r.holder == r.warm {
		return ByRecalled
	}
	return r.cold.foundBy()
}

func (r *recalling) stepsMade() int { return r.cold.stepsMade() }
