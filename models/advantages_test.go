package models_test

import (
	"math"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	. "github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
)

// TestAdvantagesAreQButForANumber: a linear network, and one that is not, choose as Q does.
func TestAdvantagesAreQButForANumber(t *testing.T) {
	for _, s := range subjects(t) {
		gain, ok := s.Network.(*Gain)
		if !ok {
			continue
		}
		linear := Clone(gain).(*Gain)
		MakeLinear(linear)
		for name, n := range map[string]*Gain{s.Name: gain, s.Name + ", linear": linear} {
			batch := must.Get(Advantages(n).NewBatch(1, s.N1, s.N2))(t)
			short := WithoutHidden(batch)
			if short != (n == linear) {
				t.Errorf("%s: evaluated without hidden layers: %v", name, short)
			}
			pass := n.NewPass(1, s.N1, s.N2)
			modeltest.CopyInputs(pass, s.Inputs)
			modeltest.CopyInputs(batch.(Pass), s.Inputs)
			advantages := must.Get(batch.Evaluate())(t)
			q := pass.Forward()
			for v := range q {
				if got, want := advantages[v]-advantages[0], q[v]-q[0]; math.Abs(float64(got-want)) > 1e-5 {
					t.Fatalf("%s: vertex %d is %v above vertex 0, by Q %v", name, v, got, want)
				}
			}
		}
	}
}
