package rigid

import (
	"math"
)

// prior says how likely two nodes are partners by their descriptions alone: the logarithm of a ratio of likelihoods,
// learnt by changing edges of graph 1 and looking at how far its nodes move.
type prior struct {
	of1, of2 table
	ratio    [bins]float32 // by the distance
}

// Distances are put into bins of a quarter of an octave, by the bits of their squares.
const (
	bins        = 160
	shiftOfBin  = 21
	lowestOfBin = 440 // bits of 2^-17 shifted
	mostRatio   = 7
	leastRatio  = -5
)

func binOf(squared float32) int {
	return max(0, min(bins-1, int(math.Float32bits(squared)>>shiftOfBin)-lowestOfBin))
}

// squared returns the squared distance of two rows.
func squared(x, y []float32) float32 {
	sum := float32(0)
	y = y[:len(x)]
	for k, v := range x {
		d := v - y[k]
		sum += d * d
	}
	return sum
}

// at returns how much speaks for a pair.
func (p *prior) at(i, j int32) float32 { return p.ratio[binOf(squared(p.of1.row(i), p.of2.row(j)))] }

const (
	leastRemoved = 0.02  // of the edges, that the descriptions withstand
	equalSizes   = 0.005 // of the edges: graphs that differ by less may have edges of their own on both sides
	samples      = 3000  // nodes whose distances are counted
)

// newPrior learns one. It returns false where it was stopped.
func newPrior(g1, g2 *Graph, rng *random, over func() bool) (*prior, bool) {
	d := descriptionOf(max(g1.nodes(), g2.nodes()))
	p, whole := &prior{}, true
	describe := func(g *Graph) table {
		t, all := d.describe(g, over)
		whole = whole && all
		return t
	}
	p.of1, p.of2 = describe(g1), describe(g2)
	removed, added := max(0, 1-float64(g2.edges())/float64(max(1, g1.edges()))), 0.0
	if removed < equalSizes {
		added = leastRemoved
	}
	removed = max(removed, leastRemoved)
	repeats := 1
	if g1.nodes() <= 2000 {
		repeats = 3
	}
	var copies []table
	for range repeats {
		if !whole {
			return nil, false
		}
		changed := g1.changed(removed, added, rng)
		copies = append(copies, describe(&changed))
	}
	if !whole {
		return nil, false
	}
	p.whiten(copies)
	p.count(copies, rng)
	return p, true
}

// whiten puts all descriptions on axes on which what the changes move is of one size.
func (p *prior) whiten(copies []table) {
	n := p.of1.rows()
	root := make([][]float64, width) // the covariance of the changes, then its Cholesky factor
	for k := range root {
		root[k] = make([]float64, width)
	}
	moved := make([]float64, width)
	for _, c := range copies {
		for i := range int32(n) {
			before := p.of1.row(i)
			for k, x := range c.row(i) {
				moved[k] = float64(x - before[k])
			}
			for k, x := range moved {
				for l, y := range moved[:k+1] {
					root[k][l] += x * y
				}
			}
		}
	}
	variance := make([]float64, width)
	for k, x := range p.of1.of {
		variance[k%width] += float64(x) * float64(x) / float64(n)
	}
	for k := range root {
		for l := range root[k][:k+1] {
			root[k][l] /= float64(n * len(copies))
		}
		root[k][k] = root[k][k]*1.02 + 1e-3*variance[k] + 1e-7
	}
	for k := range root {
		for l := range root[k][:k+1] {
			sum := root[k][l]
			for m := range l {
				sum -= root[k][m] * root[l][m]
			}
			if k == l {
				root[k][k] = math.Sqrt(max(sum, 1e-9))
			} else {
				root[k][l] = sum / root[l][l]
			}
		}
	}
	for _, t := range append([]table{p.of1, p.of2}, copies...) {
		for i := range int32(t.rows()) {
			row := t.row(i)
			for k := range row {
				sum := float64(row[k])
				for m, x := range row[:k] {
					sum -= root[k][m] * float64(x)
				}
				row[k] = float32(sum / root[k][k])
			}
		}
	}
}

// count makes the ratios: how many nodes lie as far from themselves under the changes, and how many from others.
func (p *prior) count(copies []table, rng *random) {
	var same, others [bins]float64
	n := int32(p.of1.rows())
	for _, c := range copies {
		for k := range min(n, samples) {
			i := k
			if n > samples {
				i = rng.below(n)
			}
			same[binOf(squared(p.of1.row(i), c.row(i)))]++
			others[binOf(squared(p.of1.row(i), c.row(rng.below(n))))]++
		}
	}
	smooth := func(x *[bins]float64, at int) float64 {
		const prior, neighbour = 1, 0.5
		sum := prior + x[at]
		for _, k := range []int{at - 1, at + 1} {
			if k >= 0 && k < bins {
				sum += neighbour * x[k]
			}
		}
		return sum
	}
	nearest := 0.0
	for k := bins - 1; k >= 0; k-- {
		r := math.Log(smooth(&same, k) / smooth(&others, k))
		r = max(leastRatio, min(mostRatio, r))
		if k < bins/2 && nearest >= 0 { // nearer is never less likely
			r = max(r, nearest)
		}
		nearest = r
		p.ratio[k] = float32(r)
	}
}
