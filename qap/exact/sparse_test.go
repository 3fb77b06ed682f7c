package exact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
)

// TestSparseBound: the bound of the whole instance is below every cost that is known to be
// possible, and vertices of a matching that is better than the best known stay alive.
func TestSparseBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	for round := range 6 {
		n1, n2 := 12+round%2, 15-round%3
		var entries []qap.Entry
		for p := range n1 * n2 {
			entries = append(entries, qap.Entry{P: p, Q: p, Value: float64(rng.IntN(5) - 1)})
			for q := range p {
				if rng.Float64() < .01 {
					entries = append(entries, qap.Entry{P: p, Q: q, Value: float64(rng.IntN(9) - 2)})
				}
			}
		}
		in := must.Get(qap.NewSparse(n1, n2, entries, qap.Maximize))(t)
		in.Complete = round >= 3
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		best := must.Get(Solver{}.Solve(ctx, in, qap.Options{}))(t)
		s := newSearch(in, qap.Options{}.Watch(context.Background(), in))
		root := rootNode(in, s.transposed, s.stopped)
		s.prepare(root)
		weaker := qap.NewMatching(n1)
		if in.Complete {
			weaker = qap.RandomMatching(n1, n2, rng)
		}
		s.accept(weaker)
		if b := s.sparseBound(root); b > -best.Score+1e-9 {
			t.Errorf("round %d: bound %v on costs, but one is %v", round, b, -best.Score)
		}
		if best.Score <= -s.bestCost {
			continue
		}
		_, m2 := root.size()
		for i, a := range best.Matching {
			if a == qap.Unmatched {
				continue
			}
			if s.transposed {
				i, a = a, i
			}
			if root.dead[i*m2+a] {
				t.Errorf("round %d: vertex %d,%d of a better matching is ruled out", round, i, a)
			}
		}
	}
}

// TestHouse proves the published optimum of a sparse problem of 30 nodes, which the tree alone
// does not.
func TestHouse(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for in, err := range datasets.Open(testdata.Path(t, "data", "dd", "house-sparse99.dd"), datasets.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{TimeLimit: time.Minute}})
		if err != nil || r.Status != qap.Optimal || math.Abs(r.Objective+67.48580350172804) > 1e-6 {
			t.Errorf("%v, %v (%v)", r.Objective, r.Status, err)
		}
	}
}
