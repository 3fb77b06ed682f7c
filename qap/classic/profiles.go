package classic

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
)

// quantiles is how many a degree profile has.
const quantiles = 16

// profiles sets s.X to the matching of the nodes whose degrees, and those of their neighbors in
// their order, differ least. Degrees are sums of rows and columns, in units of their mean. It
// leaves s.X as it is where an instance is not of flows and distances, or one of them is 0.
//
// Source: Ding, Ma, Wu, Xu, Efficient random graph matching via degree profiles, Probability
// Theory and Related Fields 179 (2021), arXiv:1811.07821.
func profiles(s *relaxation.Search) {
	kb, ok := s.In.Affinity.(*qap.KoopmansBeckmann)
	if !ok || len(s.X) == 0 {
		return
	}
	// Where the user minimises, large entries of A belong on small ones of B.
	a, b := degreeProfiles(kb.A(), s.N1, 1), degreeProfiles(kb.B(), s.N2, s.In.ScoreOf(1))
	if a == nil || b == nil {
		return
	}
	const width = quantiles + 1
	likeness := make([]float64, len(s.X))
	for i := range s.N1 {
		of := a[i*width : (i+1)*width]
		for j := range s.N2 {
			apart := 0.0
			for k, v := range b[j*width : (j+1)*width] {
				apart += math.Abs(v - of[k])
			}
			likeness[i*s.N2+j] = -apart
		}
	}
	relaxation.Indicate(s.X, s.Project(likeness), s.N2)
}

// degreeProfiles returns a row for each node of an n×n matrix of edges times a factor: quantiles of
// its neighbors' degrees, and quantiles times its own, which so counts as much as all of them. It
// returns nil where no mean degree above 0 gives a unit.
func degreeProfiles(m []float64, n int, factor float64) []float64 {
	degrees, total := make([]float64, n), 0.0
	for i := range n {
		for j, v := range m[i*n : (i+1)*n] {
			degrees[i] += factor * v
			degrees[j] += factor * v
			total += 2 * factor * v
		}
	}
	if !(total > 0) {
		return nil
	}
	profiles := make([]float64, 0, n*(quantiles+1))
	near := make([]float64, 0, n)
	for i := range n {
		near = near[:0]
		for j := range n {
			if m[i*n+j] != 0 || m[j*n+i] != 0 {
				near = append(near, degrees[j]*float64(n)/total)
			}
		}
		slices.Sort(near)
		for k := range quantiles {
			v := 0.0
			if len(near) > 0 {
				v = near[k*(len(near)-1)/(quantiles-1)]
			}
			profiles = append(profiles, v)
		}
		profiles = append(profiles, quantiles*degrees[i]*float64(n)/total)
	}
	return profiles
}
