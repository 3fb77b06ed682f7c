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
	Shifted bool   // a constant is off given affinities, by which the number of matches is chosen

	// Regularizer is what decides on the number of matches by given affinities; none where
	// the best score does.
	Regularizer qap.Regularizer

	// Inliers is how many matches to make by learned affinities where a goal's regularizer
	// decides on that, by the given ones; 0 elsewhere.
	Inliers int
}

// AsGiven reports whether scores are those of the given affinities.
func (d Decision) AsGiven() bool { return !d.Learned && !d.Shifted }

// The reasons of a Decision.
const (
	ReasonSigned    = "negative edge affinities already speak against matches"
	ReasonNoEdges   = "no edge affinity is above 0: there is nothing to learn from"
	ReasonTime      = "the time is too short to re-weigh"
	ReasonSizeTime  = "the time was too short to weigh the number of matches"
	ReasonCancelled = "cancelled"
	ReasonNoMatches = "the regularizer wants no matches"
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

// Reweigh returns the instance to search by, to be maximised, for a goal: with learned
// affinities or, where some are negative, which φ does not know, with the given ones, whose
// best J/m is sought by Decision.Regularizer. For a search that keeps to no
// regularizer (keepsGoals is false) a constant off the given affinities takes its place, by
// which the size of the best J/m, or one near it, has the best score: Decision.Shifted.
//
// Where the goal has a count of inliers, or everything is to be matched, only the
// affinities change. A regularizer of the goal decides on the number of matches by the
// given affinities, whatever these matches are chosen by: Decision.Inliers.
//
// The score of the returned instance says nothing to a user; Given tells what a result is
// in the instance's own terms. Where the context ends, or its deadline is near, the
// searches inside are shortened; where that does not suffice, the instance is returned as
// it is given. The Decision says so; it is no error. The error wraps qap.ErrUnsupported for
// the form of Koopmans and Beckmann.
func (a *Affinity) Reweigh(ctx context.Context, in *qap.Instance, goal qap.Goal, keepsGoals bool) (*qap.Instance, Decision, error) {
	if _, ok := in.Affinity.(*qap.KoopmansBeckmann); ok {
		return nil, Decision{}, fmt.Errorf("reweigh: learned affinities need an affinity matrix, not the form of Koopmans and Beckmann: %w", qap.ErrUnsupported)
	}
	now, d, err := a.reweigh(ctx, in, goal, keepsGoals)
	switch {
	case errors.Is(err, context.Canceled):
		d, err = Decision{Reason: ReasonCancelled}, nil
	case errors.Is(err, context.DeadlineExceeded):
		d, err = Decision{Reason: ReasonTime}, nil
	}
	if err == nil && d.AsGiven() {
		given := *in // not in itself, which stays the caller's
		now = &given
	}
	return now, d, err
}

func (a *Affinity) reweigh(ctx context.Context, in *qap.Instance, goal qap.Goal, keepsGoals bool) (*qap.Instance, Decision, error) {
	n1, n2 := in.Size()
	in, m, err := prepared(ctx, in)
	if err != nil {
		return nil, Decision{}, err
	}
	switch sized := goal.Inliers > 0 || in.Complete; {
	case m.Greatest == 0:
		return nil, Decision{Reason: ReasonNoEdges}, nil
	case min(n1, n2) <= LeastSize:
		return nil, Decision{Reason: ReasonSmall}, nil
	case m.Least < 0 && (sized || !goal.Regularizer.None()):
		return nil, Decision{Reason: ReasonSigned}, nil
	case m.Least < 0:
		return signed(ctx, in, &m, keepsGoals)
	}
	return a.learned(ctx, in, &m, goal)
}

// signed returns given affinities, some of them negative, so that the best J/m is sought.
func signed(ctx context.Context, in *qap.Instance, m *Measures, keepsGoals bool) (*qap.Instance, Decision, error) {
	found, err := given(ctx, in)
	if err != nil {
		return nil, Decision{}, err
	}
	d := Decision{Reason: ReasonSigned}
	size := sizeBy(qap.RegularizeMean(1), in, found)
	switch {
	case size == sizeBy(qap.Regularizer{}, in, found): // the best score has it too
		return nil, d, nil
	case keepsGoals:
		d.Regularizer = qap.RegularizeMean(1)
		return nil, d, nil
	}
	hull, err := hullOf(ctx, in, found)
	if err != nil {
		return nil, Decision{}, err
	}
	d.Shifted = true
	now, err := shifted(ctx, in, offsetOf(hull, size, m.Greatest))
	return now, d, err
}

// sizeBy returns the size that a regularizer chooses of a profile.
func sizeBy(r qap.Regularizer, in *qap.Instance, found qap.Profile) int {
	size, _ := qap.Goal{Regularizer: r}.Choose(in, found)
	return size
}

// learned returns learned affinities, and the number of matches that the goal or else the
// network chooses: the latter by a constant off all of them.
func (a *Affinity) learned(ctx context.Context, in *qap.Instance, m *Measures, goal qap.Goal) (*qap.Instance, Decision, error) {
	found, err := m.measure(ctx, in)
	if err != nil {
		return nil, Decision{}, err
	}
	learned, err := a.byEdges(ctx, in, m)
	if err != nil {
		return nil, Decision{}, err
	}
	d := Decision{Learned: true}
	switch {
	case in.Complete || goal.Inliers > 0:
		return learned, d, nil
	case !goal.Regularizer.None():
		if d.Inliers = max(sizeBy(goal.Regularizer, in, found), goal.Fixed.Size()); d.Inliers == 0 {
			return nil, Decision{Reason: ReasonNoMatches}, nil
		}
		return learned, d, nil
	}
	if !a.signed && signedNodes(learned) { // they decide on the number of matches, of which most networks have learned nothing
		return learned, d, nil
	}
	sized, err := a.bySize(ctx, in, learned, m)
	if errors.Is(err, context.DeadlineExceeded) { // φ alone tells right matches too
		d.Reason = ReasonSizeTime
		return learned, d, nil
	}
	return sized, d, err
}

// signedNodes reports whether some node affinity speaks against its match.
func signedNodes(in *qap.Instance) bool {
	n1, n2 := in.Size()
	nodes := make([]float64, n1*n2)
	in.Affinity.Diagonal(nodes)
	return hasNegative(nodes)
}

// bySize returns the re-weighed instance, shifted so that the size that the network
// finds best has the best score.
func (a *Affinity) bySize(ctx context.Context, in, learned *qap.Instance, m *Measures) (*qap.Instance, error) {
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

// prepared returns an instance without rounding and, unless affinities have signs, with
// the least of all evidence where edges meet that are not alike (structure.filled).
func prepared(ctx context.Context, in *qap.Instance) (*qap.Instance, Measures, error) {
	m, err := measureRange(ctx, in)
	if err == nil && m.Least < 0 && -m.Least <= Rounding*m.Greatest {
		in, err = withoutNegative(ctx, in)
		m.Least = 0
	}
	if err != nil || m.AsGiven() {
		return in, m, err
	}
	s, err := structureOf(ctx, in)
	if err == nil {
		in, err = s.filled(ctx, in, m.Greatest*math.Exp(leastLog))
	}
	return in, m, err
}

// Prepared returns an instance as networks are told of it: without rounding, and with the
// least of all evidence where edges meet what is not alike, unless affinities have signs.
func Prepared(in *qap.Instance) *qap.Instance {
	now, _, err := prepared(context.Background(), in)
	if err != nil {
		panic(err) // a context that does not end
	}
	return now
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
