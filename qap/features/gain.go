package features

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// The channels of the Gain set. ΔV is the change of value of choosing the vertex
// (Environment.ValueChanges), s the instance's Scale, and "age" of an event is
// exp(−steps since/(n/2)), 0 if it never happened, n = max(n1, n2). For a vertex
// (i,a), b is the match of i and k the holder of a.
const (
	Matched      = iota // 1 where the vertex is matched
	RowFree             // 1 where i is free
	ColFree             // 1 where a is free
	Change              // asinh(4·ΔV/s)
	Regret              // asinh(4·(ΔV − max ΔV)/mean|ΔV|), at most 0
	Gained              // gain of the vertex, standardised over the state
	GainedRow           // gain of i's match (i,b), 0 if i is free
	GainedCol           // gain of a's match (k,a), 0 if a is free
	ReleasedAge         // age of this vertex's last release
	RowAge              // age of i's last change
	ColAge              // age of a's last change
	InBest              // 1 where the best solution holds the vertex
	BeatsBest           // 1 where choosing it makes a new best solution
	BehindBest          // asinh((V − best)/s)
	FreeShare           // matches still to make/n
	Complete            // 1 where none is
	Stagnation          // 1 − exp(−steps since the best/n)
	StepsLeft           // share of the horizon that is left
	PartnerAge          // age of the release of (k,b), the vertex a swap matches too
	Visited             // asinh(visits·n/(1+step))
	GainChannels        // how many there are
)

// GainExtractor computes the Gain set.
type GainExtractor struct {
	env     *qap.Environment
	memory  *Memory
	scale   float64
	horizon int
	n1, n2  int
	n       int
	limit   int                    // ages from here on are 0
	decay   []float32              // exp(−age/(n/2)) by age, 0 at the limit
	allowed []bool                 // whether each vertex is an action
	match   []int                  // the matching
	swaps   swaps                  // scratch of a complete assignment
	visited [maxVisits + 1]float32 // asinh(visits·n/(1+step)) by visits, filled as far as needed
}

// NewGainExtractor returns the extractor of the Gain set for an environment;
// scale is the instance's Scale, horizon the number of steps of an episode. Values
// of a regularised goal have the scale of the largest matchings.
func NewGainExtractor(env *qap.Environment, scale float64, horizon int) *GainExtractor {
	g := &GainExtractor{}
	g.Renew(env, scale, horizon)
	return g
}

// Renew makes g what NewGainExtractor returns, in the memory that g has: it allocates only
// where that is too little. The zero value may be renewed.
func (g *GainExtractor) Renew(env *qap.Environment, scale float64, horizon int) {
	n1, n2 := env.Size()
	n := max(n1, n2)
	scale *= env.Options().Goal.Regularizer.Factor(env.Matched()+env.Remaining(), n1, n2)
	old := *g
	*g = GainExtractor{
		env: env, memory: old.memory, scale: scale, horizon: max(horizon, 1),
		n1: n1, n2: n2, n: n, limit: ageLimit(n1, n2), decay: old.decay,
		allowed: resized(old.allowed, n1*n2), match: resized(old.match, n1), swaps: old.swaps,
	}
	g.swaps.resize(n1, n2)
	if g.memory == nil {
		g.memory = &Memory{}
	}
	g.memory.resize(n1, n2)
	if old.n != n || old.decay == nil {
		g.setDecay()
	}
}

// setDecay computes how ages fade for graphs of this size.
func (g *GainExtractor) setDecay() {
	g.decay = resized(g.decay, g.limit+1)
	for age := range g.limit {
		g.decay[age] = float32(math.Exp(-float64(age) / (float64(g.n) / 2)))
	}
	g.decay[g.limit] = 0
}

// Memory returns the memory of the episode.
func (g *GainExtractor) Memory() *Memory { return g.memory }

// SetHorizon changes how many steps an episode lasts.
func (g *GainExtractor) SetHorizon(steps int) { g.horizon = max(steps, 1) }

// Reset follows Environment.Reset.
func (g *GainExtractor) Reset() { g.memory.Reset() }

// Observe follows Environment.Step.
func (g *GainExtractor) Observe() { g.memory.Observe(g.env) }

// Inherit follows Environment.CopyFrom.
func (g *GainExtractor) Inherit(parent Extractor) { g.memory.CopyFrom(parent.(*GainExtractor).memory) }

// Fill writes the inputs of the current state as those of the k-th state of a batch.
func (g *GainExtractor) Fill(batch [][]float32, k int) {
	part := func(tensor, size int) []float32 { return batch[tensor][k*size : (k+1)*size] }
	plane := func(channel int) []float32 { return Plane(batch, k, channel, g.n1*g.n2) }
	changes, gains := g.env.ValueChanges(), g.env.Gains()
	mean, inverse := gainStatistics(gains, g.scale)

	for i := range g.match {
		g.match[i] = g.env.Match(i)
	}
	g.fillMatches(plane(Matched), plane(InBest))
	g.fillChanges(changes, plane(Change), plane(Regret), plane(BeatsBest))
	standardise(plane(Gained), gains, mean, inverse)
	g.fillMemory(plane(ReleasedAge), plane(PartnerAge), plane(Visited))
	g.fillRows(part(1, len(RowChannels)*g.n1), plane(Gained))
	g.fillColumns(part(2, len(ColumnChannels)*g.n2), plane(Gained))
	g.fillState(part(3, len(StateChannels)))
}

