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
	limit   int       // ages from here on are 0
	decay   []float32 // exp(−age/(n/2)) by age, 0 at the limit
	columns []column
	visited []float32 // asinh(visits·n/(1+step)) by visits, filled as far as needed
}

// NewGainExtractor returns the extractor of the Gain set for an environment;
// scale is the instance's Scale, horizon the number of steps of an episode.
func NewGainExtractor(env *qap.Environment, scale float64, horizon int) *GainExtractor {
	n1, n2 := env.Size()
	n := max(n1, n2)
	g := &GainExtractor{
		env: env, memory: NewMemory(n1, n2), scale: scale, horizon: max(horizon, 1),
		n1: n1, n2: n2, n: n, limit: ageLimit(n1, n2),
		columns: make([]column, n2), visited: make([]float32, maxVisits+1),
	}
	g.decay = make([]float32, g.limit+1)
	for age := range g.limit {
		g.decay[age] = float32(math.Exp(-float64(age) / (float64(n) / 2)))
	}
	return g
}

// Memory returns the memory of the episode.
func (g *GainExtractor) Memory() *Memory { return g.memory }

// SetHorizon changes how many steps an episode lasts.
func (g *GainExtractor) SetHorizon(steps int) { g.horizon = max(steps, 1) }

func (g *GainExtractor) Reset()   { g.memory.Reset() }
func (g *GainExtractor) Observe() { g.memory.Observe(g.env) }

func (g *GainExtractor) Inherit(parent Extractor) { g.memory.CopyFrom(parent.(*GainExtractor).memory) }

func (g *GainExtractor) Fill(dst []float32) {
	env, memory := g.env, g.memory
	changes, gains, needed := env.ValueChanges(), env.Gains(), env.Needed()
	largest, meanAbs := g.changeStatistics(changes)
	gainMean, gainInv := gainStatistics(gains, g.scale)
	changeFactor, regretFactor := 4/g.scale, 4/meanAbs
	best, _ := env.Best()
	hasBest := env.HasBest()
	g.fillVisited()
	g.fillColumns(gains, gainMean, gainInv)
	state := g.state() // the channels that all vertices share

	for i := range g.n1 {
		row := state
		b := env.Match(i)
		bestOfRow := qap.Unmatched
		if hasBest {
			bestOfRow = best[i]
		}
		row[RowAge] = g.ageOf(memory.rowChanged[i])
		if b == qap.Unmatched {
			row[RowFree] = 1
		} else {
			row[GainedRow] = float32((gains[i*g.n2+b] - gainMean) * gainInv)
		}
		for a := range g.columns {
			v := i*g.n2 + a
			col := &g.columns[a]
			f := (*[GainChannels]float32)(dst[v*GainChannels:])
			*f = row
			f[ColFree], f[GainedCol], f[ColAge] = col.free, col.gained, col.age
			if b != qap.Unmatched && col.holder != qap.Unmatched {
				f[PartnerAge] = g.ageOf(memory.released[col.holder*g.n2+b])
			}
			if a == b {
				f[Matched] = 1
			}
			change := changes[v]
			if env.AllowedMatch(i, a) {
				f[Regret] = asinh((change - largest) * regretFactor)
				if change > needed {
					f[BeatsBest] = 1
				}
			}
			f[Change] = asinh(change * changeFactor)
			f[Gained] = float32((gains[v] - gainMean) * gainInv)
			f[ReleasedAge] = g.ageOf(memory.released[v])
			if a == bestOfRow {
				f[InBest] = 1
			}
			f[Visited] = g.visited[memory.visits[v]]
		}
	}
}

// state returns the channels that depend on no vertex.
func (g *GainExtractor) state() (f [GainChannels]float32) {
	env := g.env
	if env.HasBest() {
		f[BehindBest] = asinh((env.Value() - env.BestValue()) / g.scale)
		f[Stagnation] = float32(1 - math.Exp(-float64(env.Steps()-env.BestStep())/float64(g.n)))
	}
	free := env.Room()
	f[FreeShare] = float32(free) / float32(g.n)
	if free == 0 {
		f[Complete] = 1
	}
	f[StepsLeft] = float32(max(g.horizon-env.Steps(), 0)) / float32(g.horizon)
	return f
}

// column is what the vertices of a node of graph 2 share.
type column struct {
	holder            int
	free, gained, age float32
}

func (g *GainExtractor) fillColumns(gains []float64, mean, inverse float64) {
	for a := range g.columns {
		c := column{holder: g.env.Inverse(a), age: g.ageOf(g.memory.colChanged[a])}
		if c.holder == qap.Unmatched {
			c.free = 1
		} else {
			c.gained = float32((gains[c.holder*g.n2+a] - mean) * inverse)
		}
		g.columns[a] = c
	}
}

func (g *GainExtractor) ageOf(since int32) float32 {
	return g.decay[g.memory.age(since, g.limit)]
}

// changeStatistics returns the largest change and the mean of their sizes, over
// the actions of the state.
func (g *GainExtractor) changeStatistics(changes []float64) (largest, meanAbs float64) {
	largest = math.Inf(-1)
	sum, count := 0.0, 0
	for i := range g.n1 {
		for a, change := range changes[i*g.n2 : (i+1)*g.n2] {
			if g.env.AllowedMatch(i, a) {
				largest = max(largest, change)
				sum += math.Abs(change)
				count++
			}
		}
	}
	return largest, sum/float64(max(count, 1)) + 1e-12*g.scale
}

// gainStatistics returns the mean of the gains and the inverse of their standard
// deviation.
func gainStatistics(gains []float64, scale float64) (mean, inverse float64) {
	sum, squares := 0.0, 0.0
	for _, v := range gains {
		sum += v
	}
	mean = sum / float64(max(len(gains), 1))
	for _, v := range gains {
		squares += (v - mean) * (v - mean)
	}
	deviation := math.Sqrt(squares / float64(max(len(gains), 1)))
	return mean, 1 / (deviation + 1e-9*scale)
}

// fillVisited prepares the Visited channel for the counts that occur.
func (g *GainExtractor) fillVisited() {
	var most uint8
	for _, count := range g.memory.visits {
		most = max(most, count)
	}
	factor := float64(g.n) / float64(1+g.env.Steps())
	for count := range int(most) + 1 {
		g.visited[count] = asinh(float64(count) * factor)
	}
}
