package reweigh

import (
	"context"
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// mostSearched is the number of nodes of the smaller graph up to which the profile of a
// sparse instance is searched. Of larger ones it is reduced, which on sparse graphs of
// points leads to the same F1 (91.6 and 91.4, 79.9 and 79.9, 98.3 and 98.1 on generated
// pairs of 38 and 30 nodes) in a fortieth of the time. On dense instances it does not.
const mostSearched = 40

// reducedProfile returns good matchings of all sizes: a complete one, and what is left of
// it as the weakest matches are released one after the other. It returns nil where the
// context ends before there is a complete one.
func reducedProfile(ctx context.Context, in *qap.Instance) qap.Profile {
	m := completeMatching(ctx, in)
	if m == nil {
		return nil
	}
	size, score := m.Size(), in.Score(m)
	p := make(qap.Profile, size+1)
	p[size] = qap.Best{Score: score, Matching: m.Clone()}
	in.EachReduction(m, func(loss float64) bool {
		size--
		score -= loss
		p[size] = qap.Best{Score: score, Matching: m.Clone()}
		return !over(ctx)
	})
	if size > 0 {
		return nil // over
	}
	p[0].Score = 0 // without rounding
	return p
}

// completeMatching returns a complete matching of a high score, by integer projected
// fixed points: from the uniform soft assignment x, steps towards the assignment b that
// is the best for the gradient K·x, as far as the score rises; the best b counts.
//
// Source: Leordeanu, Hebert, Sukthankar, NIPS 2009, "An integer projected fixed point
// method for graph matching and MAP inference".
func completeMatching(ctx context.Context, in *qap.Instance) qap.Matching {
	const most, nearEnough = 50, 1e-3 // steps, mostly far fewer; the relative rise that ends them
	n1, n2 := in.Size()
	x, kx := make([]float64, n1*n2), make([]float64, n1*n2)
	b, kb := make([]float64, n1*n2), make([]float64, n1*n2)
	for p := range x {
		x[p] = 1 / float64(max(n1, n2))
	}
	in.Affinity.Multiply(kx, x)
	var best qap.Matching
	var lap assignment.Solver
	score := 0.0
	for range most {
		if over(ctx) {
			break
		}
		m := qap.Matching(lap.Maximize(kx, n1, n2))
		clear(b)
		for i, a := range m {
			if a != qap.Unmatched {
				b[i*n2+a] = 1
			}
		}
		in.Affinity.Multiply(kb, b)
		if s := dot(b, kb); best == nil || s > score {
			best, score = m.Clone(), s
		}
		slope, bend := dot(b, kx)-dot(x, kx), dot(b, kb)-2*dot(b, kx)+dot(x, kx)
		if here := dot(x, kx); slope <= nearEnough*math.Abs(here) {
			break
		}
		step := 1.0
		if bend < 0 {
			step = min(1, -slope/bend)
		}
		for p := range x {
			x[p] += step * (b[p] - x[p])
			kx[p] += step * (kb[p] - kx[p])
		}
	}
	return best
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for p, v := range x {
		sum += v * y[p]
	}
	return sum
}

// over reports whether a context has ended, by the clock too.
func over(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(deadline)
}

// better returns the better matching of every size of two profiles. The second may
// lack sizes, and the first may be nil.
func better(p, searched qap.Profile) qap.Profile {
	if p == nil {
		for _, best := range searched {
			if best.Matching == nil {
				return nil
			}
		}
		return searched
	}
	for size, best := range searched {
		if best.Matching != nil && best.Score > p[size].Score {
			p[size] = best
		}
	}
	return p
}
