package affinity

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// gateExample is what a gate learns from a pair of graphs: the inputs of every candidate,
// and the F1 of its matching.
type gateExample struct {
	Inputs  [][]float32
	F1      []float32
	Choices int // how many of them, the first, may be chosen where any size is sought

	// Which of them is: the best by J, by J/m, what φ and the network for sizes choose
	// (−1 where there is no φ), and what the rule does.
	J, Mean, Phi, Rule int
	// Everything matched and the true count, by given and by learned affinities; −1 none.
	Full, Count [2]int
}

func (e *gateExample) rows() [][]float32 { return e.Inputs }

// newGateExample compares affinities on a pair. An example without candidates leaves no
// choice.
func newGateExample(ctx context.Context, a *reweigh.Affinity, in *qap.Instance, truth qap.Matching) (gateExample, error) {
	c, reason, err := a.Compare(ctx, in)
	if err != nil || reason != "" {
		return gateExample{}, err
	}
	e := gateExample{Choices: len(c.Candidates)}
	n1, n2 := in.Size()
	most := min(n1, n2)
	c.Further(truth.Size(), most)
	list := c.Candidates
	at := func(learned bool, size int) int {
		for k, of := range list {
			if of.Learned == learned && of.Size == size {
				return k
			}
		}
		return -1
	}
	for _, k := range list {
		x := make([]float32, features.GateChannels)
		c.Ask(x, k)
		e.Inputs, e.F1 = append(e.Inputs, x), append(e.F1, float32(c.Matching(k).F1(truth)))
	}
	d := c.Defaults()
	e.J, e.Mean, e.Phi = at(false, d.J), at(false, d.Mean), at(true, d.Phi)
	rule := d.Rule
	e.Rule = at(rule.Learned, rule.Size)
	for side, learned := range []bool{false, true} {
		e.Full[side], e.Count[side] = at(learned, most), at(learned, truth.Size())
	}
	return e, nil
}

// logistic returns 1/(1 + e^−x).
func logistic(x float32) float64 { return 1 / (1 + math.Exp(-float64(x))) }

// loss is the sum of two losses: of every candidate the cross-entropy of the F1
// that the logistic function of q expects, against what it has; of those that may be
// chosen one less the F1 expected where the choice is drawn with the softmax of q over
// temperature. It writes the derivative into dq, over so many pairs.
func (e *gateExample) loss(q, dq []float32, pairs float64) float64 {
	const temperature = 0.1 // of logits: choices are nearly those of the greatest q
	entropy, n := 0.0, float64(len(e.F1))
	for k, f1 := range e.F1 {
		z := float64(q[k])
		entropy += (math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0) - float64(f1)*z) / n
		dq[k] = float32((logistic(q[k]) - float64(f1)) / n / pairs)
	}
	most := q[0]
	for _, z := range q[:e.Choices] {
		most = max(most, z)
	}
	sum, mean := 0.0, 0.0
	for k, z := range q[:e.Choices] {
		p := math.Exp(float64(z-most) / temperature)
		sum += p
		mean += p * float64(e.F1[k])
	}
	mean /= sum
	for k, z := range q[:e.Choices] {
		p := math.Exp(float64(z-most)/temperature) / sum
		dq[k] -= float32(choiceWeight * p * (float64(e.F1[k]) - mean) / temperature / pairs)
	}
	return entropy + choiceWeight*(1-mean)
}

// choiceWeight is that of the choice beside the expectation.
const choiceWeight = 0.5
