package align

import (
	"context"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Solver aligns the two graphs of an instance of flows and distances, as OfAssignment takes them.
type Solver struct{ Threads int }

// mostJoined is the share of pairs of nodes up to which a matrix is one of a graph's edges.
const mostJoined = 0.5

// OfAssignment returns the problem whose shared edges an instance of flows A and distances B counts,
// as Problem.Assignment makes it, or, where it is minimised, that of A and of how much smaller
// than the largest distance is. The error wraps qap.ErrUnsupported where no or more than half
// of the pairs of nodes have an edge, or single matches count.
func OfAssignment(in *qap.Instance) (*Problem, error) {
	kb, ok := in.Affinity.(*qap.KoopmansBeckmann)
	if !ok {
		return nil, fmt.Errorf("align: it is for flows and distances that are the edges of two graphs: want those, or files of graphs (rgm match): %w", qap.ErrUnsupported)
	}
	if slices.ContainsFunc(kb.Linear(), func(v float64) bool { return v != 0 }) {
		return nil, fmt.Errorf("align: edges alone count, and the instance has a linear term: choose another method: %w", qap.ErrUnsupported)
	}
	n1, n2 := in.Size()
	if min(n1, n2) == 0 {
		return nil, fmt.Errorf("align: graphs of %d and %d nodes: choose another method: %w", n1, n2, qap.ErrUnsupported)
	}
	b := slices.Clone(kb.B())
	if in.Sense == qap.Minimize {
		if n1 > n2 {
			return nil, fmt.Errorf("align: %d facilities for %d places, at the least cost: exchange flows and distances: %w", n1, n2, qap.ErrUnsupported)
		}
		most := slices.Max(b)
		for k, v := range b {
			b[k] = most - v
		}
	}
	_, _, symmetricA, symmetricB := kb.Transposed()
	p := &Problem{}
	for _, side := range []struct {
		of   **Graph
		name string
		n    int
		m    []float64
	}{{&p.A, "first", n1, kb.A()}, {&p.B, "second", n2, b}} {
		var err error
		if *side.of, err = ofMatrix(side.n, side.m, !symmetricA || !symmetricB); err != nil {
			return nil, err
		}
		joined := float64(len((*side.of).to)) / float64(max(1, side.n*(side.n-1)))
		if joined == 0 || joined > mostJoined {
			return nil, fmt.Errorf("align: the %s matrix joins %.0f %% of the pairs of nodes, and is no graph: choose another method: %w", side.name, 100*joined, qap.ErrUnsupported)
		}
	}
	return p, nil
}

// ofMatrix returns the graph of the entries that are not 0.
func ofMatrix(n int, m []float64, directed bool) (*Graph, error) {
	var at []int
	var weights []float64
	for k, v := range m {
		if i, j := k/n, k%n; v != 0 && i != j && (directed || i < j) {
			at, weights = append(at, k), append(weights, v)
		}
	}
	return NewGraph(n, len(at), func(k int) (i, j int) { return at[k] / n, at[k] % n }, weights, directed)
}

// Solve implements qap.Solver. Steps are trials of swaps.
func (s Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	p, err := OfAssignment(in)
	if err != nil {
		return qap.Result{}, err
	}
	if err := in.CheckMatching(o.Initial); o.Initial != nil && err != nil {
		return qap.Result{}, err
	}
	options := Options{Limits: o.Limits, Seed: o.Seed, Threads: s.Threads, Complete: true}
	// Scores are Sides times the objective, and more by a number.
	sides, begin := float64(p.Sides()), widen(newEngine(p).byDegree())
	constant := in.Score(begin) - sides*p.Objective(begin)
	if o.HasTarget {
		options.Target = (in.ScoreOf(o.Target) - constant) / sides
	}
	if o.OnBest != nil {
		options.OnBest = func(b qap.Incumbent) {
			if in.IsSolution(b.Matching) {
				found := qap.NewIncumbent(in, b.Matching, in.Score(b.Matching), b.Steps)
				found.FoundBy = b.FoundBy
				o.OnBest(found)
			}
		}
	}
	if o.Initial != nil {
		options.Starts = []Start{p.from(o.Initial)}
	}
	r, err := Solve(ctx, p, options)
	if err != nil {
		return qap.Result{}, err
	}
	if in.IsSolution(o.Initial) && in.Score(o.Initial) > in.Score(r.Matching) {
		r.Matching, r.FoundBy = o.Initial.Clone(), ByStart
	}
	result := qap.NewResult(in, r.Matching, r.Status)
	result.Steps, result.FoundBy = r.Steps, r.FoundBy
	return result, nil
}

// from returns the start from a matching.
func (p *Problem) from(m qap.Matching) Start {
	return Start{Name: ByStart, Propose: func(_ context.Context, asked *Problem, _ qap.Matching, _ uint64, offer Offer) error {
		if asked.A != p.A { // with the graphs exchanged
			m = widen(narrow(m).inverted(p.B.Nodes()))
		}
		offer(Proposal{Matching: m})
		return nil
	}}
}
