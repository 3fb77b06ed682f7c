package reweigh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// Decision says which affinities an instance is searched by, and why.
type Decision struct {
	Learned bool   // or as they are given
	Reason  string // why they stay as given, or what was left out; empty where nothing was

	Gate    string // who chose: GateNetwork, GateRule, or "" where learned ones were wanted wherever they can be
	Shifted bool   // a constant is off given affinities, by which the number of matches is chosen

	// Regularizer is what decides on the number of matches by given affinities; none where
	// the best score does.
	Regularizer qap.Regularizer

	// Inliers is how many matches to make by learned affinities where a goal's regularizer
	// decides on that, by the given ones; 0 elsewhere.
	Inliers int

	ExpectedGiven   float64 // F1 that the gate expects of the best candidate by given affinities, 0..1; 0 where it was not asked
	ExpectedLearned float64 // the same by learned ones
}

// AsGiven tells whether scores are those of the given affinities.
func (d Decision) AsGiven() bool { return !d.Learned && !d.Shifted }

// The reasons of a Decision.
const (
	ReasonSigned    = "negative edge affinities already speak against matches"
	ReasonNoEdges   = "no edge affinity is above 0: there is nothing to learn from"
	ReasonTime      = "the time is too short to re-weigh"
	ReasonSizeTime  = "the time was too short to weigh the number of matches"
	ReasonCancelled = "cancelled"
	ReasonGate      = "the gate expects more of the given affinities"
	ReasonSmall     = "too few nodes to compare affinities by"
)

// Rounding bounds, as a share of the greatest edge affinity, the negative edge
// affinities that are taken for the rounding of a computation that meant 0: a few
// hundred times the precision of the single-precision numbers that files often hold.
const Rounding = 1e-6

// The shares of the time left that the searches inside take at most, so that the rest
// suffices for what follows them.
const (
	measuringShare = 0.4
	sizingShare    = 0.8
)

// Reweigh returns the instance with learned affinities, to be maximised. Its score
// says nothing to a user; Given tells what a result is in the instance's own terms.
//
// Where the context ends, or its deadline is near, the searches inside are shortened;
// where that does not suffice, the instance is returned as it is given. The Decision
// says so; it is no error. The error wraps qap.ErrUnsupported for the form of
// Koopmans and Beckmann.
func (a *Affinity) Reweigh(ctx context.Context, in *qap.Instance) (*qap.Instance, Decision, error) {
	if err := serves(in); err != nil {
		return nil, Decision{}, err
	}
	learned, d, err := a.reweigh(ctx, in)
	return concluded(in, learned, d, err)
}

// serves returns an error where an instance is not an affinity matrix.
func serves(in *qap.Instance) error {
	if _, ok := in.Affinity.(*qap.KoopmansBeckmann); ok {
		return fmt.Errorf("reweigh: learned affinities need an affinity matrix, not the form of Koopmans and Beckmann: %w", qap.ErrUnsupported)
	}
	return nil
}

// concluded returns what was decided: the instance as given where the context ended too
// early or learned affinities are not used.
func concluded(in, learned *qap.Instance, d Decision, err error) (*qap.Instance, Decision, error) {
	switch {
	case errors.Is(err, context.Canceled):
		d, err = Decision{Reason: ReasonCancelled, Gate: d.Gate}, nil
	case errors.Is(err, context.DeadlineExceeded):
		d, err = Decision{Reason: ReasonTime, Gate: d.Gate}, nil
	}
	if err == nil && d.AsGiven() {
		given := *in // not in itself, which stays the caller's
		learned = &given
	}
	return learned, d, err
}

// prepared returns an instance without rounding and, unless affinities have signs, with
// the least of all evidence where edges meet that are not alike (structure.filled).
func prepared(ctx context.Context, in *qap.Instance) (*qap.Instance, Measures, *structure, error) {
	m, err := measureRange(ctx, in)
	if err == nil && m.Least < 0 && -m.Least <= Rounding*m.Greatest {
		in, err = withoutNegative(ctx, in)
		m.Least = 0
	}
	if err != nil || m.Greatest == 0 {
		return in, m, nil, err
	}
	s, err := structureOf(ctx, in)
	if err == nil && m.Least == 0 {
		in, err = s.filled(ctx, in, m.Greatest*math.Exp(leastLog))
	}
	return in, m, s, err
}

// Prepared returns an instance as networks are told of it: without rounding, and with the
// least of all evidence where edges meet what is not alike, unless affinities have signs.
func Prepared(in *qap.Instance) *qap.Instance {
	now, _, _, err := prepared(context.Background(), in)
	if err != nil {
		panic(err) // a context that does not end
	}
	return now
}

func (a *Affinity) reweigh(ctx context.Context, in *qap.Instance) (*qap.Instance, Decision, error) {
	in, m, _, err := prepared(ctx, in)
	switch {
	case err != nil:
		return nil, Decision{}, err
	case m.Least < 0:
		return nil, Decision{Reason: ReasonSigned}, nil
	case m.Greatest == 0:
		return nil, Decision{Reason: ReasonNoEdges}, nil
	}
	if _, err := m.measure(ctx, in); err != nil {
		return nil, Decision{}, err
	}
	start := time.Now()
	learned, err := a.byEdges(ctx, in, &m)
	if err != nil {
		return nil, Decision{}, err
	}
	mapping := time.Since(start)
	if n1, n2 := in.Size(); in.Complete || min(n1, n2) <= LeastSize {
		return learned, Decision{Learned: true}, nil
	}
	sized, err := a.bySize(ctx, in, learned, &m, mapping)
	switch {
	case errors.Is(err, context.DeadlineExceeded): // φ alone tells right matches too
		return learned, Decision{Learned: true, Reason: ReasonSizeTime}, nil
	case err != nil:
		return nil, Decision{}, err
	}
	return sized, Decision{Learned: true}, nil
}

// bySize returns the re-weighed instance, shifted so that the size that the network
// finds best has the best score. mapping is the time that one pass over all
// affinities takes.
func (a *Affinity) bySize(ctx context.Context, in, learned *qap.Instance, m *Measures, mapping time.Duration) (*qap.Instance, error) {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < 2*mapping {
		return nil, context.DeadlineExceeded
	}
	search, cancel := within(ctx, sizingShare)
	defer cancel()
	found := searchProfile(search, learned, sizingStarts(learned))
	if found == nil {
		return nil, whyEnded(ctx)
	}
	sizes := newSizes(in, m, found)
	chosen, err := a.chooseSize(ctx, sizes)
	if err != nil {
		return nil, err
	}
	hull, err := hullOf(ctx, learned, sizes.Profile)
	if err != nil {
		return nil, err
	}
	return shifted(ctx, learned, offsetOf(hull, chosen, 1))
}

// withoutNegative returns the instance with 0 for negative edge affinities.
func withoutNegative(ctx context.Context, in *qap.Instance) (*qap.Instance, error) {
	n1, n2 := in.Size()
	nodes := make([]float64, n1*n2)
	in.Affinity.Diagonal(nodes)
	return in.MapAffinitiesContext(ctx, func(v float64) float64 { return max(v, 0) }, nodes)
}

// within returns a context that ends after a share of the time left, if that is
// limited.
func within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	left := time.Until(deadline)
	return context.WithDeadline(ctx, deadline.Add(-time.Duration((1-share)*float64(left))))
}

// whyEnded returns why a search was cut short: the context's own end, or the end of
// the search's share of it.
func whyEnded(ctx context.Context) error {
	return cmp.Or(ctx.Err(), context.DeadlineExceeded)
}
