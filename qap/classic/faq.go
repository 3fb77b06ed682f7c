package classic

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// FAQ is the fast approximate quadratic assignment method: Frank–Wolfe on the
// score of soft assignments, from their barycentre, and the assignment nearest to
// where that ends. Further starts lie halfway between the barycentre and a random
// doubly stochastic matrix; the best result counts. Limits and defaults are those
// of SciPy's implementation. It was made for Koopmans–Beckmann instances; here it
// works on any K.
//
// Source: Vogelstein et al., PLoS ONE 10 (2015), doi:10.1371/journal.pone.0121002.
type FAQ struct {
	MaxIter   int       // iterations of each start; default 30
	Tolerance float64   // of a move, divided by √n, at which a start has converged; default 0.03
	Restarts  int       // starts in all; default 1
	Skip      int       // starts that are left out: those before a run that goes on from
	Start     []float64 // soft assignment of the first start, n1×n2; default the barycentre

	// Similar begins, where flows and distances are given, at how similar nodes are by the
	// spectra of both: noisy copies of a graph are found from there. Of sparse graphs that
	// takes about as long as two steps.
	Similar bool

	// Profiles begins, where flows and distances are given, at the matching of the nodes whose
	// neighbors have the most similar degrees. It takes far less than a step, and finds copies of
	// dense graphs with little noise.
	Profiles bool
}

// Solve returns the best of all starts. A step is an iteration; MaxSteps bounds
// those of each start.
func (m FAQ) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n1, n2 := in.Size()
	first := m.Start
	if first == nil {
		first = barycentre(n1, n2)
	}
	s, err := newSearch(ctx, in, o, first, or(m.MaxIter, 30))
	if err != nil {
		return qap.Result{}, err
	}
	f := newFrankWolfe(s)
	rng := rand.New(rand.NewPCG(o.Seed, 0xfa9))
	tolerance := or(m.Tolerance, 0.03) * math.Sqrt(float64(min(n1, n2)))
	found := newContest(in)
	if m.Similar && o.Initial == nil && m.Skip == 0 {
		s.similar()
	}
	if m.Profiles && o.Initial == nil && m.Skip == 0 {
		s.profiles()
	}
	if m.Skip > 0 {
		for range (m.Skip - 1) * n1 * n2 {
			rng.Float64()
		}
		copy(s.x, randomStart(s, rng))
	}
	status, steps, starts := qap.Converged, 0, 0
	for starts < or(m.Restarts, 1) {
		if starts++; starts > 1 {
			copy(s.x, randomStart(s, rng))
		}
		f.start(s.x)
		ended := s.iterate(func() bool { return f.step() < tolerance })
		steps += s.steps
		found.enter(s.project(s.x))
		if ended != qap.Converged {
			status = ended
		}
		if _, reached := s.watch.Reached(0, 0, found.score); reached || ended.OutOfTime() {
			break
		}
	}
	s.steps = steps
	result := s.result(found.best, o, status)
	result.Rollouts = starts
	return result, nil
}

// sinkhornSteps make a random matrix doubly stochastic to about three digits.
const sinkhornSteps = 100

// randomStart is halfway between the barycentre and a random doubly stochastic matrix.
func randomStart(s *search, rng *rand.Rand) []float64 {
	x := make([]float64, len(s.x))
	for p := range x {
		x[p] = math.Log(1 - rng.Float64()) // of a number in (0, 1]
	}
	sinkhorn := s.sinkhorn(assignment.Sinkhorn{MaxIter: sinkhornSteps})
	sinkhorn.Project(x, x, s.n1, s.n2)
	for p, v := range x {
		x[p] = (v + 1/float64(max(s.n1, s.n2))) / 2
	}
	return x
}
