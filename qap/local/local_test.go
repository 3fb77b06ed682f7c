package local

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// instances returns integer instances of every form, small.
func instances(t *testing.T, rng *rand.Rand) []*qap.Instance {
	integers := func(n int) []float64 {
		k := make([]float64, n)
		for p := range k {
			k[p] = float64(2 * (rng.IntN(20) - 9))
		}
		return k
	}
	var all []*qap.Instance
	for _, size := range [][2]int{{1, 1}, {2, 5}, {4, 4}, {6, 4}} {
		n1, n2 := size[0], size[1]
		kb := must.Get(qap.NewKoopmansBeckmann(n1, n2, integers(n1*n1), integers(n2*n2), integers(n1*n2), qap.Minimize))(t)
		dense := must.Get(qap.NewDense(n1, n2, integers(n1*n1*n2*n2), qap.Maximize))(t)
		complete := *dense
		complete.Complete = true
		all = append(all, kb, dense, &complete)
	}
	return all
}

// TestScoresStayExact compares the kept score and gains with fresh ones after many
// moves of every kind; integers must agree exactly.
func TestScoresStayExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, in := range instances(t, rng) {
		n1, n2 := in.Size()
		s := NewState(in, qap.NewMatching(n1))
		for range 500 {
			m, ok := s.Assign(rng.IntN(n1), rng.IntN(n2))
			if !ok {
				continue
			}
			s.Make(m)
			if want := in.Score(s.Matching()); s.Score() != want {
				t.Fatalf("%d×%d: after %+v score %v, want %v", n1, n2, m, s.Score(), want)
			}
			if err := in.CheckMatching(s.Matching()); err != nil || !in.IsSolution(s.Matching()) {
				t.Fatalf("%d×%d: after %+v %v is no solution (%v)", n1, n2, m, s.Matching(), err)
			}
			for p, gain := range NewState(in, s.Matching()).Gains() {
				if s.Gains()[p] != gain {
					t.Fatalf("%d×%d: after %+v gain of %d is %v, want %v", n1, n2, m, p, s.Gains()[p], gain)
				}
			}
		}
	}
}
