package propagation

import (
	"math"

	"github.com/rgm-go/rgm/qap/align/belief"
)

// gradients is what Backward needs beside a Pass.
type gradients struct {
	dr, dc       [Messages][]float32 // by the sums of messages
	dSeen, dOdds []float32
	dRows        []float64 // by the normalisations
	dColumns     []float64
	spare        []float32
	dx, dh, dd   []float32 // of a block
	w1, w2       []float32 // the weights turned: [inputs, hidden], [hidden, Channels]
	zeros        []float32
}

func newGradients(t *Pass) *gradients {
	make32 := func() []float32 { return make([]float32, t.pair.Size()) }
	b := newBlock(t.Stage, t.pair)
	g := &gradients{
		w1: transposed(t.w1.Data, hidden, t.inputs), w2: transposed(t.w2.Data, Channels, hidden), zeros: make([]float32, max(hidden, t.inputs)),
		dSeen: make32(), dOdds: make32(), spare: make32(), dx: b.x, dh: b.h, dd: b.d,
		dRows: make([]float64, t.pair.N1), dColumns: make([]float64, t.pair.N2),
	}
	t.said = make32()
	for k := range Messages {
		t.inner1[k], t.inner2[k], g.dr[k], g.dc[k] = make32(), make32(), make32(), make32()
	}
	return g
}

// Backward adds to gradient, in the order of the stage's Parameters, that of a loss whose
// derivative by next, the state after now, is d; it sets d to the derivative by now.
func (t *Pass) Backward(d, next, now []float32, gradient [][]float32) {
	if t.back == nil {
		t.back = newGradients(t)
	}
	g := t.back
	t.listen(now)
	clear(g.dRows)
	clear(g.dColumns)
	for low := 0; low < t.pair.N1; low += t.rows {
		high := min(low+t.rows, t.pair.N1)
		t.inputsOf(now, low, high)
		t.perceive((high - low) * t.pair.N2)
		t.unsettle(d, next, now, low, high, gradient)
		t.inputsBack(d, low, high)
	}
	t.unlisten(d, now, gradient)
}

// unsettle computes the derivatives by the inputs of the perceptron of rows low to high, and those
// of the first sum of messages.
func (t *Pass) unsettle(d, next, now []float32, low, high int, gradient [][]float32) {
	g, n, n2 := t.back, t.pair.Size(), t.pair.N2
	from, pairs := low*n2, (high-low)*n2
	for k := range Channels {
		keep := t.kept(k)
		at := k*n + from
		sum := 0.0
		dd := g.dd[k*pairs : (k+1)*pairs]
		total := 0.0
		for i, v := range d[at : at+pairs] {
			sum += float64(v * (now[at+i] - next[at+i]))
			v2 := (1 - keep) * v
			dd[i] = v2
			total += float64(v2)
			d[at+i] = keep * v
		}
		gradient[ofKeep][k] += float32(sum) * keep
		gradient[ofB2][k] += float32(total)
	}
	t.priorBack(low, high, gradient[ofPrior])
	belief.Outer(gradient[ofW2], g.dd, t.h, Channels, hidden, pairs)
	belief.Dense(g.dh, g.dd, g.w2, g.zeros[:hidden], Channels, pairs, false)
	reluBack(g.dh[:hidden*pairs], t.h)
	for k := range hidden {
		var total float32
		for _, v := range g.dh[k*pairs : (k+1)*pairs] {
			total += v
		}
		gradient[ofB1][k] += total
	}
	belief.Outer(gradient[ofW1], g.dh, t.x, hidden, t.inputs, pairs)
	belief.Dense(g.dx, g.dh, g.w1, g.zeros[:t.inputs], hidden, pairs, false)
}

// priorBack adds the gradient of the prior, and begins that of the first sums of messages.
func (t *Pass) priorBack(low, high int, gradient []float32) {
	g, n2 := t.back, t.pair.N2
	from := low * n2
	r, c, dr, dc := t.r[0][from:], t.c[0][from:], g.dr[0][from:], g.dc[0][from:]
	weight := t.prior.Data[2]
	var base, slope, messages float64
	for i := low; i < high; i++ {
		d1 := t.pair.Degree1[i]
		for a, d2 := range t.pair.Degree2 {
			k := (i-low)*n2 + a
			v := g.dd[k]
			base += float64(v)
			slope += float64(v * (d1 + d2))
			messages += float64(v * min(r[k], c[k]))
			if r[k] <= c[k] {
				dr[k], dc[k] = weight*v, 0
			} else {
				dr[k], dc[k] = 0, weight*v
			}
		}
	}
	gradient[0] += float32(base)
	gradient[1] += float32(slope) * t.unit
	gradient[2] += float32(messages)
}

