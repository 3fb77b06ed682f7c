package features

import (
	"cmp"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// paperExtractor computes the Paper sets. Under K only Solution changes with the state;
// under K_reg all does.
type paperExtractor struct {
	*paperInputs
	env   *qap.Environment
	kept  *edgeRows // nil where nothing is regularised
	dense []float32 // nil but in weighted sets
}

func (p *paperExtractor) Reset()            {}
func (p *paperExtractor) Observe()          {}
func (p *paperExtractor) Inherit(Extractor) {}
func (p *paperExtractor) SetHorizon(int)    {}
func (p *paperExtractor) Memory() *Memory   { return nil }

func (p *paperExtractor) Fill(batch [][]float32, k int) {
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
			dst[(i*n2+a)*PaperChannels+Solution] = 1
		}
	}
}

// terms returns K_reg of the present matching over the unit of K, by what an action
// does to its size; regularised is false where K stays as it is.
func (p *paperExtractor) terms() (terms [3]qap.MatrixTerms, regularised bool) {
	if p.kept == nil {
		return terms, false
	}
	terms, regularised = p.env.RegularizedMatrix(p.kind.Form)
	for k := range terms {
		terms[k].All /= p.unit
		terms[k].Diagonal /= p.unit
	}
	return terms, regularised
}

// fillRegularized writes the features, but for Solution, and where asked for the edges,
// under K_reg.
func (p *paperExtractor) fillRegularized(dst, edges []float32, terms *[3]qap.MatrixTerms) {
	n1, n2 := p.env.Size()
	neighbours := float64((n1 - 1) * (n2 - 1))
	share := 1 / max(neighbours, 1)
	weights := neighbours * share // of K_reg's constants in NeighbourWeights
	if p.kind.Matched {
		weights = 1 / float64(min(n1, n2))
	}
	for i := range n1 {
		for a := range n2 {
			v := i*n2 + a
			t := &terms[1+p.env.Growth(i, a)]
			positive, negative := p.kept.sums(v, t.Factor, t.All, neighbours)
			f := dst[v*PaperChannels:][:PaperChannels]
			f[Solution] = 0
			f[PositiveEdges] = float32(positive * share)
			f[NegativeEdges] = float32(negative * share)
			f[NeighbourWeights] = float32(t.Factor)*p.static[v*PaperChannels+NeighbourWeights] + float32((t.All+t.Diagonal)*weights)
			if edges != nil {
				fillEdges(edges[v*n1*n2:][:n1*n2], p.dense[v*n1*n2:][:n1*n2], i, a, n2, t)
			}
		}
	}
}

// fillEdges writes the row of K_reg of the vertex (i,a): 0 where a node is shared.
func fillEdges(dst, row []float32, i, a, n2 int, t *qap.MatrixTerms) {
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
