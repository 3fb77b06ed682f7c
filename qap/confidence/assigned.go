package confidence

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// Assigned is what nodes that are compared by themselves say of who is who: points that a transform takes to others, or records.
type Assigned struct {
	// Choices are the likely partners of each node of graph 1, with how much likelier each is, as a logarithm, than that both
	// nodes have none.
	Choices [][]assignment.Choice
	Columns int       // nodes of graph 2
	About   []float64 // what is known of all matches, as many numbers for points and for records each
}

// Likely is from which score on partners are Choices: those below have no part in how likely others are.
const Likely = -8

// Weights take what is known of a match to how likely it is right: the weights of the logarithm of the odds, and a constant.
type Weights []float64

// At returns how likely a match is right.
func (w Weights) At(x []float64) float64 {
	if len(w) != len(x)+1 {
		return 0
	}
	sum := w[len(x)]
	for k, v := range x {
		sum += w[k] * v
	}
	return math.Round(1e4/(1+math.Exp(-sum))) / 1e4
}

// OfPlaces returns how likely a match of points is right by its evidence, and OfRecords one of records.
func OfPlaces(x []float64) float64 { return ofPlaces.At(x) }

// OfRecords is OfPlaces of records.
func OfRecords(x []float64) float64 { return ofRecords.At(x) }

// Evidence returns what is known of each match, nil of nodes without one; value is the score of a match that is none of the choices.
func (s *Assigned) Evidence(ctx context.Context, m qap.Matching, value func(i, a int) float64) [][]float64 {
	marginals, _ := s.Marginals(ctx)
	best, second, by := s.rivals()
	rows := make([][]float64, len(m))
	matched, sum := 0.0, 0.0
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		v, p, total := 0.0, 0.0, 0.0
		rival, found, near := math.Inf(-1), false, 0.0
		for k, c := range s.Choices[i] {
			total += marginals[i][k]
			if c.Column == a {
				v, p, found = c.Score, marginals[i][k], true
				continue
			}
			rival = max(rival, c.Score)
		}
		if !found {
			v = value(i, a)
		}
		for _, c := range s.Choices[i] {
			if c.Column != a && c.Score > v-4 {
				near++
			}
		}
		other := best[a]
		if by[a] == i {
			other = second[a]
		}
		v = clipped(v, 30)
		alone := math.Exp(v) / (1 + math.Exp(v) + math.Exp(clipped(rival, 30)) + math.Exp(clipped(other, 30)))
		matched, sum = matched+1, sum+p
		rows[i] = append([]float64{
			logit(p), logit(alone), math.Asinh(v), clipped(v-max(rival, 0), 12), clipped(v-max(other, 0), 12), math.Log1p(near), total - p, logit(total),
		}, s.About...)
	}
	size := float64(max(len(m), s.Columns))
	for i := range rows {
		if rows[i] != nil {
			rows[i] = append(rows[i], sum/matched, matched/float64(min(len(m), s.Columns)), math.Log(size), float64(min(len(m), s.Columns))/size)
		}
	}
	return rows
}

// logit returns the logarithm of the odds.
func logit(p float64) float64 {
	const most = 8
	if p >= 1 {
		return most
	}
	return clipped(math.Log(max(p, 1e-9)/(1-p)), most)
}

// rivals returns of each column the greatest score, the row that has it, and the next.
func (s *Assigned) rivals() (best, second []float64, by []int) {
	best, second, by = make([]float64, s.Columns), make([]float64, s.Columns), make([]int, s.Columns)
	for a := range best {
		best[a], second[a], by[a] = math.Inf(-1), math.Inf(-1), -1
	}
	for i, of := range s.Choices {
		for _, c := range of {
			switch a := c.Column; {
			case c.Score > best[a]:
				best[a], second[a], by[a] = c.Score, best[a], i
			case c.Score > second[a]:
				second[a] = c.Score
			}
		}
	}
	return best, second, by
}

// Marginals returns how likely each choice is among all matchings, whose weight is the exponential of the sum of their scores, and the
// logarithm of the sum of all weights: belief propagation and Bethe's approximation, exact where the choices are a forest (Zdeborová and
// Mézard, doi:10.1088/1742-5468/2006/05/P05003).
func (s *Assigned) Marginals(ctx context.Context) (likely [][]float64, all float64) {
	const rounds, most = 20, 30.
	weight, row, column := make([][]float64, len(s.Choices)), make([][]float64, len(s.Choices)), make([][]float64, len(s.Choices))
	for i, of := range s.Choices {
		weight[i], row[i], column[i] = make([]float64, len(of)), make([]float64, len(of)), make([]float64, len(of))
		for k, c := range of {
			weight[i][k], row[i][k], column[i][k] = math.Exp(clipped(c.Score, most)), 1, 1
		}
	}
	sum := make([]float64, s.Columns)
	for range rounds {
		if ctx.Err() != nil {
			break
		}
		clear(sum)
		for i, of := range s.Choices {
			total := 0.0
			for k := range of {
				total += weight[i][k] * column[i][k]
			}
			for k, c := range of {
				row[i][k] = 1 / (1 + max(0, total-weight[i][k]*column[i][k]))
				sum[c.Column] += weight[i][k] * row[i][k]
			}
		}
		for i, of := range s.Choices {
			for k, c := range of {
				column[i][k] = 1 / (1 + max(0, sum[c.Column]-weight[i][k]*row[i][k]))
			}
		}
	}
	clear(sum)
	for i, of := range s.Choices {
		total := 0.0
		for k, c := range of {
			total += weight[i][k] * column[i][k]
			sum[c.Column] += weight[i][k] * row[i][k]
			w := weight[i][k] * row[i][k] * column[i][k]
			weight[i][k] = w / (1 + w)
			all -= math.Log1p(w)
		}
		all += math.Log1p(total)
	}
	for _, total := range sum {
		all += math.Log1p(total)
	}
	return weight, all
}
