package regrow

import "github.com/rgm-go/rgm/qap"

// neighbours returns, for every node of graph 1, the nodes whose matches may have an
// affinity with its own; nil where the affinity does not say.
func neighbours(in *qap.Instance) [][]int32 {
	rows, ok := in.Affinity.(qap.Rows)
	if !ok {
		return nil
	}
	n1, n2 := in.Size()
	if pairs, ok := rows.(*qap.EdgePairs); ok {
		near := make([][]int32, n1)
		for i := range near {
			near[i] = pairs.Neighbours1(i)
		}
		return near
	}
	near, joined := make([][]int32, n1), make([]int, n1)
	q, k := make([]int32, rows.LongestRow()), make([]float64, rows.LongestRow())
	for i := range near {
		for a := range n2 {
			columns, _ := rows.RowEntries(i*n2+a, q, k)
			for _, q := range columns {
				if j := int(q) / n2; joined[j] != i+1 {
					joined[j] = i + 1
					near[i] = append(near[i], int32(j))
				}
			}
		}
	}
	return near
}
