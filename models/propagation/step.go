package propagation

import (
	"math"

	"github.com/rgm-go/rgm/qap/align/belief"
)

// Pass is the working memory of steps of a stage on a pair of graphs.
type Pass struct {
	*Stage
	pair  *belief.Pair
	unit  float32 // of sums over neighbours
	clues []float32
	norms *belief.Normalizer
	odds  []float32
	e     [Messages][]float32 // e^message
	r, c  [Messages][]float32 // sums of messages by graph 1 and by graph 2
	seen  []float32           // expected witnesses
	spare []float32
	// What Backward needs too: E·B and A·E of messages, spare until then, and e^odds, seen until then.
	inner1, inner2 [Messages][]float32
	said           []float32
	degrees        map[float32][statics][]float32 // the inputs of nodes of a degree with all of graph 2
	block
	back *gradients // made by the first Backward
}

// block is the inputs, hidden units and outputs of a few rows of pairs.
type block struct {
	rows int
	x    []float32 // [inputs, pairs]
	h    []float32 // [hidden, pairs]
	d    []float32 // [Channels, pairs]
}

// pairsOfBlock is about how many pairs are evaluated at once: what a cache holds.
const pairsOfBlock = 512

// NewPass prepares steps. clues are those of a matching, nil for the first stage.
func (s *Stage) NewPass(p *belief.Pair, clues []float32) *Pass {
	make := func() []float32 { return make([]float32, p.Size()) }
	t := &Pass{
		pair: p, unit: usualDegree / float32(max(1, p.MeanDegree())),
		norms: belief.NewNormalizer(p.N1, p.N2), odds: make(), seen: make(), spare: make(),
	}
	t.said = t.seen
	for k := range Messages {
		t.e[k], t.r[k], t.c[k], t.inner1[k], t.inner2[k] = make(), make(), make(), t.spare, t.spare
	}
	t.degrees = t.ofDegrees()
	t.turn(s, clues)
	return t
}

// turn makes the steps after it those of a stage.
func (t *Pass) turn(s *Stage, clues []float32) {
	t.Stage, t.clues, t.block = s, clues, newBlock(s, t.pair)
}

func newBlock(s *Stage, p *belief.Pair) block {
	rows := min(max(1, pairsOfBlock/p.N2), p.N1)
	pairs := rows * p.N2
	return block{rows, make([]float32, s.inputs*pairs), make([]float32, hidden*pairs), make([]float32, Channels*pairs)}
}

// NewState returns the state before the first step.
func (t *Pass) NewState() []float32 { return make([]float32, Channels*t.pair.Size()) }

// Step sets next to the state after now; they may be the same.
func (t *Pass) Step(next, now []float32) {
	t.listen(now)
	for low := 0; low < t.pair.N1; low += t.rows {
		high := min(low+t.rows, t.pair.N1)
		t.inputsOf(now, low, high)
		t.perceive((high - low) * t.pair.N2)
		t.settle(next, now, low, high)
	}
}

// listen computes odds, messages and witnesses.
func (t *Pass) listen(now []float32) {
	p, n := t.pair, t.pair.Size()
	t.norms.Measure(now[:n])
	t.norms.Odds(t.odds, now[:n])
	for k := range Messages {
		t.speak(t.e[k], now, k)
		belief.Exp(t.e[k], t.e[k])
		p.Right(t.inner1[k], t.e[k], 1)
		belief.Log1p(t.spare, t.inner1[k])
		p.Left(t.r[k], t.spare, t.unit)
		p.Left(t.inner2[k], t.e[k], 1)
		belief.Log1p(t.spare, t.inner2[k])
		p.Right(t.c[k], t.spare, t.unit)
	}
	belief.Exp(t.said, t.odds)
	p.Left(t.spare, t.said, t.unit)
	p.Right(t.seen, t.spare, 1)
}

// speak sets m to the logarithms of what pairs say in message k.
func (t *Pass) speak(m, now []float32, k int) {
	n := len(m)
	mix := t.mix.Data[k*(Channels+1) : (k+1)*(Channels+1)]
	shift := t.bias.Data[k] + mix[Channels]*float32(0.5*math.Log(float64(n)))
	s0, s1, s2, s3, s4, s5 := now[:n], now[n:2*n], now[2*n:3*n], now[3*n:4*n], now[4*n:5*n], now[5*n:6*n]
	m0, m1, m2, m3, m4, m5 := mix[0]*ofState, mix[1]*ofState, mix[2]*ofState, mix[3]*ofState, mix[4]*ofState, mix[5]*ofState
	for i, q := range t.odds {
		v := shift + mix[Channels]*q + m0*s0[i] + m1*s1[i] + m2*s2[i] + m3*s3[i] + m4*s4[i] + m5*s5[i]
		m[i] = min(max(v, leastMessage), mostMessage)
	}
}

