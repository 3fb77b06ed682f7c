// Package reweigh replaces affinities by what a network has learned they are worth.
//
// A network of the feature set features.Affinity answers two questions. φ: by how
// much likelier, as a logarithm, is an edge affinity of this instance between two
// right matches than between two random ones? The sum of φ is greatest where right
// matches are kept and outliers left alone. And: how good is the best matching of a
// size? The answer shifts φ by a constant, which changes no best matching of a size,
// so that the score is greatest at the size that is expected to be the best. So a
// search for the best score of any size answers to outliers without a count of
// inliers.
//
// Affinities of exactly 0 say nothing where neither pair of nodes has an edge, and stay
// 0; between two edges, or an edge and none, which K shows by what else is not 0, they
// say that the two are not alike at all, and count as the least affinity (structure.filled).
// Where an edge affinity is negative, all stay as they are: they already speak for and
// against; but negative ones within rounding of 0 are no evidence and count as 0. A
// Decision says what was done and why.
package reweigh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Affinity re-weighs instances. It may be shared by goroutines.
type Affinity struct {
	network qap.QFunction
	signed  bool // see TrainedBy
}

// New returns the re-weighing of a network of the feature set features.Affinity.
func New(network qap.QFunction) (*Affinity, error) {
	if set := network.Features(); set != features.Affinity {
		return nil, fmt.Errorf("reweigh: a network over the features %q: want %q", set, features.Affinity)
	}
	return &Affinity{network: network}, nil
}

// TrainedBy returns the re-weighing of a network with what its file says of its training, as JSON. Where that has "signed_nodes" in its
// "config", the network has learned how many matches to make where node affinities speak against some too; elsewhere the score decides on
// it there.
func (a *Affinity) TrainedBy(training string) *Affinity {
	var says struct {
		Config struct {
			SignedNodes bool `json:"signed_nodes"`
		} `json:"config"`
	}
	known := json.Unmarshal([]byte(training), &says) == nil // or it says something else
	return &Affinity{a.network, known && says.Config.SignedNodes}
}

// byEdges returns the instance with affinities re-weighed by φ alone. m are its
// measures.
func (a *Affinity) byEdges(ctx context.Context, in *qap.Instance, m *Measures) (*qap.Instance, error) {
	t, err := a.tabulate(ctx, m)
	if err != nil {
		return nil, err
	}
	return t.mapped(ctx, in, m)
}

// mapped returns the instance with φ in place of its affinities.
func (t table) mapped(ctx context.Context, in *qap.Instance, m *Measures) (*qap.Instance, error) {
	n1, n2 := in.Size()
	nodes := make([]float64, n1*n2)
	in.Affinity.Diagonal(nodes)
	t.scaleNodes(nodes, m)
	last, phi := 0.0, 0.0 // many affinities are the least one
	return in.MapAffinitiesContext(ctx, func(v float64) float64 {
		if v != last {
			last, phi = v, t.at(logarithm(m.Relative(v)))
		}
		return phi
	}, nodes)
}

// ByEdges returns the instance with affinities re-weighed by φ alone. m are the measures
// of the instance, whose affinities are not to stay as given.
func (a *Affinity) ByEdges(in *qap.Instance, m *Measures) (*qap.Instance, error) {
	return a.byEdges(context.Background(), in, m)
}

// Sizes searches the best matchings of all sizes under φ. m are the measures of the
// instance, whose affinities are not to stay as given.
func (a *Affinity) Sizes(in *qap.Instance, m *Measures) (*Sizes, error) {
	learned, err := a.byEdges(context.Background(), in, m)
	if err != nil {
		return nil, err
	}
	return newSizes(in, m, searchProfile(context.Background(), learned, sizingStarts(learned))), nil
}

// chooseSize returns the size that the network finds best.
func (a *Affinity) chooseSize(ctx context.Context, s *Sizes) (int, error) {
	values, err := a.ask(ctx, s.Most()-LeastSize+1, func(k int, dst []float32) { s.AskSize(dst, LeastSize+k) })
	if err != nil {
		return 0, err
	}
	return LeastSize + slices.Index(values, slices.Max(values)), nil
}

