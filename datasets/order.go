package datasets

import (
	"fmt"

	"github.com/rgm-go/rgm/qap"
)

// OrderEvidence is what the zero entries of an affinity matrix say of the order of
// its vertices. Two vertices that share a node are never both in a matching, so most
// programs write 0 between them: a matrix that has none such places filled in the one
// order and many in the other was written in the one.
//
// Where both graphs have the same number of nodes, two vertices that share a node in
// one order do so in the other, and nothing speaks for either. There the wrong order
// only exchanges the graphs: matchings come out inverted.
type OrderEvidence struct {
	Read      Order   // the order in which the matrix was read
	AsRead    int     // entries that are not 0, between vertices that share a node in this order only
	Otherwise int     // the same of the other order
	Expected  float64 // what Otherwise would be if those entries were like all others
}

// OrderOf weighs the entries of an instance that was read in an order. Of a large
// matrix it looks at some rows, spread evenly.
func OrderOf(in *qap.Instance, read Order) OrderEvidence {
	const most = 1 << 23 // entries looked at
	n1, n2 := in.Size()
	n := n1 * n2
	e := OrderEvidence{Read: read}
	if n1 == n2 || n == 0 {
		return e
	}
	// The nodes that a vertex would stand for in the other order.
	other := make([][2]int, n)
	for p := range other {
		if i, a := p/n2, p%n2; read == RowMajor {
			other[p] = [2]int{p % n1, p / n1}
		} else {
			place := a*n1 + i
			other[p] = [2]int{place / n2, place % n2}
		}
	}
	row := make([]float64, n)
	filled, places, seen := 0, 0, 0
	rows := min(n, max(most/n, 1))
	for k := range rows {
		p := k * n / rows
		in.Affinity.Row(row, p)
		for q, v := range row {
			if q == p {
				continue
			}
			shares := q/n2 == p/n2 || q%n2 == p%n2
			sharesOtherwise := other[q][0] == other[p][0] || other[q][1] == other[p][1]
			seen++
			if v != 0 {
				filled++
			}
			switch {
			case shares == sharesOtherwise:
			case shares && v != 0:
				e.AsRead++
			case sharesOtherwise:
				places++
				if v != 0 {
					e.Otherwise++
				}
			}
		}
	}
	e.Expected = float64(filled) / float64(max(seen, 1)) * float64(places)
	return e
}

// Doubtful reports whether the entries speak for the other order.
func (e OrderEvidence) Doubtful() bool {
	const enough = 10 // expected entries: that none is there by chance is unlikely
	return e.AsRead > 0 && e.Otherwise == 0 && e.Expected >= enough
}

// String says what was found and what the matrix seems to be.
func (e OrderEvidence) String() string {
	read, other, formula := "row", "column", "a·n1+i, as pygmtools writes"
	if e.Read == ColumnMajor {
		read, other, formula = "column", "row", "i·n2+a"
	}
	return fmt.Sprintf("read in %s order, %d entries between vertices that share a node are not 0; in %s order none is: "+
		"the matrix seems to be in %s order (vertex %s), or n1 and n2 are exchanged", read, e.AsRead, other, other, formula)
}
