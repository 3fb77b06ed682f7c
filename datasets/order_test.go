package datasets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// edgeInstance returns positive affinities between vertices that share no node, where
// both graphs have an edge.
func edgeInstance(n1, n2 int, density float64, rng *rand.Rand) *qap.Instance {
	edges := func(n int) []bool {
		m := make([]bool, n*n)
		for i := range n {
			for j := range i {
				m[i*n+j] = rng.Float64() < density
				m[j*n+i] = m[i*n+j]
			}
		}
		return m
	}
	e1, e2 := edges(n1), edges(n2)
	k := make([]float64, n1*n2*n1*n2)
	for p := range n1 * n2 {
		for q := range n1 * n2 {
			if e1[p/n2*n1+q/n2] && e2[p%n2*n2+q%n2] {
				k[p*n1*n2+q] = 1
			}
		}
	}
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		panic(err)
	}
	return in
}

// TestOrderOf: of graphs of unequal size the zero entries tell the order, whichever it
// is; of equal size nothing does.
func TestOrderOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{5, 7}, {7, 5}, {10, 12}, {4, 9}, {6, 6}} {
		n1, n2 := size[0], size[1]
		for _, density := range []float64{.4, 1} {
			in := edgeInstance(n1, n2, density, rng)
			n := n1 * n2
			row, column := make([]float64, n*n), make([]float64, n*n)
			place := func(p int) int { return p%n2*n1 + p/n2 }
			for p := range n {
				for q := range n {
					row[p*n+q] = in.Affinity.At(p, q)
					column[place(p)*n+place(q)] = row[p*n+q]
				}
			}
			for written, values := range [][]float64{RowMajor: row, ColumnMajor: column} {
				content := npyFile("<f8", fmt.Sprintf("(%d, %d)", n, n), floats(values...))
				for _, read := range []Order{RowMajor, ColumnMajor} {
					var notices []string
					mustRead(t, "x.npy", content, Options{N1: n1, N2: n2, Order: read, Notice: func(_, m string) { notices = append(notices, m) }})
					wanted := int(read) != written && n1 != n2
					if told := len(notices) == 1 && strings.Contains(notices[0], "the matrix seems to be in"); told != wanted || len(notices) > 1 {
						t.Errorf("%d×%d, density %v, written in order %d, read in order %d: notices %q", n1, n2, density, written, read, notices)
					}
				}
			}
		}
	}
}

// TestOrderOfFilled: a matrix without zero entries, and one with few, say nothing.
func TestOrderOfFilled(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	k := make([]float64, 12*12)
	for e := range k {
		k[e] = rng.Float64()
	}
	filled := must.Get(qap.NewDense(3, 4, k, qap.Maximize))(t)
	few, err := qap.NewSparse(3, 4, []qap.Entry{{P: 0, Q: 1, Value: 1}}, qap.Maximize) // share node 0 of graph 1
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []*qap.Instance{filled, few} {
		if e := OrderOf(in, RowMajor); e.Doubtful() {
			t.Errorf("%+v is taken for evidence", e)
		}
	}
}