// fillMatches marks the vertices of the matching and of the best solution.
func (g *GainExtractor) fillMatches(matched, inBest []float32) {
	clear(matched)
	clear(inBest)
	best, _ := g.env.Best()
	hasBest := g.env.HasBest()
	for i, b := range g.match {
		if b != qap.Unmatched {
			matched[i*g.n2+b] = 1
		}
		if hasBest && best[i] != qap.Unmatched {
			inBest[i*g.n2+best[i]] = 1
		}
	}
}

// fillMemory writes what the memory holds of vertices.
func (g *GainExtractor) fillMemory(released, partner, visited []float32) {
	for v, since := range g.memory.released {
		released[v] = g.ageOf(since)
	}
	g.fillVisited()
	for v, count := range g.memory.visits {
		visited[v] = g.visited[count]
	}
	clear(partner)
	for a := range g.n2 {
		k := g.env.Inverse(a)
		if k == qap.Unmatched {
			continue
		}
		holder := released[k*g.n2 : (k+1)*g.n2]
		for i, b := range g.match {
			if b != qap.Unmatched {
				partner[i*g.n2+a] = holder[b]
			}
		}
	}
}

// fillRows writes the channels of the nodes of graph 1.
func (g *GainExtractor) fillRows(dst, gained []float32) {
	free, own, age := dst[:g.n1], dst[g.n1:2*g.n1], dst[2*g.n1:]
	for i, changed := range g.memory.rowChanged {
		free[i], own[i], age[i] = 1, 0, g.ageOf(changed)
		if b := g.match[i]; b != qap.Unmatched {
			free[i], own[i] = 0, gained[i*g.n2+b]
		}
	}
}

// fillColumns writes the channels of the nodes of graph 2.
func (g *GainExtractor) fillColumns(dst, gained []float32) {
	free, own, age := dst[:g.n2], dst[g.n2:2*g.n2], dst[2*g.n2:]
	for a, changed := range g.memory.colChanged {
		free[a], own[a], age[a] = 1, 0, g.ageOf(changed)
		if k := g.env.Inverse(a); k != qap.Unmatched {
			free[a], own[a] = 0, gained[k*g.n2+a]
		}
	}
}

// fillState writes the channels that depend on no vertex, in the order of
// StateChannels.
func (g *GainExtractor) fillState(dst []float32) {
	env := g.env
	behind, stagnation, complete := 0.0, 0.0, float32(0)
	if env.HasBest() {
		behind = math.Asinh((env.Value() - env.BestValue()) / g.scale)
		stagnation = 1 - math.Exp(-float64(env.Steps()-env.BestStep())/float64(g.n))
	}
	free := env.Remaining()
	if free == 0 {
		complete = 1
	}
	dst[0], dst[1], dst[2] = float32(behind), float32(free)/float32(g.n), complete
	dst[3], dst[4] = float32(stagnation), float32(max(g.horizon-env.Steps(), 0))/float32(g.horizon)
}

func (g *GainExtractor) ageOf(since int32) float32 {
	return g.decay[g.memory.age(since, g.limit)]
}

// gainStatistics returns the mean of the gains and the inverse of their standard
// deviation.
func gainStatistics(gains []float64, scale float64) (mean, inverse float64) {
	count := float64(max(len(gains), 1))
	mean = sum(gains) / count
	deviation := math.Sqrt(squares(gains, mean) / count)
	return mean, 1 / (deviation + 1e-9*scale)
}

// sum adds four numbers at a time, since each addition waits for the one before.
func sum(x []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0, s1, s2, s3 = s0+x[0], s1+x[1], s2+x[2], s3+x[3]
	}
	for _, v := range x {
		s0 += v
	}
	return s0 + s1 + s2 + s3
}

// squares is the sum of (x − mean)².
func squares(x []float64, mean float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		d0, d1, d2, d3 := x[0]-mean, x[1]-mean, x[2]-mean, x[3]-mean
		s0, s1, s2, s3 = s0+d0*d0, s1+d1*d1, s2+d2*d2, s3+d3*d3
	}
	for _, v := range x {
		s0 += (v - mean) * (v - mean)
	}
	return s0 + s1 + s2 + s3
}

// standardise writes (x − mean)·inverse for every x.
func standardise(dst []float32, x []float64, mean, inverse float64) {
	dst = dst[:len(x)]
	for k, v := range x {
		dst[k] = float32((v - mean) * inverse)
	}
}

// counts are the numbers that visits may be.
var counts = func() (counts [maxVisits + 1]float64) {
	for k := range counts {
		counts[k] = float64(k)
	}
	return counts
}()

// fillVisited prepares the Visited channel for the counts that occur.
func (g *GainExtractor) fillVisited() {
	asinhs(g.visited[:], counts[:int(g.memory.most)+1], 0, float64(g.n)/float64(1+g.env.Steps()))
}