// ask evaluates the network for a number of questions.
func (a *Affinity) ask(ctx context.Context, questions int, write func(k int, dst []float32)) (answers []float32, err error) {
	batch, err := a.network.NewBatch(1, 1, questions)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, batch.Close()) }()
	inputs := batch.Inputs()[0]
	for k := range questions {
		if over(ctx) {
			return nil, whyEnded(ctx)
		}
		write(k, inputs[k*features.AffinityChannels:])
	}
	values, err := batch.Evaluate()
	return append(answers, values...), err
}

// shifted returns an instance less a constant on every edge affinity that is not 0 or,
// where they are held densely, on all: the score of m matches loses m·(m−1) constants.
func shifted(ctx context.Context, in *qap.Instance, offset float64) (*qap.Instance, error) {
	n1, n2 := in.Size()
	if _, dense := in.Affinity.(*qap.Dense); dense {
		return shiftedDense(ctx, in, offset)
	}
	nodes := make([]float64, n1*n2)
	in.Affinity.Diagonal(nodes)
	return in.MapAffinitiesContext(ctx, func(v float64) float64 { return v - offset }, nodes)
}

func shiftedDense(ctx context.Context, in *qap.Instance, offset float64) (*qap.Instance, error) {
	n1, n2 := in.Size()
	now, err := qap.DenseByRows(ctx, n1, n2, func(p int, row []float64) {
		in.Affinity.Row(row, p)
		for j := range n1 {
			if j == p/n2 {
				continue
			}
			of := row[j*n2 : (j+1)*n2]
			same := of[p%n2] // node a twice, in conflict
			for b := range of {
				of[b] -= offset
			}
			of[p%n2] = same
		}
	})
	if err == nil {
		now.Name, now.Complete = in.Name, in.Complete
	}
	return now, err
}

// Given returns a result of the re-weighed instance as one of the instance itself:
// the matchings stay, scores and objective are those of the given affinities.
func Given(in *qap.Instance, r qap.Result) qap.Result {
	now := qap.NewResult(in, r.Matching, r.Status)
	now.Steps, now.Rollouts = r.Steps, r.Rollouts
	if now.Status == qap.Optimal { // of other affinities
		now.Status = qap.Converged
	}
	for _, best := range r.Profile {
		if best.Matching != nil {
			best.Score = in.Score(best.Matching)
		}
		now.Profile = append(now.Profile, best)
	}
	return now
}

// table holds φ at equal steps of the logarithm, from leastLog to 0; values between
// them are interpolated.
type table []float32

const tabulated = 512

func (a *Affinity) tabulate(ctx context.Context, m *Measures) (table, error) {
	return a.ask(ctx, tabulated, func(k int, dst []float32) {
		m.AskAffinity(dst, math.Exp(leastLog*(1-float64(k)/(tabulated-1))))
	})
}

func (t table) at(logarithm float64) float64 {
	place := (1 - logarithm/leastLog) * (tabulated - 1)
	k := min(max(int(place), 0), tabulated-2)
	low, high := float64(t[k]), float64(t[k+1])
	return low + (place-float64(k))*(high-low)
}

// scaleNodes turns node affinities, less their mean, into units of φ: a node affinity
// that differs by the range of the edge affinities counts as much as φ does over it. Where
// some are negative they already speak for and against matches: they keep their 0, and one
// as great as the greatest edge affinity counts as 1, a logarithm, at least.
func (t table) scaleNodes(nodes []float64, m *Measures) {
	unit, mean := math.Abs(t.at(0)-t.at(leastLog)), 0.0
	if hasNegative(nodes) {
		unit = max(unit, 1)
	} else {
		for _, v := range nodes {
			mean += v / float64(len(nodes))
		}
	}
	unit /= m.Greatest
	for p, v := range nodes {
		nodes[p] = unit * (v - mean)
	}
}

func hasNegative(nodes []float64) bool {
	return slices.ContainsFunc(nodes, func(v float64) bool { return v < 0 })
}
