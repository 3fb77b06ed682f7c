package paper

import (
	"cmp"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// extractor computes the Paper sets. Under K only solution changes with the state;
// under K_reg all does.
type extractor struct {
	*inputs
	env   *qap.Environment
	kept  *edgeRows // nil where nothing is regularised
	dense []float32 // nil but in weighted sets
}

func (p *extractor) Reset()                     {}
func (p *extractor) Observe()                   {}
func (p *extractor) Inherit(features.Extractor) {}
func (p *extractor) SetHorizon(int)             {}
func (p *extractor) Memory() *features.Memory   { return nil }

func (p *extractor) Fill(batch [][]float32, k int) {
	dst := batch[0][k*len(p.static):][:len(p.static)]
	var edges []float32
	if p.dense != nil {
		edges = batch[1][k*len(p.dense):][:len(p.dense)]
	}
	if terms, regularised := p.terms(); regularised {
		p.fillRegularized(dst, edges, &terms)
	} else {
		copy(dst, p.static)
		copy(edges, p.dense)
	}
	n1, n2 := p.env.Size()
	for i := range n1 {
		if a := p.env.Match(i); a != qap.Unmatched {
			dst[(i*n2+a)*channels+solution] = 1
		}
	}
}

// terms returns K_reg of the present matching over the unit of K, by what an action
// does to its size; regularised is false where K stays as it is.
func (p *extractor) terms() (terms [3]matrixTerms, regularised bool) {
	if p.kept == nil {
		return terms, false
	}
	terms, regularised = regularizedMatrix(p.env, p.variant.form)
	for k := range terms {
		terms[k].All /= p.unit
		terms[k].Diagonal /= p.unit
	}
	return terms, regularised
}

// fillRegularized writes the features, but for solution, and where asked for the edges,
// under K_reg.
func (p *extractor) fillRegularized(dst, edges []float32, terms *[3]matrixTerms) {
	n1, n2 := p.env.Size()
	neighbours := float64((n1 - 1) * (n2 - 1))
	share := 1 / max(neighbours, 1)
	weights := neighbours * share // of K_reg's constants in neighbourWeights
	if p.variant.matched {
		weights = 1 / float64(min(n1, n2))
	}
	for i := range n1 {
		for a := range n2 {
			v := i*n2 + a
			t := &terms[1+growth(p.env, i, a)]
			positive, negative := p.kept.sums(v, t.Factor, t.All, neighbours)
			f := dst[v*channels:][:channels]
			f[solution] = 0
			f[positiveEdges] = float32(positive * share)
			f[negativeEdges] = float32(negative * share)
			f[neighbourWeights] = float32(t.Factor)*p.static[v*channels+neighbourWeights] + float32((t.All+t.Diagonal)*weights)
			if edges != nil {
				fillEdges(edges[v*n1*n2:][:n1*n2], p.dense[v*n1*n2:][:n1*n2], i, a, n2, t)
			}
		}
	}
}

// fillEdges writes the row of K_reg of the vertex (i,a): 0 where a node is shared.
func fillEdges(dst, row []float32, i, a, n2 int, t *matrixTerms) {
	factor, all := float32(t.Factor), float32(t.All)
	for q, k := range row {
		dst[q] = factor*k + all
	}
	clear(dst[i*n2 : (i+1)*n2])
	for q := a; q < len(dst); q += n2 {
		dst[q] = 0
	}
}

// edgeRows holds of every vertex the affinities to its neighbours that are not 0, over
// its unit, in descending order, and their sum.
type edgeRows struct {
	values []float32
	from   []int // where the values of a vertex begin, and after the last one
	total  []float64
}

func newEdgeRows(in *qap.Instance, unit float64) *edgeRows {
	n1, n2 := in.Size()
	rows := &edgeRows{from: make([]int, 1, n1*n2+1), total: make([]float64, n1*n2)}
	row := make([]float64, n1*n2)
	for p := range rows.total {
		clear(row)
		in.Affinity.AddRow(row, p, 1/unit)
		for _, k := range row {
			if value := float32(k); value != 0 {
				rows.values = append(rows.values, value)
				rows.total[p] += float64(value)
			}
		}
		slices.SortFunc(rows.values[rows.from[p]:], func(x, y float32) int { return cmp.Compare(y, x) })
		rows.from = append(rows.from, len(rows.values))
	}
	return rows
}

// sums returns Σ max(W, 0) and Σ max(−W, 0), with W = factor·K + all, over the
// neighbours of a vertex; factor is positive.
func (r *edgeRows) sums(v int, factor, all, neighbours float64) (positive, negative float64) {
	values := r.values[r.from[v]:r.from[v+1]]
	count := float64(len(values))
	if len(values) > 0 && factor*float64(values[len(values)-1])+all > 0 { // the least, so all are
		positive, values = factor*r.total[v]+all*count, nil
	}
	for _, k := range values {
		w := factor*float64(k) + all
		if w <= 0 {
			break
		}
		positive += w
	}
	positive += (neighbours - count) * math.Max(all, 0)
	return positive, math.Max(positive-factor*r.total[v]-all*neighbours, 0)
}
