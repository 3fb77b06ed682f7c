package reweigh

import (
	"context"
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/profile"
)

// leastLog bounds the logarithm of a relative affinity from below.
const leastLog = -12

// Measures are what φ is told of an instance.
type Measures struct {
	Least, Greatest float64 // edge affinity; Least is at most 0
	Statistics      [features.StatisticCount]float32
}

// AsGiven reports whether affinities stay as they are: negative ones already speak
// against matches, and of none but 0 there is nothing to learn.
func (m *Measures) AsGiven() bool { return m.Least < 0 || m.Greatest == 0 }

// Relative returns an edge affinity as a share of the greatest one.
func (m *Measures) Relative(v float64) float64 { return v / m.Greatest }

func logarithm(relative float64) float64 {
	if relative <= 0 {
		return leastLog
	}
	return max(math.Log(relative), leastLog)
}

// AskAffinity writes the inputs that ask what a relative affinity is worth.
func (m *Measures) AskAffinity(dst []float32, relative float64) {
	clear(dst[:features.AffinityChannels])
	dst[features.RelativeAffinity] = float32(relative)
	dst[features.LogAffinity] = float32(logarithm(relative))
	copy(dst[features.FirstStatistic:], m.Statistics[:])
}

// tails are logarithms at which the distribution of affinities is looked at.
var tails = [...]float64{-0.02, -0.1, -0.5, -2, -6}

// rareShare keeps the logarithm of a share finite.
const rareShare = 1e-4

// Measure returns the statistics of an instance, of edge affinities that are not 0:
// mean, standard deviation and mean logarithm; the logarithm of the share above each
// of the tails; the logarithms of the size of the smaller graph (over 10) and of the
// larger (over the smaller); then how alike the edges of good matchings are. There are
// none where an edge affinity is negative.
func Measure(in *qap.Instance) Measures {
	m, err := measureRange(context.Background(), in)
	if err == nil && !m.AsGiven() {
		_, err = m.measure(context.Background(), in)
	}
	if err != nil {
		panic(err) // a context that does not end
	}
	return m
}

// measureRange finds the least and the greatest edge affinity.
func measureRange(ctx context.Context, in *qap.Instance) (m Measures, err error) {
	err = in.EachEdgeContext(ctx, func(_, _ int, v float64) { m.Least, m.Greatest = min(m.Least, v), max(m.Greatest, v) })
	return m, err
}

// measure computes the statistics of an instance whose range is known, and returns the
// matchings that they are of. The error is why the context ended too early.
func (m *Measures) measure(ctx context.Context, in *qap.Instance) (qap.Profile, error) {
	s, err := m.distribution(ctx, in)
	if err != nil {
		return nil, err
	}
	n1, n2 := in.Size()
	small, large := float64(min(n1, n2)), float64(max(n1, n2))
	s = append(s, math.Log(small/10), math.Log(large/small))
	found, err := given(ctx, in)
	if err != nil {
		return nil, err
	}
	for k, v := range append(s, m.matchings(in, found)...) {
		m.Statistics[k] = float32(v)
	}
	return found, nil
}

// given searches the best matchings of all sizes by given affinities.
func given(ctx context.Context, in *qap.Instance) (qap.Profile, error) {
	search, cancel := within(ctx, measuringShare)
	defer cancel()
	if found := searchProfile(search, in, measuringStarts); found != nil {
		return found, nil
	}
	return nil, whyEnded(ctx)
}

func (m *Measures) distribution(ctx context.Context, in *qap.Instance) ([]float64, error) {
	var count, sum, squares, logs float64
	var above [len(tails)]float64
	last, share, l := 0.0, 0.0, 0.0 // many affinities are the least one
	err := in.EachEdgeContext(ctx, func(_, _ int, v float64) {
		if v != last {
			last, share = v, m.Relative(v)
			l = logarithm(share)
		}
		count++
		sum += share
		squares += share * share
		logs += l
		for k, t := range tails {
			if l > t {
				above[k]++
			}
		}
	})
	mean := sum / count
	s := []float64{mean, math.Sqrt(max(squares/count-mean*mean, 0)), logs / count}
	for _, a := range above {
		s = append(s, math.Log(a/count+rareShare))
	}
	return s, err
}

// measuringStarts is from how many starts the profile is searched for statistics;
// they need no optimum.
const measuringStarts = 2

// matchings returns means over the matchings of alike.
func (m *Measures) matchings(in *qap.Instance, found qap.Profile) []float64 {
	var shares, logs [4]float64
	for k, matching := range alike(found) {
		shares[k], logs[k] = m.inside(in, matching)
	}
	return []float64{shares[0], logs[1], shares[1], logs[2], shares[2], logs[3]}
}

// Alike returns the matchings that statistics look at: the best found of a quarter, a
// half, three quarters and all of the nodes, of at least two.
func Alike(in *qap.Instance) [4]qap.Matching {
	return alike(searchProfile(context.Background(), in, measuringStarts))
}

func alike(found qap.Profile) (matchings [4]qap.Matching) {
	most := len(found) - 1
	for k := range matchings {
		size := min(max(int(math.Round(float64((k+1)*most)/4)), 2), most)
		matchings[k] = found[size].Matching
	}
	return matchings
}

// inside returns the means of relative affinities and their logarithms over the edges
// between matches.
func (m *Measures) inside(in *qap.Instance, matching qap.Matching) (share, log float64) {
	count := eachMatchedEdge(in, matching, func(v float64) {
		share += m.Relative(v)
		log += logarithm(m.Relative(v))
	})
	return share / float64(max(count, 1)), log / float64(max(count, 1))
}

// eachMatchedEdge calls visit for every edge affinity between matches that is not 0,
// and returns how many there are.
func eachMatchedEdge(in *qap.Instance, matching qap.Matching, visit func(v float64)) int {
	_, n2 := in.Size()
	count := 0
	for i, a := range matching {
		for j, b := range matching[:i] {
			if a == qap.Unmatched || b == qap.Unmatched {
				continue
			}
			if v := in.Affinity.At(i*n2+a, j*n2+b); v != 0 {
				visit(v)
				count++
			}
		}
	}
	return count
}

// searchProfile returns the best matchings of all sizes. A context that ends shortens
// the search; where it had not yet reached every size, there is no profile, but of a
// sparse instance one that is reduced.
func searchProfile(ctx context.Context, in *qap.Instance, starts int) qap.Profile {
	free := *in
	free.Complete = false
	n1, n2 := in.Size()
	deadline, limited := ctx.Deadline()
	_, dense := in.Affinity.(*qap.Dense)
	var reduced qap.Profile
	if large := min(n1, n2) > mostSearched; !dense && (large || limited) {
		if reduced = reducedProfile(ctx, &free); large {
			return reduced
		}
	}
	if !dense && n1*n2 <= mostDense {
		copied, err := inDense(ctx, &free)
		if err != nil {
			return reduced
		}
		free.Affinity = copied.Affinity
	}
	var o qap.Options
	if limited {
		// Without a limit of steps, a time limit would make starts go on until it is over.
		o.Limits = qap.Limits{TimeLimit: max(time.Until(deadline), 1), MaxSteps: math.MaxInt}
	}
	result, err := profile.Solver{Starts: starts}.Solve(ctx, &free, o)
	if err != nil {
		panic(err) // without a goal nothing can be wrong
	}
	return better(reduced, result.Profile)
}