// inputsBack spreads the derivatives by inputs of rows low to high over what they were made of.
func (t *Pass) inputsBack(d []float32, low, high int) {
	g, n, n2 := t.back, t.pair.Size(), t.pair.N2
	from, pairs := low*n2, (high-low)*n2
	of := func(channel int) (dx, x []float32) {
		return g.dx[channel*pairs : (channel+1)*pairs], t.x[channel*pairs : (channel+1)*pairs]
	}
	add := func(to []float32, channel int, factor float32) {
		dx, x := of(channel)
		for i, v := range dx {
			if abs(x[i]) < mostInput {
				to[i] += factor * v
			}
		}
	}
	for c := range Channels {
		add(d[c*n+from:c*n+from+pairs], c, ofState)
	}
	for k := range Messages {
		dr, dc, r, c := g.dr[k][from:from+pairs], g.dc[k][from:from+pairs], t.r[k][from:from+pairs], t.c[k][from:from+pairs]
		if k > 0 {
			clear(dr)
			clear(dc)
		}
		less, x1 := of(atLess + k)
		greater, x2 := of(atGreater + k)
		for i := range less {
			var dl, dg float32
			if x1[i] < mostInput {
				dl = ofMessages * less[i]
			}
			if x2[i] < mostInput {
				dg = ofMessages * greater[i]
			}
			if r[i] <= c[i] {
				dr[i] += dl
				dc[i] += dg
			} else {
				dr[i] += dg
				dc[i] += dl
			}
		}
	}
	clear(g.dSeen[from : from+pairs])
	add(g.dSeen[from:from+pairs], atWitnesses, ofWitnesses)
	clear(g.dOdds[from : from+pairs])
	add(g.dOdds[from:from+pairs], atOdds, ofOdds)
	dgap, x := of(atGap)
	for i := low; i < high; i++ {
		for a, column := range t.norms.Columns {
			k := (i-low)*n2 + a
			if x[k] >= mostInput {
				continue
			}
			v := float64(ofGap * dgap[k])
			if column < t.norms.Rows[i] {
				v = -v
			}
			g.dColumns[a] += v
			g.dRows[i] -= v
		}
	}
}

// unlisten goes back through messages, witnesses and odds.
func (t *Pass) unlisten(d, now []float32, gradient [][]float32) {
	p, n, g := t.pair, t.pair.Size(), t.back
	p.Right(t.spare, g.dSeen, t.unit)
	p.Left(g.spare, t.spare, 1)
	for i, v := range g.spare {
		g.dOdds[i] += v * t.said[i]
	}
	for k := range Messages {
		p.Left(t.spare, g.dr[k], t.unit)
		for i, v := range t.inner1[k] {
			t.spare[i] /= 1 + v
		}
		p.Right(g.spare, t.spare, 1)
		p.Right(t.spare, g.dc[k], t.unit)
		for i, v := range t.inner2[k] {
			t.spare[i] /= 1 + v
		}
		p.Left(g.dr[k], t.spare, 1) // no longer needed for itself
		t.unspeak(k, g.dr[k], g.spare, d, now, gradient)
	}
	for i, row := range t.norms.Rows {
		sum := 0.0
		for a := range t.norms.Columns {
			v := g.dOdds[i*p.N2+a]
			d[i*p.N2+a] += v
			sum += float64(v)
			g.dColumns[a] -= 0.5 * float64(v)
		}
		g.dRows[i] -= 0.5 * sum
		for a := range t.norms.Columns {
			t.spare[i*p.N2+a] = now[i*p.N2+a] - row
		}
	}
	t.softmaxBack(d[:n], func(i, a int) float32 { return float32(g.dRows[i]) })
	for i := range t.norms.Rows {
		for a, column := range t.norms.Columns {
			t.spare[i*p.N2+a] = now[i*p.N2+a] - column
		}
	}
	t.softmaxBack(d[:n], func(i, a int) float32 { return float32(g.dColumns[a]) })
}

// softmaxBack adds to d what the derivatives by the normalisations give: e^spare times them.
func (t *Pass) softmaxBack(d []float32, of func(i, a int) float32) {
	belief.Exp(t.spare, t.spare)
	k := 0
	for i := range t.pair.N1 {
		for a := range t.pair.N2 {
			d[k] += of(i, a) * t.spare[k]
			k++
		}
	}
}

// The bounds of e^message, within which it has a derivative.
var (
	leastSaid = float32(math.Exp(leastMessage)) * 1.00001
	mostSaid  = float32(math.Exp(mostMessage)) * 0.99999
)

// unspeak goes back through message k, whose e^message has the derivative x + y.
func (t *Pass) unspeak(k int, x, y, d, now []float32, gradient [][]float32) {
	n, g := t.pair.Size(), t.back
	for i, e := range t.e[k] {
		if e <= leastSaid || e >= mostSaid {
			x[i] = 0
			continue
		}
		x[i] = (x[i] + y[i]) * e
	}
	mix := t.mix.Data[k*(Channels+1) : (k+1)*(Channels+1)]
	dmix := gradient[ofMix][k*(Channels+1) : (k+1)*(Channels+1)]
	for c := range Channels {
		addScaled(d[c*n:(c+1)*n], mix[c]*ofState, x)
		dmix[c] += ofState * dot(x, now[c*n:(c+1)*n])
	}
	total := 0.0
	for i, v := range x {
		g.dOdds[i] += mix[Channels] * v
		total += float64(v)
	}
	dmix[Channels] += dot(x, t.odds) + float32(total*0.5*math.Log(float64(n)))
	gradient[ofBias][k] += float32(total)
}

// dot sums in parts, so that long sums keep their digits.
func dot(x, y []float32) float32 {
	sum := 0.0
	for len(x) > 0 {
		n := min(len(x), 1024)
		var part float32
		for i, v := range x[:n] {
			part += v * y[i]
		}
		sum += float64(part)
		x, y = x[n:], y[n:]
	}
	return float32(sum)
}

// transposed returns wᵀ, in×out, of w, out×in.
func transposed(w []float32, out, in int) []float32 {
	t := make([]float32, len(w))
	for k := range out {
		for i := range in {
			t[i*out+k] = w[k*in+i]
		}
	}
	return t
}

// reluBack clears the gradient where the output of a ReLU was 0.
func reluBack(dy, y []float32) {
	for i := range dy {
		if y[i] == 0 {
			dy[i] = 0
		}
	}
}

func addScaled(y []float32, factor float32, x []float32) {
	for i, v := range x {
		y[i] += factor * v
	}
}
