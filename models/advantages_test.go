package models

import (
	"math"
	"testing"
)

// TestAdvantagesAreQButForANumber: a linear network, and one that is not, choose as Q does.
func TestAdvantagesAreQButForANumber(t *testing.T) {
	for _, s := range subjects(t) {
		gain, ok := s.network.(*Gain)
		if !ok {
			continue
		}
		linear := Clone(gain).(*Gain)
		clear(linear.w2.Data)
		for name, n := range map[string]*Gain{s.name: gain, s.name + ", linear": linear} {
			batch, err := Advantages(n).NewBatch(1, s.n1, s.n2)
			if err != nil {
				t.Fatal(err)
			}
			_, short := batch.(linearBatch)
			if short != (n == linear) {
				t.Errorf("%s: evaluated without hidden layers: %v", name, short)
			}
			pass := n.NewPass(1, s.n1, s.n2)
			copyInputs(pass, s.inputs)
			copyInputs(batch.(Pass), s.inputs)
			advantages, err := batch.Evaluate()
			if err != nil {
				t.Fatal(err)
			}
			q := pass.Forward()
			for v := range q {
				if got, want := advantages[v]-advantages[0], q[v]-q[0]; math.Abs(float64(got-want)) > 1e-5 {
					t.Fatalf("%s: vertex %d is %v above vertex 0, by Q %v", name, v, got, want)
				}
			}
		}
	}
}