// inputsOf fills in the inputs of the pairs of rows low to high.
func (t *Pass) inputsOf(now []float32, low, high int) {
	n, n2 := t.pair.Size(), t.pair.N2
	from, pairs := low*n2, (high-low)*n2
	x := func(channel int) []float32 { return t.x[channel*pairs : (channel+1)*pairs] }
	scaled := func(to, v []float32, factor float32) {
		belief.Scale(to, v[from:from+pairs], factor, -mostInput, mostInput)
	}
	for c := range Channels {
		scaled(x(c), now[c*n:(c+1)*n], ofState)
	}
	for k := range Messages {
		belief.Order(x(atLess+k), x(atGreater+k), t.r[k][from:from+pairs], t.c[k][from:from+pairs], ofMessages, mostInput)
	}
	scaled(x(atWitnesses), t.seen, ofWitnesses)
	scaled(x(atOdds), t.odds, ofOdds)
	for i := low; i < high; i++ {
		at := (i - low) * n2
		row := t.norms.Rows[i]
		gap := x(atGap)[at : at+n2]
		for a, column := range t.norms.Columns {
			gap[a] = min(ofGap*abs(column-row), mostInput)
		}
		for k, row := range t.degrees[t.pair.Degree1[i]] {
			copy(x(atDegrees + k)[at:], row)
		}
	}
	if t.clues != nil {
		for k := range clues {
			copy(x(firstInputs+k), t.clues[k*n+from:k*n+from+pairs])
		}
	}
}

// ofDegrees returns the inputs of the degrees, which are the same for nodes of equal ones.
func (t *Pass) ofDegrees() map[float32][statics][]float32 {
	p := t.pair
	of := map[float32][statics][]float32{}
	for _, degree := range p.Degree1 {
		if _, known := of[degree]; known {
			continue
		}
		var rows [statics][]float32
		for k := range rows {
			rows[k] = make([]float32, p.N2)
		}
		d1 := t.unit * degree
		for a, d2 := range p.Degree2 {
			d2 *= t.unit
			d := abs(d1 - d2)
			for k, v := range [statics]float32{
				0.25 * d, 0.25 * min(d1, d2), 0.25 * max(d1, d2), 0.05 * d * d,
				0.25 * float32(math.Log(float64(p.Size()))-10), 0.5 * float32(math.Log(float64(1/t.unit))),
			} {
				rows[k][a] = min(v, mostInput)
			}
		}
		of[degree] = rows
	}
	return of
}

func abs(v float32) float32 { return float32(math.Abs(float64(v))) }

// perceive evaluates the perceptron on so many pairs.
func (t *Pass) perceive(pairs int) {
	belief.Dense(t.h, t.x, t.w1.Data, t.b1.Data, t.inputs, pairs, true)
	belief.Dense(t.d, t.h, t.w2.Data, t.b2.Data, hidden, pairs, false)
}

// settle sets the state of rows low to high to the damped mean of what it was and what it should be.
func (t *Pass) settle(next, now []float32, low, high int) {
	n, n2 := t.pair.Size(), t.pair.N2
	from, pairs := low*n2, (high-low)*n2
	base, slope, weight := t.prior.Data[0], t.prior.Data[1]*t.unit, t.prior.Data[2]
	r, c := t.r[0][from:], t.c[0][from:]
	for i := low; i < high; i++ {
		at := (i - low) * n2
		d := t.d[at : at+n2]
		d1 := t.pair.Degree1[i]
		for a, d2 := range t.pair.Degree2 {
			d[a] += base + slope*(d1+d2) + weight*min(r[at+a], c[at+a])
		}
	}
	for k := range Channels {
		keep := t.kept(k)
		was, to := now[k*n+from:k*n+from+pairs], next[k*n+from:k*n+from+pairs]
		for i, v := range t.d[k*pairs : (k+1)*pairs] {
			to[i] = keep*was[i] + (1-keep)*v
		}
	}
}
