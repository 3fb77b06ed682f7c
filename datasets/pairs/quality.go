package pairs

import "github.com/rgm-go/rgm/qap"

// Quality is how good a matching is. All but Optimal need the truth.
//
// Source: Liu, Jiang, Wang, Huang, Lu, Yan, ICLR 2023, arXiv:2012.08950, appendix,
// "Evaluation Metrics".
type Quality struct {
	Precision float64 // share of the matches that are true, 0..1; 0 without a match
	Recall    float64 // share of the true matches that were found, 0..1
	F1        float64 // harmonic mean of both, 0 where both are 0
	Objective float64 // score over the score of the truth
	Optimal   bool    // whether the score is the optimum, but for rounding
}

// Judge compares a matching with the truth and the optimum, where they are known.
func (p Pair) Judge(m qap.Matching) Quality {
	const rounding = 1e-6 // of the optimum; affinities are stored as float32
	score := p.Instance.Score(m)
	q := Quality{Optimal: p.HasOptimum && score >= p.Optimum-rounding*max(1, p.Optimum, -p.Optimum)}
	if p.Truth == nil {
		return q
	}
	if right := m.Right(p.Truth); right > 0 {
		q.Precision = float64(right) / float64(m.Size())
		q.Recall = float64(right) / float64(p.Truth.Size())
		q.F1 = 2 * q.Precision * q.Recall / (q.Precision + q.Recall)
	}
	if truth := p.Instance.Score(p.Truth); truth != 0 {
		q.Objective = score / truth
	}
	return q
}
