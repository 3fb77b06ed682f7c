package reweigh

import (
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Comparison holds what a gate chooses among: the best matchings of an instance by its
// given affinities and by learned ones.
type Comparison struct {
	Candidates []Candidate

	in        *qap.Instance // given, without rounding, to be matched in any size
	complete  bool          // everything is to be matched
	measures  *Measures     // of signed affinities too
	structure *structure
	given     side
	learned   side       // empty where affinities have signs
	answers   []float32  // of the network, by size from LeastSize; none where it was not asked
	chosen    int        // the size that it finds best, or the largest
	distinct  float64    // different values, a share of those looked at
	skew      float64    // of shares
	nodes     float64    // standard deviation of node affinities, a share of a match's edges
	phi       [2]float64 // of the greatest and the least affinity
}

// Candidate is the best matching of a size by given or by learned affinities.
type Candidate struct {
	Learned bool
	Size    int
}

// side is one of the two affinities.
type side struct {
	instance *qap.Instance
	profile  qap.Profile
	hull     []hullPoint
}

func (s *side) most() int { return len(s.profile) - 1 }

// Matching returns the matching of a candidate. It is not to be changed.
func (c *Comparison) Matching(k Candidate) qap.Matching {
	return c.side(k.Learned).profile[k.Size].Matching
}

func (c *Comparison) side(learned bool) *side {
	if learned {
		return &c.learned
	}
	return &c.given
}

// by returns the size that a goal chooses by the given affinities.
func (c *Comparison) by(r qap.Regularizer) int {
	size, _ := qap.Goal{Regularizer: r}.Choose(c.in, c.given.profile)
	return size
}

// Further adds the best matchings of sizes by both affinities.
func (c *Comparison) Further(sizes ...int) {
	for _, size := range sizes {
		for _, learned := range []bool{false, true} {
			k := Candidate{Learned: learned, Size: size}
			if size <= c.side(learned).most() && !slices.Contains(c.Candidates, k) {
				c.Candidates = append(c.Candidates, k)
			}
		}
	}
}

// collect lists the candidates: by given affinities the best by J and by J/m, by learned
// ones that of the chosen size.
func (c *Comparison) collect() {
	j, mean := Candidate{Size: c.by(qap.Regularizer{})}, Candidate{Size: c.by(qap.RegularizeMean(1))}
	c.Candidates = []Candidate{j}
	if mean != j {
		c.Candidates = append(c.Candidates, mean)
	}
	if c.learned.profile != nil {
		c.Candidates = append(c.Candidates, Candidate{Learned: true, Size: c.chosen})
	}
}

// look measures what the gate is told of the instance beside the statistics of φ.
func (c *Comparison) look(ctx context.Context) error {
	const most = 4096 // values looked at
	var sum, cubes, squares, count float64
	values := make([]float64, 0, most)
	stride := max(1, c.structure.affinities/most)
	mean, deviation := float64(c.measures.Statistics[0]), float64(c.measures.Statistics[1])
	k := 0
	err := c.in.EachEdgeContext(ctx, func(_, _ int, v float64) {
		if k++; k%stride != 0 || len(values) == most {
			return
		}
		x := c.measures.Relative(v)
		values = append(values, math.Round(x*1e9))
		d := x - mean
		sum, squares, cubes, count = sum+x, squares+d*d, cubes+d*d*d, count+1
	})
	if err != nil {
		return err
	}
	slices.Sort(values)
	count = max(count, 1)
	c.distinct = float64(len(slices.Compact(values))) / count
	if deviation > 1e-6 {
		c.skew = cubes / count / (deviation * deviation * deviation)
	}
	n1, n2 := c.in.Size()
	nodes := make([]float64, n1*n2)
	c.in.Affinity.Diagonal(nodes)
	average, spread := 0.0, 0.0
	for _, v := range nodes {
		average += v / float64(len(nodes))
	}
	for _, v := range nodes {
		spread += (v - average) * (v - average) / float64(len(nodes))
	}
	degree := 2 * min(float64(c.structure.count1)/float64(n1), float64(c.structure.count2)/float64(n2))
	c.nodes = math.Sqrt(spread) / (c.measures.Greatest * max(degree, 1))
	return nil
}

// Ask writes what a gate is told of a candidate.
func (c *Comparison) Ask(dst []float32, k Candidate) {
	clear(dst[:features.GateChannels])
	copy(dst, c.measures.Statistics[:])
	for at, v := range c.ofInstance() {
		dst[features.FirstGateInstance+at] = float32(v)
	}
	for at, v := range c.ofCandidate(k) {
		dst[features.FirstOfCandidate+at] = float32(v)
	}
}

func (c *Comparison) ofInstance() [features.GateInstanceCount]float64 {
	s := c.structure
	all := func(n int) float64 { return float64(max(n*(n-1)/2, 1)) }
	signed := 0.0
	if c.measures.Least < 0 {
		signed = 1
	}
	return [...]float64{
		float64(s.count1) / all(s.n1), float64(s.count2) / all(s.n2), s.zeros(),
		math.Log(c.distinct + 1e-4), clamp(c.skew, 5), signed, clamp(c.measures.Least/c.measures.Greatest, 3), math.Log(clamp(c.nodes, 10) + 1e-3),
		c.phi[0], c.phi[1],
	}
}

// clamp bounds a number to −bound..bound.
func clamp(v, bound float64) float64 { return max(-bound, min(bound, v)) }

func (c *Comparison) ofCandidate(k Candidate) [features.OfCandidateCount]float64 {
	own, other := c.side(k.Learned), c.side(!k.Learned)
	m, most := k.Size, own.most()
	x := own.profile[m].Matching
	unit := 1.0 // of the own score
	if !k.Learned {
		unit = c.measures.Greatest
	}
	share, log, joined, torn := c.inside(x)
	j, jm := c.by(qap.Regularizer{}), c.by(qap.RegularizeMean(1))
	score := c.in.Score(x)
	relative := func(power float64) float64 {
		best := 0.0
		for size, b := range c.given.profile {
			if size > 0 {
				best = max(best, b.Score/math.Pow(float64(size), power))
			}
		}
		if best <= 0 {
			return 0
		}
		return clamp(score/math.Pow(float64(max(m, 1)), power)/best, 2)
	}
	gain := func(size int) float64 {
		if size < 2 || size > most {
			return 0
		}
		return clamp((own.profile[size].Score-own.profile[size-1].Score)/(unit*float64(2*(size-1))), 10)
	}
	v := [features.OfCandidateCount]float64{
		flag(k.Learned), float64(m) / float64(max(most, 1)), math.Log(float64(max(m, 1)) / 10), flag(m == most),
		share, log, joined,
		clamp(own.profile[m].Score/(unit*max(edges(m), 1)), 10), relative(0), relative(1), relative(1.6),
		gain(m), gain(m + 1), gain(m + 2),
		alikeness(x, c.given.profile[j].Matching), alikeness(x, c.given.profile[jm].Matching),
		float64(m-j) / float64(max(most, 1)), float64(m-jm) / float64(max(most, 1)),
		alikeness(x, own.profile[most].Matching), alikeness(x, own.profile[max(m-1, 0)].Matching), alikeness(x, own.profile[min(m+1, most)].Matching),
		flag(!k.Learned && m == j), flag(!k.Learned && m == jm),
	}
	v[29] = torn
	if c.learned.profile != nil {
		best := 0.0
		for _, b := range c.learned.profile {
			best = max(best, b.Score)
		}
		v[23] = alikeness(x, c.learned.profile[c.chosen].Matching)
		v[24] = float64(m-c.chosen) / float64(max(most, 1))
		v[25] = flag(k.Learned && m == c.chosen)
		v[26] = alikeness(x, other.profile[m].Matching)
		if best > 0 {
			v[27] = clamp(c.learned.instance.Score(x)/best, 3)
		}
		if m >= LeastSize && m-LeastSize < len(c.answers) {
			v[28] = clamp(float64(c.answers[m-LeastSize]-slices.Max(c.answers)), 10)
		}
	}
	return v
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// inside returns the means of the shares of given affinities and of their logarithms
// over the pairs of matches where they are not 0; how many of all pairs are of two edges,
// and how many of an edge and none.
func (c *Comparison) inside(m qap.Matching) (share, log, joined, torn float64) {
	share, log = c.measures.inside(c.in, m)
	s := c.structure
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		for j, b := range m[:i] {
			if b == qap.Unmatched {
				continue
			}
			switch one, two := s.edges1[i*s.n1+j], s.edges2[a*s.n2+b]; {
			case one && two:
				joined++
			case one || two:
				torn++
			}
		}
	}
	pairs := max(edges(m.Size())/2, 1)
	return share, log, joined / pairs, torn / pairs
}

// alikeness returns twice the matches that two have in common over all of both.
func alikeness(x, y qap.Matching) float64 {
	if len(y) == 0 {
		return 0
	}
	same := 0
	for i, a := range x {
		if a != qap.Unmatched && y[i] == a {
			same++
		}
	}
	return 2 * float64(same) / float64(max(x.Size()+y.Size(), 1))
}

// Defaults are the choices without a gate's network.
type Defaults struct {
	J, Mean int       // the sizes of the greatest J and J/m by given affinities
	Phi     int       // the size that the network for sizes chooses by learned ones, the nearest on the hull
	Rule    Candidate // of Rule
}

// Defaults returns what is chosen without a gate's network.
func (c *Comparison) Defaults() Defaults {
	return Defaults{J: c.by(qap.Regularizer{}), Mean: c.by(qap.RegularizeMean(1)), Phi: c.chosen, Rule: c.byRule(c.Candidates)}
}
