package classic

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/relaxation"
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
		first = relaxation.Barycentre(n1, n2)
	}
	s, err := relaxation.NewSearch(ctx, in, o, first, cmp.Or(m.MaxIter, 30))
	if err != nil {
		return qap.Result{}, err
	}
	f := relaxation.NewFrankWolfe(s)
	rng := rand.New(rand.NewPCG(o.Seed, 0xfa9))
	tolerance := cmp.Or(m.Tolerance, 0.03) * math.Sqrt(float64(min(n1, n2)))
	found := relaxation.NewContest(in)
	if m.Similar && o.Initial == nil && m.Skip == 0 {
		similar(s)
	}
	if m.Profiles && o.Initial == nil && m.Skip == 0 {
		profiles(s)
	}
	if m.Skip > 0 {
		for range (m.Skip - 1) * n1 * n2 {
			rng.Float64()
		}
		copy(s.X, randomStart(s, rng))
	}
	status, steps, starts := qap.Converged, 0, 0
	for starts < cmp.Or(m.Restarts, 1) {
		if starts++; starts > 1 {
			copy(s.X, randomStart(s, rng))
		}
		f.Start(s.X)
		ended := s.Iterate(func() bool { return f.Step() < tolerance })
		steps += s.Steps
		found.Enter(s.Project(s.X))
		if ended != qap.Converged {
			status = ended
		}
		if _, reached := s.Watch.Reached(0, 0, found.Score); reached || ended.OutOfTime() {
			break
		}
	}
	s.Steps = steps
	result := s.Result(found.Best, o, status)
	result.Rollouts = starts
	return result, nil
}

// sinkhornSteps make a random matrix doubly stochastic to about three digits.
const sinkhornSteps = 100

// randomStart is halfway between the barycentre and a random doubly stochastic matrix.
func randomStart(s *relaxation.Search, rng *rand.Rand) []float64 {
	x := make([]float64, len(s.X))
	for p := range x {
		x[p] = math.Log(1 - rng.Float64()) // of a number in (0, 1]
	}
	sinkhorn := s.Sinkhorn(assignment.Sinkhorn{MaxIter: sinkhornSteps})
	sinkhorn.Project(x, x, s.N1, s.N2)
	for p, v := range x {
		x[p] = (v + 1/float64(max(s.N1, s.N2))) / 2
	}
	return x
}
