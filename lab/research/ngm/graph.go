package ngm

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/lab/research/soft"
)

// Graph implements models.Exportable: it returns the logarithms of the soft matching, [batch, n1, n2], of features f and edges
// [batch, n1, n2, n1, n2].
func (n *Network) Graph(g *onnx.Builder, inputs []string) string {
	f, edges := inputs[0], inputs[1]
	w := g.Op("Reshape", edges, g.Ints(0, 0, 0, -1))
	sizes := g.Op("Abs", w)
	share := g.Div(sizes, g.Op("Max", g.LargestOf(sizes, 1, 2, 3), g.Number(1e-30)))
	sharp := g.Mul(w, g.Mul(g.Mul(share, share), share))
	e, logs := f, ""
	n1, n2 := g.Sizes(f)
	most := g.Float(g.Op("Max", n1, n2))
	for t := range n.layers {
		of := func(weights string) string { return fmt.Sprintf("layer%d.%s", t+1, weights) }
		near := func(edges, weights string) string { // [batch, 1, n1·n2, width] are the messages
			return g.Product(edges, g.Op("Reshape", g.Product(e, of(weights)), g.Ints(0, 1, -1, int64(n.hidden))))
		}
		h := g.Op("Relu", g.Sum(near(w, "message"), near(sharp, "sharp"), g.Dense(e, of("self"), of("bias"))))
		logs = soft.SinkhornGraph(g, g.Op("Squeeze", g.Product(h, of("score")), g.Ints(3)))
		e = g.Concat(3, h, g.Op("Unsqueeze", g.Mul(most, g.Op("Exp", logs)), g.Ints(3)))
	}
	return logs
}
