package solvertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// Small returns small random problems of every form, with scores of both signs, of which all
// matchings can be tried.
func Small(t testing.TB) []*qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	var list []*qap.Instance
	for _, size := range [][2]int{{4, 4}, {3, 5}, {5, 4}, {1, 3}, {1, 1}} {
		n1, n2 := size[0], size[1]
		add := func(form string, in *qap.Instance, err error) {
			if err != nil {
				t.Fatal(err)
			}
			in.Name = fmt.Sprintf("%s %d×%d", form, n1, n2)
			list = append(list, in)
		}
		in, err := qap.NewDense(n1, n2, numbers(n1*n2*n1*n2), qap.Maximize)
		add("dense", in, err)
		in, err = qap.NewDense(n1, n2, numbers(n1*n2*n1*n2), qap.Minimize)
		in.Complete = true
		add("complete", in, err)
		var entries []qap.Entry
		for range 5 * n1 * n2 {
			entries = append(entries, qap.Entry{P: rng.IntN(n1 * n2), Q: rng.IntN(n1 * n2), Value: rng.NormFloat64()})
		}
		in, err = qap.NewSparse(n1, n2, entries, qap.Maximize)
		add("sparse", in, err)
		in, err = qap.NewKoopmansBeckmann(n1, n2, numbers(n1*n1), numbers(n2*n2), numbers(n1*n2), qap.Minimize)
		add("Koopmans–Beckmann", in, err)
		in = &qap.Instance{Affinity: in.Affinity}
		add("partial Koopmans–Beckmann", in, nil)
	}
	return list
}

// BestScores returns the best score of every size over the matchings that hold the seeds, by
// trying all of them; −Inf where there is none.
func BestScores(in *qap.Instance, seeds qap.Matching) []float64 {
	n1, n2 := in.Size()
	best := make([]float64, min(n1, n2)+1)
	for m := range best {
		best[m] = math.Inf(-1)
	}
	m := qap.NewMatching(n1)
	used := make([]bool, n2)
	var visit func(i int)
	visit = func(i int) {
		if i == n1 {
			best[m.Size()] = max(best[m.Size()], in.Score(m))
			return
		}
		for a := qap.Unmatched; a < n2; a++ {
			if seeds != nil && seeds[i] != qap.Unmatched && seeds[i] != a || a != qap.Unmatched && used[a] {
				continue
			}
			m[i] = a
			if a != qap.Unmatched {
				used[a] = true
			}
			visit(i + 1)
			if a != qap.Unmatched {
				used[a] = false
			}
		}
		m[i] = qap.Unmatched
	}
	visit(0)
	return best
}
